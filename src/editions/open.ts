import { decompress } from '../areas/snapshot/decompress.ts';
import { editionName, HISTORY, manifestKey, POINTER_KEY } from '../areas/snapshot/layout.ts';
import { byteCache, SnapshotObjects } from '../areas/snapshot/objects.ts';
import type { EditionIndex } from '../areas/snapshot/pointers.ts';
import { getManifest } from '../areas/snapshot/publication.ts';
import { snapshotsIn } from '../areas/snapshot/snapshots.ts';
import type { ServiceContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import { storageUnavailable } from '../storage/bucket.ts';
import { History } from './history.ts';

/** Max bytes of the object `history`, compressed and uncompressed. Thirteen editions take 0.25 and 1.3 MB. */
const MAX_COMPRESSED = 2 * 1024 * 1024;
const MAX_DECOMPRESSED = 8 * 1024 * 1024;

/** Approximate memory of an opened history, bytes. */
const OPENED_BYTES = 6 * 1024 * 1024;

/** The history of the active release. */
export interface ServedHistory {
  readonly history: History;
  readonly release: string;
  readonly version: string;
  /** Ids of the other editions whose areas were published with it. */
  readonly included: ReadonlySet<string>;
}

interface CachedHistory extends ServedHistory {
  readonly byteLength: number;
}

/**
 * Opens the history published with the active release. Cached for the life of the instance.
 *
 * @throws DomainError `storage_unavailable` if it is missing or can't be read
 */
export async function openHistory(ctx: ServiceContext): Promise<ServedHistory> {
  const version = await snapshotsIn(ctx.bucket).activeVersion(ctx);
  if (version === null) throw unpublished(ctx, POINTER_KEY);
  const key = `opened history of ${version}`;
  const cached = byteCache.get(key) as CachedHistory | undefined;
  if (cached) return cached;
  try {
    const manifest = await getManifest(ctx.bucket, version);
    const objects = new SnapshotObjects(ctx.bucket, manifest);
    if (!objects.has(HISTORY)) throw unpublished(ctx, manifestKey(version));
    const history = new History(
      await decompress(await objects.whole(HISTORY, MAX_COMPRESSED), 'gzip', MAX_DECOMPRESSED),
    );
    const included = new Set(history.editions.map(({ id }) => id).filter((id) => objects.has(editionName(id))));
    const opened: CachedHistory = { history, release: manifest.release, version, included, byteLength: OPENED_BYTES };
    byteCache.set(key, opened);
    return opened;
  } catch (error) {
    throw error instanceof DomainError ? error : storageUnavailable(`The history of ${version}`, error);
  }
}

/** Releases by the id of the edition they answer for. */
export function editionIndex(ctx: ServiceContext): Promise<EditionIndex> {
  return snapshotsIn(ctx.bucket).editions(ctx);
}

/** @param key of the object that names no history; it is only logged */
function unpublished({ config }: ServiceContext, key: string): DomainError {
  const message = config.LOCAL_PROGRESS_URL
    ? 'The history of the editions is being prepared, and this needs it. Try again in a few seconds.'
    : 'The history of the editions is not published here yet: run "npm run dev", which publishes it on this machine, or "npm run geo:publish" elsewhere.';
  return new DomainError('storage_unavailable', message, { cause: new Error(`${key} names no history`) });
}
