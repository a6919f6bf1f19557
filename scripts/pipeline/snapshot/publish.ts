import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { ask, type Endpoint } from '../service.ts';
import { readVersion } from './areas.ts';
import { buildSnapshot } from './build.ts';

/** Share of the time that building takes; the rest is uploading. */
const BUILDING = 0.7;

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
 * Makes the snapshot of a release and publishes it: every object is uploaded and verified before the manifest is written,
 * so that a publication which breaks off leaves what was served.
 *
 * @param scratch directory for temporary files, some 200 MB
 * @returns undefined where it is published already
 * @throws Error where the release is not in the database, or the service refuses
 */
export async function publishSnapshot(
  client: pg.ClientBase,
  scratch: string,
  { releaseId, endpoint, onlyMissing, onProgress }: PublishOptions,
): Promise<Published | undefined> {
  const path = snapshotPath(releaseId);
  if (onlyMissing && (await findPublished(endpoint, releaseId)) === (await readVersion(client, releaseId))) {
    return undefined;
  }
  const manifest = await buildSnapshot(client, releaseId, scratch, (fraction) =>
    onProgress(BUILDING * fraction, 'Making the snapshot'),
  );
  const bytes = manifest.objects.reduce((sum, object) => sum + object.bytes, 0);
  let sent = 0;
  for (const { name, sha256, bytes: size } of manifest.objects) {
    const digest = Buffer.from(sha256, 'hex').toString('base64');
    const headers = { 'Content-Type': 'application/octet-stream', 'Content-Digest': `sha-256=:${digest}:` };
    await ask(endpoint, `${path}/${name}`, { method: 'PUT', headers, body: await openAsBlob(join(scratch, name)) });
    sent += size;
    onProgress(BUILDING + (1 - BUILDING) * (sent / bytes), 'Publishing the snapshot');
  }
  const body = JSON.stringify({ version: manifest.version, objects: manifest.objects });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await ask(endpoint, path, { method: 'PUT', headers, body });
  const { data } = (await answer.json()) as { data: { served: boolean } };
  return { objects: manifest.objects.length, bytes, served: data.served };
}

/** The version of a release whose snapshot the service has; undefined where it has none. */
export async function findPublished(endpoint: Endpoint, releaseId: string): Promise<string | undefined> {
  const answer = await ask(endpoint, snapshotPath(releaseId), {}, [200, 404]);
  if (answer.status === 404) return undefined;
  const { data } = (await answer.json()) as { data: { version: string } };
  return data.version;
}

function snapshotPath(releaseId: string): string {
  return `/v1/admin/releases/${encodeURIComponent(releaseId)}/snapshot`;
}
