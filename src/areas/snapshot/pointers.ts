import { z } from 'zod';
import { logFailure } from '../../log.ts';
import type { Bucket } from '../../storage/bucket.ts';
import { EDITIONS_KEY, POINTER_KEY } from './layout.ts';
import { readInTime } from './objects.ts';

/** Max time for reading a pointer, milliseconds. */
export const POINTER_TIMEOUT_MS = 1500;

const pointerSchema = z.object({ version: z.string().regex(/^[A-Za-z0-9-]{1,128}$/) });

const editionsSchema = z.object({
  editions: z.record(
    z.string(),
    z.object({
      release: z.string(),
      version: pointerSchema.shape.version,
      // Earlier builds wrote only the release and its version.
      published: z.string().nullable().default(null),
      counts: z.record(z.string(), z.number()).default({}),
      boundary_set: z.enum(['none', 'display', 'full']).default('none'),
    }),
  ),
});

/** The published releases of editions, by the id of the edition. */
export type EditionIndex = z.output<typeof editionsSchema>['editions'];

/** The active version; null where none is published. */
export function readPointer(bucket: Bucket): Promise<string | null> {
  return logged('snapshot_pointer_unreadable', async () => {
    const pointer = await readJson(bucket, POINTER_KEY);
    return pointer === undefined ? null : pointerSchema.parse(pointer).version;
  });
}

/** The published releases of editions. */
export function readEditions(bucket: Bucket): Promise<EditionIndex> {
  return logged('snapshot_pointer_unreadable', async () => {
    const found = await readJson(bucket, EDITIONS_KEY);
    return found === undefined ? {} : editionsSchema.parse(found).editions;
  });
}

function readJson(bucket: Bucket, key: string): Promise<unknown> {
  return readInTime(bucket, key, (timeout) => bucket.findJson(key, { timeout }), POINTER_TIMEOUT_MS);
}

/** Does the work. A failure is logged and thrown. */
export async function logged<T>(event: string, work: () => Promise<T>, facts: Record<string, string> = {}): Promise<T> {
  try {
    return await work();
  } catch (error) {
    logFailure(event, error, facts);
    throw error;
  }
}
