import type pg from 'pg';
import { withBoundaries } from '../boundaries/load.ts';
import { toRelease } from '../psgc/areas.ts';
import { readBuiltin } from '../psgc/builtin.ts';
import { checkRelease, LoadRefused } from '../psgc/checks.ts';
import { readWorkbook } from '../psgc/workbook.ts';
import { type Loss, lossWith } from './loss.ts';
import { activate, type Written, writeRelease } from './write.ts';

interface LoadOptions {
  client: pg.ClientBase;
  /** `builtin` for the npm package's list, else the path of a PSA publication workbook (`.xlsx`). */
  psgc: 'builtin' | (string & {});
  /** Edition of a workbook that doesn't say its own: `1Q 2026`. */
  edition?: string | undefined;
  /** A directory of boundary files, one such file, or the URL of one; without it the release has no boundaries. */
  boundaries?: string | undefined;
  /** Load although areas have no boundary or boundaries belong to no area, and nothing explains it. */
  allowMissing?: boolean | undefined;
  /** Whether to serve the release at once, unless its boundaries are worse than those that are served. */
  activate: boolean;
  /** Called with the share of the work done, 0 to 1, and what is being done. */
  onProgress?: ((fraction: number, label: string) => void) | undefined;
}

export interface Loaded {
  releaseId: string;
  edition: string;
  report: Written['report'];
  active: boolean;
  /** Why it is not, where it was to be: readers would lose boundaries that the active release has. */
  loss: Loss | null;
}

/** Share of the time that reading the boundary files takes; writing takes the rest. */
const READING = 0.08;

/**
 * Reads, checks and writes a PSGC list and its boundaries as a new release, in one transaction. Throws `LoadRefused`
 * with every problem when the list or the boundaries fail the checks; then, and after any other error, the database is
 * as it was. Does not interfere with what is served until it is activated, which is the last step, and which is left to
 * `activate` where readers would lose boundaries by it.
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
          refused(release),
          { boundaries, allowMissing, onProgress: (fraction, label) => onProgress?.(READING * fraction, label) },
          (prepared) =>
            write({
              boundaries: prepared,
              onProgress: (fraction, label) => onProgress?.(READING + (1 - READING) * fraction, label),
            }),
        );
  const loss = options.activate ? await lossWith(client, written.id) : null;
  const active = options.activate && loss === null;
  if (active) await activate(client, written.id);
  return { releaseId: written.id, edition: publication.edition, report: written.report, active, loss };
}

/** The release, unless its checks find problems: boundaries can't be joined to a list that is wrong. */
function refused(release: ReturnType<typeof toRelease>): typeof release {
  const { problems } = checkRelease(release);
  if (problems.length > 0) throw new LoadRefused(problems);
  return release;
}
