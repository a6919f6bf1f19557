import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { migrate } from '../../scripts/database/migrate.ts';
import { Database } from '../../src/db/client.ts';
import type { Driver } from '../../src/db/driver.ts';
import { Deadline } from '../../src/deadline.ts';
import { claimAttempts } from '../../src/notifications/repo/attempts.ts';
import { emptyDatabase } from '../support/database.ts';

// PGlite has one session, so that nobody else begins attempts meanwhile.

const WANTED = { slowLimit: 2, slowMinutes: 60, busy: [], served: [], leaseSeconds: 60, retries: [5, 300] };

/** A session of its own, as what the statements of the service run in. */
async function sessionOf(url: string): Promise<{ client: pg.Client; db: Database }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const execute = (statement: SQL) => {
    const { sql, params } = new PgDialect().sqlToQuery(statement);
    return client.query(sql, params);
  };
  const db = new Database({ execute } as unknown as Driver, new Deadline('each'), { failed: false });
  return { client, db };
}

it('attempts that somebody is just beginning are passed over by others, who wait for nobody', async () => {
  const { url, close } = await emptyDatabase(inject('postgresServer'));
  await migrate(url);
  const [one, other] = [await sessionOf(url), await sessionOf(url)];
  await one.client.query(`with owner as (insert into profiles (subject) select 'user_' || n from generate_series(1, 3) n returning id), e as (
      insert into webhook_endpoints (user_id, url, events, secret)
      select owner.id, 'https://a.example/', '{dataset.processed}', 'whsec_' from owner returning id
    ) insert into webhook_deliveries (endpoint_id, type, data) select id, 'dataset.processed', '{}' from e`);
  const claim = async ({ db }: { db: Database }, limit: number) =>
    (await claimAttempts(db, { ...WANTED, limit })).map(({ id }) => id);

  await other.client.query(`set statement_timeout = '2s'`);
  await one.client.query('begin');
  const [first] = await claim(one, 1);
  const rest = await claim(other, 6);
  expect(rest).toHaveLength(2);
  expect(rest).not.toContain(first);
  await one.client.query('commit');
  expect(await claim(other, 6)).toEqual([]);

  await Promise.all([one.client.end(), other.client.end()]);
  await close();
});
