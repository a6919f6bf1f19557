import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databaseName, readReleaseState, writeReleaseState } from '../../scripts/dev/release-state.ts';

const BEGUN = { id: '2026-3q-1', createdAt: new Date('2026-11-21T12:00:00.123Z'), isComplete: false };
const EMBEDDED = databaseName(undefined);
const TEAM = databaseName('postgres://maria:secret@db.example:6543/team');

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pgds-release-state-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

describe('the state of a release that was begun', () => {
  it('names its database without a secret, and is none for another one', async () => {
    expect([EMBEDDED, TEAM]).toEqual([null, 'db.example:6543/team']);
    for (const [database, other] of [
      [EMBEDDED, TEAM],
      [TEAM, EMBEDDED],
      [TEAM, databaseName('postgres://maria:secret@db.example:6543/other')],
    ] as const) {
      await writeReleaseState(dataDir, { ...BEGUN, database });
      expect(await readReleaseState(dataDir, database)).toEqual({ ...BEGUN, database });
      expect(await readReleaseState(dataDir, other)).toBeUndefined();
    }
  });

  it('is one of the embedded database where an earlier build wrote it', async () => {
    await writeFile(join(dataDir, 'release.json'), JSON.stringify(BEGUN));
    expect(await readReleaseState(dataDir, EMBEDDED)).toEqual({ ...BEGUN, database: null });
    expect(await readReleaseState(dataDir, TEAM)).toBeUndefined();
  });
});
