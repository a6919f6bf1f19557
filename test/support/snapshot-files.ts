import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '../../scripts/database/client.ts';
import { openEmbedded } from '../../scripts/database/embedded.ts';
import { databaseSource, snapshotParts } from '../../scripts/pipeline/snapshot/build.ts';
import { buildEditions } from '../../scripts/pipeline/snapshot/editions.ts';
import type { Manifest, SnapshotObject } from '../../src/areas/snapshot/layout.ts';
import { giveAttributes } from './attributes.ts';
import { cachedDirectory, copyDirectory, WHOLE_SERVICE } from './cached-directory.ts';
import { embeddedCopy, seededDatabase, type TestDatabase } from './database.ts';
import type { PostgresServer } from './postgres-server.ts';
import { seededOnce } from './seeded.ts';

/** Names in the cached directory, beside those of objects. */
const [DATABASE, MANIFEST] = ['database', 'manifest.json'];

/** The snapshot of a release, its objects by their names. */
interface SnapshotFiles {
  manifest: Manifest;
  objects: (readonly [name: string, bytes: Uint8Array])[];
}

/** The older editions that the snapshot of the seeded release carries, without boundaries. */
const CARRIED_EDITIONS = ['2023-4q', '2025-2q'];

/**
 * A seeded database with the attributes of `giveAttributes`, and the snapshot of its release. Both are copied from a cached
 * directory, because the snapshot takes as long as many tests; on a server they are made.
 */
export async function databaseWithSnapshot(
  server: PostgresServer | undefined,
): Promise<{ database: TestDatabase; snapshot: SnapshotFiles }> {
  if (!server) {
    const directory = await cachedDirectory('snapshot', WHOLE_SERVICE, async (building) => {
      await copyDirectory(await seededOnce(), join(building, DATABASE));
      const { url, close } = await openEmbedded(join(building, DATABASE));
      try {
        await makeSnapshot(url, building);
      } finally {
        await close();
      }
    });
    return { database: await embeddedCopy(join(directory, DATABASE)), snapshot: await readSnapshot(directory) };
  }
  const database = await seededDatabase(server);
  const directory = await mkdtemp(join(tmpdir(), 'pgds-snapshot-'));
  try {
    await makeSnapshot(database.url, directory);
    return { database, snapshot: await readSnapshot(directory) };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Gives the areas of a database their attributes, and writes the snapshot of its active release to a directory. */
async function makeSnapshot(url: string, directory: string): Promise<void> {
  await giveAttributes(url);
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ id: string }>('select release_id as id from active_release');
    const source = await databaseSource(client, rows[0]?.id ?? '');
    const parts = snapshotParts(source, directory);
    const first = await parts.first();
    const boundaries = await parts.boundaries();
    const later = [...(await parts.history()), ...(await parts.collections())];
    // All thirteen would take some seconds more.
    const { version, release } = source.input;
    const editions: SnapshotObject[] = [];
    const building = buildEditions(directory, { isDrawn: false, only: CARRIED_EDITIONS });
    for await (const { objects } of building) editions.push(...objects);
    const manifest: Manifest = { version, release, objects: [...first, ...boundaries, ...later, ...editions] };
    await writeFile(join(directory, MANIFEST), JSON.stringify(manifest));
  });
}

async function readSnapshot(directory: string): Promise<SnapshotFiles> {
  const manifest = JSON.parse(await readFile(join(directory, MANIFEST), 'utf8')) as Manifest;
  const entries = manifest.objects.map(async ({ name }) => [name, await readFile(join(directory, name))] as const);
  return { manifest, objects: await Promise.all(entries) };
}
