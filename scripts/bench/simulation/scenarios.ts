import { createKeyToken, hashOf } from '../../../src/auth/key-token.ts';
import type { Modules } from '../../command/worker-modules.ts';
import { type Bill, Platform, type SimulatedKey } from './platform.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** A request whose parameter is refused: it is counted as all others are, and reads nothing. */
const PATH = '/v1/regions?limit=0';
export const COUNTED = 422;
const REFUSED = 429;

const SETTINGS = {
  ENVIRONMENT: 'development',
  DATABASE_URL: 'postgres://bench:bench@127.0.0.1:1/bench',
  MASTER_TOKEN: 'token-of-the-simulated-worker',
  TILE_SESSION_SECRET: 'secret-of-tile-sessions-that-nobody-asks-for',
  SESSION_ISSUER: 'https://identity.example',
  SESSION_JWKS_URL: 'https://identity.example/jwks',
};

type Ask = ReturnType<Platform['instance']>;

/** The requests of a scenario and their cost. */
export interface Outcome {
  readonly bill: Bill;
  readonly statuses: ReadonlyMap<number, number>;
  /** Times of allowed requests, milliseconds. */
  readonly through: readonly number[];
  readonly seconds: number;
  /** Requests recorded in the database at the end. */
  readonly recorded: number;
}

interface Scenario {
  readonly keys?: readonly SimulatedKey[];
  readonly settings?: object;
  readonly instances: number;
  /** Requests: when, by which instance, and with which headers. */
  requests(): Iterable<{ at: number; instance: number; headers: Record<string, string> }>;
  readonly path?: string;
  /** Outage of the database, milliseconds. */
  readonly away?: readonly [from: number, to: number];
  /** How long the simulation continues after the last request, milliseconds. */
  readonly after?: number;
}

export async function play(
  modules: Modules,
  { keys = [], settings = {}, instances, requests, path = PATH, away, after = 15 * MINUTE }: Scenario,
): Promise<Outcome> {
  const platform = new Platform(modules, { settings: { ...SETTINGS, ...settings }, keys });
  const { clock } = platform;
  const start = clock.now;
  for (const [i, time] of (away ?? []).entries()) {
    clock.at(start + time, () => {
      platform.isDatabaseAway = i === 0;
    });
  }
  const asks: Ask[] = Array.from({ length: instances }, () => platform.instance());
  const statuses = new Map<number, number>();
  const through: number[] = [];
  let last = 0;
  for (const { at, instance, headers } of requests()) {
    if (start + at > clock.now) await clock.runUntil(start + at);
    last = at;
    void (asks[instance] as Ask)(path, headers).then((status) => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status !== REFUSED) through.push(clock.now - start);
    });
  }
  await clock.runUntil(start + last + after);
  const recorded = [...platform.usage.values()].reduce((sum, requests) => sum + requests, 0);
  return { bill: platform.bill, statuses, through, seconds: Math.max(1, last / SECOND), recorded };
}

async function keyOf(
  requestsPerMinute: number,
  name = crypto.randomUUID(),
): Promise<{ headers: Record<string, string>; key: SimulatedKey }> {
  const { token, prefix } = createKeyToken('live');
  const row = {
    id: name,
    hash: await hashOf(token),
    scopes: null,
    rate_limit_rpm: String(requestsPerMinute),
    account_rpm: null,
    user_id: crypto.randomUUID(),
    email: null,
    is_admin: 'f',
    status: 'active',
    expires_at: null,
  };
  return { headers: { Authorization: `Bearer ${token}` }, key: { prefix, row } };
}

const ipv4 = (i: number) => `203.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`;

/** One request an address, one a second. */
export const isolated = (count: number): Scenario => ({
  instances: 5,
  *requests() {
    for (let i = 0; i < count; i += 1) {
      yield { at: i * SECOND, instance: i % 5, headers: { 'CF-Connecting-IP': ipv4(i) } };
    }
  },
});

/** Visitors who come every five seconds and make ten requests, one every two seconds. */
export const visits = (count: number): Scenario => ({
  instances: 5,
  *requests() {
    const made = Array.from({ length: count * 10 }, (_, i) => {
      const visitor = Math.floor(i / 10);
      return { at: visitor * 5 * SECOND + (i % 10) * 2 * SECOND, visitor };
    }).sort((a, b) => a.at - b.at);
    for (const { at, visitor } of made) {
      yield { at, instance: visitor % 5, headers: { 'CF-Connecting-IP': ipv4(visitor) } };
    }
  },
});

/** One key that asks one instance at a constant pace. */
export async function steady(limit: number, interval: number, duration: number): Promise<Scenario> {
  const { headers, key } = await keyOf(limit);
  return {
    keys: [key],
    instances: 1,
    *requests() {
      for (let at = 0; at < duration; at += interval) yield { at, instance: 0, headers };
    },
  };
}

/** One key that asks many instances for more than its limit. */
export async function hot(
  limit: number,
  { perSecond, instances, seconds }: { perSecond: number; instances: number; seconds: number },
): Promise<Scenario> {
  const { headers, key } = await keyOf(limit);
  return {
    keys: [key],
    settings: { ACCOUNT_RPM: String(limit) },
    instances,
    after: MINUTE,
    *requests() {
      for (let i = 0; i < perSecond * seconds; i += 1) {
        yield { at: Math.floor((i * SECOND) / perSecond), instance: i % instances, headers };
      }
    },
  };
}

/** Addresses of one network of IPv6, each in a part of its own that a household would have. */
export const flood = (perSecond: number, seconds: number): Scenario => ({
  instances: 5,
  after: MINUTE,
  *requests() {
    for (let i = 0; i < perSecond * seconds; i += 1) {
      const address = `2001:db8:1:${(i % 65_536).toString(16)}::1`;
      yield { at: Math.floor((i * SECOND) / perSecond), instance: i % 5, headers: { 'CF-Connecting-IP': address } };
    }
  },
});

/** Requests at once with keys that nothing knows yet. */
export async function burst(keys: number, count: number): Promise<Scenario> {
  const made = await Promise.all(Array.from({ length: keys }, () => keyOf(600)));
  return {
    keys: made.map(({ key }) => key),
    instances: 4,
    after: 5 * SECOND,
    *requests() {
      for (let i = 0; i < count; i += 1) {
        yield {
          at: 0,
          instance: (i >> 3) % 4,
          headers: (made[i % keys] as { headers: Record<string, string> }).headers,
        };
      }
    },
  };
}

/** Max allowed requests in any minute. */
export function maxPerMinute(through: readonly number[]): number {
  let [first, max] = [0, 0];
  for (let i = 0; i < through.length; i += 1) {
    while ((through[first] as number) <= (through[i] as number) - MINUTE) first += 1;
    max = Math.max(max, i - first + 1);
  }
  return max;
}
