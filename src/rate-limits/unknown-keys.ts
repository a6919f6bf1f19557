import type { AppContext } from '../context.ts';
import { networkOf, refuse } from './enforce.ts';
import { WINDOW_SECONDS } from './limit.ts';

/** How many keys that don't exist one instance looks up in a minute for one address. */
const PER_MINUTE = 100;

/**
 * Beyond that one look-up goes through when so much time has passed without another, milliseconds: a good key that this
 * instance doesn't know yet gets in beside what others at its address try.
 */
const TRICKLE_MS = 1000;

const MAX_REMEMBERED = 1000;

interface Suspect {
  readonly hash: string;
  /** When it was looked up first, milliseconds since the epoch. */
  readonly at: number;
  /** Whether it has been looked up to the end: there is no such key. */
  absent: boolean;
}

/** Keys that are being looked up, and those of the last minute that don't exist, oldest first, by address. */
const suspects = new Map<string, Suspect[]>();

/** Hashes of keys that were found: their holders don't suffer from what others at their address try. */
const known = new Set<string>();

/**
 * Looks a key up, unless its address has had too many looked up that don't exist: that is what guessing looks like, and
 * it is not let through to the database. A look-up counts from its beginning, so that many at once are as many as they
 * are, and no longer once the key has been found or the database has failed.
 *
 * @param hash of the key
 * @returns what the look-up gives; undefined where there is no such key
 * @throws DomainError `rate_limit_exceeded`; what the look-up throws
 */
export async function guardLookUp<T>(
  c: AppContext,
  hash: string,
  lookUp: () => Promise<T | undefined>,
): Promise<T | undefined> {
  if (known.has(hash)) return lookUp();
  const address = networkOf(c);
  const suspect = suspectOf(c, address, hash);
  if (suspect.absent) return undefined;
  try {
    const found = await lookUp();
    if (found === undefined) suspect.absent = true;
    else remember(hash);
    return found;
  } finally {
    if (!suspect.absent) release(address, hash);
  }
}

function suspectOf(c: AppContext, address: string, hash: string): Suspect {
  const now = Date.now();
  const recent = (suspects.get(address) ?? []).filter(({ at }) => at > now - WINDOW_SECONDS * 1000);
  const same = recent.find((suspect) => suspect.hash === hash);
  if (same) return same;
  const trickle = (recent.at(-1)?.at ?? 0) + TRICKLE_MS - now;
  if (recent.length >= PER_MINUTE && trickle > 0) {
    const limit = { policy: 'unknown-keys', counter: address, perMinute: PER_MINUTE } as const;
    refuse(c, limit, { allowed: false, remaining: 0, resetMs: trickle });
  }
  const suspect = { hash, at: now, absent: false };
  suspects.delete(address);
  if (suspects.size >= MAX_REMEMBERED) suspects.delete(suspects.keys().next().value as string);
  suspects.set(address, [...recent, suspect]);
  return suspect;
}

function release(address: string, hash: string): void {
  const others = suspects.get(address)?.filter((suspect) => suspect.hash !== hash) ?? [];
  if (others.length === 0) suspects.delete(address);
  else suspects.set(address, others);
}

function remember(hash: string): void {
  if (known.size >= MAX_REMEMBERED) known.delete(known.values().next().value as string);
  known.add(hash);
}
