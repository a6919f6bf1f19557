import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { findFreePort } from '../../../scripts/dev/port.ts';
import { copyDirectory } from '../../support/cached-directory.ts';
import { publishedOnce } from '../../support/published.ts';
import { TIMEOUT_MS } from '../../support/timeouts.ts';
import { addOlderEdition, OLDER_RELEASE } from './older-edition.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The archives that the tests wait for. The others take longer. Until they exist, pages draw their levels from GeoJSON. */
const SLUGS = ['regions', 'provinces'];

const MASTER_TOKEN = 'master-token-of-the-browser-tests';

/** Runs `npm run dev`, as a person starts it, on the schematic country with an older edition until the tests are done. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pgds-stack-'));
  await copyDirectory(await publishedOnce(), dataDir);
  await addOlderEdition(dataDir);
  const port = await findFreePort();
  const child = spawn(process.execPath, ['scripts/dev.ts'], {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, MASTER_TOKEN, DATABASE_URL: '', BOUNDARIES_DIR: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-10_000);
    });
  }
  const origin = `http://127.0.0.1:${port}`;
  const stop = async () => {
    await endProcess(child);
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await waitForTiles(origin, child);
    // Without this the edition would be answered for by the active release, which carries it without boundaries.
    const publish = [join(ROOT, 'scripts', 'geo-publish.ts'), OLDER_RELEASE];
    await promisify(execFile)(process.execPath, publish, {
      env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' },
    });
  } catch (error) {
    await stop();
    throw new Error(`${(error as Error).message}\n${log}`);
  }
  project.provide('devStack', { origin, masterToken: MASTER_TOKEN });
  return stop;
}

/**
 * Waits for the server, and for the tiles that it builds after its first start, with low priority, so that other work on the
 * machine comes first.
 */
async function waitForTiles(origin: string, child: ChildProcess): Promise<void> {
  for (const started = Date.now(); Date.now() - started < 5 * TIMEOUT_MS; await sleep(500)) {
    if (child.exitCode !== null) throw new Error('The development server ended.');
    const headers = { Authorization: `Bearer ${MASTER_TOKEN}` };
    const answer = await fetch(`${origin}/v1/tiles`, { headers }).catch(() => undefined);
    if (!answer?.ok) continue;
    const { data } = (await answer.json()) as { data: { slug: string }[] };
    if (SLUGS.every((slug) => data.some((archive) => archive.slug === slug))) return;
  }
  throw new Error(`The development server had no tiles after ${(5 * TIMEOUT_MS) / 1000} seconds.`);
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGINT');
  await once(child, 'exit');
}
