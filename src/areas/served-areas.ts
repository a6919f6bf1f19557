import type { ServiceContext } from '../context.ts';
import type { Database } from '../db/client.ts';
import { logFailure } from '../log.ts';
import { areaLists } from './postgis/lists.ts';
import { forgetNames, names } from './postgis/names.ts';
import { places } from './postgis/places.ts';
import { releases } from './postgis/releases.ts';
import { singleAreas } from './postgis/singles.ts';
import { snapshotsIn } from './snapshot/active.ts';
import { SnapshotUnreadable } from './snapshot/objects.ts';
import type { AreaStore } from './store.ts';

/**
 * The areas that a request reads: those of the snapshot that is served, or PostGIS where no snapshot can be read. Routes
 * never know which.
 */
export async function servedAreas(ctx: ServiceContext): Promise<AreaStore> {
  const snapshots = snapshotsIn(ctx.bucket);
  const snapshot = await snapshots.areas(ctx);
  const fallback = () => {
    ctx.noteAreas('postgis');
    return postgisAreas(ctx.db);
  };
  if (!snapshot) return fallback();
  ctx.noteAreas('snapshot');
  return withFallback(snapshot, ({ isHurried }) => {
    if (!isHurried) snapshots.reopen();
    return fallback();
  });
}

/** Areas as PostGIS holds them. */
export function postgisAreas(db: Database): AreaStore {
  return { copiesIn: 'edge', ...areaLists(db), ...singleAreas(db), ...places(db), ...names(db), ...releases(db) };
}

/** Areas of a snapshot, each method of which PostGIS answers where an object of the snapshot can't be read. */
function withFallback(snapshot: AreaStore, fallback: (error: SnapshotUnreadable) => AreaStore): AreaStore {
  async function orElse<T>(ask: (areas: AreaStore) => Promise<T>): Promise<T> {
    try {
      return await ask(snapshot);
    } catch (error) {
      if (!(error instanceof SnapshotUnreadable)) throw error;
      logFailure('snapshot_unreadable', error, {});
      return ask(fallback(error));
    }
  }
  return {
    ...snapshot,
    // Names are in memory with the areas, so that PostGIS is never asked for them.
    names: () => {
      forgetNames();
      return snapshot.names();
    },
    activeVersion: () => orElse((areas) => areas.activeVersion()),
    listSources: (...given) => orElse((areas) => areas.listSources(...given)),
    list: (...given) => orElse((areas) => areas.list(...given)),
    search: (...given) => orElse((areas) => areas.search(...given)),
    find: (...given) => orElse((areas) => areas.find(...given)),
    findMany: (...given) => orElse((areas) => areas.findMany(...given)),
    reverseGeocode: (...given) => orElse((areas) => areas.reverseGeocode(...given)),
    boundaries: (...given) => orElse((areas) => areas.boundaries(...given)),
  };
}
