import { BoundedMap } from '../bounded-map.ts';
import { forgetExhaustion } from '../rate-limits/exhausted.ts';
import { keyCounter } from '../rate-limits/limit.ts';

/**
 * How long one instance believes it, milliseconds. Revocation is for ever. A key that has expired may be given more time,
 * which the other instances learn when they ask again.
 */
const BELIEVED_MS = { revoked: 300_000, expired: 5000 };

interface InactiveKey {
  readonly keyId: string;
  readonly status: keyof typeof BELIEVED_MS;
  /** Milliseconds since the epoch. */
  readonly believedUntil: number;
}

/** Keys that were found to be revoked or expired, by their hashes. The database is not asked about each of their requests. */
const inactive = new BoundedMap<string, InactiveKey>(1000);

export function rememberInactive(hash: string, keyId: string, status: InactiveKey['status']): void {
  inactive.set(hash, { keyId, status, believedUntil: Date.now() + BELIEVED_MS[status] });
}

export function inactiveStatus(hash: string): InactiveKey['status'] | undefined {
  const found = inactive.get(hash);
  if (!found) return undefined;
  if (Date.now() < found.believedUntil) return found.status;
  inactive.delete(hash);
  return undefined;
}

/** To be called where a key is changed: this instance then asks again whether it has expired or used up its limit. */
export function forgetKey(id: string): void {
  forgetExhaustion(keyCounter(id));
  for (const [hash, { keyId, status }] of inactive) {
    if (status === 'expired' && keyId === id.toLowerCase()) inactive.delete(hash);
  }
}
