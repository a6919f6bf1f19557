import { spawnSync } from 'node:child_process';
import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { withClient } from '../../scripts/database/client.ts';
import { limitStatements } from '../../scripts/database/statement-limit.ts';
import { emptyDatabase } from '../support/database.ts';

/** The statements that a database works on, but those of whoever asks. */
const RUNNING = `select query from pg_stat_activity
  where datname = current_database() and state = 'active' and pid <> pg_backend_pid() and query like '%pg_sleep%'`;

const timeoutOf = `select setconfig from pg_db_role_setting join pg_database on setdatabase = pg_database.oid
  where datname = current_database()`;

it('a statement whose client is gone ends in time, and those of commands take what they need', async () => {
  const { url, close } = await emptyDatabase(inject('postgresServer'));
  await limitStatements(url, 2000);

  // As Neon connects for a statement: with no setting of its own.
  const service = new pg.Client({ connectionString: url });
  service.on('error', () => undefined);
  await service.connect();
  const given = service.query('select pg_sleep(60)').catch((error: Error) => error);
  await withClient(url, async (client) => {
    const running = async () => (await client.query(RUNNING)).rows.length;
    await expect.poll(running).toBe(1);
    // The service has given up, and says so to nobody.
    (service as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    await given;
    expect(await running()).toBe(1);
    await expect.poll(running, { timeout: 4000 }).toBe(0);
    await client.query('select pg_sleep(2.5)');
  });

  const waiting = new pg.Client({ connectionString: url });
  await waiting.connect();
  await expect(waiting.query('select pg_sleep(60)')).rejects.toMatchObject({ code: '57014' });
  await waiting.end();
  await close();
});

it('db:migrate limits the statements of its role in its database to what the service waits', async () => {
  const { url, close } = await emptyDatabase(inject('postgresServer'));
  const migrate = (env: Record<string, string>) =>
    spawnSync(process.execPath, ['scripts/migrate.ts'], { env: { ...process.env, DATABASE_URL: url, ...env } }).status;
  const settings = () => withClient(url, async (client) => (await client.query(timeoutOf)).rows);
  expect(migrate({})).toBe(0);
  expect(await settings()).toEqual([{ setconfig: ['statement_timeout=4500'] }]);
  expect(migrate({ REQUEST_WAIT_MS: '9000' })).toBe(0);
  expect(await settings()).toEqual([{ setconfig: ['statement_timeout=9000'] }]);
  await close();
});
