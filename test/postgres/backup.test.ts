import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Backups } from '../../scripts/backup/backups.ts';
import { directoryStore } from '../../scripts/backup/directory.ts';
import type { Manifest } from '../../scripts/backup/manifest.ts';
import { restoreBackup, verifyBackup } from '../../scripts/backup/restore.ts';
import type { Store } from '../../scripts/backup/store.ts';
import { takeBackup } from '../../scripts/backup/take.ts';
import { withClient } from '../../scripts/database/client.ts';
import { applyFirst, migrate } from '../../scripts/database/migrate.ts';
import { emptyDatabase, seededDatabase, type TestDatabase } from '../support/database.ts';

// Backups of databases of a server, with a bucket that is empty. test/commands/backup.test.ts has those of embedded ones.

let directory: string;
let seeded: TestDatabase;
const databases: TestDatabase[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-backup-database-'));
  seeded = await seededDatabase(inject('postgresServer'));
  databases.push(seeded);
});

afterAll(async () => {
  for (const { close } of databases) await close();
  await rm(directory, { recursive: true, force: true });
});

async function anEmptyOne(): Promise<TestDatabase> {
  const database = await emptyDatabase(inject('postgresServer'));
  databases.push(database);
  return database;
}

async function partsOf({ url }: TestDatabase) {
  const scratch = await mkdtemp(join(directory, 'scratch-'));
  return {
    withConnection: <T>(work: (client: pg.Client) => Promise<T>) => withClient(url, work),
    bucket: directoryStore(await mkdtemp(join(directory, 'bucket-'))),
    scratch,
    onProgress: () => undefined,
  };
}

async function backUp(database: TestDatabase): Promise<{ backups: Backups; manifest: Manifest }> {
  const parts = await partsOf(database);
  const backups = new Backups(directoryStore(await mkdtemp(join(directory, 'place-'))), parts.scratch);
  const { manifest } = await takeBackup({ ...parts, backups });
  return { backups, manifest };
}

/** Returns the bucket, which is a new one unless one is given. */
async function restore(
  manifest: Manifest,
  backups: Backups,
  { into, overwrite = false, ...given }: { into: TestDatabase; overwrite?: boolean; bucket?: Store },
): Promise<Store> {
  const parts = { ...(await partsOf(into)), ...given };
  await verifyBackup(manifest, { ...parts, backups });
  await restoreBackup(manifest, { ...parts, backups, overwrite });
  return parts.bucket;
}

const tablesIn = async (client: pg.Client) => {
  const { rows } = await client.query<{ name: string }>(`
    select c.relname as name from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = c.oid and deptype = 'e') order by 1`);
  return rows.map(({ name }) => name);
};

/** A hash of the rows of each table, whatever their order. */
const rowsIn = ({ url }: TestDatabase) =>
  withClient(url, async (client) => {
    const hashes: Record<string, string> = {};
    for (const name of await tablesIn(client)) {
      const { rows } = await client.query<{ hash: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(hash, '' order by hash)), '') as hash
          from (select md5(t::text) as hash from "${name}" t) hashed`,
      );
      hashes[name] = rows[0]?.hash ?? '';
    }
    return hashes;
  });

/** Columns, constraints, indexes, triggers, functions and migrations. */
const schemaIn = ({ url }: TestDatabase) =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ what: string }>(`
      select format('%s.%s %s %s', table_name, column_name, data_type, column_default) as what
        from information_schema.columns where table_schema = 'public'
      union all select indexdef from pg_indexes where schemaname = 'public'
      union all select format('%s %s %s', conrelid::regclass, pg_get_constraintdef(oid), condeferrable) from pg_constraint
        where connamespace = 'public'::regnamespace
      union all select format('%s %s', pg_get_triggerdef(oid), tgenabled) from pg_trigger where not tgisinternal
      union all select format('%s', p.oid::regprocedure) from pg_proc p where pronamespace = 'public'::regnamespace
      union all select hash from drizzle.__drizzle_migrations`);
    return rows.map(({ what }) => what).sort();
  });

/** A person with a dataset, and with keys of which the first was replaced by the last, many rows behind it. */
async function addPerson({ url }: TestDatabase, name: string): Promise<void> {
  await withClient(url, async (client) => {
    const id = async (query: string, values: unknown[]) =>
      (await client.query<{ id: string }>(query, values)).rows[0]?.id;
    const person = await id('insert into profiles (subject, email) values ($1, $2) returning id', [
      name,
      `${name}@example.com`,
    ]);
    await client.query(
      `with k as materialized (select i, gen_random_uuid() as id from generate_series(1, 1100) i)
        insert into api_keys (id, user_id, name, environment, prefix, hash, replaced_by)
          select k.id, $1, 'A key', 'live', k.id::text, 'none', (select id from k last where k.i = 1 and last.i = 1100)
            from k order by k.i`,
      [person],
    );
    const version = await id("insert into dataset_versions (state) values ('current') returning id", []);
    await client.query(
      "insert into datasets (user_id, name, status, version_id, metadata) values ($1, $2, 'ready', $3, $4)",
      [person, 'A \\ \t "name"\r\n\b\f\v', version, '{"a": [1.0, "\\u00f1"]}'],
    );
  });
}

describe('a restored database', () => {
  it('has every row, the same schema, and ids that go on', async () => {
    await addPerson(seeded, 'maria');
    const { backups, manifest } = await backUp(seeded);
    const target = await anEmptyOne();
    await restore(manifest, backups, { into: target });
    expect(await rowsIn(target)).toEqual(await rowsIn(seeded));
    expect(await schemaIn(target)).toEqual(await schemaIn(seeded));
    const stored = async ({ url }: TestDatabase) =>
      withClient(url, async (client) => (await client.query('select sum(bytes) from account_storage')).rows);
    await addPerson(target, 'jose');
    await addPerson(seeded, 'jose');
    expect(await stored(target)).toEqual(await stored(seeded));
    const next = ({ url }: TestDatabase) =>
      withClient(url, async (client) => (await client.query(`select nextval('areas_id_seq')`)).rows);
    expect(await next(target)).toEqual(await next(seeded));
  });

  it('of an older version has the schema of this one when it is migrated', async () => {
    const [older, target] = [await anEmptyOne(), await anEmptyOne()];
    await withClient(older.url, (client) => applyFirst(client, 12));
    const { backups, manifest } = await backUp(older);
    expect(manifest.migrations).toHaveLength(12);
    await restore(manifest, backups, { into: target });
    await migrate(target.url);
    await migrate(older.url);
    expect(await schemaIn(target)).toEqual(await schemaIn(older));
  });

  it('stays as it was where the restore fails, and where it has rows and may not be replaced', async () => {
    const { backups, manifest } = await backUp(seeded);
    const target = await anEmptyOne();
    await migrate(target.url);
    await addPerson(target, 'pedro');
    const before = [await rowsIn(target), await schemaIn(target)];
    await expect(restore(manifest, backups, { into: target })).rejects.toThrow(
      /^The database is not empty: \w+ has rows/,
    );
    const tables = manifest.tables.map((table) =>
      table.name === 'areas' ? { ...table, rows: table.rows + 1 } : table,
    );
    const shorter = { ...manifest, tables };
    await expect(restore(shorter, backups, { into: target, overwrite: true })).rejects.toThrow(/^areas has \d+ rows/);
    expect([await rowsIn(target), await schemaIn(target)]).toEqual(before);
    await restore(manifest, backups, { into: target, overwrite: true });
    expect(await rowsIn(target)).toEqual(await rowsIn(seeded));
  });

  it('has a bucket with the objects of the backup alone, once what was there may be replaced', async () => {
    const source = await anEmptyOne();
    await migrate(source.url);
    const parts = await partsOf(source);
    const keys = [
      'tiles/one.pmtiles',
      'releases/active',
      'releases/v/manifest.json',
      'releases/v/areas-0123456789abcdef',
    ];
    const [tiles, pointer, manifestKey, areas] = keys as [string, string, string, string];
    const objects = [{ name: 'areas', bytes: 5, sha256: '0123456789abcdef'.repeat(4), etag: '' }];
    await parts.bucket.create(tiles, 'tiles');
    await parts.bucket.create(pointer, '{"version":"v"}');
    await parts.bucket.create(manifestKey, JSON.stringify({ version: 'v', release: 'r', objects }));
    await parts.bucket.create(areas, 'areas');
    await parts.bucket.create('tiles/unused.pmtiles', 'nobody');
    await withClient(source.url, (client) =>
      client.query(
        `insert into tile_archives (slug, object_key, etag, size_bytes, name, minzoom, maxzoom, bounds, center, vector_layers)
          values ('one', $1, 'x', 5, 'One', 0, 1, '{0,0,1,1}', '{0,0,0}', '[]')`,
        [tiles],
      ),
    );
    const backups = new Backups(directoryStore(await mkdtemp(join(directory, 'place-'))), parts.scratch);
    const { manifest } = await takeBackup({ ...parts, backups });
    expect(manifest.objects.map(({ key }) => key)).toEqual([...keys].sort());

    const bucket = directoryStore(await mkdtemp(join(directory, 'bucket-')));
    await bucket.create('datasets/other', 'other');
    await bucket.create(pointer, '{"version":"other"}');
    const into = await anEmptyOne();
    await expect(restore(manifest, backups, { into, bucket })).rejects.toThrow(
      / is not empty: it has \S+\. --overwrite replaces/,
    );
    await restore(manifest, backups, { into, bucket, overwrite: true });
    const found: Record<string, string> = {};
    for await (const { key } of bucket.list('')) found[key] = await text((await bucket.get(key))?.body as Readable);
    expect(found).toEqual({
      [tiles]: 'tiles',
      [pointer]: '{"version":"v"}',
      [manifestKey]: JSON.stringify({ version: 'v', release: 'r', objects }),
      [areas]: 'areas',
    });
  });

  it('is refused a backup that was made of other migrations', async () => {
    const { url } = await anEmptyOne();
    await expect(backUp({ url } as TestDatabase)).rejects.toThrow(/^The database has no migrations/);
    await withClient(url, async (client) => {
      await applyFirst(client, 1);
      await client.query(`update drizzle.__drizzle_migrations set hash = 'other'`);
    });
    await expect(backUp({ url } as TestDatabase)).rejects.toThrow(/^The database has another migration 0000/);
  });
});
