import { DomainError } from '../../errors.ts';
import { inLargeReads } from '../../http/stream.ts';
import type { Bucket } from '../../storage/bucket.ts';
import {
  type Manifest,
  manifestKey,
  objectKey,
  POINTER_KEY,
  type SnapshotName,
  type SnapshotObject,
} from './layout.ts';
import { readInTime, SnapshotObjects, SnapshotUnreadable } from './objects.ts';
import { checkBoundaryBytes, openAreas } from './open.ts';

/**
 * Stores an object of a version while its stream arrives. Nothing reads it before the manifest names it, so that it may be
 * stored again.
 *
 * @param object `bytes`: their number; `sha256`: 64 hex digits, the bucket refuses other bytes
 * @throws DomainError `invalid_snapshot` where the bytes are others than announced
 */
export async function putObject(
  bucket: Bucket,
  version: string,
  {
    name,
    bytes,
    sha256,
    body,
  }: { name: SnapshotName; bytes: number; sha256: string; body: ReadableStream<Uint8Array> },
): Promise<void> {
  try {
    await bucket.putStream(objectKey(version, { name, sha256 }), inLargeReads(body), { size: bytes, sha256 });
  } catch (cause) {
    // Failures of the bucket are DomainErrors. All others mean that the body broke off, or was of other bytes.
    if (cause instanceof DomainError) throw cause;
    const message = `The object ${name} is not what was announced: ${bytes} bytes with the SHA-256 ${sha256}.`;
    throw new DomainError('invalid_snapshot', message, { cause });
  }
}

/**
 * Verifies that every object of a version is stored with the bytes that its manifest names, and then writes the manifest. From
 * then on the version can be served.
 *
 * @param options `isPart`: boundaries may follow with a later manifest
 * @throws DomainError `invalid_snapshot` naming the objects that are missing or have other bytes
 */
export async function putManifest(
  bucket: Bucket,
  manifest: Manifest,
  options: { isPart?: boolean } = {},
): Promise<void> {
  throwIfIncomplete(await Promise.all(manifest.objects.map((object) => checkObject(bucket, manifest.version, object))));
  throwIfIncomplete(await checkAreas(bucket, manifest, options));
  await bucket.put(manifestKey(manifest.version), JSON.stringify(manifest));
}

/** @throws DomainError `invalid_snapshot` where there are faults */
function throwIfIncomplete(found: readonly (string | undefined)[]): void {
  const faults = found.filter((fault) => fault !== undefined);
  if (faults.length === 0) return;
  throw new DomainError('invalid_snapshot', `The snapshot is not complete: ${faults.slice(0, 5).join('; ')}.`);
}

async function checkAreas(bucket: Bucket, manifest: Manifest, options: { isPart?: boolean }): Promise<string[]> {
  try {
    return checkBoundaryBytes(await openAreas(new SnapshotObjects(bucket, manifest)), manifest, options);
  } catch (error) {
    // The bucket failed: not a fault of the snapshot.
    if (error instanceof SnapshotUnreadable && error.cause instanceof DomainError) throw error.cause;
    return [`its areas can't be opened (${error instanceof Error ? error.message : error})`];
  }
}

async function checkObject(bucket: Bucket, version: string, { name, bytes, sha256, etag }: SnapshotObject) {
  const stored = await bucket.head(objectKey(version, { name, sha256 }));
  if (!stored) return `${name} is missing`;
  const digest = stored.checksums.toJSON().sha256;
  const isSame = stored.size === bytes && stored.etag === etag && digest === sha256;
  return isSame ? undefined : `${name} has other bytes`;
}

/** The manifest of a published version. @param timeout max time, milliseconds */
export async function findManifest(bucket: Bucket, version: string, timeout?: number): Promise<Manifest | undefined> {
  return (await bucket.findJson(manifestKey(version), { timeout })) as Manifest | undefined;
}

/**
 * The manifest of a published version, read in the time that the request has for it.
 *
 * @throws SnapshotUnreadable also where there is none
 */
export async function getManifest(bucket: Bucket, version: string): Promise<Manifest> {
  const find = (timeout: number) => findManifest(bucket, version, timeout);
  const manifest = await readInTime(bucket, `The manifest of ${version}`, find);
  if (!manifest) throw new SnapshotUnreadable(`There is no manifest of ${version}`);
  if (manifest.version === version) return manifest;
  throw new SnapshotUnreadable(`The manifest of ${version} is of ${manifest.version}`);
}

/**
 * Writes the pointer to the version; deletes it if the version has no manifest, so that PostGIS answers instead of an older
 * snapshot.
 */
export async function setActiveVersion(bucket: Bucket, version: string): Promise<void> {
  const isPublished = (await bucket.head(manifestKey(version))) !== null;
  if (isPublished) await bucket.put(POINTER_KEY, JSON.stringify({ version }));
  else await bucket.delete(POINTER_KEY);
}
