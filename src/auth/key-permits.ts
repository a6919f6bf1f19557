import { BoundedMap } from '../bounded-map.ts';
import { steadyTime } from '../clock.ts';
import { LEASE_MS } from '../rate-limits/durable-window.ts';
import type { Allowance, Granted } from '../rate-limits/limit.ts';
import { AGAIN, SharedAsk } from '../rate-limits/shared-ask.ts';
import type { Admission, Admitted, KeyFacts, Leased } from './cached-key.ts';
import type { User } from './principal.ts';

/** How long a second's requests are counted over, milliseconds. */
const PACE_MS = 1000;

/** For how many seconds the pace of a key is cached, of which some requests are refused without asking its counter. */
const PACE_SECONDS = 5;

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
  /** Until when the counter is not asked, by `steadyTime`, because too little is free. */
  #starved: { readonly admitted: Admitted; readonly until: number } | undefined;
  /** How often it gave up what it holds. What it has asked for before is not held. */
  #drops = 0;
  #second = 0;
  #requests = 0;
  #requestsBefore = 0;

  /**
   * Lets one request through by a permit that the instance holds, or asks the counter for all requests that wait.
   *
   * @param ask asks for as many requests as `join` gives, and for how many more that are likely soon; it
   * gives back what of the last lease was not used
   */
  take(
    ask: (join: () => number, more: { ahead: number; unused: Leased | undefined }) => Promise<Admission | undefined>,
  ): Promise<AdmissionOfOne | undefined> {
    this.#notePace();
    const known = this.#useHeld() ?? this.#refuseStarved();
    if (known) return Promise.resolve(known);
    return this.#shared.ask(async (join) => {
      const unused = this.#held && { ...this.#held.leased, permits: this.#held.left };
      this.#held = undefined;
      // The second of a lease begins before the counter gives it, wherever that is.
      const until = steadyTime() + LEASE_MS;
      const drops = this.#drops;
      const admission = await ask(join, { ahead: this.#pace, unused });
      if (!admission || !('keyId' in admission)) return () => admission as AdmissionOfOne;
      const { lease } = admission;
      const isCurrent = drops === this.#drops;
      if (isCurrent) this.#starved = admission.isScarce ? { admitted: admission, until } : undefined;
      if (isCurrent && lease) this.#held = { leased: lease, admitted: admission, left: lease.permits, until };
      return (i) => (admission.isStale && i > 0 ? AGAIN : partOf(admission, i));
    });
  }

  /** The instance gives up what it holds. */
  drop(): void {
    this.#drops += 1;
    this.#held = undefined;
    this.#starved = undefined;
  }

  /** How many requests there were in a second, this one or the last. */
  get #pace(): number {
    return Math.max(this.#requests, this.#requestsBefore);
  }

  #notePace(): void {
    const second = Math.floor(steadyTime() / PACE_MS);
    if (second !== this.#second) {
      const isRecent = second - this.#second <= PACE_SECONDS;
      this.#requestsBefore = isRecent ? Math.max(this.#requests, Math.floor(this.#requestsBefore / 2)) : 0;
      this.#requests = 0;
      this.#second = second;
    }
    this.#requests += 1;
  }

  #refuseStarved(): AdmittedOne | undefined {
    const starved = this.#starved;
    const resetMs = starved ? starved.until - steadyTime() : 0;
    if (!starved || resetMs <= 0 || resetMs > LEASE_MS) return undefined;
    const { own, account } = starved.admitted;
    const none = { allowed: false, remaining: 0, resetMs };
    const isOfAccount = (account?.remaining ?? Number.POSITIVE_INFINITY) < (own?.remaining ?? 0);
    const allowance = isOfAccount && own ? { allowed: true, remaining: own.remaining, resetMs } : none;
    return { ...factsOf(starved.admitted), allowance, account: isOfAccount ? none : undefined };
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
    return { ...factsOf(held.admitted), allowance: own && left(own), account: account && left(account) };
  }
}

/** By the hash of a key, so that nobody uses what is held for another secret. */
const permits = new BoundedMap<string, KeyPermits & { prefix?: string }>(1000);

export function permitsOf({ hash, prefix }: { hash: string; prefix: string }): KeyPermits {
  const found = permits.get(hash) ?? Object.assign(new KeyPermits(), { prefix });
  // It becomes the newest, so that the map evicts the one that was used longest ago.
  permits.set(hash, found);
  return found;
}

/** Call this when a key is changed: this instance then asks its counter for the next request. */
export function dropPermits(prefix: string): void {
  for (const found of permits.values()) if (found.prefix === prefix) found.drop();
}

/** What of an answer to several requests is that to one of them. Only the first asks the database again. */
function partOf(admitted: Admitted, i: number): AdmittedOne {
  const { own, account, lease, uncounted, epoch, user } = admitted;
  const one = { ...factsOf(admitted), uncounted, user, epoch: i === 0 ? epoch : undefined };
  if (!own) return { ...one, allowance: undefined, account: undefined };
  const held = lease?.permits ?? 0;
  const through = account?.granted ?? own.granted;
  const isAllowed = i < own.granted;
  return {
    ...one,
    allowance: {
      allowed: isAllowed,
      remaining: own.remaining + held + after(through, i),
      resetMs: own.resetMs,
    },
    account:
      isAllowed && account
        ? { allowed: i < through, remaining: account.remaining + held + after(through, i), resetMs: account.resetMs }
        : undefined,
  };
}

/** What is known of a key without asking. */
function factsOf({ status, keyId, scopes, rateLimitRpm, accountRpm, expiresAt }: Admitted) {
  const unknown = { uncounted: undefined, epoch: undefined, user: undefined };
  return { status, keyId, scopes, rateLimitRpm, accountRpm, expiresAt, ...unknown };
}

/** How many requests that were let through come after one of them. */
function after(granted: number, i: number): number {
  return Math.max(0, granted - 1 - i);
}
