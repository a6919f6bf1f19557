import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Embedded, openEmbedded } from '../../scripts/database/embedded.ts';
import { writeChecked } from '../../scripts/pipeline/release/write.ts';
import { country } from '../pipeline/boundaries/country.ts';
import { seededCopy } from '../support/seeded.ts';

const SCRIPTS = fileURLToPath(new URL('../../scripts/', import.meta.url));
let dataDir: string;
let database: Embedded;
let first: string;
let second: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pgds-data-'));
  await rename(await seededCopy(), join(dataDir, 'database'));
  database = await openEmbedded(join(dataDir, 'database'));
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query('select release_id from active_release');
  first = rows[0]?.release_id;
  ({ id: second } = await writeChecked(client, {
    release: country(),
    report: { counts: {}, ignored: [], repairs: [], warnings: [] },
  }));
  await client.end();
});

afterAll(async () => {
  await database?.close();
  await rm(dataDir, { recursive: true, force: true });
});

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command with these variables and none of those that name a database otherwise. */
function run(environment: Record<string, string>, script: string, ...args: string[]): Promise<Outcome> {
  const { DATABASE_URL: _, DATA_DIR: __, ...inherited } = process.env;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(SCRIPTS, script), ...args],
      { env: { ...inherited, ...environment } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

const onServer = (script: string, ...args: string[]) => run({ DATABASE_URL: database.url }, script, ...args);

describe('geo:releases and geo:activate', () => {
  it('list releases, serve another, and serve the one before again', async () => {
    const line = (id: string, rest: string) => new RegExp(`^${id} +3Q 2026 .*${rest}$`, 'm');
    const listed = await onServer('geo-releases.ts');
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(listed.stdout).toMatch(line(first, '  active'));
    expect(listed.stdout).toMatch(line(second, ':\\d\\d'));

    const activated = await onServer('geo-activate.ts', second, '--force');
    expect(activated).toEqual({ code: 0, stdout: `Release ${second} is active in place of ${first}.\n`, stderr: '' });
    const again = await onServer('geo-activate.ts', second, '--force');
    expect(again).toMatchObject({ code: 0, stdout: `Release ${second} is the active one already.\n` });
    const back = await onServer('geo-activate.ts', first);
    expect(back).toMatchObject({ code: 0, stdout: `Release ${first} is active in place of ${second}.\n` });
  });

  it('refuse a release that is not there', async () => {
    const { code, stdout, stderr } = await onServer('geo-activate.ts', '1999-1q-1');
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: 'There is no release 1999-1q-1.\n' });
  });

  it('explain themselves where the arguments are wrong', async () => {
    const outcomes = [await onServer('geo-activate.ts'), await onServer('geo-releases.ts', '--all')];
    for (const { code, stderr } of outcomes) {
      expect(code).toBe(2);
      expect(stderr).toMatch(/npm run geo:(activate|releases)/);
    }
  });
});

describe('geo:load', () => {
  it.each([
    [['--psgc', 'nowhere.xlsx'], 1, 'nowhere.xlsx'],
    [['--psgc', 'builtin', '--boundaries', 'nowhere'], 1, 'nowhere does not exist'],
    [['--psgc', 'builtin', '--nonsense'], 2, "Unknown option '--nonsense'"],
  ])('%j is refused with exit code %i', async (args, code, sentence) => {
    const outcome = await onServer('geo-load.ts', ...args);
    expect(outcome).toMatchObject({ code, stdout: '' });
    expect(outcome.stderr).toContain(sentence);
    expect(outcome.stderr).not.toContain('    at ');
  });

  it('without boundaries does not take those away that are served, and says how to', async () => {
    const { code, stdout, stderr } = await onServer('geo-load.ts', '--boundaries', 'none');
    expect(code).toBe(1);
    const [, third = ''] = /^Release (2026-3q-\d+) \(PSGC 3Q 2026\), not active,/.exec(stdout) ?? [];
    expect(stderr).toContain(`Release ${third} is loaded and not activated: it has no boundaries`);
    expect(stderr).toContain('reverse geocoding and neighbours\n  the boundaries of 18 regions, 82 provinces, ');
    expect(stderr).toContain(`that ${first}, which stays active, gives them.`);
    expect(stderr).toContain(`npm run geo:activate -- ${third}`);
    const listed = await onServer('geo-releases.ts');
    expect(listed.stdout).toMatch(new RegExp(`^${first} .* active$`, 'm'));
    const refused = await onServer('geo-activate.ts', third);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('reverse geocoding and neighbours');
    expect(await onServer('geo-activate.ts', third, '--force')).toMatchObject({ code: 0 });
    expect(await onServer('geo-activate.ts', first)).toMatchObject({ code: 0 });
  });
});

describe('a database that can not be used', () => {
  it.each([
    ['garbage', ['geo-load.ts', '--boundaries', 'none'], 'DATABASE_URL must be a connection string'],
    ['https://user:secret@base/x', ['geo-releases.ts'], 'DATABASE_URL must be a connection string'],
    [
      'postgres://user:secret@no-such-host.invalid/x',
      ['geo-load.ts', '--boundaries', 'none'],
      'The database at no-such-host.invalid (DATABASE_URL) ',
    ],
    ['postgres://user:secret@127.0.0.1:9/x', ['geo-activate.ts', 'x'], 'The database at 127.0.0.1:9 (DATABASE_URL) '],
  ])('%s is said in one sentence without the password', async (url, [script = '', ...args], sentence) => {
    const { code, stdout, stderr } = await run({ DATABASE_URL: url }, script, ...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/secret|ENOTFOUND|ECONNREFUSED|\n +at /);
  });

  it('the embedded one while another process has it open, whose number it says', async () => {
    const { code, stderr } = await run({ DATA_DIR: dataDir }, 'geo-releases.ts');
    expect(code).toBe(1);
    expect(stderr).toContain(`(pid ${process.pid}), such as npm run dev; stop that one first.`);
  });

  it('the embedded one where there is none', async () => {
    const empty = join(dataDir, 'empty');
    await mkdir(empty);
    const { code, stderr } = await run({ DATA_DIR: empty }, 'geo-releases.ts');
    expect(code).toBe(1);
    expect(stderr).toContain(`There is no database in ${join(empty, 'database')} yet`);
  });
});

describe('the embedded database', () => {
  it('is opened for a command, and free again afterwards', async () => {
    await database.close();
    const activated = await run({ DATA_DIR: dataDir }, 'geo-activate.ts', second, '--force');
    expect(activated).toEqual({ code: 0, stdout: `Release ${second} is active in place of ${first}.\n`, stderr: '' });
    expect(await readdir(join(dataDir, 'database'))).not.toContain('pid');
  });
});
