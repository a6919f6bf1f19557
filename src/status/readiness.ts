import { z } from '@hono/zod-openapi';
import { ageOf, ageSchema } from '../areas/edition-age.ts';
import { editionId } from '../areas/edition-id.ts';
import { newestEdition, servedAreas } from '../areas/served-areas.ts';
import { POINTER_KEY } from '../areas/snapshot/layout.ts';
import type { ServiceContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import { callCounter } from '../rate-limits/counter.ts';
import { findActiveRelease } from './repo.ts';

/** A counter of nobody, which is asked whether counters answer. */
const PROBE = 'probe';

const partSchema = z.object({
  ms: z.int().openapi({ description: 'Response time, milliseconds', example: 12 }),
});

export const readinessSchema = z.object({
  geography: partSchema.extend({
    release: z.string().nullable().openapi({ description: 'The data release that is served', example: '2026-3q-1' }),
    list: ageSchema.nullable().openapi({ description: 'Age of its PSGC list' }),
  }),
  database: partSchema,
  bucket: partSchema,
  counters: partSchema.openapi({ description: 'The counters of requests by keys and addresses' }),
});

/** What of the service answers at the moment. */
export type Readiness = z.output<typeof readinessSchema>;

/** The code of the error for a part that does not answer. The first part in this order decides. */
const CODES = {
  database: 'database_unavailable',
  bucket: 'storage_unavailable',
  geography: 'storage_unavailable',
  counters: 'counter_unavailable',
} as const;

/**
 * Asks every part once, at the same time.
 *
 * @throws DomainError with `down`, the names of the parts that do not answer
 */
export async function readinessOf(ctx: ServiceContext): Promise<Readiness> {
  const parts = await Promise.all([
    probe('database', () => findActiveRelease(ctx.db)),
    askBucket(ctx),
    askGeography(ctx),
    askCounters(ctx),
  ]);
  const [database, bucket, geography, counters] = parts;
  const [first, ...others] = parts.filter(({ error }) => error !== undefined);
  if (first) {
    const down = [first, ...others].map(({ name }) => name);
    const message = `What does not answer: ${down.join(', ')}. Try again in a few seconds.`;
    throw new DomainError(CODES[first.name], message, { facts: { down }, cause: first.error });
  }
  const { ms, value } = geography;
  return {
    geography: { ms, release: value?.release ?? null, list: value?.list ?? null },
    database: { ms: database.ms },
    bucket: { ms: bucket.ms },
    counters: { ms: counters.ms },
  };
}

export function askBucket(ctx: ServiceContext) {
  return probe('bucket', () => ctx.bucket.findBytes(POINTER_KEY));
}

export function askGeography(ctx: ServiceContext) {
  return probe('geography', () => servedList(ctx));
}

export function askCounters(ctx: ServiceContext) {
  return probe('counters', () => callCounter(ctx, PROBE, async (counter) => counter.isDeleted()));
}

/** The release that is served, and how old its list is. */
async function servedList(ctx: ServiceContext) {
  const areas = await servedAreas(ctx);
  const [{ value, release }, newest] = await Promise.all([areas.listSources({}), newestEdition(ctx, areas)]);
  const { edition, publishedOn } = value;
  return { release, list: ageOf({ id: editionId(edition), day: publishedOn, newest }, Date.now()) };
}

/** Calls a part of the service. @returns how long the answer took, and the answer or the error */
export async function probe<Name extends string, T>(name: Name, ask: () => Promise<T>) {
  const started = Date.now();
  try {
    const value = await ask();
    return { name, ms: Date.now() - started, value };
  } catch (error) {
    return { name, ms: Date.now() - started, error };
  }
}
