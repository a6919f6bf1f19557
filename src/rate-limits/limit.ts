import { crc32 } from '../crc32.ts';
import { siteOf } from './client-address.ts';

/** The window that requests are counted in, seconds. It slides. */
export const WINDOW_SECONDS = 60;

/** Requests per minute of a key that has no limit of its own. */
export const DEFAULT_KEY_RPM = 60;

/** Up to this limit permits are held ahead only while there is plenty: nobody is to see less than was promised. */
export const EXACT_LIMIT = 600;

/** Whether so much of a limit is free that others won't miss what somebody holds for a moment: a quarter. */
export function isPlenty(limit: number, free: number): boolean {
  return free * 4 > limit;
}

/** How many requests a caller may make. */
export interface Limit {
  /**
   * Which requests are counted: those of a key, of all keys of an account, of an address without a key, of all addresses of a
   * network, of an address that sends keys that don't exist, of an address with a session, or of all sessions of an
   * account, or the work of a signed-in person that counts as several requests.
   * It is the name of the policy in the headers.
   */
  readonly policy: 'key' | 'account' | 'free-tier' | 'network' | 'unknown-keys' | 'session' | 'sessions' | 'work';
  /** Name of the counter: one per policy and key or address. */
  readonly counter: string;
  readonly perMinute: number;
  /** The name under which instances remember that the limit is used up: the hash of a key, or the counter of an address. */
  readonly holder: string;
  /** The key whose usage is recorded; undefined without one. */
  readonly keyId?: string;
  /** Of a key: what all keys of its account may make together. */
  readonly accountPerMinute?: number;
  /** Another limit that holds for the same requests, with the same counter. */
  readonly wider?: Limit;
}

/** The name of a key's counter, by the prefix of the key: so it can be asked before anything else is known of the key. */
export function keyCounter(prefix: string): string {
  return `key:${prefix}`;
}

/** The name of the counter of all keys of a user. */
export function accountCounter(userId: string): string {
  return `account:${userId}`;
}

interface LimitedKey {
  readonly prefix: string;
  /** Of the whole key. */
  readonly hash: string;
  readonly keyId: string;
  readonly perMinute: number;
  readonly accountPerMinute: number;
}

export function keyLimit({ prefix, hash, keyId, perMinute, accountPerMinute }: LimitedKey): Limit {
  return { policy: 'key', counter: keyCounter(prefix), perMinute, holder: hash, keyId, accountPerMinute };
}

/** The limit of the account of a key, as the counter of the key knows it. */
export function accountLimit(key: Limit, perMinute: number): Limit {
  return { ...key, policy: 'account', perMinute };
}

/** How many objects share the addresses of a part of the world. */
const ADDRESS_COUNTERS = 64;

/** How many times the limit of a network all networks of its site may use together. */
const SITE_SHARE = 16;

/**
 * The limit of a caller without credentials. That of an IPv6 address has a wider one, of its site: a /48 is what one customer
 * of a provider may have, 65,536 networks of a household each. All of a site have the same counter.
 *
 * @param network see `clientNetwork`
 * @param place where the address is, such as its continent: so that its counter is near
 */
export function addressLimit(network: string, place: string, perMinute: number): Limit {
  const site = siteOf(network);
  const counter = `addresses:${place}:${crc32(new TextEncoder().encode(site ?? network)) % ADDRESS_COUNTERS}`;
  const own: Limit = { policy: 'free-tier', counter, perMinute, holder: `address:${network}` };
  if (site === undefined) return own;
  const wider: Limit = { policy: 'network', counter, perMinute: perMinute * SITE_SHARE, holder: `network:${site}` };
  return { ...own, wider };
}

/** How many times the limit of an address all addresses with sessions of one account may use together. */
const SESSION_SHARE = 5;

/**
 * The limit of tools with a session in their URL. Each network has its own, and all together have that of the account that the
 * session is of: whoever passes a session on passes on a part of it.
 *
 * @param address the limit of the caller without the session
 * @param account undefined for a session of the master token, which has no account
 */
export function linkSessionLimit(
  address: Limit,
  { account, perMinute }: { account: string | undefined; perMinute: number },
): Limit {
  const own = { policy: 'session', perMinute, holder: `session ${account}:${address.holder}` } as const;
  if (account === undefined) return { ...own, counter: address.counter };
  const counter = `sessions:${account}`;
  const wider = { policy: 'sessions', counter, perMinute: perMinute * SESSION_SHARE, holder: counter } as const;
  return { ...own, counter, wider };
}

/**
 * The limit of what a signed-in person asks that counts as several requests.
 *
 * @param subject who it is to the identity provider
 */
export function workLimit(subject: string, perMinute: number): Limit {
  const counter = `work:${subject}`;
  return { policy: 'work', counter, perMinute, holder: counter };
}

/** What is left of a limit. */
export interface Allowance {
  readonly allowed: boolean;
  /** Requests that may follow at once. */
  readonly remaining: number;
  /** Milliseconds until the oldest request leaves the window, so that one more may be made. */
  readonly resetMs: number;
}

/** How many of several requests are let through, and what is left after these. */
export interface Granted {
  readonly granted: number;
  readonly remaining: number;
  readonly resetMs: number;
}

/** A limit, and what is left of it. */
export interface Count {
  readonly limit: Limit;
  readonly allowance: Allowance;
}

/** What a request asks for that counts as several. */
export interface More {
  /** The name of the key's counter, by which its account knows it. */
  readonly counter: string;
  /** How many more. */
  readonly count: number;
  readonly perMinute: number;
  readonly accountPerMinute: number;
  /** Whether the request is refused where not all of them are let through: then it does not count at all. */
  readonly isWhole: boolean;
}

/** What of that is let through. */
export interface Taken {
  readonly taken: number;
  /** Whether the counter knows the key, and as an active one. It knows nothing of a key that was just changed. */
  readonly isActive: boolean;
  readonly allowance: Allowance;
  /** Of the account; undefined where it was not asked or did not answer. */
  readonly account: Allowance | undefined;
  /** When they were taken, milliseconds since the epoch. */
  readonly at: number;
}

/** What was taken for work that has failed. */
export interface Failed extends Pick<Taken, 'taken' | 'at'> {
  readonly perMinute: number;
  /** Whether the account was charged too. */
  readonly isOfAccount: boolean;
}

/** @throws TypeError if what a counter says is no allowance, as that of another version of the Worker may be */
export function requireAllowance(answer: Allowance | undefined): Allowance {
  const { allowed, remaining, resetMs } = answer ?? {};
  if (answer && typeof allowed === 'boolean' && Number.isFinite(remaining) && Number.isFinite(resetMs)) return answer;
  throw new TypeError('The counter gave no allowance');
}

/** @throws TypeError the same for several requests */
export function requireGranted(answer: Granted | undefined): void {
  const { granted, remaining, resetMs } = answer ?? {};
  if ([granted, remaining, resetMs].every(Number.isFinite)) return;
  throw new TypeError('The counter gave no allowance');
}

/** The header fields of draft-ietf-httpapi-ratelimit-headers-10. */
export function limitHeaders(counts: readonly Count[]): Record<string, string> {
  const items = (item: (count: Count) => string) => counts.map(item).join(', ');
  return {
    'RateLimit-Policy': items(({ limit }) => `"${limit.policy}";q=${limit.perMinute};w=${WINDOW_SECONDS}`),
    RateLimit: items(
      ({ limit, allowance: { remaining, resetMs } }) => `"${limit.policy}";r=${remaining};t=${secondsOf(resetMs)}`,
    ),
  };
}

/** Milliseconds as whole seconds, rounded up. */
export function secondsOf(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}
