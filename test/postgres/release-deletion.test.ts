import { PgDialect } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { migrate } from '../../scripts/database/migrate.ts';
import { deletion, RELEASE_LOCK } from '../../src/db/releases.ts';
import { emptyDatabase } from '../support/database.ts';

// PGlite has one session, which its own locks don't keep out.

it('a release that a command reads in several statements is not deleted between them', async () => {
  const { url, close } = await emptyDatabase(inject('postgresServer'));
  await migrate(url);
  const [command, service] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })];
  await Promise.all([command.connect(), service.connect()]);
  await service.query(`insert into data_releases (id, edition, sources, report, checked_at)
    values ('2099-4q-1', '4Q 2099', '[]', '{}', now()), ('2099-4q-2', '4Q 2099', '[]', '{}', now())`);
  const actor = { kind: 'master', userId: null, keyId: null, requestId: null } as const;
  const { sql, params } = new PgDialect().sqlToQuery(deletion('2099-4q-1', actor));
  const remove = async () => (await service.query<{ use: string | null }>(sql, params)).rows;

  const lock = [RELEASE_LOCK, '2099-4q-1'];
  await command.query('select pg_advisory_lock_shared($1, hashtext($2))', lock);
  expect(await remove()).toEqual([{ use: 'read' }]);
  await command.query('select pg_advisory_unlock_shared($1, hashtext($2))', lock);
  expect(await remove()).toEqual([{ use: null }]);
  expect(await remove()).toEqual([]);
  await Promise.all([command.end(), service.end()]);
  await close();
});
