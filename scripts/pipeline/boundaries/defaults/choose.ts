import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { naturalEarthSet } from './natural-earth.ts';
import { publicSet } from './public-set.ts';

/** Where boundaries can come from, best first. */
type BoundaryOrigin = 'given' | 'public' | 'coarse';

export interface ChosenBoundaries {
  origin: BoundaryOrigin;
  /** A directory of boundary files, or one such file. */
  path: string;
  /** Whether holes are known and tolerated. What was given by hand must be whole. */
  allowMissing: boolean;
  /** What is about to be loaded. */
  sentence: string;
}

export interface BoundaryChoice {
  /** What the user gave: a directory of boundary files, or one such file. */
  boundariesDir?: string | undefined;
  /** What is downloaded is kept in `boundaries/` of this directory. */
  dataDir: string;
  /** Sets that were tried and turned out useless. */
  passOver?: readonly BoundaryOrigin[] | undefined;
  /** Called with 0 to 1 and what is being done. */
  onProgress?: ((fraction: number, label: string) => void) | undefined;
  /** Told in a sentence why a set is not used. */
  say: (sentence: string) => void;
  /** Fetch a set into a directory; exchanged by tests. */
  sets?: { publicSet: typeof publicSet; naturalEarthSet: typeof naturalEarthSet } | undefined;
}

/** What to do where boundaries are coarse, have holes, or are missing. */
export const BOUNDARIES_REMEDY =
  'Boundaries are missing or for display only, and there is no reverse geocoding, until ' +
  '`npm run geo:load -- --psgc builtin --boundaries <directory>` is given detailed ones of every level.';

/**
 * Decides where the boundaries of a new database come from: what the user gave, else the public set, which is
 * downloaded, else the coarse one for display, else nowhere (undefined).
 * @throws when what the user gave doesn't exist
 */
export async function chooseBoundaries(choice: BoundaryChoice): Promise<ChosenBoundaries | undefined> {
  const { boundariesDir, dataDir, passOver = [], onProgress, say } = choice;
  const { sets = { publicSet, naturalEarthSet } } = choice;
  if (boundariesDir !== undefined) {
    await requireBoundaries(boundariesDir);
    return {
      origin: 'given',
      path: boundariesDir,
      allowMissing: false,
      sentence: `Loading the boundaries in ${boundariesDir}.`,
    };
  }
  if (!passOver.includes('public')) {
    const path = join(dataDir, 'boundaries', 'philippines-json-maps');
    try {
      await sets.publicSet(path, { onProgress });
      const sentence = 'Loading the public boundary set philippines-json-maps of 2023.';
      return { origin: 'public', path, allowMissing: true, sentence };
    } catch (error) {
      say(`The public boundary set can't be had: ${(error as Error).message}.`);
    }
  }
  if (!passOver.includes('coarse')) {
    const path = join(dataDir, 'boundaries', 'natural-earth');
    try {
      onProgress?.(0, 'Fetching coarse boundaries (95 MB)');
      await sets.naturalEarthSet(path);
      const sentence =
        'Loading coarse boundaries of regions and provinces (Natural Earth), which are for display only.';
      return { origin: 'coarse', path, allowMissing: true, sentence };
    } catch (error) {
      say(`Coarse boundaries can't be had either: ${(error as Error).message}.`);
    }
  }
  say('Loading the areas without boundaries.');
  return undefined;
}

/** @throws when the directory or file that the user gave doesn't exist */
export async function requireBoundaries(boundariesDir: string): Promise<void> {
  if (await stat(boundariesDir).catch(() => undefined)) return;
  throw new Error(`BOUNDARIES_DIR names ${boundariesDir}, which does not exist.`);
}
