import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { seededDatabase } from '../support/database.ts';
import { publishRelease, startLocalService } from '../support/local-service.ts';
import { packClient } from './installed.ts';

/** Runs a service on the schematic country, with its files, until all tests are done, and packs the TypeScript client. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'pgds-clients-'));
  const database = await seededDatabase();
  const service = await startLocalService(database, join(directory, 'data'));
  const { address, masterToken, stop } = service;
  await publishRelease(service, database, directory);
  project.provide('clientsService', { address, masterToken });
  project.provide('packedClient', await packClient(directory));
  return async () => {
    await stop();
    await database.close();
    await rm(directory, { recursive: true, force: true });
  };
}
