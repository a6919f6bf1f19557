import { BoundedMap } from '../bounded-map.ts';
import { steadyTime } from '../clock.ts';
import type { Credential } from './known-key.ts';

/**
 * How long one instance takes a key for inactive without asking the database, milliseconds. A revoked key stays revoked.
 * An administrator can give an expired key more time, and instances notice that only when they ask again.
 */
const TTL_MS = { revoked: 300_000, expired: 5000 };

interface InactiveKey {
  readonly prefix: string;
  readonly status: keyof typeof TTL_MS;
  /** By `steadyTime`. */
  readonly expiresAt: number;
}

/** Keys that were found to be revoked or expired, by their hashes. It saves a query for each of their requests. */
const inactive = new BoundedMap<string, InactiveKey>(1000);

export function rememberInactive({ hash, prefix }: Credential, status: InactiveKey['status']): void {
  inactive.set(hash, { prefix, status, expiresAt: steadyTime() + TTL_MS[status] });
}

export function inactiveStatus(hash: string): InactiveKey['status'] | undefined {
  const found = inactive.get(hash);
  if (!found) return undefined;
  if (steadyTime() < found.expiresAt) return found.status;
  inactive.delete(hash);
  return undefined;
}

/** Call this after a key was changed. This instance then asks again whether the key has expired. */
export function forgetInactive(prefix: string): void {
  for (const [hash, key] of inactive) {
    if (key.status === 'expired' && key.prefix === prefix) inactive.delete(hash);
  }
}
