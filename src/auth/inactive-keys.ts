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

/** Keys that were found to be revoked or expired, by their hashes. It saves a query for each of their requests. */
const inactive = new TtlMap<string, InactiveKey>(1000);

export function cacheInactive({ hash, prefix }: Credential, status: InactiveKey['status']): void {
  inactive.set(hash, { prefix, status }, TTL_MS[status]);
}

export function inactiveStatus(hash: string): InactiveKey['status'] | undefined {
  return inactive.get(hash)?.status;
}

/** Call this after a key was changed. This instance then asks again whether the key has expired. */
export function forgetInactive(prefix: string): void {
  inactive.deleteWhere((key) => key.status === 'expired' && key.prefix === prefix);
}
