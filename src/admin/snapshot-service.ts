import type { SnapshotName, SnapshotObject } from '../areas/snapshot/layout.ts';
import { findManifest, pointTo, putManifest, putObject } from '../areas/snapshot/publication.ts';
import type { ServiceContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import { findRelease, type ReleaseVersion } from './repo/releases.ts';

/** @throws DomainError `release_not_found` */
async function getRelease({ db }: ServiceContext, id: string): Promise<ReleaseVersion> {
  const release = await findRelease(db, id);
  if (!release) throw new DomainError('release_not_found', `There is no release ${id}.`);
  return release;
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
  const { version } = await getRelease(ctx, input.id);
  await putObject(ctx.bucket, version, input);
}

/**
 * Publishes the stored objects of a release, and serves them at once where it is the active one.
 *
 * @throws DomainError `release_not_found`, `invalid_snapshot`
 */
export async function publishSnapshot(
  ctx: ServiceContext,
  { id, version, objects }: { id: string; version: string; objects: readonly SnapshotObject[] },
): Promise<{ release: string; version: string; served: boolean }> {
  const release = await getRelease(ctx, id);
  if (release.version !== version) {
    const message = `version: must be ${release.version}, that of release ${id} in this database (got ${version}).`;
    throw new DomainError('invalid_snapshot', message);
  }
  await putManifest(ctx.bucket, { version, release: id, objects });
  // Read again: another release may have been activated while the objects were verified.
  const { isActive } = await getRelease(ctx, id);
  if (isActive) await pointTo(ctx.bucket, version);
  return { release: id, version, served: isActive };
}

/**
 * The objects of a release that are published.
 *
 * @throws DomainError `release_not_found`, `snapshot_not_found`
 */
export async function getSnapshot(
  ctx: ServiceContext,
  { id }: { id: string },
): Promise<{ version: string; objects: readonly SnapshotObject[] }> {
  const { version } = await getRelease(ctx, id);
  const manifest = await findManifest(ctx.bucket, version);
  if (!manifest) throw new DomainError('snapshot_not_found', `No snapshot of the release ${id} is published.`);
  return { version, objects: manifest.objects };
}

/** Serves what the database says is active: from its snapshot where it has one, else from PostGIS. */
export async function serveActiveRelease(ctx: ServiceContext, { id }: { id: string }): Promise<void> {
  const { version } = await getRelease(ctx, id);
  await pointTo(ctx.bucket, version);
}
