import { BoundedMap } from '../bounded-map.ts';
import { steadyTime } from '../clock.ts';
import { LEASE_MS } from '../rate-limits/durable-window.ts';
import type { Allowance, Granted } from '../rate-limits/limit.ts';
import { SharedAsk } from '../rate-limits/shared-ask.ts';
import type { Admission, Admitted, KeyFacts, Leased } from './known-key.ts';
import type { User } from './principal.ts';

/** How long a second's requests are counted over, milliseconds. */
const PACE_MS = 1000;

/** What the counter says to one request with a key. */
export interface AdmittedOne extends KeyFacts {
  /** Undefined for a key that is not active, whose requests don't count. */
  readonly allowance: Allowance | undefined;
  /** Of the account; undefined where it was not asked. */
  readonly account: Allowance | undefined;
  readonly uncounted: string | undefined;
  readonly epoch: string | undefined;
  readonly user: User | undefined;
}

export type AdmissionOfOne = Exclude<Admission, Admitted> | AdmittedOne;

interface Held {
  readonly leased: Leased;
  readonly admitted: Admitted;
  left: number;
  /** By `steadyTime`. */
  readonly until: number;
}

/** What an instance knows of how one key is used with it. */
class KeyPermits {
  readonly #shared = new SharedAsk<AdmissionOfOne>();
  #held: Held | undefined;
  #second = 0;
  #requests = 0;
  #requestsBefore = 0;

  /**
   * Lets one request through by a permit that the instance holds, or asks the counter for all requests that wait.
   *
   * @param ask asks for as many requests as `join` gives, and for how many more that are likely soon; it tells what of the last
   * lease nobody used
   */
  take(
    ask: (join: () => number, more: { ahead: number; unused: Leased | undefined }) => Promise<Admission | undefined>,
  ): Promise<AdmissionOfOne | undefined> {
    this.#notePace();
    const held = this.#useHeld();
    if (held) return Promise.resolve(held);
    return this.#shared.ask(async (join) => {
      const unused = this.#held && this.#held.left > 0 ? { ...this.#held.leased, permits: this.#held.left } : undefined;
      this.#held = undefined;
      // The second of a lease begins before the counter gives it, wherever that is.
      const until = steadyTime() + LEASE_MS;
      const admission = await ask(join, { ahead: this.#pace, unused });
      if (!admission || !('keyId' in admission)) return () => admission as AdmissionOfOne;
      const { lease } = admission;
      if (lease) this.#held = { leased: lease, admitted: admission, left: lease.permits, until };
      return (i) => partOf(admission, i);
    });
  }

  /** The instance gives up what it holds. */
  drop(): void {
    this.#held = undefined;
  }

  /** How many requests there were in a second, this one or the last. */
  get #pace(): number {
    return Math.max(this.#requests, this.#requestsBefore);
  }

  #notePace(): void {
    const second = Math.floor(steadyTime() / PACE_MS);
    if (second !== this.#second) {
      this.#requestsBefore = second === this.#second + 1 ? this.#requests : 0;
      this.#requests = 0;
      this.#second = second;
    }
    this.#requests += 1;
  }

  #useHeld(): AdmittedOne | undefined {
    const held = this.#held;
    if (!held || held.left === 0 || steadyTime() >= held.until) return undefined;
    const { expiresAt, own, account } = held.admitted;
    if (expiresAt !== null && expiresAt <= Date.now()) return undefined;
    held.left -= 1;
    const left = (granted: Granted): Allowance => {
      const { remaining, resetMs } = granted;
      return { allowed: true, remaining: remaining + held.left, resetMs };
    };
    const { status, keyId, scopes, rateLimitRpm, accountRpm } = held.admitted;
    const facts = { status, keyId, scopes, rateLimitRpm, accountRpm, expiresAt };
    const unknown = { uncounted: undefined, epoch: undefined, user: undefined };
    return { ...facts, ...unknown, allowance: own && left(own), account: account && left(account) };
  }
}

/** By the hash of a key, so that nobody uses what is held for another secret. */
const permits = new BoundedMap<string, KeyPermits & { prefix?: string }>(1000);

export function permitsOf({ hash, prefix }: { hash: string; prefix: string }): KeyPermits {
  let found = permits.get(hash);
  if (!found) {
    found = Object.assign(new KeyPermits(), { prefix });
    permits.set(hash, found);
  }
  return found;
}

/** Call this when a key is changed: this instance then asks its counter for the next request. */
export function dropPermits(prefix: string): void {
  for (const found of permits.values()) if (found.prefix === prefix) found.drop();
}

/** What of an answer to several requests is that to one of them. Only the first asks the database again. */
function partOf({ own, account, lease, receipt: _, epoch, ...facts }: Admitted, i: number): AdmittedOne {
  const one = { ...facts, epoch: i === 0 ? epoch : undefined };
  if (!own) return { ...one, allowance: undefined, account: undefined };
  const through = account?.granted ?? own.granted;
  const isAllowed = i < own.granted;
  return {
    ...one,
    allowance: {
      allowed: isAllowed,
      remaining: own.remaining + (lease?.permits ?? 0) + after(through, i),
      resetMs: own.resetMs,
    },
    account:
      isAllowed && account
        ? { allowed: i < through, remaining: account.remaining + after(through, i), resetMs: account.resetMs }
        : undefined,
  };
}

/** How many requests that were let through come after one of them. */
function after(granted: number, i: number): number {
  return Math.max(0, granted - 1 - i);
}
