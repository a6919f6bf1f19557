import type { ServiceContext } from '../context.ts';
import type { Database } from '../db/client.ts';
import { DomainError } from '../errors.ts';
import { logFailure } from '../log.ts';
import { storageUnavailable } from '../storage/bucket.ts';
import { compareEditions, editionId } from './edition-id.ts';
import { areaLists } from './postgis/lists.ts';
import { forgetNames, names } from './postgis/names.ts';
import { places } from './postgis/places.ts';
import { type LoadedEdition, listEditions, releases } from './postgis/releases.ts';
import { singleAreas } from './postgis/singles.ts';
import { THROUGH_TIME } from './snapshot/layout.ts';
import { SnapshotUnreadable } from './snapshot/objects.ts';
import { snapshotsIn } from './snapshot/snapshots.ts';
import type { AreaStore } from './store.ts';

/**
 * The areas that a request reads: those of the snapshot that is served, or PostGIS where no snapshot can be read. Routes
 * never know which.
 *
 * @param edition `2023-4q`: those of this edition in place of the active release
 * @throws DomainError `edition_not_found` naming the editions there are
 */
export async function servedAreas(ctx: ServiceContext, edition?: string): Promise<AreaStore> {
  if (edition !== undefined) return areasOfEdition(ctx, edition);
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

/** The id of the release whose snapshot is served, so that geography needs no database; undefined where none is. */
export async function publishedRelease(ctx: ServiceContext): Promise<string | undefined> {
  const snapshot = await snapshotsIn(ctx.bucket).areas(ctx);
  return snapshot && (await snapshot.listSources({})).release;
}

/** Whether every version of every area is published. Never throws. */
export function hasAreasThroughTime(ctx: ServiceContext): Promise<boolean> {
  return snapshotsIn(ctx.bucket).hasAreasThroughTime(ctx);
}

/**
 * Every version of every area, each once, by its code and then by time.
 *
 * @throws DomainError `storage_unavailable` where they are not published, or can't be read
 */
export async function areasThroughTime(ctx: ServiceContext): Promise<AreaStore> {
  const snapshots = snapshotsIn(ctx.bucket);
  const { areas, version } = await snapshots.areasThroughTime(ctx);
  ctx.noteAreas('snapshot');
  return withFallback(areas, ({ isHurried, message }) => {
    if (!isHurried) snapshots.reopenEdition(version, THROUGH_TIME);
    throw storageUnavailable('The versions of areas', message);
  });
}

async function areasOfEdition(ctx: ServiceContext, edition: string): Promise<AreaStore> {
  const snapshots = snapshotsIn(ctx.bucket);
  const published = await snapshots.areasOfEdition(ctx, edition);
  const fallback = (release: string) => {
    ctx.noteAreas('postgis');
    return postgisAreas(ctx.db, release);
  };
  if (published) {
    ctx.noteAreas('snapshot');
    const { areas, release, version, isIncluded } = published;
    return withFallback(areas, ({ isHurried, message }) => {
      if (!isHurried) snapshots.reopenEdition(version, isIncluded ? edition : undefined);
      // The database has the release, and not the editions that it includes.
      if (isIncluded) throw storageUnavailable(edition, message);
      return fallback(release);
    });
  }
  let failure: DomainError | undefined;
  const loaded = await loadedEditions(ctx).catch((error) => {
    if (!(error instanceof DomainError)) throw error;
    failure = error;
    return [];
  });
  const found = loaded.find(({ id }) => id === edition);
  if (found) return fallback(found.release);
  const included = await snapshots.includedEditions(ctx);
  if (failure && !included) throw failure;
  const editions = [...new Set([...(included ?? []), ...loaded.map(({ id }) => id)])].sort((a, b) =>
    compareEditions(b, a),
  );
  const message = `edition: there is no edition ${edition}. There ${editions.length === 1 ? 'is' : 'are'} ${editions.join(', ') || 'none'}.`;
  throw new DomainError('edition_not_found', message, { facts: { editions } });
}

/**
 * The id of the newest edition that answers: that of the release that is served, or a newer one that is published too.
 *
 * @param active the areas of the release that is served
 */
export async function newestEdition({ bucket }: ServiceContext, active: AreaStore): Promise<string> {
  const { value } = await active.listSources({});
  const published = await snapshotsIn(bucket).releasesOfEditions(bucket);
  const ids = [editionId(value.edition), ...published.map((release) => release.replace(/-\d+$/, ''))];
  return ids.sort(compareEditions).at(-1) as string;
}

/** The editions that are loaded, the newest first, each with the release that answers for it. */
async function loadedEditions(ctx: ServiceContext): Promise<LoadedEdition[]> {
  const answering = await snapshotsIn(ctx.bucket).releasesOfEditions(ctx.bucket);
  return listEditions(ctx.db, { answering });
}

/**
 * Areas as PostGIS holds them.
 *
 * @param release the id of a release in place of the active one
 */
export function postgisAreas(db: Database, release?: string): AreaStore {
  return {
    cachedIn: 'edge',
    ...areaLists(db, release),
    ...singleAreas(db, release),
    ...places(db, release),
    ...names(db, release),
    ...releases(db, release),
  };
}

/** Areas of a snapshot, each method of which PostGIS answers where an object of the snapshot can't be read. */
function withFallback(snapshot: AreaStore, fallback: (error: SnapshotUnreadable) => AreaStore): AreaStore {
  async function orElse<T>(ask: (areas: AreaStore) => Promise<T>): Promise<T> {
    try {
      return await ask(snapshot);
    } catch (error) {
      if (!(error instanceof SnapshotUnreadable)) throw error;
      logFailure('snapshot_unreadable', error, {});
      return ask(fallback(error)).catch((failure) => {
        // A release is served, from a snapshot that can not be read at the moment.
        if (!(failure instanceof DomainError && failure.code === 'data_not_loaded')) throw failure;
        throw storageUnavailable('snapshot', error.message);
      });
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
    within: (...given) => orElse((areas) => areas.within(...given)),
    boundaries: (...given) => orElse((areas) => areas.boundaries(...given)),
  };
}
