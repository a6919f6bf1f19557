import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { publishSnapshot } from '../../scripts/pipeline/snapshot/publish.ts';
import { seededDatabase } from '../support/database.ts';
import { startLocalService } from '../support/local-service.ts';
import { packClient } from './installed.ts';

/** Runs a service on the schematic country, with its files, until all tests are done, and packs the TypeScript client. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'pgds-clients-'));
  const database = await seededDatabase();
  const { address, masterToken, stop } = await startLocalService(database, join(directory, 'data'));
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const scratch = join(directory, 'scratch');
  await mkdir(scratch);
  await publishSnapshot(client, scratch, {
    releaseId: '2026-3q-1',
    endpoint: { address, token: masterToken },
    onlyMissing: true,
    onProgress: () => undefined,
  });
  await client.end();
  project.provide('clientsService', { address, masterToken });
  project.provide('packedClient', await packClient(directory));
  return async () => {
    await stop();
    await database.close();
    await rm(directory, { recursive: true, force: true });
  };
}
