import { servePublished } from '../areas/snapshot/housekeeping.ts';
import type { Downloads, SnapshotName, SnapshotObject } from '../areas/snapshot/layout.ts';
import { findManifest, putManifest, putObject } from '../areas/snapshot/publication.ts';
import type { ServiceContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import { sendNotifications } from '../notify.ts';
import { findReleaseVersion } from './repo/releases.ts';

/**
 * The version that objects of a release are stored under. The database need not have a given one yet.
 *
 * @throws DomainError `release_not_found`, `invalid_snapshot` for a version of another release
 */
async function getVersion({ db }: ServiceContext, { id, version }: VersionSelector): Promise<string> {
  if (version !== undefined) {
    if (version.startsWith(`${id}-`)) return version;
    const message = `version: must be one of the release ${id}, such as ${id}-6406f0a1b2c3d (got ${version}).`;
    throw new DomainError('invalid_snapshot', message);
  }
  const found = await findReleaseVersion(db, id);
  if (found === undefined) throw new DomainError('release_not_found', `There is no release ${id}.`);
  return found;
}

/** Which version: the given one, otherwise the one that the database has of the release `id`. */
interface VersionSelector {
  readonly id: string;
  readonly version?: string | undefined;
}

/** @throws DomainError `release_not_found`, `invalid_snapshot` */
export async function putSnapshotObject(
  ctx: ServiceContext,
  input: VersionSelector & {
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
 * Publishes the stored objects of a release. They are served at once if the release is the active one, or if nothing is served
 * yet.
 *
 * @param input `requestedVersion`: allows to publish before the database has the release. Then boundaries may be missing,
 *   because they follow with a later manifest.
 * @throws DomainError `release_not_found`, `invalid_snapshot`
 */
export async function publishSnapshot(
  ctx: ServiceContext,
  {
    id,
    requestedVersion,
    version,
    objects,
    downloads,
  }: {
    id: string;
    requestedVersion?: string | undefined;
    version: string;
    objects: readonly SnapshotObject[];
    downloads?: Downloads | undefined;
  },
): Promise<{ release: string; version: string; served: boolean }> {
  const required = await getVersion(ctx, { id, version: requestedVersion });
  if (version !== required) {
    const message = `version: must be ${required}, that of release ${id} in this database (got ${version}).`;
    throw new DomainError('invalid_snapshot', message);
  }
  const manifest = { version, release: id, objects, ...(downloads && { downloads }) };
  await putManifest(ctx.bucket, manifest, { isPart: requestedVersion !== undefined });
  const served = (await servePublished(ctx, version)) === version;
  // The release may have been activated by a command, without a Worker that sends notifications.
  if (served) sendNotifications(ctx);
  return { release: id, version, served };
}

/**
 * The published objects of a release.
 *
 * @throws DomainError `release_not_found`, `snapshot_not_found`
 */
export async function getPublishedObjects(
  ctx: ServiceContext,
  selector: VersionSelector,
): Promise<{ version: string; objects: readonly SnapshotObject[]; downloads?: Downloads | undefined }> {
  const version = await getVersion(ctx, selector);
  const manifest = await findManifest(ctx.bucket, version);
  if (!manifest) throw new DomainError('snapshot_not_found', `No snapshot of the release ${selector.id} is published.`);
  const { objects, downloads } = manifest;
  return { version, objects, ...(downloads && { downloads }) };
}
