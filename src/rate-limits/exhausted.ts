import type { Allowance, Limit } from './limit.ts';

const MAX_CALLERS = 1000;

interface Exhaustion {
  readonly limit: Limit;
  /** When a request may be made again, milliseconds since the epoch. */
  readonly until: number;
}

/**
 * Callers that were refused and can't be admitted before a known moment: keys by their hashes, addresses by their
 * counters. A fact that holds until then for every request, so that an instance need not ask anybody about it again.
 */
const exhausted = new Map<string, Exhaustion>();

export function rememberExhaustion(caller: string, limit: Limit, { resetMs }: Allowance): void {
  if (exhausted.size >= MAX_CALLERS) exhausted.delete(exhausted.keys().next().value as string);
  exhausted.set(caller, { limit, until: Date.now() + resetMs });
}

export function knownExhaustion(caller: string): { limit: Limit; allowance: Allowance } | undefined {
  const found = exhausted.get(caller);
  if (!found) return undefined;
  const resetMs = found.until - Date.now();
  if (resetMs > 0) return { limit: found.limit, allowance: { allowed: false, remaining: 0, resetMs } };
  exhausted.delete(caller);
  return undefined;
}

/** To be called where a limit's caller is changed: that they are exhausted is then not the first thing to say. */
export function forgetExhaustion(counter: string): void {
  for (const [caller, { limit }] of exhausted) if (limit.counter === counter) exhausted.delete(caller);
}
