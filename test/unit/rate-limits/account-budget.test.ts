import { scheduler } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AccountBudget, type BudgetStore } from '../../../src/rate-limits/account-budget.ts';
import type { StoredWindow } from '../../../src/rate-limits/durable-window.ts';
import { AccountPermits } from '../../../src/rate-limits/permits.ts';

const MINUTE = 60_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** An account of some keys, which ask it through as few calls as they need. */
function account(limit: number, keys: number) {
  const budget = new AccountBudget();
  const permits = Array.from({ length: keys }, () => new AccountPermits());
  const calls = { leases: 0, lost: new Set<number>(), away: 0 };
  const take = (key: number) =>
    (permits[key] as AccountPermits).take(async (request) => {
      calls.leases += 1;
      if (calls.away > 0) {
        calls.away -= 1;
        throw new Error('Network connection lost.');
      }
      await Promise.resolve();
      return budget.lease(limit, { ...request, counter: String(key) }, async (counter, which) => {
        if (calls.lost.has(Number(counter))) throw new Error('Network connection lost.');
        return (permits[Number(counter)] as AccountPermits).giveBack(which);
      });
    }, limit);
  return { take, calls, forget: (key: number) => permits.splice(key, 1, new AccountPermits()) };
}

const steps = fc.array(
  fc.record({ pause: fc.oneof(fc.constant(0), fc.nat(300), fc.nat(15_000)), key: fc.nat(3), count: fc.nat(40) }),
  { minLength: 1, maxLength: 40 },
);

it('lets exactly as many requests of all keys through in any minute as one window would', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.constantFrom(1, 20, 60, 150, 600), async (made, limit) => {
      const { take } = account(limit, 4);
      let admitted: number[] = [];
      for (const { pause, key, count } of made) {
        vi.setSystemTime(Date.now() + pause);
        const answers = await Promise.all(Array.from({ length: count }, () => take(key)));
        admitted = admitted.filter((time) => time > Date.now() - MINUTE);
        const allowed = answers.filter((answer) => answer.allowed).length;
        expect(allowed).toBe(Math.min(count, limit - admitted.length));
        admitted.push(...Array<number>(allowed).fill(Date.now()));
      }
    }),
    { numRuns: 150 },
  );
});

it('never lets more through where objects lose their memory or can not be asked for what they have to spare', async () => {
  const faults = fc.array(fc.record({ at: fc.nat(39), key: fc.nat(3), isLost: fc.boolean() }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(steps, faults, async (made, broken) => {
      const limit = 120;
      const { take, calls, forget } = account(limit, 4);
      const admitted: number[] = [];
      for (const [i, { pause, key, count }] of made.entries()) {
        vi.setSystemTime(Date.now() + pause);
        for (const fault of broken.filter(({ at }) => at === i)) {
          if (fault.isLost) calls.lost.add(fault.key);
          else forget(fault.key);
        }
        const answers = await Promise.all(Array.from({ length: count }, () => take(key)));
        for (const { allowed } of answers) if (allowed) admitted.push(Date.now());
        expect(admitted.filter((time) => time > Date.now() - MINUTE).length).toBeLessThanOrEqual(limit);
      }
    }),
    { numRuns: 100 },
  );
});

it('asks the account once for several requests while plenty is left, and for each where the limit is small', async () => {
  for (const [limit, leases] of [
    [600, 10],
    [20, 20],
  ] as const) {
    const { take, calls } = account(limit, 1);
    for (let i = 0; i < 100; i += 1) {
      await take(0);
      vi.setSystemTime(Date.now() + 100);
      if (i === 19 && limit === 20) break;
    }
    expect(calls.leases).toBe(leases);
  }
});

it('lets requests that come while it asks use what it gets to spare, and instances hold permits of the rest', async () => {
  const budget = new AccountBudget();
  const permits = new AccountPermits();
  let calls = 0;
  const takeTwo = async () => {
    const given = await permits.takeUpTo(
      async (request) => {
        calls += 1;
        await scheduler.wait(1);
        return budget.lease(6000, { ...request, counter: 'one' }, () => Promise.reject(new Error('Not asked here')));
      },
      6000,
      { wanted: 2, isSlow: false },
    );
    return [given?.granted, permits.takeSpare(5, Date.now())];
  };
  // A second's worth, 100, is to spare behind the first two; each of the others uses two, and holds five.
  const answers = await Promise.all(Array.from({ length: 10 }, takeTwo));
  expect(answers).toEqual(Array(10).fill([2, 5]));
  expect(calls).toBe(1);
});

it('spares all that is free for the only key of a large account, and a quarter of it where there is another', async () => {
  const budget = new AccountBudget();
  const never = () => Promise.reject(new Error('Not asked here'));
  // The end of a quarter of a second, until which requests count.
  vi.setSystemTime(1_800_000_000_000);
  expect((await budget.lease(6000, ask('one', 1, 5940), never)).spare).toBe(60);
  vi.setSystemTime(Date.now() + MINUTE - 1);
  expect((await budget.lease(6000, ask('one', 2, 20), never)).spare).toBe(40);
  vi.setSystemTime(Date.now() + 1);
  expect((await budget.lease(6000, ask('other', 1, 5860), never)).spare).toBe(20);
});

it('has an entry for a quarter of a second, where the limit is high', async () => {
  let stored: StoredWindow | undefined;
  const write = (window: StoredWindow) => {
    stored = structuredClone(window);
  };
  const shares = { readShares: () => [], writeShares: () => undefined };
  const budget = new AccountBudget({ window: { read: () => undefined, write }, ...shares });
  const start = Date.now();
  for (let i = 1; i <= 1000; i += 1) {
    vi.setSystemTime(start + i);
    await budget.lease(6000, { ...ask('one', i, 1), usedAgo: [i % 7] }, () => Promise.resolve([]));
  }
  const made = stored?.entries.filter(([time]) => time < start + 1500) ?? [];
  expect(made.length).toBeGreaterThan(0);
  expect(made.length).toBeLessThanOrEqual(6);
});

it('goes on where the clock is set back by an hour', async () => {
  const { take } = account(2, 2);
  const rests: unknown[] = [];
  for (const pause of [0, 1000, 0, -60 * MINUTE, 71_000, 0, 0]) {
    vi.setSystemTime(Date.now() + pause);
    rests.push((await take(0)).allowed);
  }
  expect(rests).toEqual([true, true, false, false, true, true, false]);
});

it('counts later what went through while the account did not answer, and asks again soon', async () => {
  for (const [limit, away] of [
    [20, 1],
    [20, 4],
    [120, 1],
  ] as const) {
    const { take, calls } = account(limit, 1);
    calls.away = away;
    let through = 0;
    for (let i = 0; i < limit + 10; i += 1) {
      through += Number(
        await take(0).then(
          ({ allowed }) => allowed,
          () => true,
        ),
      );
    }
    expect(through).toBe(limit);
  }
});

/** A request for permits of the only instance of a key, which has used nothing that was to spare. */
const ask = (counter: string, number: number, wanted: number) => ({
  counter,
  memory: 'm',
  number,
  wanted,
  usedAgo: [],
});

it('counts what is given back too late once', async () => {
  const budget = new AccountBudget();
  const never = () => Promise.reject(new Error('Not asked here'));
  expect((await budget.lease(120, ask('one', 1, 1), never)).spare).toBe(2);
  let answer: (used: number[]) => void = () => undefined;
  const slow = () =>
    new Promise<number[]>((resolve) => {
      answer = resolve;
    });
  expect((await budget.lease(120, ask('other', 1, 120), slow)).granted).toBe(117);
  answer([0]);
  await Promise.resolve();
  expect((await budget.lease(120, ask('other', 2, 5), never)).granted).toBe(1);
});

it('gives a request that comes late nothing to spare', async () => {
  const budget = new AccountBudget();
  await budget.lease(600, ask('other', 1, 200), () => Promise.resolve([]));
  // While the first request waits for what the other key gives back, a later one of the same key is answered.
  let later: { spare: number } | undefined;
  const first = await budget.lease(600, ask('one', 1, 395), async () => {
    later = await budget.lease(1200, ask('one', 2, 1), () => Promise.resolve([]));
    return [];
  });
  expect([later?.spare, first.spare]).toEqual([20, 0]);
});

/** An account and keys whose objects are evicted, each with what it has stored. */
function evictable(limit: number, keys: number) {
  const stored = { window: undefined as StoredWindow | undefined, shares: [] as ReturnType<BudgetStore['readShares']> };
  const store: BudgetStore = {
    window: {
      read: () => structuredClone(stored.window),
      write: (window) => {
        stored.window = structuredClone(window);
      },
    },
    readShares: () => structuredClone(stored.shares),
    writeShares: (shares) => {
      stored.shares = structuredClone(shares);
    },
  };
  let incarnations = 0;
  const newBudget = () => new AccountBudget(store, String(++incarnations));
  let budget = newBudget();
  const untils: (number | undefined)[] = [];
  const newPermits = (key: number) =>
    new AccountPermits({
      read: () => untils[key],
      write: (until) => {
        untils[key] = until;
      },
    });
  const permits = Array.from({ length: keys }, (_, key) => newPermits(key));
  return {
    evictAccount: () => {
      budget = newBudget();
    },
    evictKey: (key: number) => permits.splice(key, 1, newPermits(key)),
    /** How many of some requests are let through. */
    take: async (key: number, wanted: number, isSlow: boolean) => {
      const given = await (permits[key] as AccountPermits).takeUpTo(
        (request) =>
          budget.lease(limit, { ...request, counter: String(key) }, async (counter, which) =>
            (permits[Number(counter)] as AccountPermits).giveBack(which),
          ),
        limit,
        { wanted, isSlow },
      );
      return given ? given.granted : wanted;
    },
  };
}

it('never lets more through where its own object is evicted, and those of keys after ten seconds of sleep', async () => {
  const schedule = fc.array(
    fc.record({
      pause: fc.oneof(fc.constant(0), fc.nat(300), fc.nat(25_000)),
      key: fc.nat(3),
      count: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 40 })),
      isEvicted: fc.boolean(),
      isSlow: fc.boolean(),
      sleeps: fc.boolean(),
    }),
    { minLength: 1, maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(schedule, fc.constantFrom(5, 60, 120, 600), async (made, limit) => {
      const { evictAccount, evictKey, take } = evictable(limit, 4);
      const lastUsed = [0, 0, 0, 0];
      let admitted: number[] = [];
      let evictions = 0;
      for (const { pause, key, count, isEvicted, isSlow, sleeps } of made) {
        vi.setSystemTime(Date.now() + pause);
        if (isEvicted) {
          evictAccount();
          evictions += 1;
        }
        for (const other of lastUsed.keys()) {
          if (sleeps && Date.now() - (lastUsed[other] as number) >= 10_000) evictKey(other);
        }
        lastUsed[key] = Date.now();
        const granted = await take(key, count, isSlow);
        admitted = admitted.filter((time) => time > Date.now() - MINUTE);
        admitted.push(...Array<number>(granted).fill(Date.now()));
        // The first request of an incarnation is not written where nothing that is written counts: see `DurableWindow`.
        expect(admitted.length).toBeLessThanOrEqual(limit + (limit < 30 ? 0 : evictions));
      }
    }),
    { numRuns: 200 },
  );
});

it('gives a slow key a share, and takes it back before another key is refused', async () => {
  const { evictKey, take } = evictable(60, 2);
  expect(await take(0, 1, true)).toBe(1);
  for (let i = 0; i < 3; i += 1) {
    vi.setSystemTime(Date.now() + 15_000);
    evictKey(0);
    expect(await take(0, 1, true)).toBe(1);
  }
  vi.setSystemTime(Date.now() + 61_000);
  evictKey(0);
  // What the key made of its share is not known any more, so all of it counts: six.
  expect(await take(1, 60, false)).toBe(54);
  evictKey(0);
  expect(await take(0, 1, true)).toBe(0);
});

it('counts what a key made of its share, and ends the share with the next request that asks', async () => {
  const { evictKey, take } = evictable(60, 3);
  expect(await take(0, 1, true)).toBe(1);
  for (let i = 0; i < 2; i += 1) {
    vi.setSystemTime(Date.now() + 10_000);
    expect(await take(0, 1, true)).toBe(1);
  }
  // The object of the key knows what it made: three.
  expect(await take(1, 60, false)).toBe(57);
  vi.setSystemTime(Date.now() + 61_000);
  expect(await take(0, 1, true)).toBe(1);
  expect(await take(0, 1, true)).toBe(1);
  vi.setSystemTime(Date.now() + 11_000);
  expect(await take(2, 58, false)).toBe(58);
  evictKey(0);
  expect(await take(0, 1, false)).toBe(0);
});

it('is looked at only after what keys have to spare came back, and says whether anything is free', async () => {
  const budget = new AccountBudget();
  const request = { counter: 'a', memory: 'm', number: 1, wanted: 100, ahead: 100, usedAgo: [] };
  const { spare } = await budget.lease(6000, request, async () => []);
  expect(spare).toBeGreaterThan(0);
  const givesBack = async () => {
    await scheduler.wait(1);
    return [];
  };
  expect(await budget.look(6000, givesBack)).toMatchObject({ allowed: true, remaining: 5900 });
  expect(await budget.look(100, givesBack)).toMatchObject({ allowed: false, remaining: 0 });
});
