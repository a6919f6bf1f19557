import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import type pg from 'pg';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { withClient } from '../../scripts/database/client.ts';
import { migrate } from '../../scripts/database/migrate.ts';
import { createKeyToken, hashOf } from '../../src/auth/key-token.ts';
import { emptyDatabase, type TestDatabase } from '../support/database.ts';
import { startLocalService } from '../support/local-service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Version 0.2.0: its migrations and what it had stored. */
const OF_0_2_0 = join(ROOT, 'test/fixtures/0.2.0');
const MIGRATIONS = join(ROOT, 'migrations');
/** The file of the dataset, 42 bytes. */
const FILE = 'name,lat,lon\nA,10.00000,123\nB,11.0000,124\n';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function database(): Promise<TestDatabase> {
  const made = await emptyDatabase(inject('postgresServer'));
  ends.push(made.close);
  return made;
}

/** A database as version 0.2.0 has left it, and the key in it. */
async function databaseOf020(): Promise<{ made: TestDatabase; key: string }> {
  const made = await database();
  const { token: key, prefix } = createKeyToken('live');
  const data = (await readFile(join(OF_0_2_0, 'data.sql'), 'utf8'))
    .replaceAll('$prefix', `'${prefix}'`)
    .replaceAll('$hash', `'${await hashOf(key)}'`)
    .replace(/^--.*$/gm, '');
  await withClient(made.url, async (client) => {
    await applyMigrations(drizzle(client), { migrationsFolder: OF_0_2_0 });
    await client.query(data);
  });
  return { made, key };
}

const hashesIn = (url: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ hash: string }>(
      'select hash from drizzle.__drizzle_migrations order by created_at',
    );
    return rows.map(({ hash }) => hash);
  });

/** What the schema consists of: columns, indexes, constraints and functions. */
const schemaIn = (url: string) =>
  withClient(url, async (client: pg.Client) => {
    const { rows } = await client.query<{ what: string }>(`
      select format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) as what
        from information_schema.columns where table_schema = 'public'
      union all select indexdef from pg_indexes where schemaname = 'public'
      union all select format('%s %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
        where connamespace = 'public'::regnamespace
      union all select pg_get_functiondef(oid) from pg_proc
        where pronamespace = 'public'::regnamespace and prokind = 'f' and prolang in (
          select oid from pg_language where lanname in ('plpgsql', 'sql'))
        and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`);
    return rows.map(({ what }) => what).sort();
  });

describe('a database of 0.2.0', () => {
  it('has the schema of a new one after the upgrade, and a second run changes nothing', async () => {
    const [{ made }, fresh] = [await databaseOf020(), await database()];
    await migrate(made.url);
    await migrate(fresh.url);
    expect(await schemaIn(made.url)).toEqual(await schemaIn(fresh.url));
    const hashes = await hashesIn(made.url);
    expect(hashes).toEqual(await hashesIn(fresh.url));
    await migrate(made.url);
    expect(await hashesIn(made.url)).toEqual(hashes);
  });

  it('is served with everything that was in it and in its bucket', async () => {
    const { made, key } = await databaseOf020();
    await migrate(made.url);
    const dataDir = await mkdtemp(join(tmpdir(), 'pgds-migrate-'));
    ends.push(() => rm(dataDir, { recursive: true, force: true }));
    await writeFile(join(dataDir, 'wells.csv'), FILE);
    const object = 'philippine-geographic-data/datasets/33333333-3333-4333-8333-333333333333';
    const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js');
    const put = ['r2', 'object', 'put', object, '--local', '--persist-to', join(dataDir, 'worker')];
    await promisify(execFile)(process.execPath, [wrangler, ...put, '--file', join(dataDir, 'wells.csv')], {
      cwd: ROOT,
    });
    const service = await startLocalService(made, dataDir);
    ends.push(service.stop);
    const ask = async (path: string, headers: Record<string, string> = {}) => {
      const answer = await service.ask(path, { headers });
      return { status: answer.status, text: await answer.text() };
    };
    const asked = async (path: string, headers?: Record<string, string>) => {
      const { status, text } = await ask(path, headers);
      return [status, JSON.parse(text)];
    };
    const owner = { Authorization: `Bearer ${key}` };
    const id = '44444444-4444-4444-8444-444444444444';
    expect(await asked('/v1/provinces/0702200000')).toMatchObject([
      200,
      { data: { name: 'Cebu', population: 5151274 } },
    ]);
    expect(await asked('/v1/municities/0702217000')).toMatchObject([200, { data: { code: '0730600000' } }]);
    expect(await asked('/v1/provinces/0702299999')).toMatchObject([
      404,
      { code: 'area_abolished', successors: [{ code: '0702200000' }] },
    ]);
    expect(await asked(`/v1/datasets/${id}?includeFeatures=true`, owner)).toMatchObject([
      200,
      {
        data: {
          name: 'Wells',
          feature_count: 2,
          features: [{ properties: { name: 'A' } }, { properties: { name: 'B' } }],
        },
      },
    ]);
    expect(await ask(`/v1/datasets/${id}/file`, owner)).toEqual({ status: 200, text: FILE });
    expect(await asked('/v1/admin/users')).toMatchObject([200, { data: [{ email: 'maria@example.com' }] }]);
    const stats = await asked('/v1/api-keys/stats', owner);
    expect(JSON.stringify(stats)).toContain('/v1/regions');
  });
});

it('a migration that fails leaves those before it, and nothing of its own', async () => {
  const { url } = await database();
  await withClient(url, (client) => client.query('create table idempotent_requests (id int)'));
  await expect(migrate(url)).rejects.toThrow(/^Migration 0001 failed, and nothing of it is applied: .*already exists/);
  expect(await hashesIn(url)).toHaveLength(1);
  await withClient(url, (client) => client.query('drop table idempotent_requests'));
  await migrate(url);
  expect(await hashesIn(url)).toHaveLength(
    (await readFile(join(MIGRATIONS, 'SHA256SUMS'), 'utf8')).trim().split('\n').length,
  );
});

it('a database of other migrations, or of newer ones, is refused', async () => {
  const { url } = await database();
  await migrate(url);
  const query = (text: string) => withClient(url, (client) => client.query(text));
  await query(`insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 9999999999999)`);
  await expect(migrate(url)).rejects.toThrow(/a newer version was here/);
  await query(`delete from drizzle.__drizzle_migrations where hash = 'newer'`);
  await query(`update drizzle.__drizzle_migrations set hash = 'other' where id = 3`);
  await expect(migrate(url)).rejects.toThrow(/has another migration 0002 than migrations/);
});
