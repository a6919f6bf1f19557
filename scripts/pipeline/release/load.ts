import type pg from 'pg';
import { editionId } from '../../../src/areas/edition-id.ts';
import { withBoundaries } from '../boundaries/load.ts';
import { makeDataRelease } from '../data/release.ts';
import { completed, type PairReport } from '../editions/release.ts';
import type { Release } from '../psgc/area.ts';
import { toRelease } from '../psgc/areas.ts';
import { checkRelease, LoadRefused } from '../psgc/checks.ts';
import { readBuiltin, readHistory } from '../psgc/history.ts';
import type { Publication } from '../psgc/publication.ts';
import { readWorkbook } from '../psgc/workbook.ts';
import type { SnapshotSource } from '../snapshot/build.ts';
import { dataSource } from '../snapshot/data-source.ts';
import { PointsThread } from '../snapshot/points-in-thread.ts';
import { activateRelease } from './activate.ts';
import { lastAreaId, loadDataRelease, nextReleaseId, versionOf } from './load-data.ts';
import { findLoss, findNewer, type Loss } from './loss.ts';
import { type WrittenRelease, writeRelease } from './write.ts';

export interface LoadOptions {
  client: pg.ClientBase;
  /** `builtin` for an edition in `data/psgc`, else the path of a PSA publication workbook (`.xlsx`). */
  psgc: 'builtin' | (string & {});
  /** Which built-in edition, by default the newest: `2023-4q`; or that of a workbook that says none or two: `1Q 2026`. */
  edition?: string | undefined;
  /**
   * `builtin` for the borders in the repository, a directory of boundary files, one such file, or the URL of one; without it
   * the release has no boundaries.
   */
  boundaries?: 'builtin' | (string & {}) | undefined;
  /** Load although areas have no boundary, or boundaries belong to no area, without an explanation. */
  allowMissing?: boolean | undefined;
  /** Whether to activate the release at once, unless users would lose something by it. */
  activate: boolean;
  /** Whether a release of an older edition than the active one is activated too. */
  allowOlder?: boolean | undefined;
  /** Called with the share of the work done, 0 to 1, and what is being done. */
  onProgress?: ((fraction: number, label: string) => void) | undefined;
}

/** A loaded release that is not active yet. */
export interface InactiveRelease {
  releaseId: string;
  edition: string;
  report: WrittenRelease['report'];
  /** Reports of the comparisons with the previous and the next edition. */
  pairs: PairReport[];
  /** Source of its snapshot if drawn by the borders in the repository; undefined: the database. */
  source?: SnapshotSource;
}

export interface Loaded extends InactiveRelease {
  active: boolean;
  /** Why the release was not activated although that was asked for: users would lose what the active one has. */
  loss: Loss | null;
  /** The active release, where it was not activated because that one is of a newer edition. */
  newer: string | null;
}

/** Share of the time that reading the boundary files takes; writing takes the rest. */
const READING = 0.08;

/** Share of the time that drawing the country takes. */
const DRAWING = 0.2;

/**
 * Loads a release as `loadInactive` does, and activates it in the database. This step is skipped where users would lose
 * boundaries by it.
 *
 * @throws as `loadInactive`
 */
export async function loadRelease(options: LoadOptions): Promise<Loaded> {
  const loaded = await loadInactive(options);
  return conclude(loaded, options, () => activateRelease(options.client, loaded.releaseId));
}

/**
 * Reads, checks and writes a PSGC list and its boundaries as a new release, which becomes visible when it
 * is complete. The active release stays active.
 *
 * @throws LoadRefused with every problem when the list or the boundaries fail the checks; the database is then as
 *   before. After any other error it is too, unless the borders in the repository were being loaded and the connection
 *   was lost: what is there of such a release is not checked, so that it can't be activated, and a later load deletes it
 */
export async function loadInactive(options: Omit<LoadOptions, 'activate' | 'allowOlder'>): Promise<InactiveRelease> {
  const { client, psgc, edition, boundaries, allowMissing, onProgress } = options;
  const publication = psgc === 'builtin' ? await readBuiltin(edition) : await readWorkbook(psgc, { edition });
  if (boundaries === 'builtin') return loadBuiltin(publication, options);
  const { release, pairs } = completed(toRelease(publication), await readHistory());
  const write = (how: Parameters<typeof writeRelease>[2]) => writeRelease(client, release, how);
  const written =
    boundaries === undefined
      ? await write({ onProgress })
      : await withBoundaries(
          requireValid(release),
          { boundaries, allowMissing, onProgress: (fraction, label) => onProgress?.(READING * fraction, label) },
          (prepared) =>
            write({
              boundaries: prepared,
              onProgress: (fraction, label) => onProgress?.(READING + (1 - READING) * fraction, label),
            }),
        );
  const { id: releaseId, report } = written;
  return { releaseId, edition: publication.edition, report, pairs: pairs() };
}

/**
 * Ends a load: activates the release, if requested and nothing speaks against it, and then records the boundaries that
 * it was loaded with. The local server loads a directory until this is recorded, so that boundaries of an interrupted
 * load are served eventually, and rejected ones are not loaded again.
 */
export async function conclude(
  loaded: InactiveRelease,
  options: Pick<LoadOptions, 'client' | 'boundaries' | 'activate' | 'allowOlder'>,
  activate: () => Promise<unknown>,
): Promise<Loaded> {
  const { client, boundaries } = options;
  const { free, loss, newer } = await findObstacle(client, loaded.releaseId, options);
  if (free) await activate();
  if (boundaries !== undefined) {
    await client.query(
      `update data_releases set report = report || jsonb_build_object('boundariesDir', $2::text) where id = $1`,
      [loaded.releaseId, boundaries],
    );
  }
  return { ...loaded, active: free, loss, newer };
}

/** Loads a list with the borders in the repository. */
async function loadBuiltin(
  publication: Publication,
  { client, onProgress }: Pick<LoadOptions, 'client' | 'onProgress'>,
): Promise<InactiveRelease> {
  let points: SnapshotSource['points'] | undefined;
  const data = await makeDataRelease({
    publication,
    onUnits: (units, areas) => {
      points = () => new PointsThread().cut(units, areas);
    },
    onProgress: (fraction) => onProgress?.(DRAWING * fraction, 'Drawing the country'),
  });
  const { release } = data;
  const load = {
    id: await nextReleaseId(client, editionId(release.edition)),
    createdAt: new Date(),
    firstId: await lastAreaId(client),
  };
  const report = await loadDataRelease(client, data, {
    ...load,
    onProgress: (fraction) => onProgress?.(DRAWING + (1 - DRAWING) * fraction, 'Loading the areas'),
  });
  const { edition } = release;
  const { pairs } = completed(toRelease(publication), await readHistory());
  const source = dataSource(data, { ...load, version: versionOf(load) }, points as SnapshotSource['points']);
  return { releaseId: load.id, edition, report, pairs: pairs(), source };
}

/** Whether to activate a loaded release, and what speaks against it. */
async function findObstacle(
  client: pg.ClientBase,
  releaseId: string,
  { activate, allowOlder = false }: Pick<LoadOptions, 'activate' | 'allowOlder'>,
): Promise<{ free: boolean; loss: Loss | null; newer: string | null }> {
  const newer = activate && !allowOlder ? await findNewer(client, releaseId) : null;
  const loss = activate && newer === null ? await findLoss(client, releaseId) : null;
  return { free: activate && newer === null && loss === null, loss, newer };
}

/**
 * Returns the release.
 * @throws LoadRefused if its checks find problems: boundaries can't be joined to a wrong list.
 */
function requireValid(release: Release): Release {
  const { problems } = checkRelease(release);
  if (problems.length > 0) throw new LoadRefused(problems);
  return release;
}
