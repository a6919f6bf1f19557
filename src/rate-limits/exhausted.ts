import type { Allowance, Limit } from './limit.ts';

const MAX_CALLERS = 1000;

/** How long one instance believes it: limits that are raised, and keys that end, are then known to the others too. */
const BELIEVED_MS = 5000;

interface Exhaustion {
  readonly limit: Limit;
  /** When a request may be made again, milliseconds since the epoch. */
  readonly until: number;
  /** Until when nobody is asked, milliseconds since the epoch. */
  readonly believedUntil: number;
}

/**
 * Callers that were refused and can't be admitted before a known moment: keys by their hashes, addresses by their
 * counters. So that an instance need not ask anybody about it again with every request.
 */
const exhausted = new Map<string, Exhaustion>();

export function rememberExhaustion(caller: string, limit: Limit, { resetMs }: Allowance): void {
  if (exhausted.size >= MAX_CALLERS) exhausted.delete(exhausted.keys().next().value as string);
  const now = Date.now();
  exhausted.set(caller, { limit, until: now + resetMs, believedUntil: now + Math.min(resetMs, BELIEVED_MS) });
}

export function knownExhaustion(caller: string): { limit: Limit; allowance: Allowance } | undefined {
  const found = exhausted.get(caller);
  if (!found) return undefined;
  const now = Date.now();
  if (now < found.believedUntil) {
    return { limit: found.limit, allowance: { allowed: false, remaining: 0, resetMs: found.until - now } };
  }
  exhausted.delete(caller);
  return undefined;
}

/** To be called where a limit's caller is changed: that they are exhausted is then not the first thing to say. */
export function forgetExhaustion(counter: string): void {
  for (const [caller, { limit }] of exhausted) if (limit.counter === counter) exhausted.delete(caller);
}
