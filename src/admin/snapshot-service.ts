import { servePublished } from '../areas/snapshot/housekeeping.ts';
import type { Downloads, SnapshotName, SnapshotObject } from '../areas/snapshot/layout.ts';
import { findManifest, putManifest, putObject } from '../areas/snapshot/publication.ts';
import type { ServiceContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import { findReleaseVersion } from './repo/releases.ts';

/** @throws DomainError `release_not_found` */
async function getVersion({ db }: ServiceContext, id: string): Promise<string> {
  const version = await findReleaseVersion(db, id);
  if (version === undefined) throw new DomainError('release_not_found', `There is no release ${id}.`);
  return version;
}

/** @throws DomainError `release_not_found`, `invalid_snapshot` */
export async function putSnapshotObject(
  ctx: ServiceContext,
  input: {
    id: string;
    name: SnapshotName;
    bytes: number;
    sha256: string;
    body: ReadableStream<Uint8Array>;
  },
): Promise<void> {
  const version = await getVersion(ctx, input.id);
  await putObject(ctx.bucket, version, input);
}

/**
 * Publishes the stored objects of a release, and serves them at once where it is the active one.
 *
 * @throws DomainError `release_not_found`, `invalid_snapshot`
 */
export async function publishSnapshot(
  ctx: ServiceContext,
  {
    id,
    version,
    objects,
    downloads,
  }: { id: string; version: string; objects: readonly SnapshotObject[]; downloads?: Downloads | undefined },
): Promise<{ release: string; version: string; served: boolean }> {
  const expected = await getVersion(ctx, id);
  if (version !== expected) {
    const message = `version: must be ${expected}, that of release ${id} in this database (got ${version}).`;
    throw new DomainError('invalid_snapshot', message);
  }
  await putManifest(ctx.bucket, { version, release: id, objects, ...(downloads && { downloads }) });
  return { release: id, version, served: (await servePublished(ctx)) === version };
}

/**
 * The objects of a release that are published.
 *
 * @throws DomainError `release_not_found`, `snapshot_not_found`
 */
export async function getSnapshot(
  ctx: ServiceContext,
  { id }: { id: string },
): Promise<{ version: string; objects: readonly SnapshotObject[]; downloads?: Downloads | undefined }> {
  const version = await getVersion(ctx, id);
  const manifest = await findManifest(ctx.bucket, version);
  if (!manifest) throw new DomainError('snapshot_not_found', `No snapshot of the release ${id} is published.`);
  const { objects, downloads } = manifest;
  return { version, objects, ...(downloads && { downloads }) };
}
