import type { Allowance, Limit } from './limit.ts';

const MAX_KEYS = 1000;

interface Exhaustion {
  readonly keyId: string;
  readonly limit: Limit;
  /** When a request may be made again, milliseconds since the epoch. */
  readonly until: number;
}

/**
 * Keys, by their hashes, that were refused and can't be admitted before a known moment. A fact that holds until then
 * for every request, so that an instance need not ask anybody about it again.
 */
const exhausted = new Map<string, Exhaustion>();

export function rememberExhaustion(hash: string, keyId: string, limit: Limit, { resetMs }: Allowance): void {
  if (exhausted.size >= MAX_KEYS) exhausted.delete(exhausted.keys().next().value as string);
  exhausted.set(hash, { keyId, limit, until: Date.now() + resetMs });
}

export function knownExhaustion(hash: string): { limit: Limit; allowance: Allowance } | undefined {
  const found = exhausted.get(hash);
  if (!found) return undefined;
  const resetMs = found.until - Date.now();
  if (resetMs > 0) return { limit: found.limit, allowance: { allowed: false, remaining: 0, resetMs } };
  exhausted.delete(hash);
  return undefined;
}

/** To be called where a key is changed: that it is exhausted is then not the first thing to say of it. */
export function forgetExhaustion(keyId: string): void {
  for (const [hash, known] of exhausted) if (known.keyId === keyId) exhausted.delete(hash);
}
