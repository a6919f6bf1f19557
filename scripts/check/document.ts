import { spawnSync } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Spectral } from '@stoplight/spectral-core';
import { ROOT, scriptOf } from '../command/root.ts';
import { withScratch } from '../command/scratch.ts';
import { renderDocument } from '../pages/document.ts';
import { ruleset } from './spectral-ruleset.ts';

// Lints the OpenAPI document that the Worker serves, by the rules of redocly.yaml beside this and by those of Spectral. Warnings are
// failures too.

/** Turns off everything that uses the network. */
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' };

const CONFIG = 'redocly.yaml';

const redocly = scriptOf('@redocly/cli', 'bin/cli.js');
await withScratch(async (directory) => {
  const file = join(directory, 'openapi.json');
  const document = await renderDocument();
  await writeFile(file, JSON.stringify(document, null, 2));
  // The linter looks for its list of ignored problems beside the document.
  for (const name of [CONFIG, '.redocly.lint-ignore.yaml'])
    await copyFile(join(import.meta.dirname, name), join(directory, name));
  const args = ['lint', file, '--config', join(directory, CONFIG), '--format', 'json'];
  const { stdout, stderr } = spawnSync(process.execPath, [redocly, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, ...QUIET },
    maxBuffer: 64 * 1024 * 1024,
  });
  const { totals, problems } = resultIn(stdout, stderr);
  for (const { severity, ruleId, message, location } of problems) {
    console.error(`${severity} ${ruleId}: ${message} at ${location[0]?.pointer ?? '#/'}`);
  }
  if (totals.errors + totals.warnings > 0) process.exitCode = 1;
  const spectral = new Spectral();
  spectral.setRuleset(ruleset);
  for (const { code, message, path } of await spectral.run({ ...document })) {
    console.error(`${code}: ${message} at #/${path.join('/')}`);
    process.exitCode = 1;
  }
});

interface Result {
  totals: { errors: number; warnings: number };
  problems: { severity: string; ruleId: string; message: string; location: { pointer?: string }[] }[];
}

/** Parses the result. @throws Error if the linter gave none */
function resultIn(stdout: string, stderr: string): Result {
  try {
    return JSON.parse(stdout) as Result;
  } catch {
    throw new Error(`The linter gave no result.\n${stdout}${stderr}`);
  }
}
