import { TtlMap } from '../bounded-map.ts';
import { steadyTime } from '../clock.ts';
import { type Allowance, type Count, EXACT_LIMIT, type Limit } from './limit.ts';

/**
 * How long one instance goes without asking the counter, milliseconds. Then it notices limits that were raised and keys
 * that have ended.
 */
const TTL_MS = 5000;

/**
 * The least of it for limits above 600: they free something at every moment, so that a caller beyond such a limit would ask
 * for each request.
 */
const MIN_TTL_MS = 500;

interface Exhaustion {
  readonly limit: Limit;
  /** When a request may be made again, by `steadyTime`. */
  readonly until: number;
}

/**
 * Callers that were refused and can't be admitted before a known moment, by the holders of their limits. It saves asking
 * the counter for each of their requests.
 */
const exhausted = new TtlMap<string, Exhaustion>(1000);

export function cacheExhaustion(limit: Limit, { resetMs }: Allowance): void {
  const reset = limit.perMinute > EXACT_LIMIT ? Math.max(resetMs, MIN_TTL_MS) : resetMs;
  exhausted.set(limit.holder, { limit, until: steadyTime() + reset }, Math.min(reset, TTL_MS));
}

/** @param holder of a limit */
export function cachedExhaustion(holder: string): Count | undefined {
  const found = exhausted.get(holder);
  if (!found) return undefined;
  const { limit, until } = found;
  return { limit, allowance: { allowed: false, remaining: 0, resetMs: until - steadyTime() } };
}

/** Call this after a limit was changed, so that the next request asks the counter. */
export function forgetExhaustion(counter: string): void {
  exhausted.deleteWhere(({ limit }) => limit.counter === counter);
}
