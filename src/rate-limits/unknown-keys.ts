import type { Context } from 'hono';
import { BoundedMap } from '../bounded-map.ts';
import { steadyTime } from '../clock.ts';
import { networkOf } from './client-address.ts';
import { refuse } from './enforce.ts';
import { WINDOW_SECONDS } from './limit.ts';

/** How many keys that don't exist one instance looks up per minute for one address. */
const PER_MINUTE = 100;

/**
 * Beyond that, a look-up is allowed when there was none for this long, milliseconds. So a valid key that this instance
 * doesn't know yet is accepted in the end, whatever other clients at its address try.
 */
const LOOK_UP_INTERVAL_MS = 1000;

const MAX_ENTRIES = 1000;

interface Suspect {
  readonly hash: string;
  /** When its first look-up began, by `steadyTime`. */
  readonly at: number;
  /** Whether the look-up has ended and found no such key. */
  absent: boolean;
}

/** By address: keys that are being looked up, and keys that were looked up in the last minute and don't exist, oldest first. */
const suspects = new BoundedMap<string, Suspect[]>(MAX_ENTRIES);

/** Hashes of keys that were found. Their look-ups are not limited by what other clients at their address try. */
const foundKeys = new BoundedMap<string, true>(MAX_ENTRIES);

/**
 * Looks a key up, unless too many keys that don't exist were looked up for its address. So guesses don't reach the
 * database. A look-up counts from its beginning, so that look-ups at the same time all count. It counts no longer when the
 * key is found or the database fails.
 *
 * @param hash of the key
 * @returns the result of the look-up; undefined where there is no such key
 * @throws DomainError `rate_limit_exceeded`, and what the look-up throws
 */
export async function guardLookUp<T>(
  c: Context,
  hash: string,
  lookUp: () => Promise<T | undefined>,
): Promise<T | undefined> {
  if (foundKeys.has(hash)) return lookUp();
  const address = networkOf(c);
  const suspect = suspectOf(c, address, hash);
  if (suspect.absent) return undefined;
  try {
    const found = await lookUp();
    if (found === undefined) suspect.absent = true;
    else foundKeys.set(hash, true);
    return found;
  } finally {
    if (!suspect.absent) release(address, hash);
  }
}

/** @throws DomainError `rate_limit_exceeded` */
function suspectOf(c: Context, address: string, hash: string): Suspect {
  const now = steadyTime();
  const recent = (suspects.get(address) ?? []).filter(({ at }) => at > now - WINDOW_SECONDS * 1000);
  const same = recent.find((suspect) => suspect.hash === hash);
  if (same) return same;
  const wait = (recent.at(-1)?.at ?? 0) + LOOK_UP_INTERVAL_MS - now;
  if (recent.length >= PER_MINUTE && wait > 0) {
    const limit = { policy: 'unknown-keys', counter: address, perMinute: PER_MINUTE, holder: address } as const;
    refuse(c, [{ limit, allowance: { allowed: false, remaining: 0, resetMs: wait } }]);
  }
  const suspect = { hash, at: now, absent: false };
  suspects.set(address, [...recent, suspect]);
  return suspect;
}

function release(address: string, hash: string): void {
  const others = suspects.get(address)?.filter((suspect) => suspect.hash !== hash) ?? [];
  if (others.length === 0) suspects.delete(address);
  else suspects.set(address, others);
}
