import type { AppContext } from '../http/context.ts';
import { networkOf, refuse } from './enforce.ts';
import { knownExhaustion, rememberExhaustion } from './exhausted.ts';
import type { Limit } from './limit.ts';
import { SlidingWindow } from './sliding-window.ts';

/** How many keys that don't exist one instance looks up in a minute for one address. */
const PER_MINUTE = 100;

const MAX_REMEMBERED = 1000;

/** The look-ups that found nothing, by address. */
const windows = new Map<string, SlidingWindow>();

/** Hashes of keys that were found: their holders don't suffer from what others at their address try. */
const known = new Set<string>();

/**
 * To be called before a key is looked up. That many keys of the right form don't exist is what guessing looks like; it
 * is not let through to the database.
 *
 * @param hash of the key
 * @throws DomainError `rate_limit_exceeded`
 */
export function refuseGuessing(c: AppContext, hash: string): void {
  if (known.has(hash)) return;
  const exhausted = knownExhaustion(limitOf(c).counter);
  if (exhausted) refuse(c, exhausted.limit, exhausted.allowance);
}

/** To be called with what a look-up found. */
export function rememberLookUp(c: AppContext, hash: string, found: boolean): void {
  if (found) {
    if (known.size >= MAX_REMEMBERED) known.delete(known.values().next().value as string);
    known.add(hash);
    return;
  }
  const limit = limitOf(c);
  const window = windows.get(limit.counter) ?? new SlidingWindow();
  if (windows.size >= MAX_REMEMBERED) windows.delete(windows.keys().next().value as string);
  windows.set(limit.counter, window);
  const allowance = window.take(limit.perMinute, Date.now());
  if (allowance.remaining === 0) rememberExhaustion(limit.counter, limit, allowance);
}

function limitOf(c: AppContext): Limit {
  return { policy: 'unknown-keys', counter: `unknown-keys:${networkOf(c)}`, perMinute: PER_MINUTE };
}
