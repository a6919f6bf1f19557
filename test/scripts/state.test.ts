import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stateDirectory } from '../../scripts/dev/state.ts';

/** A file system in memory, which Linux has. */
const MEMORY = '/dev/shm';

const [ofTests, inMemory] = await Promise.all([stat(tmpdir()), stat(MEMORY).catch(() => undefined)]);
const HAS_ANOTHER = inMemory !== undefined && inMemory.dev !== ofTests.dev;

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pgds-state-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function store(directory: string, text: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'object'), text);
}

describe('the local R2 and Durable Objects', () => {
  it('are where wrangler looks by itself, unless there is another data directory', async () => {
    expect(await stateDirectory(root, join(root, '.data'))).toBe(join(root, '.wrangler', 'state'));
    expect(await stateDirectory(root, join(root, 'elsewhere'))).toBe(join(root, 'elsewhere', 'worker'));
  });

  it('of earlier versions are moved there, and what is there is put aside', async () => {
    await store(join(root, '.data', 'worker'), 'a dataset');
    const state = await stateDirectory(root, join(root, '.data'));
    expect(await readFile(join(state, 'object'), 'utf8')).toBe('a dataset');
    expect(existsSync(join(root, '.data', 'worker'))).toBe(false);
    await store(join(root, '.data', 'worker'), 'another');
    await stateDirectory(root, join(root, '.data'));
    expect(await readFile(join(state, 'object'), 'utf8')).toBe('another');
    const [aside = ''] = (await readdir(join(root, '.wrangler'))).filter((name) => name.startsWith('state-'));
    expect(await readFile(join(root, '.wrangler', aside, 'object'), 'utf8')).toBe('a dataset');
  });

  it.runIf(HAS_ANOTHER)('are moved from another file system too', async () => {
    const elsewhere = await mkdtemp(join(MEMORY, 'pgds-state-'));
    try {
      await symlink(elsewhere, join(root, '.data'));
      await store(join(root, '.data', 'worker', 'r2'), 'a dataset');
      const state = await stateDirectory(root, join(root, '.data'));
      expect(await readFile(join(state, 'r2', 'object'), 'utf8')).toBe('a dataset');
      expect(await readdir(elsewhere)).toEqual([]);
    } finally {
      await rm(elsewhere, { recursive: true });
    }
  });
});
