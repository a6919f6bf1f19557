import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { withClient } from '../../scripts/database/client.ts';
import { emptyDatabase, type TestDatabase } from '../support/database.ts';
import { NEEDED, startOwnServer } from '../support/own-server.ts';

// What the command `npm run db:role` does on a server. test/api/worker-role.test.ts asks the service as such a role.

const NAME = `worker_${crypto.randomUUID().slice(0, 8)}`;

let database: TestDatabase;
const run = (script: string, args: string[] = [], env: Record<string, string> = {}) => {
  const options = { env: { ...process.env, DATABASE_URL: database.url, ...env }, encoding: 'utf8' } as const;
  return spawnSync(process.execPath, [`scripts/${script}.ts`, ...args], options);
};

beforeAll(async () => {
  database = await emptyDatabase(inject('postgresServer'));
  expect(run('migrate').status).toBe(0);
});

afterAll(async () => {
  await database.close();
  await withClient((inject('postgresServer') as { url: string }).url, (client) => client.query(`drop role ${NAME}`));
});

it('makes a role that reads and writes rows, also of later tables, and prints its connection string alone', async () => {
  const { status, stdout, stderr } = run('db-role', ['--name', NAME], { REQUEST_WAIT_MS: '6000' });
  expect([status, stderr.includes('may not alter the schema')]).toEqual([0, true]);
  const url = stdout.trim();
  expect(new URL(url).username).toBe(NAME);
  await withClient(database.url, (client) => client.query('create table later (id int)'));
  await withClient(url, async (client) => {
    await client.query('reset statement_timeout');
    expect((await client.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '6s' }]);
    await client.query('insert into later values (1)');
    expect((await client.query('update later set id = 2 returning id')).rows).toEqual([{ id: 2 }]);
    await client.query('delete from later');
    for (const statement of [
      'create table mine (id int)',
      'drop table later',
      'truncate later',
      'alter table later add b int',
    ])
      await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
  });
});

it('keeps the password of a role that exists, unless another one is asked for', async () => {
  const again = run('db-role', ['--name', NAME]);
  expect([again.status, again.stdout, again.stderr.includes('its password stays')]).toEqual([0, '', true]);
  const renewed = run('db-role', ['--name', NAME, '--new-password']);
  const { rows } = await withClient(renewed.stdout.trim(), (client) => client.query('select current_user as name'));
  expect(rows).toEqual([{ name: NAME }]);
});

it('makes a role with which a server of your own starts', async () => {
  const { stdout } = run('db-role', ['--name', NAME, '--new-password']);
  const dataDir = await mkdtemp(join(tmpdir(), 'pgds-role-'));
  const server = await startOwnServer({ ...NEEDED, DATABASE_URL: stdout.trim(), DATA_DIR: dataDir });
  const headers = { Authorization: `Bearer ${NEEDED.MASTER_TOKEN}` };
  const metrics = await (await fetch(`${server.address}/metrics`, { headers })).text();
  expect(metrics).toContain('\npgds_database_role_may_alter_schema 0\n');
  expect(await server.stop()).toBe(0);
  await rm(dataDir, { recursive: true });
});

it('refuses a role that may alter the schema by itself', async () => {
  const owner = decodeURIComponent(new URL(database.url).username);
  const { status, stderr } = run('db-role', ['--name', owner]);
  expect([status, stderr]).toEqual([1, expect.stringMatching(/may alter the schema\. Use another --name\.\n$/)]);
});
