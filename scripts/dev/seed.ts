import type pg from 'pg';
import {
  type BoundaryChoice,
  type ChosenBoundaries,
  chooseBoundaries,
} from '../pipeline/boundaries/defaults/choose.ts';
import { LoadRefused } from '../pipeline/psgc/checks.ts';
import { activateRelease } from '../pipeline/release/activate.ts';
import { findObstacle, loadRelease } from '../pipeline/release/load.ts';
import { describeLoss, describeOlder } from '../pipeline/release/loss.ts';

/** Share of the time that fetching the boundaries takes, where they are not given. */
const FETCHING = 0.4;

/**
 * Loads the built-in PSGC edition with the best available boundaries and activates it. Fetched boundaries that don't
 * fit are reported, and the next set is tried.
 * @throws LoadRefused for boundaries that the user gave and that are incomplete or don't fit
 */
export async function seedRelease(client: pg.Client, choice: BoundaryChoice): Promise<void> {
  const { onProgress, say } = choice;
  const passOver: ChosenBoundaries['origin'][] = [];
  for (;;) {
    const chosen = await chooseBoundaries({
      ...choice,
      passOver,
      onProgress: (fraction, label) => onProgress?.(FETCHING * fraction, label),
    });
    if (chosen) say(chosen.sentence);
    const fetching = chosen === undefined || chosen.origin === 'given' ? 0 : FETCHING;
    try {
      const progress = (fraction: number, label: string) => onProgress?.(fetching + (1 - fetching) * fraction, label);
      await load(client, chosen, { say, onProgress: progress });
      return;
    } catch (error) {
      if (!(error instanceof LoadRefused) || chosen === undefined || chosen.origin === 'given') throw error;
      const [first] = error.problems;
      say(
        `They are refused for ${error.problems.length} problem(s), the first of which is ${first?.at}: ${first?.what}.`,
      );
      passOver.push(chosen.origin);
    }
  }
}

async function load(
  client: pg.Client,
  boundaries: ChosenBoundaries | undefined,
  { say, onProgress }: Pick<BoundaryChoice, 'say'> & { onProgress: (fraction: number, label: string) => void },
): Promise<void> {
  const { releaseId } = await loadRelease({
    client,
    psgc: 'builtin',
    boundaries: boundaries?.path,
    allowMissing: boundaries?.allowMissing,
    activate: false,
    onProgress,
  });
  // The next start then knows that these boundaries were loaded, and doesn't load them again.
  if (boundaries?.origin === 'given') {
    await client.query(
      `update data_releases set report = report || jsonb_build_object('boundariesDir', $2::text) where id = $1`,
      [releaseId, boundaries.path],
    );
  }
  const { free, loss, newer } = await findObstacle(client, releaseId, { activate: true });
  if (free) await activateRelease(client, releaseId);
  if (newer !== null) say(describeOlder(releaseId, newer));
  if (loss !== null) say(describeLoss(releaseId, loss));
}
