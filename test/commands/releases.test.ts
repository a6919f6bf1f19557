import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { withBoundaries } from '../../scripts/pipeline/boundaries/load.ts';
import { LoadRefused } from '../../scripts/pipeline/psgc/checks.ts';
import { activateRelease } from '../../scripts/pipeline/release/activate.ts';
import { writeChecked, writeRelease } from '../../scripts/pipeline/release/write.ts';
import { barangays, COUNTRY, country, directoryOf, lines } from '../pipeline/boundaries/country.ts';
import { seededDatabase, type TestDatabase } from '../support/database.ts';
import { NEWEST } from '../support/editions.ts';

const LOAD = fileURLToPath(new URL('../../scripts/geo-load.ts', import.meta.url));
/** Two regions, and one of them alone. */
const [BOTH, ALONE] = [country(), country(COUNTRY.slice(0, 8))];
const REPORT = { counts: {}, ignored: [], repairs: [], warnings: [] };
const TABLES = [
  'data_releases',
  'areas',
  'area_names',
  'former_names',
  'code_aliases',
  'boundaries',
  'boundary_pieces',
  'area_neighbors',
];

let database: TestDatabase;
let client: pg.Client;
/** The release that is active when a test begins, with two regions. */
let first: string;

beforeAll(async () => {
  database = await seededDatabase(inject('postgresServer'));
  client = await connected();
  await client.query('truncate data_releases cascade');
  first = (await writeChecked(client, { release: BOTH, report: REPORT })).id;
});

beforeEach(async () => {
  await activateRelease(client, first);
});

afterAll(async () => {
  await client?.end();
  await database?.close();
});

async function connected(): Promise<pg.Client> {
  const one = new pg.Client({ connectionString: database.url });
  one.on('error', () => {});
  await one.connect();
  return one;
}

async function active(): Promise<string> {
  const { rows } = await client.query<{ release_id: string }>('select release_id from active_release');
  expect(rows).toHaveLength(1);
  return rows[0]?.release_id ?? '';
}

/** How many rows each table has, and what is active: what a load that fails must not touch. */
async function state() {
  const counts = TABLES.map((table) => `(select count(*)::int from ${table}) as ${table}`);
  const { rows } = await client.query(`select ${counts.join(', ')}`);
  return { ...rows[0], active: await active() };
}

/** As the Worker finds areas: those of the active release. */
async function servedRegions(): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from active_release join areas using (release_id) where level = 'region'`,
  );
  return rows[0]?.n ?? 0;
}

/** Ends a connection as a crash does, without a word to the server. */
function cut(connection: pg.Client): void {
  (connection as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

describe('a release', () => {
  it('is loaded inactive, served once it is activated, and gives way to the one before', async () => {
    const { id } = await writeChecked(client, { release: ALONE, report: REPORT });
    expect([first, id]).toEqual([`${NEWEST}-1`, `${NEWEST}-2`]);
    expect(await servedRegions()).toBe(2);
    expect(await activateRelease(client, id)).toBe(first);
    expect(await servedRegions()).toBe(1);
    expect(await activateRelease(client, first)).toBe(id);
    expect(await servedRegions()).toBe(2);
    expect(await activateRelease(client, first)).toBe(first);
    const { rows } = await client.query(
      `select actor_kind, action, subject_id, details from audit_logs order by id desc limit 2`,
    );
    expect(rows).toEqual([
      { actor_kind: 'command', action: 'release.activated', subject_id: first, details: { previous: id } },
      { actor_kind: 'command', action: 'release.activated', subject_id: id, details: { previous: first } },
    ]);
  });

  it('is checked after it is written', async () => {
    const { id } = await writeChecked(client, { release: ALONE, report: REPORT });
    const { rows } = await client.query('select checked_at > created_at as later from data_releases where id = $1', [
      id,
    ]);
    expect(rows).toEqual([{ later: true }]);
  });

  it('takes the place of another without a moment of none or two', async () => {
    const { id } = await writeChecked(client, { release: ALONE, report: REPORT });
    const reader = await connected();
    const seen: unknown[][] = [];
    let done = false;
    const reading = (async () => {
      while (!done) seen.push((await reader.query('select release_id from active_release')).rows);
    })();
    for (let i = 0; i < 20; i++) await activateRelease(client, i % 2 === 0 ? id : first);
    done = true;
    await reading;
    await reader.end();
    for (const rows of seen) expect([[{ release_id: id }], [{ release_id: first }]]).toContainEqual(rows);
  });

  it('is activated with its table known to the planner as one row', async () => {
    const { rows } = await client.query(`select reltuples from pg_class where relname = 'active_release'`);
    expect(rows).toEqual([{ reltuples: 1 }]);
  });

  it('can not be activated unless it exists and its checks were completed', async () => {
    await expect(activateRelease(client, `${NEWEST}-999`)).rejects.toThrow(`There is no release ${NEWEST}-999.`);
    await client.query(
      `insert into data_releases (id, edition, sources, report) values ('half', '3Q 2026', '[]', '{}')`,
    );
    await expect(activateRelease(client, 'half')).rejects.toThrow("Release half can't be activated");
    await client.query(`delete from data_releases where id = 'half'`);
    expect(await active()).toBe(first);
  });

  it('has an id of its own when two are loaded at once', async () => {
    const clients = await Promise.all([connected(), connected(), connected()]);
    const written = await Promise.all(clients.map((one) => writeChecked(one, { release: ALONE, report: REPORT })));
    expect(new Set(written.map(({ id }) => id)).size).toBe(3);
    await Promise.all(clients.map((one) => one.end()));
  });
});

describe('a load leaves no row behind and what is served as it was', () => {
  it('when it is refused', async () => {
    const before = await state();
    await expect(writeRelease(client, BOTH)).rejects.toThrow(LoadRefused);
    expect(await state()).toEqual(before);
  });

  it.each(['the areas', 'the boundaries'])('when its connection is lost after %s are written', async (part) => {
    const before = await state();
    const vanishing = await connected();
    const directory = await directoryOf({ 'barangays.ndjson': lines(barangays()) });
    const load = withBoundaries(BOTH, { boundaries: directory }, (prepared) =>
      writeChecked(
        vanishing,
        { release: BOTH, report: REPORT },
        {
          boundaries: {
            write: async (...args) => {
              if (part === 'the boundaries') await prepared.write(...args);
              cut(vanishing);
              return prepared.write(...args);
            },
          },
        },
      ),
    );
    await expect(load).rejects.toThrow(/connection/i);
    expect(await state()).toEqual(before);
    await rm(directory, { recursive: true });
  });

  it('when its process is killed, and the next load is not held up', async () => {
    const before = await state();
    const load = spawn(process.execPath, [LOAD, '--boundaries', 'none'], {
      env: { ...process.env, DATABASE_URL: database.url },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await said(load, /[3-9]\d % {2}Loading the areas/);
    load.kill('SIGKILL');
    await once(load, 'exit');
    expect(await state()).toEqual(before);
    const { id } = await writeChecked(client, { release: ALONE, report: REPORT });
    expect(id).not.toBe(first);
  });
});

/** Waits until a process has said something on stderr. */
async function said(child: ChildProcessByStdio<null, null, Readable>, what: RegExp): Promise<void> {
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  while (!what.test(text)) {
    if (child.exitCode !== null) throw new Error(`It ended with exit code ${child.exitCode}: ${text}`);
    await sleep(5);
  }
}
