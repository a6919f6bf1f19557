import { env } from 'cloudflare:workers';
import { inject } from 'vitest';
import { AREAS, MANIFEST, objectKey, POINTER_KEY } from '../../src/areas/snapshot/layout.ts';
import { SnapshotObjects } from '../../src/areas/snapshot/objects.ts';
import { OpenedAreas } from '../../src/areas/snapshot/opened.ts';
import { gunzip } from '../../src/areas/snapshot/unpack.ts';

/**
 * The bucket of everything that tests publish. It is apart from the one of the other tests, which would be served from
 * a snapshot as soon as one of them activates the release.
 */
export const SNAPSHOTS = (env as unknown as { SNAPSHOTS: R2Bucket }).SNAPSHOTS;

export function snapshotBytes(name: string): Uint8Array<ArrayBuffer> {
  const text = inject('snapshot').objects[name];
  if (text === undefined) throw new Error(`The snapshot has no object ${name}`);
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** Stores the objects of the seeded release's snapshot, and names them where `active` is said. */
export async function publish({ active }: { active: boolean }): Promise<void> {
  const { manifest } = inject('snapshot');
  for (const { name, sha256 } of manifest.objects) {
    await SNAPSHOTS.put(objectKey(manifest.version, name), snapshotBytes(name), { sha256 });
  }
  await SNAPSHOTS.put(objectKey(manifest.version, MANIFEST), JSON.stringify(manifest));
  if (active) await SNAPSHOTS.put(POINTER_KEY, JSON.stringify({ version: manifest.version }));
}

/** The snapshot of the seeded release, opened. */
export async function openedSnapshot(): Promise<{ opened: OpenedAreas; objects: SnapshotObjects }> {
  const { manifest } = inject('snapshot');
  const objects = new SnapshotObjects(SNAPSHOTS, manifest);
  return { opened: new OpenedAreas(await gunzip(await objects.whole(AREAS))), objects };
}
