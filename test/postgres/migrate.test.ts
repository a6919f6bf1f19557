import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { migrate } from '../../scripts/database/migrate.ts';
import { emptyDatabase } from '../support/database.ts';

// PGlite has one session, in which nobody holds a table while another one waits.

/** The last migration, which alters datasets, becomes a pending one again. It may be applied twice. */
const FORGET = `delete from drizzle.__drizzle_migrations
  where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`;

it('a table that a load holds is waited for in short turns, in which others read it', async () => {
  const { url, close } = await emptyDatabase(inject('postgresServer'));
  await migrate(url);
  const [load, reader] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })];
  await Promise.all([load.connect(), reader.connect()]);
  const hold = async () => {
    await reader.query(FORGET);
    await load.query('begin');
    await load.query('lock table datasets in row exclusive mode');
  };

  await hold();
  const waits: string[] = [];
  const migrating = migrate(url, { onWait: (message) => waits.push(message), pauses: Array(50).fill(200) });
  await expect.poll(() => waits.length, { timeout: 20_000 }).toBeGreaterThan(0);
  // The load goes on, and a reader waits behind the migration for one turn at most.
  await reader.query('select count(*) from datasets');
  await load.query('commit');
  await migrating;
  expect(waits[0]).toMatch(/^Migration \d{4} waits for a table that another transaction holds/);

  await hold();
  await expect(migrate(url, { pauses: [100] })).rejects.toThrow(/failed, and nothing of it is applied: .*lock timeout/);
  await load.query('rollback');
  await migrate(url);
  await Promise.all([load.end(), reader.end()]);
  await close();
});
