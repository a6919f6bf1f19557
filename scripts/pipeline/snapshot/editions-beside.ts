import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SnapshotObject } from '../../../src/areas/snapshot/layout.ts';

export interface Carrying {
  /** Whether the borders in the repository draw the release. Else the areas of other editions have no boundaries. */
  isDrawn: boolean;
  /** Where the object `areas` of the release is; where those of editions are written if it is left out. */
  areasIn?: string | undefined;
  /** The ids of the editions; all in the repository where it is left out. */
  only?: readonly string[] | undefined;
}

/**
 * Makes the objects of all editions that a release carries, in a thread of its own. @see buildEditions
 *
 * @param directory that they are written to
 */
export async function editionsBeside(directory: string, carrying: Omit<Carrying, 'only'>): Promise<SnapshotObject[]> {
  const thread = new Worker(new URL('./editions-thread.ts', import.meta.url), {
    workerData: { directory, carrying },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  // An 'error' event of the thread rejects this.
  const [objects] = (await once(thread, 'message')) as [SnapshotObject[]];
  await thread.terminate();
  return objects;
}
