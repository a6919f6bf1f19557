import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { seededDatabase, type TestDatabase } from '../support/database.ts';
import { NEEDED, spawnOwnServer, startOwnServer } from '../support/own-server.ts';

let directory: string;
let database: TestDatabase;
let front: Server;
/** The connections that the front has encrypted. */
let encrypted = 0;

const authority = () => join(directory, 'ca.pem');

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-tls-'));
  database = await seededDatabase(inject('postgresServer'));
  makeCertificates();
  front = createServer((socket) => void encrypt(socket)).listen(0, '127.0.0.1');
  await once(front, 'listening');
});
afterAll(async () => {
  front?.close();
  await database?.close();
  await rm(directory, { recursive: true, force: true });
});

/** An authority, and its certificate for `localhost` alone. */
function makeCertificates(): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });
  const made = ['-newkey', 'rsa:2048', '-nodes', '-days', '1'];
  openssl('req', '-x509', ...made, '-subj', '/CN=Authority', '-keyout', 'ca.key', '-out', 'ca.pem');
  const of = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-addext', 'subjectAltName=DNS:localhost'];
  openssl('req', '-x509', ...made, ...of, '-subj', '/CN=Database', '-keyout', 'server.key', '-out', 'server.pem');
}

/** Answers as a PostgreSQL with `ssl = on` does, and passes on what it reads to the one of the tests. */
async function encrypt(socket: Socket): Promise<void> {
  socket.on('error', () => undefined);
  await once(socket, 'readable');
  if (socket.read(8)?.readInt32BE(4) !== 80877103) return void socket.destroy();
  socket.write('S');
  const [key, cert] = ['server.key', 'server.pem'].map((name) => readFileSync(join(directory, name)));
  const secure = new TLSSocket(socket, { isServer: true, key, cert }).on('error', () => undefined);
  await once(secure, 'secure');
  encrypted += 1;
  const { hostname, port } = new URL(database.url);
  const server = connect(Number(port || 5432), hostname);
  server.on('error', () => secure.destroy()).on('close', () => secure.destroy());
  secure.on('close', () => server.destroy());
  secure.pipe(server).pipe(secure);
}

/** The settings of a service that reaches the database through the front. */
function settingsWith(query: string, host = 'localhost'): Record<string, string> {
  const url = new URL(database.url);
  url.hostname = host;
  url.port = String((front.address() as AddressInfo).port);
  return { ...NEEDED, DATABASE_URL: url.href + query, DATA_DIR: join(directory, 'data') };
}

it('a service reaches its database over TLS with a certificate of the named authority', async () => {
  const server = await startOwnServer(settingsWith(`?sslmode=verify-full&sslrootcert=${authority()}`));
  const headers = { Authorization: `Bearer ${NEEDED.MASTER_TOKEN}` };
  const before = encrypted;
  expect(before).toBeGreaterThan(0);
  const users = await fetch(`${server.address}/v1/admin/users`, { headers });
  expect(users.status).toBe(200);
  expect(encrypted).toBeGreaterThan(before);
  expect(await server.stop()).toBe(0);
});

it('a service refuses a database with another certificate, and says what to do', async () => {
  const cases: [query: string, host: string, said: string][] = [
    ['?sslmode=verify-full', 'localhost', 'its certificate is of an unknown authority; end the address with ?sslmode'],
    [`?sslmode=verify-full&sslrootcert=${authority()}`, '127.0.0.1', 'its certificate is of another host'],
  ];
  for (const [query, host, said] of cases) {
    const settings = settingsWith(query, host);
    const { port } = new URL(settings.DATABASE_URL ?? '');
    const server = await spawnOwnServer(settings);
    expect(await server.ended).toBe(1);
    expect(server.printed()).toContain(`The database at ${host}:${port} (DATABASE_URL)`);
    expect(server.printed()).toContain(said);
  }
});
