import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Embedded, openEmbedded } from '../../scripts/database/embedded.ts';
import { prepareDatabase } from '../../scripts/dev/prepare-database.ts';
import { seedRelease } from '../../scripts/dev/seed.ts';
import { barangays, directoryOf, lines } from '../pipeline/boundaries/country.ts';
import { seededCopy } from '../support/seeded.ts';

let directory: string;
let boundariesDir: string;
let database: Embedded;
let client: pg.Client;
const said: string[] = [];
const say = (sentence: string) => said.push(sentence);

beforeAll(async () => {
  directory = await seededCopy();
  boundariesDir = await directoryOf({ 'barangays.ndjson': lines(barangays()) });
  database = await openEmbedded(directory);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client?.end();
  await database?.close();
  for (const path of [directory, boundariesDir]) await rm(path, { recursive: true, force: true });
});

const prepare = (given?: string) => prepareDatabase(database.url, { dataDir: directory, boundariesDir: given, say });

async function active() {
  const { rows } = await client.query<{ id: string; releases: number; boundary_set: string }>(
    `select id, boundary_set, (select count(*)::int from data_releases) as releases
     from active_release join data_releases on id = release_id`,
  );
  return rows[0];
}

const degrade = (report = {}) =>
  client.query(`update data_releases set boundary_set = 'display', report = report || $1::jsonb`, [
    JSON.stringify(report),
  ]);

describe('a database with a release', () => {
  it('of detailed boundaries is left as it is, whatever is given', async () => {
    const before = await active();
    expect(await prepare(boundariesDir)).toBe('full');
    expect(await active()).toEqual(before);
    expect(said).toEqual([]);
  });

  it('of coarse ones is left as it is when nothing is given', async () => {
    await degrade();
    const before = await active();
    expect(await prepare()).toBe('display');
    expect(await active()).toEqual(before);
  });

  it('of coarse ones tries those that are given, and keeps what is served when they have holes', async () => {
    const before = await active();
    await expect(prepare(boundariesDir)).rejects.toThrow('The load was refused');
    expect(said.splice(0)).toEqual([
      'The active release has no detailed boundaries; a new one is loaded.',
      `Loading the boundaries in ${boundariesDir}.`,
    ]);
    expect(await active()).toEqual(before);
  });

  it('that was loaded from the directory that is given is not loaded again', async () => {
    await degrade({ boundariesDir });
    const before = await active();
    expect(await prepare(boundariesDir)).toBe('display');
    expect(await active()).toEqual(before);
    expect(said).toEqual([]);
  });
});

describe('a database of an early development version', () => {
  const shift = (by: number) =>
    client.query('update drizzle.__drizzle_migrations set created_at = created_at + $1', [by]);

  it('is refused in one sentence that says what to do, and left as it is', async () => {
    const before = await active();
    await shift(-1);
    await expect(prepare()).rejects.toThrow(
      /^The database has the tables of an early development version[^.]*: delete the data directory \(.+\), or set DATABASE_URL to an empty database\.$/,
    );
    await shift(1);
    expect(await prepare()).toBe(before?.boundary_set);
    expect(await active()).toEqual(before);
  });
});

describe('a seed', () => {
  it('passes over boundaries that turn out not to fit, and says so', async () => {
    const before = await active();
    await client.query('delete from active_release');
    await seedRelease(client, {
      dataDir: directory,
      say,
      sets: {
        publicSet: async (path) => {
          await mkdir(path, { recursive: true });
          await writeFile(join(path, 'barangays.ndjson'), '{"type":"Feature"');
        },
        naturalEarthSet: () => Promise.reject(new Error('no registry')),
      },
    });
    expect(said).toEqual([
      'Loading the public boundary set philippines-json-maps of 2023.',
      expect.stringMatching(/^They are refused for 1 problem\(s\).*barangays.ndjson line 1: is no JSON/),
      "Coarse boundaries can't be had either: no registry.",
      'Loading the areas without boundaries.',
    ]);
    const after = await active();
    expect(after).toMatchObject({ boundary_set: 'none', releases: (before?.releases ?? 0) + 1 });
  });
});
