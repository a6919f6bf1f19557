import { forgetExhaustion } from '../rate-limits/exhausted.ts';
import { keyCounter } from '../rate-limits/limit.ts';

const MAX_KEYS = 1000;

/**
 * How long one instance believes it, milliseconds. Revocation is for ever; a key that has expired may be given more
 * time, which the other instances learn when they ask again.
 */
const BELIEVED_MS = { revoked: 300_000, expired: 5000 };

interface Death {
  readonly keyId: string;
  readonly status: keyof typeof BELIEVED_MS;
  /** Milliseconds since the epoch. */
  readonly believedUntil: number;
}

/** Keys that were found to work no more, by their hashes, so that the database is not asked about each request. */
const dead = new Map<string, Death>();

export function rememberDeath(hash: string, keyId: string, status: Death['status']): void {
  if (dead.size >= MAX_KEYS) dead.delete(dead.keys().next().value as string);
  dead.set(hash, { keyId, status, believedUntil: Date.now() + BELIEVED_MS[status] });
}

export function knownDeath(hash: string): Death['status'] | undefined {
  const found = dead.get(hash);
  if (!found) return undefined;
  if (Date.now() < found.believedUntil) return found.status;
  dead.delete(hash);
  return undefined;
}

/** To be called where a key is changed: that it has expired, or reached its limit, is then not the first thing to say. */
export function forgetKey(id: string): void {
  forgetExhaustion(keyCounter(id));
  for (const [hash, { keyId, status }] of dead) {
    if (status === 'expired' && keyId === id.toLowerCase()) dead.delete(hash);
  }
}
