import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { loadSessionKey, signSession } from '../../scripts/dev/session-key.ts';
import { startPublishedService } from '../support/published.ts';
import { packClient } from './installed.ts';

/** Runs a service on the schematic country, with its files, until all tests are done, and packs the TypeScript client. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'pgds-clients-'));
  const dataDir = join(directory, 'data');
  const { address, masterToken, stop } = await startPublishedService(dataDir);
  const apiKey = await createKey(address, dataDir, ['read:boundaries']);
  const userKey = await createKey(address, dataDir, null);
  project.provide('clientsService', { address, masterToken, apiKey, userKey });
  project.provide('packedClient', await packClient(directory));
  return async () => {
    await stop();
    await rm(directory, { recursive: true, force: true });
  };
}

/** Creates an API key with scopes, as a user does who has signed in; null: all but that of administrators. */
async function createKey(address: string, dataDir: string, scopes: string[] | null): Promise<string> {
  const session = await signSession(await loadSessionKey(join(dataDir, '.dev.session-key')), {
    issuer: 'http://127.0.0.1/local-identity-provider',
    subject: 'user_clients',
    email: 'clients@example.com',
    party: undefined,
    expires: '1h',
  });
  const answer = await fetch(`${address}/v1/api-keys`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${session}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Generated clients', scopes, rate_limit_rpm: 1000 }),
  });
  if (!answer.ok) throw new Error(`A key was refused: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { data: { key: string } }).data.key;
}
