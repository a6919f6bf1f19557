import { createKeyToken, hashOf } from '../../src/auth/key-token.ts';
import { type Bill, Platform, type SimulatedKey } from './simulation/platform.ts';
import { goalCells, printTable } from './table.ts';

/** US dollars, as the platform publishes them: developers.cloudflare.com/durable-objects/platform/pricing, seen in November 2026. */
const PRICES = { call: 0.15e-6, row: 1e-6, gigabyteSecond: 12.5e-6 };
const OBJECT_GIGABYTES = 0.128;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A request whose parameter is refused: it is counted as all others are, and reads nothing. */
const PATH = '/v1/regions?limit=0';
const COUNTED = 422;
const REFUSED = 429;

const SETTINGS = {
  ENVIRONMENT: 'development',
  DATABASE_URL: 'postgres://bench:bench@127.0.0.1:1/bench',
  MASTER_TOKEN: 'token-of-the-simulated-worker',
  TILE_SESSION_SECRET: 'secret-of-tile-sessions-that-nobody-asks-for',
  SESSION_ISSUER: 'https://identity.example',
  SESSION_JWKS_URL: 'https://identity.example/jwks',
};

/** The hot key is simulated with a part of its instances, each of which asks as often: SCALE=1 simulates all. */
const SCALE = Number(process.env.SCALE ?? 5);

type Ask = ReturnType<Platform['instance']>;

/** What was asked in a scenario, and what it cost. */
interface Outcome {
  readonly bill: Bill;
  readonly statuses: ReadonlyMap<number, number>;
  /** When requests were let through, milliseconds. */
  readonly through: readonly number[];
  readonly seconds: number;
}

interface Scenario {
  readonly keys?: readonly SimulatedKey[];
  readonly settings?: object;
  readonly instances: number;
  /** Requests: when, by which instance, and with which headers. */
  requests(): Iterable<{ at: number; instance: number; headers: Record<string, string> }>;
  readonly path?: string;
  /** For how long after the last request what was begun goes on, milliseconds. */
  readonly after?: number;
}

async function play(
  script: string,
  { keys = [], settings = {}, instances, requests, path = PATH, after = 15 * MINUTE }: Scenario,
): Promise<Outcome> {
  const platform = new Platform(script, { settings: { ...SETTINGS, ...settings }, keys });
  const { clock } = platform;
  const start = clock.now;
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
  return { bill: platform.bill, statuses, through, seconds: Math.max(1, last / SECOND) };
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

function dollarsOf({ calls, rows, awakeMs }: Bill): number {
  return calls * PRICES.call + rows * PRICES.row + (awakeMs / SECOND) * OBJECT_GIGABYTES * PRICES.gigabyteSecond;
}

const perMillion = ({ bill }: Outcome) => (dollarsOf(bill) / bill.requests) * 1e6;
const dollars = (n: number) => `$${n.toFixed(2)}`;
const rate = (n: number) => n.toFixed(n < 0.1 ? 3 : 2);

const ipv4 = (i: number) => `203.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`;

/** One request an address, one a second. */
const isolated = (count: number): Scenario => ({
  instances: 5,
  *requests() {
    for (let i = 0; i < count; i += 1) {
      yield { at: i * SECOND, instance: i % 5, headers: { 'CF-Connecting-IP': ipv4(i) } };
    }
  },
});

/** Visitors who come every five seconds and make ten requests, one every two seconds. */
const visits = (count: number): Scenario => ({
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
async function steady(limit: number, pause: number, duration: number): Promise<Scenario> {
  const { headers, key } = await keyOf(limit);
  return {
    keys: [key],
    instances: 1,
    *requests() {
      for (let at = 0; at < duration; at += pause) yield { at, instance: 0, headers };
    },
  };
}

/** One key that asks many instances for more than its limit. */
async function hot(
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
const flood = (perSecond: number, seconds: number): Scenario => ({
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
async function burst(keys: number, count: number): Promise<Scenario> {
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

/** The most requests that were let through in any minute. */
function mostInAMinute(through: readonly number[]): number {
  let [first, most] = [0, 0];
  for (let i = 0; i < through.length; i += 1) {
    while ((through[first] as number) <= (through[i] as number) - MINUTE) first += 1;
    most = Math.max(most, i - first + 1);
  }
  return most;
}

/**
 * Counts what requests cost, in simulated time on the Worker's own script, and prints each goal with what was counted.
 *
 * @param script of the Worker, from `buildWorker`
 */
export async function measureCost(script: string): Promise<void> {
  const rows: string[][] = [];
  const add = (pattern: string, { bill }: Outcome, figure: string, goal: [string, boolean]) => {
    console.error(pattern, figure, JSON.stringify(bill));
    const each = [bill.calls, bill.rows, bill.awakeMs].map((n) => rate(n / bill.requests));
    rows.push([pattern, String(bill.requests), ...each, String(bill.statements), figure, ...goalCells(...goal)]);
  };
  const one = await play(script, isolated(5000));
  add('anonymous, one request an address', one, `${dollars(perMillion(one))} per million`, [
    '≤ $0.60',
    perMillion(one) <= 0.6,
  ]);
  const ten = await play(script, visits(500));
  add('anonymous, ten requests a visit', ten, `${dollars(perMillion(ten))} per million`, [
    '≤ $0.50',
    perMillion(ten) <= 0.5,
  ]);

  const slow = await play(script, await steady(60, 15 * SECOND, 24 * HOUR));
  const [slowCalls, slowRows] = [slow.bill.calls / slow.bill.requests, slow.bill.rows / slow.bill.requests];
  add('key, one request every 15 s, a day', slow, `${rate(slowCalls)} calls, ${rate(slowRows)} rows`, [
    '1 call, ≤ 0.2 rows',
    slowCalls < 1.1 && slowRows <= 0.2,
  ]);
  const busy = await play(script, await steady(600, 200, HOUR));
  const [busyCalls, busyRows] = [busy.bill.calls / busy.bill.requests, busy.bill.rows / busy.bill.requests];
  add('key, 5 requests a second, an hour', busy, `${rate(busyCalls)} calls, ${rate(busyRows)} rows`, [
    '≤ 0.3 calls, ≤ 0.05 rows',
    busyCalls <= 0.3 && busyRows <= 0.05,
  ]);
  const perFive = busy.bill.statements / ((HOUR + 15 * MINUTE) / (5 * MINUTE));
  add('the same, statements in five minutes', busy, rate(perFive), [
    '≤ 1, and the look-ups of the key',
    perFive <= 1.5,
  ]);

  const limit = 300_000 / SCALE;
  const many = await play(script, await hot(limit, { perSecond: 6000 / SCALE, instances: 50 / SCALE, seconds: 75 }));
  const [most, calls] = [mostInAMinute(many.through), (many.bill.calls / many.seconds) * SCALE];
  add(
    `hot key, 6,000 a second at 50 instances, limit 5,000 (a part of ${SCALE})`,
    many,
    `${((most / limit - 1) * 100).toFixed(1)} % over, ${calls.toFixed(0)} calls/s`,
    ['≤ 2 % over, ≤ 100 calls/s', most <= limit * 1.02 && calls <= 100],
  );
  const attack = await play(script, flood(1000, 60));
  const hourly = dollarsOf(attack.bill) * 60;
  add('a /48 attacking, 1,000 a second', attack, `${dollars(hourly)} an hour, ${attack.through.length} let through`, [
    '≤ $3 an hour',
    hourly <= 3,
  ]);
  const sudden = await play(script, await burst(8, 400));
  const served = sudden.statuses.get(COUNTED) ?? 0;
  add('400 requests at once, 8 new keys', sudden, `${sudden.bill.statements} look-ups, ${served} answered`, [
    '8 look-ups, all answered',
    sudden.bill.statements === 8 && served === 400,
  ]);
  const { call, row, gigabyteSecond } = PRICES;
  printTable(
    `What counting costs: a call ${dollars(call * 1e6)}, a row ${dollars(row * 1e6)}, a GB-second ${dollars(gigabyteSecond * 1e6)} a million`,
    ['pattern', 'requests', 'calls each', 'rows each', 'ms awake each', 'statements', 'counted', 'goal', ''],
    rows,
  );
}
