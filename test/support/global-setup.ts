import type { TestProject } from 'vitest/node';
import { startNeonEndpoint } from '../../scripts/database/neon-endpoint.ts';
import { seededDatabase } from './database.ts';
import { startFaultyDatabases } from './faulty-databases.ts';
import { makeTileArchives } from './tile-archives.ts';

/** A seeded database of its own for this run, gone when the run ends, and several that fail. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const database = await seededDatabase(project.getProvidedContext().postgresServer);
  const { url: postgresUrl, singleSession } = database;
  const endpoint = await startNeonEndpoint({ postgresUrl, singleSession });
  const faulty = await startFaultyDatabases();
  project.provide('tileArchives', await makeTileArchives(postgresUrl));
  project.provide('databaseUrl', endpoint.url);
  project.provide('faultyDatabases', faulty.urls);
  return async () => {
    faulty.close();
    await endpoint.close();
    await database.close();
  };
}
