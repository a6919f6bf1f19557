import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { databaseSource, snapshotParts } from '../../scripts/pipeline/snapshot/build.ts';
import { buildEditions } from '../../scripts/pipeline/snapshot/editions.ts';
import type { Manifest } from '../../src/areas/snapshot/layout.ts';

/** The snapshot of a release, its objects by their names. */
interface SnapshotFiles {
  manifest: Manifest;
  objects: (readonly [name: string, bytes: Uint8Array])[];
}

/** The older editions that the snapshot of the seeded release carries, without boundaries. */
const CARRIED_EDITIONS = ['2023-4q', '2025-2q'];

/** Makes the snapshot of the active release of a database. */
export async function makeSnapshot(url: string): Promise<SnapshotFiles> {
  const client = new pg.Client({ connectionString: url });
  const directory = await mkdtemp(join(tmpdir(), 'pgds-snapshot-'));
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>('select release_id as id from active_release');
    const source = await databaseSource(client, rows[0]?.id ?? '');
    const parts = snapshotParts(source, directory);
    const first = await parts.first();
    const boundaries = await parts.boundaries();
    const later = [...(await parts.history()), ...(await parts.collections())];
    // All thirteen would take some seconds more.
    const carried = await buildEditions(directory, { isDrawn: false, only: CARRIED_EDITIONS });
    const { version, release } = source.input;
    const manifest = { version, release, objects: [...first, ...boundaries, ...later, ...carried] };
    const entries = manifest.objects.map(async ({ name }) => [name, await readFile(join(directory, name))] as const);
    return { manifest, objects: await Promise.all(entries) };
  } finally {
    await client.end();
    await rm(directory, { recursive: true, force: true });
  }
}
