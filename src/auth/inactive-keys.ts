import { TtlMap } from '../bounded-map.ts';
import type { Credential } from './cached-key.ts';

/**
 * How long one instance takes a key for inactive without asking the database, milliseconds. A revoked key stays revoked.
 * An administrator can give an expired key more time, and instances notice that only when they ask again.
 */
const TTL_MS = { revoked: 300_000, expired: 5000 };

interface InactiveKey {
  readonly prefix: string;
  readonly status: keyof typeof TTL_MS;
}

/** Keys that were found to be revoked or expired, by their hashes, so that their requests are refused without asking anybody. */
const inactive = new TtlMap<string, InactiveKey>(1000);

/** Remembers that a key is revoked or expired, for the TTL of its status. */
export function cacheInactive({ hash, prefix }: Credential, status: InactiveKey['status']): void {
  inactive.set(hash, { prefix, status }, TTL_MS[status]);
}

/** The status of a key that this instance knows to be inactive; undefined for all others. */
export function inactiveStatus(hash: string): InactiveKey['status'] | undefined {
  return inactive.get(hash)?.status;
}

/**
 * Forgets that a key with a prefix has expired, so that this instance asks again. A revoked key stays. Call this after a key was
 * changed.
 */
export function forgetInactive(prefix: string): void {
  inactive.deleteWhere((key) => key.status === 'expired' && key.prefix === prefix);
}
