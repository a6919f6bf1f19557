import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stateDirectory } from '../../scripts/dev/state.ts';

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
});
