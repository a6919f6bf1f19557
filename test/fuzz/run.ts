import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadSessionKey, signSession } from '../../scripts/dev/session-key.ts';
import type { LocalService } from '../support/local-service.ts';
import { type PublishedService, startPublishedService } from '../support/published.ts';
import { archiveOfRegions } from '../support/tile-archives.ts';

// npm run test:fuzz: tests a service of its own by its OpenAPI document, with Schemathesis, as schemathesis.toml beside this says.
// The command is what SCHEMATHESIS names, or the first in PATH; .ci/fuzz installs it. Arguments go to it.

interface OpenApi {
  paths: Record<string, Record<string, { operationId?: string }>>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A session that is good for an hour, as the identity provider would give one. */
async function sessionIn(dataDir: string): Promise<string> {
  return signSession(await loadSessionKey(join(dataDir, '.dev.session-key')), {
    issuer: 'http://127.0.0.1/local-identity-provider',
    subject: 'user_fuzz',
    email: 'fuzz@example.com',
    party: undefined,
    expires: '1h',
  });
}

/** Makes the user of a session an administrator. Returns their id. */
async function promote(service: LocalService, session: string): Promise<string> {
  const path = '/v1/datasets?debug=true';
  const own = await service.ask(path, { headers: { Authorization: `Bearer ${session}` } });
  const { meta } = (await own.json()) as { meta: { debug: { user_id: string } } };
  const { user_id: id } = meta.debug;
  await send(service, `/v1/admin/users/${id}`, 'PATCH', '{"is_admin":true}', 'application/json');
  return id;
}

/** Stores the tiles that the examples of the document ask for. */
async function storeTiles(service: PublishedService): Promise<void> {
  const body = await archiveOfRegions(service.database.url);
  await send(service, '/v1/admin/tiles/provinces', 'PUT', body, 'application/vnd.pmtiles');
}

async function send(
  { ask }: LocalService,
  path: string,
  ...[method, body, type]: [string, string | Uint8Array<ArrayBuffer>, string]
) {
  const { ok, status } = await ask(path, { method, body, headers: { 'Content-Type': type } });
  if (!ok) throw new Error(`${method} ${path} was answered with ${status}`);
}

/** Runs Schemathesis. Returns its exit code. */
async function fuzz({ address }: LocalService, environment: Record<string, string>): Promise<number> {
  const args = [
    '--config-file',
    'test/fuzz/schemathesis.toml',
    'run',
    `${address}/openapi.json`,
    ...process.argv.slice(2),
  ];
  const child = spawn(process.env.SCHEMATHESIS ?? 'schemathesis', args, {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}

/** The phases in which each operation gets requests: of the limits of its parameters, and of generated ones. */
const PHASES = ['coverage', 'fuzzing'];

/** The operations of the document that a phase made no request to, each with its phase. */
async function missed({ ask }: LocalService, reached: string): Promise<string[]> {
  const met = new Set((await readFile(reached, 'utf8')).split('\n'));
  const { paths } = (await (await ask('/openapi.json')).json()) as OpenApi;
  const ids = Object.values(paths).flatMap((operations) => Object.values(operations).map((one) => one.operationId));
  return PHASES.flatMap((phase) => ids.map((id) => `${id} ${phase}`)).filter((request) => !met.has(request));
}

const directory = await mkdtemp(join(tmpdir(), 'pgds-fuzz-'));
try {
  const dataDir = join(directory, 'data');
  const service = await startPublishedService(dataDir);
  try {
    const session = await sessionIn(dataDir);
    const id = await promote(service, session);
    await storeTiles(service);
    const reached = join(directory, 'reached');
    process.exitCode = await fuzz(service, { FUZZ_SESSION: session, FUZZ_USER_ID: id, FUZZ_REACHED: reached });
    // The phases share max-time of schemathesis.toml: where it is too short, some operations get nothing. Whoever gives arguments may choose operations.
    const left = process.argv.length > 2 ? [] : await missed(service, reached);
    if (left.length > 0) {
      console.error(`max-time ended the run too early: no request was made to ${left.join(', ')}.`);
      process.exitCode = 1;
    }
  } finally {
    await service.stop();
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}
