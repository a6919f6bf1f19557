import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { withClient } from '../../scripts/database/client.ts';
import { emptyDatabase, seededDatabase, type TestDatabase } from '../support/database.ts';
import { type OwnServer, startOwnServer } from '../support/own-server.ts';

// What docs/own-server.md tells an operator to type, typed: settings, tables, role, backup, and the way back after a loss. The
// packages, the unit and the country are left out.

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ROLE = `worker_${crypto.randomUUID().slice(0, 8)}`;

let guide: string;
let directory: string;
let server: OwnServer | undefined;
const databases: TestDatabase[] = [];

beforeAll(async () => {
  guide = await readFile(join(ROOT, 'docs/own-server.md'), 'utf8');
  directory = await mkdtemp(join(tmpdir(), 'pgds-guide-'));
});
afterAll(async () => {
  await server?.stop();
  for (const { close } of databases) await close();
  const { url } = inject('postgresServer') as { url: string };
  await withClient(url, (client) => client.query(`drop role if exists ${ROLE}`));
  await rm(directory, { recursive: true, force: true });
});

/** The first block of commands after a text of the guide. */
function blockAfter(text: string): string {
  const [, block] = /```sh\n([\s\S]*?)```/.exec(guide.slice(guide.indexOf(text))) ?? [];
  if (!guide.includes(text) || !block) throw new Error(`The guide has no commands after ${text}.`);
  return block.replace(/^ {3}/gm, '');
}

/** Runs commands of the guide, in directories and with a database and a role of this test. */
function type(commands: string, { url }: TestDatabase): string {
  const typed = commands
    .replace(/^(systemctl|cp server|chown|curl|npm run geo:).*$/gm, '')
    .replaceAll('/etc/', `${directory}/`)
    .replaceAll('/var/lib/psgc', `${directory}/data`)
    .replaceAll('/mnt/', `${directory}/`)
    .replaceAll('/srv/psgc', ROOT)
    .replaceAll('postgres://psgc:password@127.0.0.1:5432/psgc', url)
    .replaceAll('db:role --', `db:role -- --name ${ROLE}`);
  const env = { PATH: process.env.PATH, HOME: directory };
  return execFileSync('bash', ['-euc', typed], { cwd: ROOT, env, encoding: 'utf8', stdio: 'pipe' });
}

/** Starts the service with the files that the unit names, and nothing else. */
async function start(made: TestDatabase): Promise<OwnServer> {
  const unit = await readFile(join(ROOT, 'server/psgc.service'), 'utf8');
  const files = [...unit.matchAll(/^EnvironmentFile=-?(.+)$/gm)].map(([, file]) => `. ${file}`);
  const lines = type(`set -a; ${files.join('; ')}; env -0`, made)
    .split('\0')
    .filter(Boolean);
  const {
    PATH: _,
    PWD: __,
    ...settings
  } = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
  server = await startOwnServer(settings);
  const headers = { Authorization: `Bearer ${settings.MASTER_TOKEN}` };
  const metrics = await (await fetch(`${server.address}/metrics`, { headers })).text();
  expect(metrics).toContain('\npgds_database_role_may_alter_schema 0\n');
  return server;
}

async function answers({ address }: OwnServer): Promise<string[]> {
  const paths = ['/v1/regions', '/v1/municities?province_code=0702200000', '/v1/sources'];
  return Promise.all(paths.map(async (path) => (await (await fetch(address + path)).text()).replaceAll(address, '')));
}

it('leads to a service of one role that may not alter the tables, and back to it after a loss', async () => {
  const made = await seededDatabase(inject('postgresServer'));
  databases.push(made);
  type(blockAfter('3. **Settings**'), made);
  type(blockAfter('4. **Tables'), made);
  const before = await answers(await start(made));
  expect(before.map((text) => text.includes('"error":null'))).toEqual([true, true, true]);
  const [, backup = ''] = /`(npm run backup [^`]+)`/.exec(guide) ?? [];
  expect(type(`set -a; . /etc/psgc.env; set +a; ${backup}`, made)).toMatch(/^Backup \S+: \d+ rows/m);

  expect(await server?.stop()).toBe(0);
  await rm(join(directory, 'data'), { recursive: true });
  const anew = await emptyDatabase(inject('postgresServer'));
  databases.push(anew);
  type(blockAfter('3. **Settings**'), anew);
  type(blockAfter('## After a loss'), anew);
  expect(await answers(await start(anew))).toEqual(before);
});

it('the unit and the container run the same command, with files that the guide makes', async () => {
  const unit = await readFile(join(ROOT, 'server/psgc.service'), 'utf8');
  const container = await readFile(join(ROOT, 'server/Containerfile'), 'utf8');
  const [, command = ''] = /^ExecStart=\/srv\/psgc\/(.+)$/m.exec(unit) ?? [];
  expect(JSON.parse(/^CMD (.+)$/m.exec(container)?.[1] ?? '[]')).toEqual(command.split(' '));
  for (const [, file = ''] of unit.matchAll(/^EnvironmentFile=-?(.+)$/gm)) expect(guide).toContain(`> ${file}`);
});
