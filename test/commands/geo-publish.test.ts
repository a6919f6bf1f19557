import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createHash, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeWorkbook } from '../../pages/match/workbook-writer.ts';
import { openEmbedded } from '../../scripts/database/embedded.ts';
import { migrate } from '../../scripts/database/migrate.ts';
import { findUnloadedBoundaries } from '../../scripts/dev/releases.ts';
import { toRelease } from '../../scripts/pipeline/psgc/areas.ts';
import { readBuiltin } from '../../scripts/pipeline/psgc/history.ts';
import { loadRelease } from '../../scripts/pipeline/release/load.ts';
import { DOWNLOAD_KINDS } from '../../src/areas/snapshot/download-names.ts';
import type { TestDatabase } from '../support/database.ts';
import { NEWEST } from '../support/editions.ts';
import { type LocalService, startLocalService } from '../support/local-service.ts';
import { drawSchematicCountry } from '../support/schematic-country.ts';

// How a release reaches a running service: its snapshot is published before it is activated. The country is one region
// here, because every test loads it or publishes it.

const SCRIPTS = fileURLToPath(new URL('../../scripts/', import.meta.url));
const FIRST = `${NEWEST}-1`;
const SECOND = `${NEWEST}-2`;
const REGION = '07';

let directory: string;
let drawings: string;
/** The list of the region, as a workbook. */
let list: string;
/** A data directory in which it is loaded with boundaries. */
let seeded: string;
let database: TestDatabase;
let client: pg.Client;
let service: LocalService;
/** Of the key that releases are signed with. */
let publicKey: KeyObject;
/** The files of a region: of its sub-municipalities, which it has none of, only tables. */
const FILES = DOWNLOAD_KINDS.filter((kind) => kind.level !== 'submunicipality' || kind.resolution === null).length;

/** How `geo:load` is told to load the list. */
let load: string[];

async function seed(): Promise<void> {
  const { rows, ...publication } = await readBuiltin();
  const ofRegion = rows.filter(({ code }) => code.startsWith(REGION));
  const lines = ofRegion.map((row) => [row.code, row.name, row.correspondence, row.level, row.cityClass]);
  const headings = ['10-digit PSGC', 'Name', 'Correspondence Code', 'Geographic Level', 'City Class'];
  await writeFile(list, writeWorkbook([headings, ...lines]));
  await mkdir(drawings);
  await drawSchematicCountry(toRelease({ ...publication, rows: ofRegion }).areas, drawings);
  const embedded = await openEmbedded(seeded);
  await migrate(embedded.url);
  const loader = new pg.Client({ connectionString: embedded.url });
  await loader.connect();
  await loadRelease({ client: loader, psgc: list, boundaries: drawings, activate: true });
  await loader.end();
  await embedded.close();
}

/** A database of its own with the release of the region. */
async function regionDatabase(): Promise<TestDatabase> {
  const copy = await mkdtemp(join(directory, 'database-'));
  await cp(seeded, copy, { recursive: true });
  const { url, close } = await openEmbedded(copy);
  return { url, singleSession: true, close };
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-geo-publish-'));
  publicKey = await signingKey(join(directory, 'release.key'));
  drawings = join(directory, 'drawings');
  seeded = join(directory, 'seeded');
  list = join(directory, 'PSGC-3Q-2026-Publication-Datafile.xlsx');
  load = ['--psgc', list, '--boundaries', 'none'];
  await seed();
  database = await regionDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  service = await startLocalService(database, join(directory, 'data'));
});

afterAll(async () => {
  await service?.stop();
  await client?.end();
  await database?.close();
  await rm(directory, { recursive: true, force: true });
});

type Child = ChildProcessByStdio<null, Readable, Readable>;

function start(environment: Record<string, string>, script: string, ...args: string[]): Child {
  const { DATABASE_URL: _, DATA_DIR: __, MASTER_TOKEN: ___, ...inherited } = process.env;
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(SCRIPTS, script), ...args], {
    env: {
      ...inherited,
      DATABASE_URL: database.url,
      DATA_DIR: join(directory, 'elsewhere'),
      RELEASE_SIGNING_KEY: join(directory, 'release.key'),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function outcomeOf(child: Child) {
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => (stdout += text));
  child.stderr.on('data', (text) => (stderr += text));
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

const run = (...given: Parameters<typeof start>) => outcomeOf(start(...given));
const token = () => ({ MASTER_TOKEN: service.masterToken });
const beside = () => ({ DATA_DIR: join(directory, 'data') });

/** The release that the service answers from. */
async function served(): Promise<string | null> {
  return (await service.ask('/v1/regions')).headers.get('X-Data-Release');
}

async function active(): Promise<string> {
  const { rows } = await client.query<{ release_id: string }>('select release_id from active_release');
  return rows[0]?.release_id ?? '';
}

async function loaded(): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>('select id from data_releases order by id');
  return rows.map(({ id }) => id);
}

interface Listed {
  id: string;
  sha256: string;
  size_bytes: number;
  href: string;
}

/** The files that the service lists. */
const listed = async () => ((await (await service.ask('/v1/downloads')).json()) as { data: Listed[] }).data;

const published = async (id: string) => (await service.ask(`/v1/admin/releases/${id}/snapshot`)).status === 200;

/** A secret key as `minisign -G -W` writes it, and the public key that belongs to it. */
async function signingKey(path: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' });
  const [seed, point] = [d, x].map((text) => Buffer.from(text, 'base64url')) as [Buffer, Buffer];
  const head = Buffer.concat([Buffer.from('Ed\0\0B2', 'latin1'), Buffer.alloc(48), Buffer.from('keyIdent')]);
  const bytes = Buffer.concat([head, seed, point, Buffer.alloc(32)]);
  await writeFile(path, `untrusted comment: a key\n${bytes.toString('base64')}\n`);
  return publicKey;
}

describe('geo:publish', () => {
  it('beside npm run dev publishes the active release, which is served from it then', async () => {
    const { code, stdout } = await run(beside(), 'geo-publish.ts');
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^Snapshot of ${FIRST}: \\d+ objects, .*served now\\.\\n$`)),
    ]);
    expect(await published(FIRST)).toBe(true);
  });

  it('publishes the files of whole levels too, with the hashes of what is sent', async () => {
    const files = await listed();
    expect(files).toHaveLength(FILES);
    for (const { id, sha256, size_bytes, href } of files.filter(({ id }) => /provinces\.(csv|simple\.)/.test(id))) {
      const answer = await service.ask(href.slice(service.address.length));
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect([id, bytes.length]).toEqual([id, size_bytes]);
      expect(createHash('sha256').update(bytes).digest('hex'), id).toBe(sha256);
    }
  });

  it('publishes what the release consists of, signed as minisign signs', async () => {
    const sent = await service.ask(`/v1/releases/${FIRST}`);
    const bytes = Buffer.from(await sent.arrayBuffer());
    const { files, objects, ...facts } = JSON.parse(bytes.toString()) as {
      files: Omit<Listed, 'href'>[];
      objects: { name: string }[];
    };
    expect(facts).toMatchObject({ schema_version: 1, release: FIRST, edition: NEWEST });
    const factsOf = ({ id, sha256, size_bytes }: Omit<Listed, 'href'>) => [id, sha256, size_bytes];
    expect(files.map(factsOf).sort()).toEqual((await listed()).map(factsOf).sort());
    expect(objects.map(({ name }) => name)).toContain('areas');
    const text = await (await service.ask(`/v1/releases/${FIRST}/signature`)).text();
    const [, line = '', comment = '', global = ''] = text.split('\n');
    const signature = Buffer.from(line, 'base64');
    expect(signature.subarray(0, 10).toString('latin1')).toBe('EDkeyIdent');
    const digest = createHash('blake2b512').update(bytes).digest();
    expect(verify(null, digest, publicKey, signature.subarray(10))).toBe(true);
    const trusted = comment.replace('trusted comment: ', '');
    expect(trusted).toBe(`release ${FIRST}, sha256 ${createHash('sha256').update(bytes).digest('hex')}`);
    const signed = Buffer.concat([signature.subarray(10), Buffer.from(trusted)]);
    expect(verify(null, signed, publicKey, Buffer.from(global, 'base64'))).toBe(true);
  });

  it('makes one file of all levels and editions, which SQLite opens', async () => {
    const [file] = (await listed()).filter(({ id }) => id.endsWith('.country.medium.gpkg'));
    const path = join(directory, 'country.gpkg');
    const sent = await service.ask(`/v1/downloads/${file?.id}`);
    await writeFile(path, Buffer.from(await sent.arrayBuffer()));
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      const all = (sql: string) =>
        database
          .prepare(sql)
          .all()
          .map((row) => Object.values(row));
      expect(all('pragma integrity_check')).toEqual([['ok']]);
      const countsOf = (table: string) => all(`select count(*), count(geom) from ${table}`)[0];
      expect([countsOf('regions'), countsOf('provinces')]).toEqual([
        [1, 1],
        [2, 2],
      ]);
      const { rows } = await client.query('select count(*)::int as barangays from areas where level = $1', [
        'barangay',
      ]);
      expect(countsOf('barangays')?.[0]).toBe(rows[0].barangays);
      const { data: editions } = (await (await service.ask('/v1/editions')).json()) as { data: { id: string }[] };
      expect(all('select id from editions order by id').flat()).toEqual(editions.map(({ id }) => id).sort());
      const cebu = `select name, last_edition from area_versions where code = '0702200000' and valid_to is null`;
      expect(all(cebu)).toEqual([['Cebu', NEWEST]]);
      const { meta } = (await (await service.ask('/v1/changes?limit=1')).json()) as { meta: { total: number } };
      expect(all('select count(*) from changes')).toEqual([[meta.total]]);
    } finally {
      database.close();
    }
  });

  it('makes nothing with a key that can not sign', async () => {
    const path = join(directory, 'wrong.key');
    await writeFile(path, 'untrusted comment: a key\nAAAA\n');
    for (const [key, fault] of [
      [path, 'is no secret key of minisign'],
      [join(directory, 'none.key'), 'there is no file'],
    ] as const) {
      const { code, stderr } = await run({ ...beside(), RELEASE_SIGNING_KEY: key }, 'geo-publish.ts');
      expect([code, stderr]).toEqual([1, expect.stringContaining(`${fault}`)]);
      expect(stderr).toContain('RELEASE_SIGNING_KEY: ');
    }
  });

  it('leaves no signed release without its signature', async () => {
    const { code, stderr } = await run({ ...beside(), RELEASE_SIGNING_KEY: '' }, 'geo-publish.ts');
    expect([code, stderr]).toEqual([1, expect.stringContaining('set RELEASE_SIGNING_KEY, so that it stays signed')]);
  });

  it('with --missing makes nothing of what is published', async () => {
    expect(await run(beside(), 'geo-publish.ts', '--missing')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('with --missing makes the files of a release that was published without', async () => {
    const path = `/v1/admin/releases/${FIRST}/snapshot`;
    const { data } = (await (await service.ask(path)).json()) as {
      data: { version: string; objects: { name: string }[] };
    };
    const objects = data.objects.filter(({ name }) => !name.startsWith('download-'));
    const body = JSON.stringify({ version: data.version, objects });
    const headers = { 'Content-Type': 'application/json' };
    expect((await service.ask(path, { method: 'PUT', headers, body })).status).toBe(200);
    await expect.poll(listed, { timeout: 20_000 }).toEqual([]);
    expect(await run(beside(), 'geo-publish.ts', '--missing')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(' objects, '),
    });
    await expect.poll(async () => (await listed()).length, { timeout: 20_000 }).toBe(FILES);
  });
});

describe('geo:load', () => {
  it('loads nothing for a service that it may not administer', async () => {
    const outcome = await run({ MASTER_TOKEN: 'wrong' }, 'geo-load.ts', ...load, '--to', service.address);
    expect(outcome).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('answers with status 401') });
    const away = await run({ MASTER_TOKEN: 'x' }, 'geo-load.ts', ...load, '--to', 'http://127.0.0.1:9');
    expect(away).toMatchObject({ code: 1, stderr: expect.stringContaining("can't be reached") });
    expect(await loaded()).toEqual([FIRST]);
  });

  it('that is cut off while it publishes leaves what was served', async () => {
    const given = join(directory, 'given');
    await cp(drawings, given, { recursive: true });
    const child = start(token(), 'geo-load.ts', ...load, '--boundaries', given, '--to', service.address);
    child.stderr.on('data', (text) => {
      if (String(text).includes('Publishing the snapshot')) child.kill('SIGKILL');
    });
    expect(await outcomeOf(child)).toMatchObject({ code: null, stdout: '' });
    expect(await loaded()).toEqual([FIRST, SECOND]);
    expect([await active(), await served(), await published(SECOND)]).toEqual([FIRST, FIRST, false]);
    // The next start of npm run dev loads the boundaries again, unlike those that were served.
    expect([
      await findUnloadedBoundaries(database.url, given),
      await findUnloadedBoundaries(database.url, drawings),
    ]).toEqual([given, undefined]);
    await client.query('delete from data_releases where id = $1', [SECOND]);
  });

  it('publishes the snapshot of the release and activates it, so that it is served without the database', async () => {
    const child = start(beside(), 'geo-load.ts', ...load, '--boundaries', drawings);
    const { code, stdout, stderr } = await outcomeOf(child);
    expect(stderr).toMatch(/Loading.*Making the snapshot.*Publishing the snapshot/s);
    expect(stdout).toMatch(
      new RegExp(`^Release ${SECOND} \\(PSGC 3Q 2026\\), active, .*\nIts snapshot is published\\.\n$`, 's'),
    );
    expect(code).toBe(0);
    expect([await active(), await served(), await published(SECOND)]).toEqual([SECOND, SECOND, true]);
  });

  it('publishes the snapshot of a release that is left for later, too', async () => {
    const given = join(directory, 'given');
    const boundaries = ['--boundaries', given, '--no-activate'];
    const outcome = await run(token(), 'geo-load.ts', ...load, ...boundaries, '--to', `${service.address}/`);
    expect(outcome).toMatchObject({ code: 0, stdout: expect.stringContaining('not active') });
    expect([await active(), await served(), await published(`${NEWEST}-3`)]).toEqual([SECOND, SECOND, true]);
    // That they are not served was decided.
    expect(await findUnloadedBoundaries(database.url, given)).toBeUndefined();
  });

  it('of an older edition disturbs nothing, and is answered where it is asked for', async () => {
    const file = join(directory, 'PSGC-4Q-2024-Publication-Datafile.xlsx');
    const older = [
      ['10-digit PSGC', 'Name', 'Correspondence Code', 'Geographic Level'],
      ['0700000000', 'Region VII (Central Visayas)', '070000000', 'Reg'],
      ['0702200000', 'Cebu', '072200000', 'Prov'],
      ['0702201000', 'Alcantara', '072201000', 'Mun'],
      ['0702201001', 'Lumang Pangalan', '072201001', 'Bgy'],
      ['0702211000', 'City of Bogo', '072211000', 'City'],
      ['0702211001', 'Anonang Norte', '072211001', 'Bgy'],
    ];
    await writeFile(file, writeWorkbook(older));
    const { code, stdout } = await run(
      token(),
      'geo-load.ts',
      '--psgc',
      file,
      '--boundaries',
      'none',
      '--to',
      service.address,
    );
    expect([code, stdout.split('\n')[0]]).toEqual([
      0,
      expect.stringContaining('Release 2024-4q-1 (PSGC 4Q 2024), not active'),
    ]);
    expect(stdout).toContain(`${SECOND}, which stays active, is of a newer edition`);
    expect([await active(), await served(), await published(SECOND)]).toEqual([SECOND, SECOND, true]);
    const read = async (path: string) =>
      (await (await service.ask(path)).json()) as { data: { code: string; name: string } };
    expect((await read('/v1/barangays/0702201001?edition=2024-4q')).data.name).toBe('Lumang Pangalan');
    expect((await read('/v1/barangays/0702201001')).data.name).not.toBe('Lumang Pangalan');
  });

  it('says what to do where the service does not know the release', async () => {
    const other = await regionDatabase();
    const settings = { ...token(), DATABASE_URL: other.url };
    // The other database lacks what the service has loaded since, so the numbers of their releases differ.
    const elsewhere = new pg.Client({ connectionString: other.url });
    await elsewhere.connect();
    await elsewhere.query(
      `insert into data_releases select (jsonb_populate_record(r, '{"id":"${NEWEST}-8"}')).* from data_releases r`,
    );
    await elsewhere.end();
    const { code, stdout, stderr } = await run(settings, 'geo-load.ts', ...load, '--to', service.address);
    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`^Release ${NEWEST}-9 \\(PSGC .*\\), not active,`));
    expect(stderr).toContain(`Release ${NEWEST}-9 is loaded and not served, because: `);
    expect(stderr).toContain(`npm run geo:publish -- ${NEWEST}-9`);
    expect(await served()).toBe(SECOND);
    await other.close();
  });

  it('says that nothing is published where no service is known', async () => {
    const outcome = await run({}, 'geo-load.ts', ...load, '--no-activate');
    expect(outcome).toMatchObject({ code: 0, stdout: expect.stringContaining('Its snapshot is not published') });
    expect(await published(`${NEWEST}-4`)).toBe(false);
  });
});

describe('geo:activate', () => {
  it.each([
    ['of an address', () => token(), () => ['--to', service.address]],
    ['that npm run dev runs on the same database', () => beside(), () => []],
  ])('moves the pointer of the service %s at once', async (_, environment, args) => {
    for (const [id, other] of [
      [FIRST, SECOND],
      [SECOND, FIRST],
    ] as const) {
      const outcome = await run(environment(), 'geo-activate.ts', id, ...args());
      expect(outcome).toEqual({ code: 0, stdout: `Release ${id} is active in place of ${other}.\n`, stderr: '' });
      expect([await active(), await served()]).toEqual([id, id]);
    }
  });

  it('does not tell a service that runs on another database', async () => {
    const other = await regionDatabase();
    const outcome = await run({ ...beside(), DATABASE_URL: other.url }, 'geo-activate.ts', FIRST);
    expect(outcome).toMatchObject({ code: 0, stdout: `Release ${FIRST} is the active one already.\n` });
    expect([await active(), await served()]).toEqual([SECOND, SECOND]);
    await other.close();
  });

  it('says where the release has no snapshot, which the database answers then', async () => {
    const outcome = await run(token(), 'geo-activate.ts', `${NEWEST}-4`, '--force', '--to', service.address);
    expect(outcome).toMatchObject({ code: 0, stdout: expect.stringContaining('It has no snapshot') });
    expect(await served()).toBe(`${NEWEST}-4`);
  });

  it('is refused by the service for a release that is not there', async () => {
    const outcome = await run(token(), 'geo-activate.ts', '1999-1q-1', '--to', service.address);
    expect(outcome).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('no release 1999-1q-1') });
  });

  it('of a command that no service heard of is followed by the next start of npm run dev', async () => {
    // The pointer names the release of the last activation that the service heard of.
    expect(await run(token(), 'geo-activate.ts', SECOND, '--to', service.address)).toMatchObject({ code: 0 });
    expect(await run({}, 'geo-activate.ts', FIRST)).toMatchObject({ code: 0 });
    expect([await active(), await served()]).toEqual([FIRST, SECOND]);
    expect(await run(beside(), 'geo-publish.ts', '--missing')).toMatchObject({ code: 0, stdout: '' });
    expect(await served()).toBe(FIRST);
  });
});

describe('geo:prune', () => {
  const prune = (...args: string[]) => run(token(), 'geo-prune.ts', ...args, '--to', service.address);

  it('deletes what nobody needs, the oldest first, and says why it keeps another', async () => {
    const [third, newest] = [`${NEWEST}-3`, `${NEWEST}-4`];
    expect(await loaded()).toEqual(['2024-4q-1', FIRST, SECOND, third, newest]);
    expect(await active()).toBe(FIRST);
    expect(await prune('--keep', '1', '--dry-run')).toEqual({
      code: 0,
      stdout: `${SECOND} would be deleted.\n${third} would be deleted.\n`,
      stderr: '',
    });
    expect(await loaded()).toHaveLength(5);
    // The second was served a moment ago.
    const first = await prune('--keep', '1');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(
      new RegExp(`^Release ${SECOND} is being read or deleted: .*\n${third} is deleted.\n$`),
    );
    await client.query(`update audit_logs set at = at - interval '2 minutes'`);
    expect(await prune('--keep', '1')).toEqual({ code: 0, stdout: `${SECOND} is deleted.\n`, stderr: '' });
    expect(await prune('--keep', '1')).toMatchObject({
      stdout: 'Nothing to delete: 3 releases are loaded, all of them needed.\n',
    });
    expect(await loaded()).toEqual(['2024-4q-1', FIRST, newest]);
    expect(await served()).toBe(FIRST);
  });

  it('needs a service, which knows what the bucket answers from', async () => {
    const outcome = await run({}, 'geo-prune.ts', '--keep', '1');
    expect(outcome).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('No service runs') });
  });

  it.each([[[]], [['--keep', '0']], [['--keep', 'two']], [['--keep', '2', '--all']]])(
    'explains itself for %j',
    async (args) => {
      const { code, stdout, stderr } = await run(token(), 'geo-prune.ts', ...args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain('npm run geo:prune -- --keep <number>');
    },
  );
});

describe('the service', () => {
  it('answers from what was published while its database is gone', async () => {
    await service.cutDatabase();
    const answer = await service.ask('/v1/provinces?format=geojson');
    expect([answer.status, answer.headers.get('X-Data-Release')]).toEqual([200, FIRST]);
    expect(((await answer.json()) as { features: unknown[] }).features).toHaveLength(2);
  });
});
