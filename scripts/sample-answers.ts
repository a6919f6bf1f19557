import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from './command/command.ts';
import { ROOT } from './command/root.ts';
import { findRunning } from './command/running.ts';
import { renderDocument } from './pages/document.ts';
import type { OpenApi } from './pages/reference/openapi.ts';
import { recordAnswers } from './pages/reference/record.ts';

const USAGE = `Records what the local server answers to the samples of the reference, in scripts/pages/reference/recorded-answers.json.

  SESSION=$(npm run --silent token -- --email maria@example.com) npm run docs:answers

  SESSION  a session token of a new user of the server that npm run dev runs on DATA_DIR. What the samples make is deleted again`;

await runCommand({ usage: USAGE }, async () => {
  const { SESSION: session } = process.env;
  const running = await findRunning();
  if (!running || !session) throw new Error('npm run dev must run, and SESSION must be set.');
  const document = (await renderDocument()) as OpenApi;
  const answers = await recordAnswers(document, { ...running, session }, console.log);
  await writeFile(join(ROOT, 'scripts/pages/reference/recorded-answers.json'), `${JSON.stringify(answers, null, 1)}\n`);
});
