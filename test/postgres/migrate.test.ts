import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { migrate } from '../../scripts/database/migrate.ts';
import { emptyDatabase } from '../support/database.ts';

// PGlite has one session, in which nobody holds a table while another one waits.

/** A migration that alters a table, and that may be applied twice. */
const ALTER = 'alter table datasets add column if not exists of_test integer';
const FORGET = `delete from drizzle.__drizzle_migrations
  where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`;

/** A copy of the project's migrations, with one more behind them. */
async function withOneMore(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pgds-migrations-'));
  await cp(new URL('../../migrations', import.meta.url), folder, { recursive: true });
  const file = join(folder, 'meta/_journal.json');
  const journal = JSON.parse(await readFile(file, 'utf8'));
  const last = journal.entries.at(-1);
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag: 'of_test' });
  await Promise.all([writeFile(file, JSON.stringify(journal)), writeFile(join(folder, 'of_test.sql'), ALTER)]);
  return folder;
}

it('a table that a load holds is waited for in short turns, in which others read it', async () => {
  const { url, close } = await emptyDatabase(inject('postgresServer'));
  const folder = await withOneMore();
  await migrate(url, { folder });
  const [load, reader] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })];
  await Promise.all([load.connect(), reader.connect()]);
  const hold = async () => {
    await reader.query(FORGET);
    await load.query('begin');
    await load.query('lock table datasets in row exclusive mode');
  };

  await hold();
  const waits: string[] = [];
  const migrating = migrate(url, { folder, onWait: (message) => waits.push(message), pauses: Array(50).fill(200) });
  await expect.poll(() => waits.length, { timeout: 20_000 }).toBeGreaterThan(0);
  // The load goes on, and a reader waits behind the migration for one turn at most.
  await reader.query('select count(*) from datasets');
  await load.query('commit');
  await migrating;
  expect(waits[0]).toMatch(/^Migration \d{4} waits for a table that another transaction holds/);

  await hold();
  await expect(migrate(url, { folder, pauses: [100] })).rejects.toThrow(
    /failed, and nothing of it is applied: .*lock timeout/,
  );
  await load.query('rollback');
  await migrate(url, { folder });
  await Promise.all([load.end(), reader.end(), rm(folder, { recursive: true })]);
  await close();
});
