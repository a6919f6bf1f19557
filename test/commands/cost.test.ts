import { beforeAll, describe, expect, it } from 'vitest';
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
} from '../../scripts/bench/simulation/scenarios.ts';
import { buildWorker } from '../../scripts/command/worker-build.ts';
import type { Modules } from '../../scripts/command/worker-modules.ts';

// The Worker's own modules in simulated time, as `npm run bench -- cost` runs it: what is held here are the counts behind the
// table of docs/deploy.md.

let modules: Modules;
beforeAll(async () => {
  ({ modules } = await buildWorker());
});

const each = ({ bill }: Outcome) => ({
  calls: bill.calls / bill.requests,
  rows: bill.rows / bill.requests,
  awakeMs: bill.awakeMs / bill.requests,
});

describe('counting', () => {
  it('of a caller without credentials is one call and no row for one request, and a row for three of a visit', async () => {
    expect(each(await play(modules, isolated(100)))).toEqual({ calls: 1, rows: 0, awakeMs: 1 });
    const { calls, rows, awakeMs } = each(await play(modules, visits(20)));
    expect([calls, awakeMs]).toEqual([1, 1]);
    expect(rows).toBeLessThanOrEqual(0.3);
  });

  it('of a key that is used every fifteen seconds is little more than one call, and keeps nothing awake', async () => {
    const { calls, rows, awakeMs } = each(await play(modules, await steady(60, 15 * SECOND, 4 * HOUR)));
    expect(calls).toBeLessThan(1.1);
    expect(rows).toBeLessThanOrEqual(0.21);
    expect(awakeMs).toBeLessThan(5);
  });

  it('of a key with five requests a second asks once for several, and the database less than once in five minutes', async () => {
    const outcome = await play(modules, await steady(600, 200, 20 * MINUTE));
    const { calls, rows, awakeMs } = each(outcome);
    expect(calls).toBeLessThanOrEqual(0.3);
    expect(rows).toBeLessThanOrEqual(0.05);
    expect(awakeMs).toBeLessThan(5);
    expect(outcome.bill.statements).toBeLessThanOrEqual(7);
  });

  it('lets no more than two of a hundred above a limit through that many instances share', async () => {
    const limit = 12_000;
    const { through, bill, seconds } = await play(
      modules,
      await hot(limit, { perSecond: 300, instances: 3, seconds: 65 }),
    );
    expect(maxPerMinute(through)).toBeLessThanOrEqual(limit * 1.02);
    expect(maxPerMinute(through)).toBeGreaterThan(limit * 0.95);
    // Two a second for each instance, and one for the account.
    expect(bill.calls / seconds).toBeLessThanOrEqual(7);
  });

  it('of a key at fifty instances asks about once a second for each of them', async () => {
    const { through, bill } = await play(modules, await hot(300_000, { perSecond: 6000, instances: 50, seconds: 3 }));
    expect(through).toHaveLength(18_000);
    // The first second has more: an instance gets as many permits as it had requests before.
    expect(bill.calls).toBeLessThanOrEqual(600);
  });

  it('of an attack from one network costs a call for what is let through, and few for all that is refused', async () => {
    const { through, bill } = await play(modules, flood(200, 20));
    expect(through).toHaveLength(480);
    expect(bill.calls).toBeLessThan(600);
  });

  it('loses nothing of what keys were used for while the database is away for an hour, and counters are evicted', async () => {
    const away = [30 * MINUTE, 90 * MINUTE] as const;
    for (const pause of [12 * SECOND, SECOND]) {
      const scenario = { ...(await steady(120, pause, 2 * HOUR)), away, after: 2 * HOUR };
      const { bill, statuses, recorded } = await play(modules, scenario);
      expect(statuses).toEqual(new Map([[COUNTED, bill.requests]]));
      expect(recorded).toBe(bill.requests);
    }
  });

  it('looks each of many keys up once that come at once and that nothing knows', async () => {
    const { statuses, bill } = await play(modules, await burst(8, 400));
    expect(statuses).toEqual(new Map([[COUNTED, 400]]));
    expect(bill.statements).toBe(8);
  });
});
