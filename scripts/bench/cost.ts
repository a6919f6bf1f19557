import type { Bill } from './simulation/platform.ts';
import {
  burst,
  COUNTED,
  flood,
  HOUR,
  hot,
  isolated,
  MINUTE,
  mostInAMinute,
  type Outcome,
  play,
  SECOND,
  steady,
  visits,
} from './simulation/scenarios.ts';
import { goalCells, printTable } from './table.ts';

/** US dollars, as the platform publishes them: developers.cloudflare.com/durable-objects/platform/pricing, seen in November 2026. */
const PRICES = { call: 0.15e-6, row: 1e-6, gigabyteSecond: 12.5e-6 };
const OBJECT_GIGABYTES = 0.128;

/** The hot key is simulated with a part of its instances, each of which asks as often: SCALE=1 simulates all. */
const SCALE = Number(process.env.SCALE ?? 5);

function dollarsOf({ calls, rows, awakeMs }: Bill): number {
  return calls * PRICES.call + rows * PRICES.row + (awakeMs / SECOND) * OBJECT_GIGABYTES * PRICES.gigabyteSecond;
}

const perMillion = ({ bill }: Outcome) => (dollarsOf(bill) / bill.requests) * 1e6;
const dollars = (n: number) => `$${n.toFixed(2)}`;
const rate = (n: number) => n.toFixed(n < 0.1 ? 3 : 2);

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
