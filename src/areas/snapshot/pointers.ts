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

/**
 * The version that the pointer names; null where there is no pointer.
 *
 * @param timeout max time, milliseconds
 * @throws DomainError `storage_unavailable`; ZodError if the pointer names no version
 */
export async function readActiveVersion(bucket: Bucket, timeout?: number): Promise<string | null> {
  const pointer = await bucket.findJson(POINTER_KEY, { timeout });
  return pointer === undefined ? null : pointerSchema.parse(pointer).version;
}

/** The version that the pointer names, read in the time that the request has for it; null where there is no pointer. */
export function readPointer(bucket: Bucket): Promise<string | null> {
  return readLogged(bucket, POINTER_KEY, (timeout) => readActiveVersion(bucket, timeout));
}

/** The published releases of editions. */
export function readEditions(bucket: Bucket): Promise<EditionIndex> {
  return readLogged(bucket, EDITIONS_KEY, async (timeout) => {
    const found = await bucket.findJson(EDITIONS_KEY, { timeout });
    return found === undefined ? {} : editionsSchema.parse(found).editions;
  });
}

/** @throws SnapshotUnreadable */
function readLogged<T>(bucket: Bucket, key: string, read: (timeout: number) => Promise<T>): Promise<T> {
  return logged('snapshot_pointer_unreadable', () => readInTime(bucket, key, read, POINTER_TIMEOUT_MS));
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
