import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchNaturalEarthSet } from './natural-earth.ts';
import { fetchPublicSet } from './public-set.ts';

/** Where boundaries can come from, the best first. */
type BoundaryOrigin = 'given' | 'public' | 'coarse';

export interface ChosenBoundaries {
  origin: BoundaryOrigin;
  /** A directory of boundary files, or one such file. */
  path: string;
  /** Whether missing boundaries are known and accepted. What the user gave must be complete. */
  allowMissing: boolean;
  /** Says to the user what is about to be loaded. */
  sentence: string;
}

export interface BoundaryChoice {
  /** What the user gave: a directory of boundary files, or one such file. */
  boundariesDir?: string | undefined;
  /** Downloaded boundaries are kept in `boundaries/` of this directory. */
  dataDir: string;
  /** Sets that were tried and turned out to be unusable. */
  passOver?: readonly BoundaryOrigin[] | undefined;
  /** Called with 0 to 1 and what is being done. */
  onProgress?: ((fraction: number, label: string) => void) | undefined;
  /** Called with a sentence that says why a set is not used. */
  say: (sentence: string) => void;
  /** The functions that fetch a set into a directory; tests replace them. */
  sets?: { publicSet: typeof fetchPublicSet; naturalEarthSet: typeof fetchNaturalEarthSet } | undefined;
}

/** Says to the user what to do where boundaries are coarse, incomplete or missing. */
export const BOUNDARIES_REMEDY =
  'Boundaries are missing or for display only, and there is no reverse geocoding, until ' +
  '`npm run geo:load -- --psgc builtin --boundaries path/to/boundaries` is given detailed ones of every level.';

/**
 * Chooses the boundaries of a new database: those that the user gave; else the public set, which is downloaded; else
 * the coarse set, which is for display only; else none (undefined).
 * @throws Error when what the user gave doesn't exist
 */
export async function chooseBoundaries(choice: BoundaryChoice): Promise<ChosenBoundaries | undefined> {
  const { boundariesDir, dataDir, passOver = [], onProgress, say } = choice;
  const { sets = { publicSet: fetchPublicSet, naturalEarthSet: fetchNaturalEarthSet } } = choice;
  if (boundariesDir !== undefined) {
    await requireBoundariesDir(boundariesDir);
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

/** @throws Error when the directory or file that the user gave doesn't exist */
export async function requireBoundariesDir(boundariesDir: string): Promise<void> {
  if (await stat(boundariesDir).catch(() => undefined)) return;
  throw new Error(`BOUNDARIES_DIR names ${boundariesDir}, which does not exist.`);
}
