import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { startNeonEndpoint } from '../../scripts/database/neon-endpoint.ts';
import { buildChangedPages } from '../../scripts/pages/changed.ts';
import { startFaultyDatabases } from './faulty-databases.ts';
import { offerFiles } from './files-server.ts';
import { wellsFlatGeobuf } from './flatgeobufs.ts';
import { wellsGeoPackage } from './geopackages.ts';
import { startHookReceiver } from './hook-receiver.ts';
import { startOwnServer } from './own-server.ts';
import { databaseWithSnapshot } from './snapshot-files.ts';
import { offerSpareDatabase } from './spare-database.ts';
import { beginTileArchives } from './tile-archives.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A seeded database of its own for this run, gone when the run ends, one that is made when asked for, and several that fail. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { postgresServer, ownServerSettings } = project.getProvidedContext();
  // The Worker serves its texts from the assets.
  const pages = buildChangedPages(ROOT);
  const tileArchives = beginTileArchives();
  const { database, snapshot } = await databaseWithSnapshot(postgresServer);
  const { url: postgresUrl, singleSession } = database;
  const endpoint = await startNeonEndpoint({ postgresUrl, singleSession });
  const faulty = await startFaultyDatabases(endpoint.url);
  const spare = await offerSpareDatabase(postgresServer);
  const { manifest, objects } = snapshot;
  const archives = await tileArchives(postgresUrl);
  const uploads = { 'wells.gpkg': wellsGeoPackage(), 'wells.fgb': wellsFlatGeobuf() };
  // What a development server says of itself.
  const preparing = new TextEncoder().encode('[{"what":"database","progress":0.5}]');
  const tiles = new TextEncoder().encode('[{"what":"tiles","progress":0.1}]');
  const files = await offerFiles(
    new Map([
      ...Object.entries({ ...archives, ...uploads, 'preparing.json': preparing, 'preparing-tiles.json': tiles }),
      ...objects,
    ]),
  );
  const hookReceiver = await startHookReceiver();
  await pages;
  const dataDir = await mkdtemp(join(tmpdir(), 'pgds-own-server-'));
  const ownServer =
    ownServerSettings && (await startOwnServer({ ...ownServerSettings, DATABASE_URL: postgresUrl, DATA_DIR: dataDir }));
  project.provide('ownServer', ownServer?.address);
  project.provide('files', files.url);
  project.provide('hookReceiver', hookReceiver.url);
  project.provide('snapshot', manifest);
  project.provide('databaseUrl', endpoint.url);
  project.provide('faultyDatabases', faulty.urls);
  project.provide('spareDatabase', spare.url);
  return async () => {
    await ownServer?.stop();
    await rm(dataDir, { recursive: true });
    files.close();
    hookReceiver.close();
    faulty.close();
    await spare.close();
    await endpoint.close();
    await database.close();
  };
}
