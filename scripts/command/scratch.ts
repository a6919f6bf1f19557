import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls `work` with a temporary directory. It is removed at the end of the process too, because it is large. */
export async function withScratch<T>(work: (scratch: string) => Promise<T>): Promise<T> {
  const scratch = await mkdtemp(join(tmpdir(), 'pgds-scratch-'));
  const remove = () => {
    try {
      rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // A thread may still write into it. What remains is where the system keeps temporary files.
    }
  };
  const end = () => process.exit(130);
  process.on('exit', remove);
  for (const signal of SIGNALS) process.on(signal, end);
  try {
    return await work(scratch);
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
    process.off('exit', remove);
    await rm(scratch, { recursive: true, force: true });
  }
}
