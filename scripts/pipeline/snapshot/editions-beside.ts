import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SnapshotObject } from '../../../src/areas/snapshot/layout.ts';

export interface Carrying {
  /** Whether the borders in the repository draw the release. Else the areas of other editions have no boundaries. */
  isDrawn: boolean;
  /** The ids of the editions; all in the repository where it is left out. */
  only?: readonly string[] | undefined;
}

export interface CarriedEdition {
  readonly objects: readonly SnapshotObject[];
  /** Share of the editions that are made, 0 to 1. */
  readonly fraction: number;
}

/**
 * Makes the objects of all editions that a release carries, in a thread of its own that begins at once. @see buildEditions
 *
 * @param directory of the object `areas` of the release, that they are written to
 * @returns the editions as they are made; it throws where the thread failed
 */
export function editionsBeside(directory: string, carrying: Omit<Carrying, 'only'>): AsyncIterable<CarriedEdition> {
  const thread = new Worker(new URL('./editions-thread.ts', import.meta.url), {
    workerData: { directory, carrying },
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // The areas of an edition are short-lived, and more room for them saves a sixth of the time.
    resourceLimits: { maxYoungGenerationSizeMb: 192 },
  });
  // Messages are cached until they are read, and so is a failure.
  return editionsIn(on(thread, 'message', { close: ['exit'] }));
}

async function* editionsIn(messages: AsyncIterable<unknown[]>): AsyncGenerator<CarriedEdition> {
  for await (const [edition] of messages) yield edition as CarriedEdition;
}
