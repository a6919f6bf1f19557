import { mkdir } from 'node:fs/promises';
import type pg from 'pg';
import { withScratch } from '../command/scratch.ts';
import { publishSnapshot } from '../pipeline/snapshot/publish.ts';
import { startWorker, TOKEN, type WorkerOptions } from './worker.ts';

/**
 * Publishes the snapshot of the active release to a local bucket, through the Worker's own operations, unless it is
 * there from an earlier run.
 *
 * @param storedIn directory of the bucket
 */
export async function publishOnce(
  client: pg.ClientBase,
  {
    databaseUrl,
    modules,
    storedIn,
    releaseId,
  }: Required<Pick<WorkerOptions, 'databaseUrl' | 'modules' | 'storedIn'>> & { releaseId: string },
): Promise<void> {
  await mkdir(storedIn, { recursive: true });
  const worker = await startWorker({ databaseUrl, modules, storedIn });
  try {
    const endpoint = { address: worker.url, masterToken: TOKEN };
    await withScratch(async (scratch) => {
      await publishSnapshot(client, scratch, { releaseId, endpoint, onlyMissing: true, onProgress: () => undefined });
    });
  } finally {
    await worker.close();
  }
}
