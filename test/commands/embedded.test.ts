import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Embedded, openEmbedded, reasonOf } from '../../scripts/database/embedded.ts';
import { seededCopy } from '../support/seeded.ts';

const CHILD = new URL('./embedded-child.ts', import.meta.url);

let directory: string;
beforeAll(async () => {
  directory = await seededCopy();
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Another process that has the directory open, with rows in `kept` and a load into `lost` that goes on for ever. */
async function openElsewhere() {
  const child = fork(CHILD, [directory], { execArgv: ['--disable-warning=ExperimentalWarning'] });
  await once(child, 'message');
  return child;
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

describe('a data directory', () => {
  it('belongs to one process at a time, survives its kill, and keeps what was committed', async () => {
    const other = await openElsewhere();
    await expect(openEmbedded(directory)).rejects.toThrow(
      `The database in ${directory} is in use by another process (pid ${other.pid})`,
    );
    other.kill('SIGKILL');
    await once(other, 'exit');

    const afterKill = await openEmbedded(directory);
    const client = await connected(afterKill.url);
    expect((await client.query('SELECT count(*)::int AS n FROM kept')).rows).toEqual([{ n: 3 }]);
    expect((await client.query('SELECT count(*)::int AS n FROM lost')).rows).toEqual([{ n: 0 }]);
    expect((await client.query('SELECT count(*)::int AS n FROM areas WHERE level = $1', ['region'])).rows).toEqual([
      { n: 18 },
    ]);
    await client.query('INSERT INTO kept VALUES (4)');
    await client.end();
    await afterKill.close();
    expect(await readdir(directory)).not.toContain('pid');

    const reopened = await openEmbedded(directory);
    const again = await connected(reopened.url);
    expect((await again.query('SELECT max(a) AS a FROM kept')).rows).toEqual([{ a: 4 }]);
    await again.end();
    await reopened.close();
  });
});

describe('a database that can not go on', () => {
  it('stops with its reason instead of leaving statements without an answer', async () => {
    const place = await mkdtemp(join(tmpdir(), 'pgds-embedded-'));
    const crashed = Promise.withResolvers<Error>();
    const database = await openEmbedded(place, { onCrash: crashed.resolve });
    const client = await connected(database.url);
    // PostgreSQL can't make the next file of its log, as on a full disk.
    await rm(join(place, 'postgres', 'pg_wal'), { recursive: true });
    await expect(client.query('CREATE TABLE t (); SELECT pg_switch_wal(); CREATE TABLE u ()')).rejects.toThrow();
    expect((await crashed.promise).message).toBe('The embedded database stopped: PostgreSQL has aborted');
    await database.close();
    await rm(place, { recursive: true });
  });

  it.runIf(existsSync('/proc'))('says where the disk is full', () => {
    const error = new Error('PostgreSQL has aborted');
    expect(reasonOf(error, tmpdir())).toBe(error.message);
    // It has no space, as a full disk.
    expect(reasonOf(error, '/proc')).toBe('the disk is full. 0 MiB are left for /proc, and the database needs 16 MiB.');
  });
});

describe('one session for several clients', () => {
  let fresh: string;
  let database: Embedded;
  beforeAll(async () => {
    fresh = await mkdtemp(join(tmpdir(), 'pgds-embedded-'));
    database = await openEmbedded(join(fresh, 'made', 'on', 'demand'));
  });
  afterAll(async () => {
    await database.close();
    await rm(fresh, { recursive: true, force: true });
  });

  it('gives each client the answers to its own questions, errors among them', async () => {
    const clients = await Promise.all(Array.from({ length: 4 }, () => connected(database.url)));
    await Promise.all(
      clients.map(async (client, k) => {
        for (let i = 0; i < 50; i++) {
          const answer = client.query(`SELECT $1::int AS c${k}, 1 / ($1::int % 5)`, [i]);
          if (i % 5 === 0) await expect(answer).rejects.toMatchObject({ code: '22012' });
          else expect((await answer).rows[0]).toMatchObject({ [`c${k}`]: i });
        }
        await client.end();
      }),
    );
  });

  it('answers after any number of errors', async () => {
    const client = await connected(database.url);
    for (let i = 0; i < 2500; i++) {
      await expect(client.query('SELECT 1 / $1::int', [0])).rejects.toMatchObject({ code: '22012' });
    }
    expect((await client.query('SELECT 1 AS a')).rows).toEqual([{ a: 1 }]);
    await client.end();
  });

  it('answers with an error where a library throws, within a transaction and a function too', async () => {
    const client = await connected(database.url);
    await client.query('CREATE EXTENSION IF NOT EXISTS postgis');
    const transform = 'st_transform(st_setsrid(st_makepoint($1::float8, 14), 22300), 4326)';
    await client.query(`CREATE FUNCTION pg_temp.moved(float8) RETURNS text LANGUAGE plpgsql AS $$
      BEGIN RETURN st_astext(${transform}); EXCEPTION WHEN division_by_zero THEN RETURN 'never'; END $$`);
    await client.query('CREATE TEMPORARY TABLE places AS SELECT 121.0::float8 AS lon');
    const thrown = { code: 'XX000', message: expect.stringContaining('has thrown an exception') };
    for (let i = 0; i < 20; i++) {
      await expect(client.query(`SELECT ${transform}`, [121])).rejects.toMatchObject(thrown);
      await expect(client.query(`SELECT ${transform.replace('$1', 'lon')} FROM places`)).rejects.toMatchObject(thrown);
      await expect(client.query("SELECT st_relate('LINESTRING(0 0,1 1)', 'POINT(0 0)', 'x')")).rejects.toMatchObject(
        thrown,
      );
      await client.query('BEGIN');
      await expect(client.query('SELECT pg_temp.moved($1)', [121])).rejects.toMatchObject(thrown);
      await expect(client.query('SELECT $1::int', [i])).rejects.toMatchObject({ code: '25P02' });
      await client.query('ROLLBACK');
      expect((await client.query('SELECT $1::int AS i', [i])).rows).toEqual([{ i }]);
    }
    await client.end();
  });

  it('rolls back what a client left open that vanished', async () => {
    const staying = await connected(database.url);
    await staying.query('CREATE TABLE t (a int)');
    const vanishing = await connected(database.url);
    await vanishing.query('BEGIN');
    await vanishing.query('INSERT INTO t VALUES (1)');
    const waiting = staying.query('SELECT count(*)::int AS n FROM t');
    (vanishing as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    expect((await waiting).rows).toEqual([{ n: 0 }]);
    await staying.end();
  });
});
