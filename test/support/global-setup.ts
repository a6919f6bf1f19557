import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { openEmbedded } from '../../scripts/database/embedded.ts';
import { startNeonEndpoint } from '../../scripts/database/neon-endpoint.ts';
import { startFaultyDatabases } from './faulty-databases.ts';
import { seededCopy } from './seeded.ts';

/** A seeded database of its own for this run, gone when the run ends, and several that fail. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await seededCopy();
  const database = await openEmbedded(directory);
  const endpoint = await startNeonEndpoint({ postgresUrl: database.url, singleSession: true });
  const faulty = await startFaultyDatabases();
  project.provide('databaseUrl', endpoint.url);
  project.provide('faultyDatabases', faulty.urls);
  return async () => {
    faulty.close();
    await endpoint.close();
    await database.close();
    await rm(directory, { recursive: true, force: true });
  };
}
