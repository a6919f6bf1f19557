import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SlidingWindow } from '../../../src/rate-limits/sliding-window.ts';

const MINUTE = 60_000;

/** The rule in its simplest form: all admitted requests are remembered, and counted each time. */
function naive() {
  const admitted: number[] = [];
  const counted = (now: number) => admitted.filter((time) => time > now - MINUTE).length;
  return (limit: number, now: number) => {
    const allowed = counted(now) < limit;
    if (allowed) admitted.push(now);
    let free = now;
    // The first moment at which one request fewer counts than now, or one more would be admitted.
    const target = Math.min(counted(now), limit) - 1;
    while (counted(free) > target) free = Math.min(...admitted.filter((time) => time > free - MINUTE)) + MINUTE;
    return { allowed, remaining: Math.max(0, limit - counted(now)), resetMs: free - now };
  };
}

const requests = fc.array(fc.record({ pause: fc.oneof(fc.nat(3), fc.nat(500), fc.nat(40_000)) }), { maxLength: 60 });

it('admits what the simplest count admits, and gives the same remainder', () => {
  fc.assert(
    fc.property(requests, fc.integer({ min: 1, max: 8 }), (made, limit) => {
      const [window, model] = [new SlidingWindow(), naive()];
      let now = 1_000_000;
      for (const { pause } of made) {
        now += pause;
        expect(window.take(limit, now)).toEqual(model(limit, now));
      }
    }),
    { numRuns: 500 },
  );
});

it('does so where the limit changes on the way', () => {
  const limits = fc.array(fc.tuple(fc.nat(20_000), fc.integer({ min: 1, max: 6 })), { maxLength: 40 });
  fc.assert(
    fc.property(limits, (made) => {
      const [window, model] = [new SlidingWindow(), naive()];
      let now = 0;
      for (const [pause, limit] of made) {
        now += pause;
        expect(window.take(limit, now)).toEqual(model(limit, now));
      }
    }),
    { numRuns: 500 },
  );
});

it('never admits more than the limit in any minute, and admits the first that it said it would', () => {
  fc.assert(
    fc.property(requests, fc.integer({ min: 1, max: 5 }), (made, limit) => {
      const window = new SlidingWindow();
      const admitted: number[] = [];
      let now = 0;
      for (const { pause } of made) {
        now += pause;
        const { allowed, resetMs } = window.take(limit, now);
        if (allowed) admitted.push(now);
        else {
          expect(window.take(limit, now + resetMs - 1).allowed).toBe(false);
          now += resetMs;
          expect(window.take(limit, now).allowed).toBe(true);
          admitted.push(now);
        }
      }
      for (const time of admitted) {
        expect(admitted.filter((other) => other > time - MINUTE && other <= time).length).toBeLessThanOrEqual(limit);
      }
    }),
    { numRuns: 300 },
  );
});

it('goes on a minute after the clock was set back, and admits no more until then', () => {
  const window = new SlidingWindow();
  const hours = 3_600_000;
  const made: [now: number, allowed: boolean, resetMs: number][] = [
    [2 * hours, true, 60_000],
    [2 * hours + 10_000, true, 50_000],
    [hours, false, 60_000],
    [hours + 59_999, false, 1],
    [hours + 60_000, true, 60_000],
  ];
  for (const [now, allowed, resetMs] of made) expect(window.take(2, now)).toMatchObject({ allowed, resetMs });
});
