import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Embedded, openEmbedded } from '../../../scripts/database/embedded.ts';
import { type NeonEndpoint, startNeonEndpoint } from '../../../scripts/database/neon-endpoint.ts';
import { seededCopy } from '../../support/seeded.ts';

// A copy of the driver of its own: what the Worker's sets for all is set for the other files that share this process.
const { neon, neonConfig } = createRequire(import.meta.url)(
  '@neondatabase/serverless',
) as typeof import('@neondatabase/serverless');

neonConfig.fetchEndpoint = (host, port) => `http://${host}:${port}/sql`;

let directory: string;
let database: Embedded;
let endpoint: NeonEndpoint;
let sql: ReturnType<typeof neon<false, false>>;

beforeAll(async () => {
  directory = await seededCopy();
  database = await openEmbedded(directory);
  endpoint = await startNeonEndpoint({ postgresUrl: database.url, singleSession: true });
  sql = neon(endpoint.url);
  await sql`CREATE TABLE notes (id int PRIMARY KEY, body text)`;
});

afterAll(async () => {
  await endpoint?.close();
  await database?.close();
  if (directory) await rm(directory, { recursive: true, force: true });
});

describe('values', () => {
  it.each([
    ['null::int', null],
    ['42::int', 42],
    ['9007199254740993::int8', '9007199254740993'],
    ['12345678901234567890.12::numeric', '12345678901234567890.12'],
    ['1.5::float8', 1.5],
    ['true', true],
    [`'2026-07-01T08:30:00.123+08'::timestamptz`, new Date('2026-07-01T00:30:00.123Z')],
    [`ARRAY[1, 2, NULL]::int[]`, [1, 2, null]],
    [`ARRAY['a,b', 'say "hi"', NULL]::text[]`, ['a,b', 'say "hi"', null]],
    [`'{"a": [1, null, "ñ"]}'::jsonb`, { a: [1, null, 'ñ'] }],
    [`'\\x00ff10'::bytea`, Buffer.from([0, 255, 16])],
    [`'Parañaque''s "日本" \\ 👋'::text`, `Parañaque's "日本" \\ 👋`],
    [`''::text`, ''],
    [`st_asgeojson(st_point(121.5, 14.25, 4326))`, '{"type":"Point","coordinates":[121.5,14.25]}'],
  ])('%s arrives as the driver’s users expect', async (expression, expected) => {
    expect(await sql.query(`SELECT ${expression} AS value`)).toEqual([{ value: expected }]);
  });

  it.each([
    ['int', 7, 7],
    ['text', null, null],
    ['text', `it's "ñ" \\ 👋`, `it's "ñ" \\ 👋`],
    ['boolean', false, false],
    ['jsonb', { a: [1, null] }, { a: [1, null] }],
    ['text[]', ['x,y', null, '"'], ['x,y', null, '"']],
    ['bytea', Buffer.from([1, 0, 255]), Buffer.from([1, 0, 255])],
    ['timestamptz', new Date('2026-07-01T00:30:00Z'), new Date('2026-07-01T00:30:00Z')],
  ])('a parameter of type %s keeps its value', async (type, given, expected) => {
    expect(await sql.query(`SELECT $1::${type} AS value`, [given])).toEqual([{ value: expected }]);
  });

  it('come with the command, the count and the fields', async () => {
    const full = await sql.query('SELECT code, name FROM areas WHERE level = $1 ORDER BY code LIMIT 2', ['region'], {
      fullResults: true,
      arrayMode: true,
    });
    expect(full).toMatchObject({ command: 'SELECT', rowCount: 2, rows: [['0100000000', expect.any(String)], {}] });
    expect(full.fields).toMatchObject([
      { name: 'code', dataTypeID: 25 },
      { name: 'name', dataTypeID: 25 },
    ]);
  });
});

describe('a batch', () => {
  it('leaves nothing when its second statement fails', async () => {
    const batch = sql.transaction([sql`INSERT INTO notes VALUES (1, 'a')`, sql`INSERT INTO notes VALUES (1, 'b')`]);
    await expect(batch).rejects.toMatchObject({ name: 'NeonDbError', code: '23505', constraint: 'notes_pkey' });
    expect(await sql`SELECT * FROM notes`).toEqual([]);
  });

  it('runs at the level and in the mode that it asks for', async () => {
    const modes = [
      sql`SELECT current_setting('transaction_isolation') AS value`,
      sql`SELECT current_setting('transaction_read_only') AS value`,
    ];
    const asked = await sql.transaction(modes, { isolationLevel: 'Serializable', readOnly: true, deferrable: true });
    expect(asked).toEqual([[{ value: 'serializable' }], [{ value: 'on' }]]);
    expect(await sql.transaction(modes)).toEqual([[{ value: 'read committed' }], [{ value: 'off' }]]);
    const write = sql.transaction([sql`INSERT INTO notes VALUES (2, 'c')`], { readOnly: true });
    await expect(write).rejects.toMatchObject({ code: '25006' });
  });
});

describe('what is refused', () => {
  it('a wrong statement, with Postgres’ own fields, and the next one is answered', async () => {
    await expect(sql.query('SELECT nonsense FROM areas')).rejects.toMatchObject({
      name: 'NeonDbError',
      code: '42703',
      severity: 'ERROR',
      position: '8',
      message: 'column "nonsense" does not exist',
    });
    expect(await sql`SELECT 1 AS one`).toEqual([{ one: 1 }]);
  });

  it('a second statement behind a semicolon', async () => {
    await expect(sql.query('SELECT 1; SELECT 2')).rejects.toMatchObject({ code: '42601' });
  });

  it('another connection string', async () => {
    const stranger = neon(endpoint.url.replace(/local:[^@]+/, 'local:guess'));
    await expect(stranger`SELECT 1`).rejects.toThrow(/HTTP status 401.*28000/);
  });

  it('a body of 65 MB', async () => {
    await expect(sql.query('SELECT length($1)', ['x'.repeat(65 * 1024 * 1024)])).rejects.toThrow(/HTTP status 413/);
  });

  it('another path and another method', async () => {
    const address = `http://${new URL(endpoint.url).host}`;
    expect((await fetch(`${address}/`, { method: 'POST' })).status).toBe(404);
    const preflight = await fetch(`${address}/sql`, { method: 'OPTIONS', headers: { Origin: 'https://x.example' } });
    expect(preflight.status).toBe(405);
    expect(preflight.headers.get('Access-Control-Allow-Origin')).toBeNull();
  });
});

describe('when one side goes away', () => {
  it('a client in the middle of its statement, the next one is served and its batch has no effect', async () => {
    const fetchOptions = { signal: AbortSignal.timeout(100) };
    const slow = sql.transaction(
      [sql`INSERT INTO notes VALUES (3, 'd')`, sql`SELECT count(*) FROM generate_series(1, 1500000)`],
      { fetchOptions },
    );
    await expect(slow).rejects.toThrow(/timeout/i);
    expect(await sql`SELECT * FROM notes WHERE id = 3`).toEqual([]);
  });

  it('the database, it says so and recovers when it is back', async () => {
    const relay = await openRelay(new URL(database.url));
    const fragile = await startNeonEndpoint({ postgresUrl: relay.url, singleSession: true });
    const ask = () => neon(fragile.url)`SELECT 1 AS one`;
    expect(await ask()).toEqual([{ one: 1 }]);
    await relay.close();
    await expect(ask()).rejects.toThrow(/HTTP status 500.*can not be reached.*08006/);
    await relay.open();
    expect(await ask()).toEqual([{ one: 1 }]);
    await fragile.close();
    await relay.close();
  });
});

/** Passes everything on to a database, from a port of its own that can be closed and opened again. */
async function openRelay(target: URL) {
  const sockets = new Set<Socket>();
  const server = createServer((from) => {
    const to = connect(Number(target.port), target.hostname);
    for (const socket of [from, to]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => [from, to].map((one) => one.destroy()));
    }
    from.pipe(to).pipe(from);
  });
  const open = async (port = 0) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const port = await open();
  const url = new URL(target);
  url.port = String(port);
  return {
    url: url.href,
    open: () => open(port),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
      server.close();
      await once(server, 'close');
    },
  };
}
