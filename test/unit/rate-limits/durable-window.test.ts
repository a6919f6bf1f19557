import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DurableWindow, type Receipt, type StoredWindow } from '../../../src/rate-limits/durable-window.ts';

const MINUTE = 60_000;
const LEASE_MS = 1000;

/** A counter that may be evicted, what it has stored, and an instance that keeps its receipts. */
function counter() {
  let stored: StoredWindow | undefined;
  let writes = 0;
  let incarnations = 0;
  let window: DurableWindow | undefined;
  let incarnation = '';
  const store = {
    read: () => structuredClone(stored),
    write: (next: StoredWindow) => {
      stored = structuredClone(next);
      writes += 1;
    },
  };
  return {
    evict: () => {
      window = undefined;
    },
    at: (now: number): DurableWindow => {
      if (!window) {
        incarnations += 1;
        incarnation = String(incarnations);
        window = new DurableWindow(store, { incarnation, now });
      }
      return window;
    },
    get writes() {
      return writes;
    },
  };
}

const steps = fc.array(
  fc.record({
    pause: fc.oneof(fc.constant(0), fc.nat(300), fc.nat(15_000)),
    count: fc.integer({ min: 1, max: 40 }),
    isLease: fc.boolean(),
    isEvicted: fc.boolean(),
    instance: fc.nat(2),
  }),
  { minLength: 1, maxLength: 60 },
);

/** The most requests in any minute. */
function mostInAMinute(times: readonly number[]): number {
  return Math.max(0, ...times.map((time) => times.filter((other) => other > time - MINUTE && other <= time).length));
}

it.each([
  ['all instances tell', true],
  ['instances tell of their own requests', false],
])('never lets more through than its limit, wherever it is evicted, and %s what was not written', (_, isShared) => {
  fc.assert(
    fc.property(steps, fc.constantFrom(1, 5, 29, 30, 60, 600, 1200), fc.nat(1000), (made, limit, used) => {
      const object = counter();
      const receipts: Receipt[][] = [[], [], []];
      const times: number[] = [];
      let now = 1_000_000;
      let evictions = 0;
      for (const { pause, count, isLease, isEvicted, instance } of made) {
        now += pause;
        if (isEvicted) {
          object.evict();
          evictions += 1;
        }
        const window = object.at(now);
        const own = receipts[isShared ? 0 : instance] as Receipt[];
        window.accept(own, now);
        const { granted } = window.takeUpTo(limit, now, count);
        for (let i = 0; i < granted; i += 1) times.push(now);
        const receipt = granted > 0 && window.receiptAt(now);
        if (receipt) own.push(receipt);
        if (!isLease || granted < count) continue;
        // Whoever holds permits uses them at any moment of the second.
        const { permits } = window.lease(limit, now, count);
        for (let i = 0; i < permits; i += 1) times.push(now + Math.min(used, LEASE_MS));
      }
      // A request of another instance is forgotten with each eviction at most, and only where limits are not small.
      const slack = isShared || limit < 30 ? 0 : evictions;
      expect(mostInAMinute(times.sort((a, b) => a - b))).toBeLessThanOrEqual(limit + slack);
    }),
    { numRuns: 300 },
  );
});

it('writes nothing for a caller who is slower than evictions, and a fraction of a row for a busy one', () => {
  const slow = counter();
  for (let now = 0; now < 20 * MINUTE; now += 15_000) {
    slow.evict();
    expect(slow.at(now).take(60, now).allowed).toBe(true);
  }
  expect(slow.writes).toBe(0);
  const busy = counter();
  for (let now = 0; now < 10 * MINUTE; now += 200) expect(busy.at(now).take(600, now).allowed).toBe(true);
  expect(busy.writes / 3000).toBeLessThan(0.02);
});

it.each([
  [29, 0],
  [30, 1],
  [60, 1],
])(
  'counts all that it may have let through after an eviction, and what is stored for a minute: of %i',
  (limit, ahead) => {
    const object = counter();
    for (let i = 0; i < 2; i += 1) object.at(0).take(limit, 0);
    object.evict();
    // The second request was written, with one that might have followed it where the limit is not small.
    expect(object.at(0).free(limit, 0)).toBe(limit - 2 - ahead);
    object.evict();
    expect(object.at(2 * MINUTE).free(limit, 2 * MINUTE)).toBe(limit);
  },
);

it('never refuses a caller who uses less than half of the limit, however often it is evicted in between', () => {
  const schedule = fc.array(
    fc.record({
      pause: fc.oneof(fc.nat(2000), fc.integer({ min: 10_000, max: 30_000 })),
      count: fc.integer({ min: 1, max: 9 }),
    }),
    { minLength: 1, maxLength: 80 },
  );
  fc.assert(
    fc.property(schedule, fc.constantFrom(30, 60, 600), (made, limit) => {
      const object = counter();
      let times: number[] = [];
      let now = 1_000_000;
      for (const { pause, count } of made) {
        now += pause;
        if (pause >= 10_000) object.evict();
        // What was written ahead counts until 81 seconds after it.
        times = times.filter((time) => time > now - 82_000);
        const wanted = Math.min(count, Math.floor(limit / 2) - times.length);
        for (let i = 0; i < wanted; i += 1) {
          expect(object.at(now).take(limit, now).allowed).toBe(true);
          times.push(now);
        }
      }
    }),
    { numRuns: 300 },
  );
});

it('counts what is reserved, and not yet used, after an eviction', () => {
  const object = counter();
  object.at(0).add(600, { time: 0, now: 0 });
  object.at(0).reserve(600, 0, 10);
  object.at(0).reserve(600, 0, 10);
  object.evict();
  expect(object.at(0).free(600, 0)).toBeLessThanOrEqual(579);
});

it('is exact for small limits, whatever is evicted', () => {
  const object = counter();
  for (const remaining of [4, 3, 2, 1, 0]) {
    object.evict();
    expect(object.at(0).take(5, 0)).toMatchObject({ allowed: true, remaining });
  }
  object.evict();
  expect(object.at(0).take(5, 0).allowed).toBe(false);
});

it('goes on where the clock is set back by an hour', () => {
  const object = counter();
  const hour = 60 * MINUTE;
  for (let i = 0; i < 30; i += 1) expect(object.at(hour).take(30, hour).allowed).toBe(true);
  object.evict();
  expect(object.at(0).take(30, 0).allowed).toBe(false);
  object.evict();
  expect(object.at(MINUTE + 30_000).take(30, MINUTE + 30_000).allowed).toBe(true);
});

it('counts what receipts of the last minute say, each once, and no older ones', () => {
  const now = 10 * MINUTE;
  const window = counter().at(now);
  const receipts = [now, now - MINUTE + 1, now - MINUTE].map((at, i) => ({ incarnation: `earlier ${i}`, at }));
  window.accept(receipts, now);
  window.accept(receipts, now);
  expect(window.free(100, now)).toBe(98);
});

it('counts permits from the end of the second in which they may be used', () => {
  const now = 10 * MINUTE;
  const window = counter().at(now);
  expect(window.lease(60, now, 5)).toEqual({ permits: 5, at: now + LEASE_MS });
  expect([window.free(60, now + MINUTE), window.free(60, now + MINUTE + LEASE_MS)]).toEqual([55, 60]);
});
