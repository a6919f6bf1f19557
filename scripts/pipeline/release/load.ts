import type pg from 'pg';
import { withBoundaries } from '../boundaries/load.ts';
import { toRelease } from '../psgc/areas.ts';
import { readBuiltin } from '../psgc/builtin.ts';
import { checkRelease, LoadRefused } from '../psgc/checks.ts';
import { readWorkbook } from '../psgc/workbook.ts';
import { activateRelease } from './activate.ts';
import { findLoss, findNewer, type Loss } from './loss.ts';
import { type WrittenRelease, writeRelease } from './write.ts';

export interface LoadOptions {
  client: pg.ClientBase;
  /** `builtin` for the npm package's list, else the path of a PSA publication workbook (`.xlsx`). */
  psgc: 'builtin' | (string & {});
  /** The edition, where the workbook doesn't say it or says two: `1Q 2026`. */
  edition?: string | undefined;
  /** A directory of boundary files, one such file, or the URL of one; without it the release has no boundaries. */
  boundaries?: string | undefined;
  /** Load although areas have no boundary, or boundaries belong to no area, without an explanation. */
  allowMissing?: boolean | undefined;
  /** Whether to activate the release at once, unless users would lose something by it. */
  activate: boolean;
  /** Whether a release of an older edition than the active one is activated too. */
  allowOlder?: boolean | undefined;
  /** Called with the share of the work done, 0 to 1, and what is being done. */
  onProgress?: ((fraction: number, label: string) => void) | undefined;
}

export interface Loaded {
  releaseId: string;
  edition: string;
  report: WrittenRelease['report'];
  active: boolean;
  /** Why the release was not activated although that was asked for: users would lose what the active one has. */
  loss: Loss | null;
  /** The active release, where it was not activated because that one is of a newer edition. */
  newer: string | null;
  /** Releases of newer editions that got former codes or names by this one, and whose snapshots don't have them yet. */
  revised: string[];
}

/** Share of the time that reading the boundary files takes; writing takes the rest. */
const READING = 0.08;

/**
 * Reads, checks and writes a PSGC list and its boundaries as a new release, in one transaction. What is served doesn't
 * change until the last step, which activates the release. This step is skipped where users would lose boundaries by
 * it.
 * @throws LoadRefused with every problem when the list or the boundaries fail the checks. After this and any other
 *   error the database is unchanged.
 */
export async function loadRelease(options: LoadOptions): Promise<Loaded> {
  const { client, psgc, edition, boundaries, allowMissing, onProgress } = options;
  const publication = psgc === 'builtin' ? await readBuiltin() : await readWorkbook(psgc, { edition });
  const release = toRelease(publication);
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
  const obstacle = await findObstacle(client, written.id, options);
  if (obstacle.free) await activateRelease(client, written.id);
  const { loss, newer } = obstacle;
  const { id: releaseId, report, revised } = written;
  return { releaseId, edition: publication.edition, report, active: obstacle.free, loss, newer, revised };
}

/** Whether a release that was loaded is to be activated, and what speaks against it. */
export async function findObstacle(
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
 * @throws LoadRefused where its checks find problems: boundaries can't be joined to a wrong list.
 */
function requireValid(release: ReturnType<typeof toRelease>): typeof release {
  const { problems } = checkRelease(release);
  if (problems.length > 0) throw new LoadRefused(problems);
  return release;
}
