import { z } from '@hono/zod-openapi';
import { ageOf, ageSchema } from '../areas/edition-age.ts';
import { editionId } from '../areas/edition-id.ts';
import { newestEdition, servedAreas } from '../areas/served-areas.ts';
import { POINTER_KEY } from '../areas/snapshot/layout.ts';
import type { ServiceContext } from '../context.ts';
import { logFailure } from '../log.ts';
import { callCounter } from '../rate-limits/counter.ts';
import { findActiveRelease } from './repo.ts';

/** A counter of nobody, which is asked whether counters answer. */
const PROBE = 'probe';

const partStatus = z.enum(['ok', 'unavailable']);

const partSchema = z.object({
  status: partStatus,
  ms: z
    .int()
    .openapi({ description: 'How long it took to answer, or until it was given up, milliseconds', example: 12 }),
});

export const readinessSchema = z.object({
  geography: partSchema.extend({
    release: z.string().nullable().openapi({ description: 'The data release that is served', example: '2026-3q-1' }),
    list: ageSchema.nullable().openapi({ description: 'How old its list of the PSGC is' }),
  }),
  database: partSchema,
  bucket: partSchema,
  counters: partSchema.openapi({ description: 'What counts the requests of keys and addresses' }),
});

/** What of the service answers at the moment. */
export type Readiness = z.output<typeof readinessSchema>;

/** Asks every part once, at the same time. Never throws. */
export async function readinessOf(ctx: ServiceContext): Promise<Readiness> {
  const [{ value: served, ...geography }, database, bucket, counters] = await Promise.all([
    asked(() => servedList(ctx)),
    asked(() => findActiveRelease(ctx.db)),
    asked(() => ctx.bucket.findBytes(POINTER_KEY)),
    asked(() => callCounter(ctx, PROBE, async (counter) => counter.isDeleted())),
  ]);
  return {
    geography: { ...geography, release: served?.release ?? null, list: served?.list ?? null },
    database: { status: database.status, ms: database.ms },
    bucket: { status: bucket.status, ms: bucket.ms },
    counters: { status: counters.status, ms: counters.ms },
  };
}

/** The release that is served, and how old its list is. */
async function servedList(ctx: ServiceContext) {
  const areas = await servedAreas(ctx);
  const [{ value, release }, newest] = await Promise.all([areas.listSources({}), newestEdition(ctx, areas)]);
  const { edition, publishedOn } = value;
  return { release, list: ageOf({ id: editionId(edition), day: publishedOn, newest }, Date.now()) };
}

async function asked<T>(ask: () => Promise<T>) {
  const started = Date.now();
  try {
    const value = await ask();
    return { status: 'ok' as const, ms: Date.now() - started, value };
  } catch (error) {
    logFailure('not_ready', error, {});
    return { status: 'unavailable' as const, ms: Date.now() - started, value: undefined };
  }
}
