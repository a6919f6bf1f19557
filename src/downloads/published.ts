import { compareEditions } from '../areas/edition-id.ts';
import { DOWNLOADS_BY_NAME, fileNameOf } from '../areas/snapshot/download-names.ts';
import {
  AREAS,
  type Downloads,
  type Manifest,
  type Overview,
  objectKey,
  overviewName,
  RELEASE_DOCUMENT,
  RELEASE_SIGNATURE,
  type SnapshotName,
  type SnapshotObject,
  type Terms,
} from '../areas/snapshot/layout.ts';
import { findManifest } from '../areas/snapshot/publication.ts';
import { snapshotsIn } from '../areas/snapshot/snapshots.ts';
import { BoundedMap } from '../bounded-map.ts';
import { CachedValue, type CachePolicy } from '../cached-value.ts';
import type { ServiceContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { Encoding } from '../http/codings.ts';
import type { Download, StoredFile } from './download.ts';
import { joinedTerms } from './terms.ts';

/** Caching of the files named by a manifest. */
const POLICY: CachePolicy = { ttl: 10_000, abandonAfter: 5000 };

/** Max cached versions per bucket. */
const MAX_VERSIONS = 50;

export interface PublishedFiles {
  /** Identifies the load of the release. */
  readonly version: string;
  /** Identifies this publication among those of the release. */
  readonly publication: string;
  readonly release: string;
  readonly edition: string;
  readonly files: readonly Download[];
  /** The object `areas`: all data of its areas except their shapes. */
  readonly areas: StoredFile | undefined;
  /** What it consists of, with hashes, and the signature of that. */
  readonly document: StoredFile | undefined;
  readonly signature: StoredFile | undefined;
  /** One of its coarse maps, plain or compressed. */
  overview(which: Overview, encoding?: Encoding): StoredFile | undefined;
  /** Attribution required where its areas are shown with their shapes. */
  readonly attribution: string;
}

/** By bucket and version, for the life of an instance. */
const cached = new WeakMap<R2Bucket, BoundedMap<string, CachedValue<PublishedFiles | undefined>>>();

/**
 * The files of the active release; undefined if it has none. Reads the bucket only.
 *
 * @throws DomainError `storage_unavailable`
 */
export async function findServed(ctx: ServiceContext): Promise<PublishedFiles | undefined> {
  const [active] = await snapshotsIn(ctx.bucket).versions(ctx);
  return active === undefined ? undefined : servedFiles(ctx, active);
}

/**
 * The files of the active release, then of the releases of other editions, newest edition first. Reads the bucket only.
 *
 * @throws DomainError `storage_unavailable`
 */
export async function listPublished(ctx: ServiceContext): Promise<PublishedFiles[]> {
  const [active, ...others] = await snapshotsIn(ctx.bucket).versions(ctx);
  if (active === undefined) return [];
  const reading = [servedFiles(ctx, active), ...others.map((version) => filesOf(ctx, version))];
  const [first, ...rest] = (await Promise.all(reading)).map((files) => (files ? [files] : []));
  return [...(first ?? []), ...rest.flat().sort((a, b) => compareEditions(b.edition, a.edition))];
}

/** @throws DomainError `storage_unavailable`, also while a development server is still preparing them */
async function servedFiles(ctx: ServiceContext, version: string): Promise<PublishedFiles | undefined> {
  const files = await filesOf(ctx, version);
  if (files || ctx.config.LOCAL_PROGRESS_URL === undefined) return files;
  const message = 'The files are being prepared, and this needs them. Try again in a few seconds.';
  const cause = new Error(`The manifest of ${version} names no files`);
  throw new DomainError('storage_unavailable', message, { cause });
}

function filesOf({ bucket }: ServiceContext, version: string): Promise<PublishedFiles | undefined> {
  const versions = cached.get(bucket.binding) ?? new BoundedMap(MAX_VERSIONS);
  cached.set(bucket.binding, versions);
  const files = versions.get(version) ?? new CachedValue(POLICY);
  versions.set(version, files);
  return files.get({
    deadline: bucket.deadline,
    load: async () => {
      const manifest = await findManifest(bucket, version);
      return manifest?.downloads && publishedOf(manifest, manifest.downloads);
    },
  });
}

function publishedOf({ version, release, objects }: Manifest, downloads: Downloads): PublishedFiles {
  const { edition, created_at: createdAt } = downloads;
  const files = objects.flatMap((object) => fileOf(object, { version, release, downloads }) ?? []);
  const stored = (wanted: SnapshotName) => {
    const object = objects.find(({ name }) => name === wanted);
    return object && { release, createdAt, ...locationOf(version, object) };
  };
  return {
    version,
    publication: `${version} ${createdAt}`,
    release,
    edition,
    files,
    areas: stored(AREAS),
    document: stored(RELEASE_DOCUMENT),
    signature: stored(RELEASE_SIGNATURE),
    overview: (which, encoding) => stored(overviewName(which, encoding)),
    attribution: joinedTerms(termsWith(downloads, { hasShapes: true })).attribution,
  };
}

function locationOf(version: string, object: SnapshotObject) {
  const { bytes, sha256, etag } = object;
  return { bytes, sha256, object: { key: objectKey(version, object), etag } };
}

function fileOf(
  object: SnapshotObject,
  { version, release, downloads }: { version: string; release: string; downloads: Downloads },
): Download | undefined {
  const kind = DOWNLOADS_BY_NAME.get(object.name);
  const rows = downloads.rows[object.name];
  if (!kind || rows === undefined) return undefined;
  const { edition, created_at: createdAt } = downloads;
  const terms = termsWith(downloads, { hasShapes: kind.resolution !== null });
  return {
    ...kind,
    id: `${release}.${fileNameOf(object.name as `download-${string}`)}`,
    edition,
    release,
    rows,
    ...joinedTerms(terms),
    createdAt,
    ...locationOf(version, object),
  };
}

function termsWith({ codes, boundaries }: Downloads, { hasShapes }: { hasShapes: boolean }): Terms[] {
  return hasShapes && boundaries ? [boundaries, codes] : [codes];
}
