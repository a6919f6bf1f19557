import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { DOWNLOADS_BY_NAME } from '../../../src/areas/snapshot/download-names.ts';
import {
  boundariesName,
  type Manifest,
  OVERVIEW_NAMES,
  type SnapshotName,
  type SnapshotObject,
} from '../../../src/areas/snapshot/layout.ts';
import { buildDownloads } from '../downloads/build.ts';
import { ask, type Endpoint } from '../service.ts';
import { readVersion } from './areas.ts';
import { buildSnapshot } from './build.ts';

/** What of the time the four steps take: making and publishing the snapshot, then the files. */
const SHARES = { snapshot: 0.3, published: 0.4, files: 0.85 };

interface PublishOptions {
  releaseId: string;
  endpoint: Endpoint;
  /** Publish only where the service does not answer from a snapshot of this load of the release. */
  onlyMissing: boolean;
  /** Called with 0 to 1 and what is being done. */
  onProgress: (fraction: number, label: string) => void;
}

/** What was published. */
export interface Published {
  objects: number;
  bytes: number;
  /** Whether it is what the service answers from now. */
  served: boolean;
}

/**
 * Makes the snapshot of a release and publishes it, and then the files that are downloaded of it. Every object is uploaded
 * and verified before the manifest names it, so that a publication which breaks off leaves what was served. Objects that
 * the service has already are not sent again.
 *
 * @param scratch directory for temporary files, some 500 MB
 * @returns undefined where it is published already
 * @throws Error where the release is not in the database, or the service refuses
 */
export async function publishSnapshot(
  client: pg.ClientBase,
  scratch: string,
  { releaseId, endpoint, onlyMissing, onProgress }: PublishOptions,
): Promise<Published | undefined> {
  const found = await findPublished(endpoint, releaseId);
  const stored = found?.version === (await readVersion(client, releaseId)) ? found : undefined;
  if (onlyMissing && stored?.downloads && hasOverview(stored)) return undefined;
  const { snapshot, published, files } = SHARES;
  const send = senderOf(endpoint, releaseId, { scratch, stored: stored?.objects ?? [] });
  const step = (from: number, to: number, label: string) => (fraction: number) =>
    onProgress(from + (to - from) * fraction, label);
  const making = step(0, snapshot, 'Making the snapshot');
  const manifest = await buildSnapshot(client, releaseId, scratch, making);
  await send(manifest.objects, step(snapshot, published, 'Publishing the snapshot'));
  // From here on geography is answered from it, with the files that were there before.
  const before = stored?.objects.filter(({ name }) => isFile(name)) ?? [];
  await putManifest(endpoint, releaseId, {
    ...manifest,
    objects: [...manifest.objects, ...before],
    downloads: stored?.downloads,
  });
  const { facts, objects } = await buildDownloads(scratch, new Date(), step(published, files, 'Making the files'));
  await send(objects, step(files, 1, 'Publishing the files'));
  const all = [...manifest.objects, ...objects];
  const { served } = await putManifest(endpoint, releaseId, { ...manifest, objects: all, downloads: facts });
  return { objects: all.length, bytes: bytesOf(all), served };
}

/** Whether an object is made after the snapshot itself, of its objects. */
function isFile(name: SnapshotName): boolean {
  return DOWNLOADS_BY_NAME.has(name) || OVERVIEW_NAMES.some((overview) => overview === name);
}

/** Whether there is an overview, or nothing to make it of. Versions that earlier builds published have none. */
function hasOverview({ objects }: Pick<Manifest, 'objects'>): boolean {
  const has = (wanted: SnapshotName) => objects.some(({ name }) => name === wanted);
  return has(OVERVIEW_NAMES[0]) || !(['region', 'province'] as const).every((it) => has(boundariesName(it, 'simple')));
}

function bytesOf(objects: readonly SnapshotObject[]): number {
  return objects.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Uploads the files of objects, each with its digest, but those that the service has stored. */
function senderOf(
  endpoint: Endpoint,
  releaseId: string,
  { scratch, stored }: { scratch: string; stored: readonly SnapshotObject[] },
) {
  const isStored = (object: SnapshotObject) =>
    stored.some(({ name, sha256 }) => name === object.name && sha256 === object.sha256);
  return async (objects: readonly SnapshotObject[], onProgress: (fraction: number) => void) => {
    const total = Math.max(bytesOf(objects), 1);
    let sent = 0;
    for (const object of objects) {
      if (!isStored(object)) {
        const digest = Buffer.from(object.sha256, 'hex').toString('base64');
        const headers = { 'Content-Type': 'application/octet-stream', 'Content-Digest': `sha-256=:${digest}:` };
        const body = await openAsBlob(join(scratch, object.name));
        await ask(endpoint, `${snapshotPath(releaseId)}/${object.name}`, { method: 'PUT', headers, body });
      }
      sent += object.bytes;
      onProgress(sent / total);
    }
  };
}

/** Has the service verify the objects of a manifest and publish it. */
async function putManifest(
  endpoint: Endpoint,
  releaseId: string,
  { version, objects, downloads }: Manifest,
): Promise<{ served: boolean }> {
  const body = JSON.stringify({ version, objects, downloads });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await ask(endpoint, snapshotPath(releaseId), { method: 'PUT', headers, body });
  return ((await answer.json()) as { data: { served: boolean } }).data;
}

/** What the service has of the snapshot of a release; undefined where it has none. */
export async function findPublished(
  endpoint: Endpoint,
  releaseId: string,
): Promise<Omit<Manifest, 'release'> | undefined> {
  const answer = await ask(endpoint, snapshotPath(releaseId), {}, [200, 404]);
  if (answer.status === 404) return undefined;
  return ((await answer.json()) as { data: Omit<Manifest, 'release'> }).data;
}

function snapshotPath(releaseId: string): string {
  return `/v1/admin/releases/${encodeURIComponent(releaseId)}/snapshot`;
}
