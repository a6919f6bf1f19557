import type { Modules } from '../command/worker-modules.ts';
import type { Bill } from './simulation/platform.ts';
import {
  burst,
  COUNTED,
  flood,
  HOUR,
  hot,
  isolated,
  MINUTE,
  maxPerMinute,
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

function dollarsOf({ calls, rows, awakeMs }: Bill): number {
  return calls * PRICES.call + rows * PRICES.row + (awakeMs / SECOND) * OBJECT_GIGABYTES * PRICES.gigabyteSecond;
}

const perMillion = ({ bill }: Outcome) => (dollarsOf(bill) / bill.requests) * 1e6;
const dollars = (n: number) => `$${n.toFixed(2)}`;
const eachOf = ({ bill }: Outcome) => [bill.calls / bill.requests, bill.rows / bill.requests] as const;
const rate = (n: number) => n.toFixed(n < 0.1 ? 3 : 2);

interface Counted {
  readonly pattern: string;
  readonly outcome: Outcome;
  readonly figure: string;
  readonly goal: [text: string, isMet: boolean];
}

/** Patterns of requests by name. */
const PATTERNS: Readonly<Record<string, (modules: Modules) => Promise<Counted[]>>> = {
  async isolated(modules) {
    const outcome = await play(modules, isolated(5000));
    const cost = perMillion(outcome);
    const figure = `${dollars(cost)} per million`;
    return [{ pattern: 'anonymous, one request an address', outcome, figure, goal: ['≤ $0.60', cost <= 0.6] }];
  },
  async visits(modules) {
    const outcome = await play(modules, visits(500));
    const cost = perMillion(outcome);
    const figure = `${dollars(cost)} per million`;
    return [{ pattern: 'anonymous, ten requests a visit', outcome, figure, goal: ['≤ $0.50', cost <= 0.5] }];
  },
  async slow(modules) {
    const outcome = await play(modules, await steady(60, 15 * SECOND, 24 * HOUR));
    const [calls, rows] = eachOf(outcome);
    const goal: Counted['goal'] = ['1 call, ≤ 0.2 rows', calls < 1.1 && rows <= 0.2];
    const figure = `${rate(calls)} calls, ${rate(rows)} rows`;
    return [{ pattern: 'key, one request every 15 s, a day', outcome, figure, goal }];
  },
  async busy(modules) {
    const outcome = await play(modules, await steady(600, 200, HOUR));
    const [calls, rows] = eachOf(outcome);
    const perFive = outcome.bill.statements / ((HOUR + 15 * MINUTE) / (5 * MINUTE));
    return [
      {
        pattern: 'key, 5 requests a second, an hour',
        outcome,
        figure: `${rate(calls)} calls, ${rate(rows)} rows`,
        goal: ['≤ 0.3 calls, ≤ 0.05 rows', calls <= 0.3 && rows <= 0.05],
      },
      {
        pattern: 'the same, statements in five minutes',
        outcome,
        figure: rate(perFive),
        goal: ['≤ 1, and the look-ups of the key', perFive <= 1.5],
      },
    ];
  },
  async hot(modules) {
    const limit = 5000 * 60;
    const outcome = await play(modules, await hot(limit, { perSecond: 6000, instances: 50, seconds: 75 }));
    const [over, calls] = [maxPerMinute(outcome.through) / limit - 1, outcome.bill.calls / outcome.seconds];
    return [
      {
        pattern: 'hot key, 6,000 a second at 50 instances, limit 5,000',
        outcome,
        figure: `${(over * 100).toFixed(1)} % over, ${calls.toFixed(0)} calls/s`,
        goal: ['≤ 2 % over, ≤ 100 calls/s', over <= 0.02 && calls <= 100],
      },
    ];
  },
  async flood(modules) {
    const outcome = await play(modules, flood(1000, 60));
    const hourly = dollarsOf(outcome.bill) * 60;
    const figure = `${dollars(hourly)} an hour, ${outcome.through.length} let through`;
    return [{ pattern: 'a /48 attacking, 1,000 a second', outcome, figure, goal: ['≤ $3 an hour', hourly <= 3] }];
  },
  async burst(modules) {
    const outcome = await play(modules, await burst(8, 400));
    const { statements } = outcome.bill;
    const served = outcome.statuses.get(COUNTED) ?? 0;
    const goal: Counted['goal'] = ['8 look-ups, all answered', statements === 8 && served === 400];
    const figure = `${statements} look-ups, ${served} answered`;
    return [{ pattern: '400 requests at once, 8 new keys', outcome, figure, goal }];
  },
};

/**
 * Counts what requests cost, in simulated time on the Worker's own modules, and prints each goal with what was counted.
 *
 * @param modules of the Worker, from `buildWorker`
 * @param only the name of the one pattern that is asked for
 */
export async function measureCost(modules: Modules, only?: string): Promise<void> {
  const names = only === undefined ? Object.keys(PATTERNS) : [only];
  const rows: string[][] = [];
  for (const name of names) {
    const count = PATTERNS[name];
    if (!count) throw new Error(`Unknown pattern ${name}: choose ${Object.keys(PATTERNS).join(', ')}, or none.`);
    for (const { pattern, outcome, figure, goal } of await count(modules)) {
      const { bill } = outcome;
      console.error(pattern, figure, JSON.stringify(bill));
      const each = [bill.calls, bill.rows, bill.awakeMs].map((n) => rate(n / bill.requests));
      rows.push([pattern, String(bill.requests), ...each, String(bill.statements), figure, ...goalCells(...goal)]);
    }
  }
  const { call, row, gigabyteSecond } = PRICES;
  printTable(
    `What counting costs: a call ${dollars(call * 1e6)}, a row ${dollars(row * 1e6)}, a GB-second ${dollars(gigabyteSecond * 1e6)} a million`,
    ['pattern', 'requests', 'calls each', 'rows each', 'ms awake each', 'statements', 'counted', 'goal', ''],
    rows,
  );
}
