import type { SnapshotObject } from '../../../src/areas/snapshot/layout.ts';
import { postedBy } from '../thread.ts';

export interface EditionsOptions {
  /** Whether the borders in the repository draw the release. Else the areas of other editions have no boundaries. */
  isDrawn: boolean;
  /** The ids of the editions; all in the repository where it is left out. */
  only?: readonly string[] | undefined;
}

export interface EditionObjects {
  readonly objects: readonly SnapshotObject[];
  /** Share of the editions that are made, 0 to 1. */
  readonly fraction: number;
}

/**
 * Makes the objects of all editions that the snapshot of a release includes, in a worker thread that starts at once. @see buildEditions
 *
 * @param directory of the object `areas` of the release, that they are written to
 * @returns the editions as they are made; it throws where the thread failed
 */
export function editionsInThread(
  directory: string,
  options: Omit<EditionsOptions, 'only'>,
): AsyncIterable<EditionObjects> {
  return postedBy(new URL('./editions-thread.ts', import.meta.url), { directory, options });
}
