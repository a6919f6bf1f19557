import { servePublished } from '../areas/snapshot/housekeeping.ts';
import type { Downloads, SnapshotName, SnapshotObject } from '../areas/snapshot/layout.ts';
import { findManifest, putManifest, putObject } from '../areas/snapshot/publication.ts';
import type { ServiceContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import { sendNotifications } from '../notify.ts';
import { findReleaseVersion } from './repo/releases.ts';

/**
 * The version that objects of a release are stored under: the one that is given, which the database need not have yet,
 * else the one of the database.
 *
 * @throws DomainError `release_not_found`, `invalid_snapshot` for a version of another release
 */
async function getVersion({ db }: ServiceContext, { id, version }: ReleaseLoad): Promise<string> {
  if (version !== undefined) {
    if (version.startsWith(`${id}-`)) return version;
    const message = `version: must be one of the release ${id}, such as ${id}-6406f0a1b2c3d (got ${version}).`;
    throw new DomainError('invalid_snapshot', message);
  }
  const found = await findReleaseVersion(db, id);
  if (found === undefined) throw new DomainError('release_not_found', `There is no release ${id}.`);
  return found;
}

/** A load of a release. */
interface ReleaseLoad {
  readonly id: string;
  readonly version?: string | undefined;
}

/** @throws DomainError `release_not_found`, `invalid_snapshot` */
export async function putSnapshotObject(
  ctx: ServiceContext,
  input: ReleaseLoad & {
    name: SnapshotName;
    bytes: number;
    sha256: string;
    body: ReadableStream<Uint8Array>;
  },
): Promise<void> {
  const version = await getVersion(ctx, input);
  await putObject(ctx.bucket, version, input);
}

/**
 * Publishes the stored objects of a release, and serves them at once where it is the active one, or nothing is served yet.
 *
 * @param input `expected`: the version, where the database need not have the release yet; boundaries may then follow too
 * @throws DomainError `release_not_found`, `invalid_snapshot`
 */
export async function publishSnapshot(
  ctx: ServiceContext,
  {
    id,
    expected,
    version,
    objects,
    downloads,
  }: {
    id: string;
    expected?: string | undefined;
    version: string;
    objects: readonly SnapshotObject[];
    downloads?: Downloads | undefined;
  },
): Promise<{ release: string; version: string; served: boolean }> {
  const known = await getVersion(ctx, { id, version: expected });
  if (version !== known) {
    const message = `version: must be ${known}, that of release ${id} in this database (got ${version}).`;
    throw new DomainError('invalid_snapshot', message);
  }
  const manifest = { version, release: id, objects, ...(downloads && { downloads }) };
  await putManifest(ctx.bucket, manifest, { isPart: expected !== undefined });
  const served = (await servePublished(ctx, version)) === version;
  // The release may have been activated by a command, without a Worker that sends notifications.
  if (served) sendNotifications(ctx);
  return { release: id, version, served };
}

/**
 * The objects of a release that are published.
 *
 * @throws DomainError `release_not_found`, `snapshot_not_found`
 */
export async function getSnapshot(
  ctx: ServiceContext,
  named: ReleaseLoad,
): Promise<{ version: string; objects: readonly SnapshotObject[]; downloads?: Downloads | undefined }> {
  const version = await getVersion(ctx, named);
  const manifest = await findManifest(ctx.bucket, version);
  if (!manifest) throw new DomainError('snapshot_not_found', `No snapshot of the release ${named.id} is published.`);
  const { objects, downloads } = manifest;
  return { version, objects, ...(downloads && { downloads }) };
}
