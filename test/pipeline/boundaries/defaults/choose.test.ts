import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BoundaryChoice, chooseBoundaries } from '../../../../scripts/pipeline/boundaries/defaults/choose.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-test-defaults-'));
});
afterEach(async () => {
  await rm(directory, { recursive: true });
});

describe('boundaries of a new database', () => {
  const said: string[] = [];
  const choose = (choice: Partial<BoundaryChoice>, has: string[]) => {
    said.length = 0;
    const fetching = (set: string) => async () => {
      if (!has.includes(set)) throw new Error(`no ${set} today`);
    };
    const sets = { publicSet: fetching('public set'), naturalEarthSet: fetching('coarse set') };
    return chooseBoundaries({ dataDir: directory, say: (it) => said.push(it), sets, ...choice });
  };

  it('are those that the user gave, which must have no holes', async () => {
    expect(await choose({ boundariesDir: directory }, ['public set'])).toMatchObject({
      origin: 'given',
      path: directory,
      allowMissing: false,
    });
  });

  it('else the public set', async () => {
    expect(await choose({}, ['public set', 'coarse set'])).toMatchObject({ origin: 'public', allowMissing: true });
    expect(said).toEqual([]);
  });

  it('else the coarse set, and why is said', async () => {
    expect(await choose({}, ['coarse set'])).toMatchObject({ origin: 'coarse', allowMissing: true });
    expect(said).toEqual(["The public boundary set can't be had: no public set today."]);
    expect(await choose({ passOver: ['public'] }, ['public set', 'coarse set'])).toMatchObject({ origin: 'coarse' });
  });

  it('else none', async () => {
    expect(await choose({}, [])).toBeUndefined();
    expect(said).toHaveLength(3);
  });

  it('are not looked for elsewhere when what the user gave does not exist', async () => {
    const attempt = choose({ boundariesDir: join(directory, 'nothing') }, ['public set']);
    await expect(attempt).rejects.toThrow(/BOUNDARIES_DIR names .*nothing, which does not exist/);
  });
});
