import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import type { Manifest, SnapshotObject } from '../../../src/areas/snapshot/layout.ts';
import { ask, type Endpoint } from '../service.ts';

/** The version whose snapshot a service gets. */
export interface Target {
  readonly endpoint: Endpoint;
  readonly release: string;
  readonly version: string;
  /**
   * Whether the database of the service has the version, which the service then looks up, and refuses another one. Else it
   * takes the version as it is told.
   */
  readonly isLoaded: boolean;
}

/** Uploads objects. Calls back with 0 to 1, the share of their bytes that the service has. */
type Upload = (objects: readonly SnapshotObject[], onProgress?: (fraction: number) => void) => Promise<void>;

/**
 * Makes the function that uploads the files of objects, each with its digest.
 *
 * @param directory of the files
 * @param stored the objects that the service has already, which are not sent again
 */
export function uploaderTo(target: Target, directory: string, stored: readonly SnapshotObject[]): Upload {
  const isStored = (object: SnapshotObject) =>
    stored.some(({ name, sha256 }) => name === object.name && sha256 === object.sha256);
  return async (objects, onProgress) => {
    const total = Math.max(bytesOf(objects), 1);
    let sent = 0;
    for (const object of objects) {
      if (!isStored(object)) {
        const digest = Buffer.from(object.sha256, 'hex').toString('base64');
        const headers = { 'Content-Type': 'application/octet-stream', 'Content-Digest': `sha-256=:${digest}:` };
        const body = await openAsBlob(join(directory, object.name));
        await ask(target.endpoint, pathOf(target, `/${object.name}`), { method: 'PUT', headers, body });
      }
      sent += object.bytes;
      onProgress?.(sent / total);
    }
  };
}

export function bytesOf(objects: readonly SnapshotObject[]): number {
  return objects.reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * Has the service verify the objects of a manifest and publish it.
 *
 * @returns whether the service answers from the snapshot now
 */
export async function putManifest(
  target: Target,
  { objects, downloads }: Pick<Manifest, 'objects' | 'downloads'>,
): Promise<boolean> {
  const body = JSON.stringify({ version: target.version, objects, downloads });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await ask(target.endpoint, pathOf(target), { method: 'PUT', headers, body });
  return ((await answer.json()) as { data: { served: boolean } }).data.served;
}

/**
 * The service's manifest of a release's snapshot; undefined if none.
 *
 * @param version that of a release which its database need not have; without it the one that its database has
 */
export async function findPublished(
  endpoint: Endpoint,
  releaseId: string,
  version?: string,
): Promise<Omit<Manifest, 'release'> | undefined> {
  const answer = await ask(endpoint, snapshotPath(releaseId) + versionQuery(version), {}, [200, 404]);
  if (answer.status === 404) return undefined;
  return ((await answer.json()) as { data: Omit<Manifest, 'release'> }).data;
}

function pathOf({ release, version, isLoaded }: Target, object = ''): string {
  return snapshotPath(release) + object + versionQuery(isLoaded ? undefined : version);
}

function snapshotPath(releaseId: string): string {
  return `/v1/admin/releases/${encodeURIComponent(releaseId)}/snapshot`;
}

function versionQuery(version: string | undefined): string {
  return version === undefined ? '' : `?version=${version}`;
}
