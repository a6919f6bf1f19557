import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { buildSnapshot } from '../../scripts/pipeline/snapshot/build.ts';
import type { Manifest } from '../../src/areas/snapshot/layout.ts';

/** The snapshot of a release, its objects by their names. */
interface SnapshotFiles {
  manifest: Manifest;
  objects: (readonly [name: string, bytes: Uint8Array])[];
}

/** Makes the snapshot of the active release of a database. */
export async function makeSnapshot(url: string): Promise<SnapshotFiles> {
  const client = new pg.Client({ connectionString: url });
  const directory = await mkdtemp(join(tmpdir(), 'pgds-snapshot-'));
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>('select release_id as id from active_release');
    const manifest = await buildSnapshot(client, rows[0]?.id ?? '', directory);
    const entries = manifest.objects.map(async ({ name }) => [name, await readFile(join(directory, name))] as const);
    return { manifest, objects: await Promise.all(entries) };
  } finally {
    await client.end();
    await rm(directory, { recursive: true, force: true });
  }
}
