import type { ServiceContext } from '../context.ts';
import { logFailure } from '../log.ts';
import { postgisAreas } from './postgis/store.ts';
import { snapshotsIn } from './snapshot/active.ts';
import { SnapshotUnreadable } from './snapshot/objects.ts';
import type { AreaStore } from './store.ts';

/**
 * The areas that a request reads: those of the snapshot that is served, or PostGIS where no snapshot can be read. Routes
 * never know which.
 */
export async function areasOf(ctx: ServiceContext): Promise<AreaStore> {
  const snapshots = snapshotsIn(ctx.bucket);
  const snapshot = await snapshots.areas(ctx.waitUntil);
  if (!snapshot) return postgisAreas(ctx.db);
  return withFallback(snapshot, () => {
    snapshots.reopen();
    // The database's client is made only where it is used.
    return postgisAreas(ctx.db);
  });
}

/** Areas of a snapshot, each method of which PostGIS answers where an object of the snapshot can't be read. */
function withFallback(snapshot: AreaStore, fallback: () => AreaStore): AreaStore {
  async function orElse<T>(ask: (areas: AreaStore) => Promise<T>): Promise<T> {
    try {
      return await ask(snapshot);
    } catch (error) {
      if (!(error instanceof SnapshotUnreadable)) throw error;
      logFailure('snapshot_unreadable', error, {});
      return ask(fallback());
    }
  }
  return {
    ...snapshot,
    activeVersion: () => orElse((areas) => areas.activeVersion()),
    sources: (...given) => orElse((areas) => areas.sources(...given)),
    list: (...given) => orElse((areas) => areas.list(...given)),
    search: (...given) => orElse((areas) => areas.search(...given)),
    find: (...given) => orElse((areas) => areas.find(...given)),
    findMany: (...given) => orElse((areas) => areas.findMany(...given)),
    locate: (...given) => orElse((areas) => areas.locate(...given)),
    boundaries: (...given) => orElse((areas) => areas.boundaries(...given)),
  };
}
