import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CachedValue, type CachePolicy } from '../../src/cached-value.ts';
import { steadyTime } from '../../src/clock.ts';
import { Deadline } from '../../src/deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const SECOND = 1000;
const POLICY: CachePolicy = { ttl: 10 * SECOND, abandonAfter: 2 * SECOND };
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

/** A cell whose source gives the number of the load, late and with failures where it is told to. */
function cellOf(policy: Partial<CachePolicy> = {}) {
  const cell = new CachedValue<number>({ ...POLICY, ...policy });
  const source: { loads: number; late: number; error?: Error | undefined } = { loads: 0, late: 0 };
  const load = async () => {
    const { late, error } = source;
    source.loads += 1;
    const load = source.loads;
    if (late > 0) await new Promise((end) => setTimeout(end, late));
    if (error) throw error;
    return load;
  };
  const loading = (given: Partial<Parameters<typeof cell.get>[0]> = {}) => ({
    deadline: new Deadline(),
    load,
    ...given,
  });
  return { cell, source, load, loading, get: () => cell.get(loading()) };
}

describe('a cached value', () => {
  it('is loaded once, and again when it is older than its TTL', async () => {
    const { get, source } = cellOf();
    expect([await get(), await get()]).toEqual([1, 1]);
    await pass(10 * SECOND);
    expect([await get(), source.loads]).toEqual([1, 1]);
    await pass(1);
    expect([await get(), source.loads]).toEqual([2, 2]);
  });

  it('is as old as the beginning of its load', async () => {
    const { get, source } = cellOf({ ttl: SECOND });
    source.late = 900;
    const first = get();
    await pass(900);
    expect(await first).toBe(1);
    source.late = 0;
    await pass(101);
    expect(await get()).toBe(2);
  });

  it('is refreshed beside a request from an age on, by one of them at a time and not sooner than after the backoff', async () => {
    const { cell, source, loading } = cellOf({ refreshAfter: 5 * SECOND, backoff: 3 * SECOND });
    const refreshes: Promise<void>[] = [];
    const background = (refresh: (load: () => Promise<number>) => Promise<void>) =>
      void refreshes.push(refresh(loading().load));
    const get = () => cell.get(loading({ background }));
    await get();
    await pass(5 * SECOND);
    expect([await get(), refreshes.length]).toEqual([1, 0]);
    await pass(1);
    source.error = new Error('not now');
    source.late = 100;
    expect([await get(), await get(), refreshes.length]).toEqual([1, 1, 1]);
    await pass(100);
    // It never throws, and after its failure nobody tries for a while.
    await expect(refreshes[0]).resolves.toBeUndefined();
    expect([await get(), refreshes.length]).toEqual([1, 1]);
    source.error = undefined;
    source.late = 0;
    await pass(3 * SECOND);
    expect([await get(), await get(), refreshes.length]).toEqual([1, 3, 2]);
  });

  it('is used while no newer one can be loaded, up to its greatest age', async () => {
    const { cell, get, source } = cellOf({ maxStale: 60 * SECOND });
    await get();
    source.error = new Error('not now');
    await pass(60 * SECOND);
    expect([await get(), cell.value]).toEqual([1, 1]);
    await pass(1);
    await expect(get()).rejects.toThrow('not now');
    expect(cell.value).toBeUndefined();
  });

  it('that is stale is used without waiting while another request loads', async () => {
    const { get, source } = cellOf({ maxStale: 60 * SECOND });
    await get();
    await pass(11 * SECOND);
    source.late = SECOND;
    const first = get();
    expect(await get()).toBe(1);
    await pass(SECOND);
    expect([await first, source.loads]).toEqual([2, 2]);
  });

  it('that was put is as old as is said', async () => {
    const { cell, get } = cellOf({ maxStale: 60 * SECOND });
    cell.put(7, 10 * SECOND);
    expect(await get()).toBe(7);
    await pass(1);
    expect(await get()).toBe(1);
  });

  it('is loaded again for who wants another one', async () => {
    const { cell, get, loading } = cellOf();
    expect(await get()).toBe(1);
    expect(await cell.get(loading({ isWanted: (value) => value === 2 }))).toBe(2);
    expect(await get()).toBe(2);
  });

  it('that was forgotten is loaded again at once, and what a load from before brings is not cached', async () => {
    const { cell, get, source } = cellOf({ backoff: 5 * SECOND });
    source.late = SECOND;
    const early = get();
    await pass(500);
    cell.forget();
    source.late = 100;
    const later = get();
    await pass(100);
    expect(await later).toBe(2);
    await pass(400);
    expect([await early, await get(), source.loads]).toEqual([1, 2, 2]);
  });
});

describe('failures', () => {
  it('are thrown again during the backoff, which does not grow while nothing can be used', async () => {
    const { cell, get, source } = cellOf({ backoff: 5 * SECOND, maxBackoff: 60 * SECOND });
    source.error = new Error('not now');
    for (const loads of [1, 2, 3]) {
      await expect(get()).rejects.toThrow('not now');
      await pass(5 * SECOND - 1);
      await expect(get()).rejects.toThrow('not now');
      expect([source.loads, cell.nextLoadAt - steadyTime()]).toEqual([loads, 1]);
      await pass(1);
    }
  });

  it('in a row double the backoff up to the longest while a value can be used, until a load succeeds', async () => {
    const { get, source } = cellOf({ ttl: 0, maxStale: 3600 * SECOND, backoff: 5 * SECOND, maxBackoff: 18 * SECOND });
    await get();
    source.error = new Error('not now');
    const loadsEvery = async (backoff: number) => {
      await pass(backoff - 1);
      expect(await get()).toBe(1);
      const before = source.loads;
      await pass(1);
      await get();
      return source.loads - before;
    };
    for (const backoff of [5, 5, 10, 18, 18])
      expect([backoff, await loadsEvery(backoff * SECOND)]).toEqual([backoff, 1]);
    source.error = undefined;
    await pass(18 * SECOND);
    expect(await get()).toBe(7);
    source.error = new Error('not now');
    await pass(5 * SECOND);
    await get();
    await pass(5 * SECOND);
    await get();
    expect(source.loads).toBe(9);
  });

  it('of one request let the next one load at once', async () => {
    const { get, source } = cellOf({ backoff: 5 * SECOND, isRequestFault: (error) => error === source.error });
    source.error = new Error('too late');
    await expect(get()).rejects.toThrow('too late');
    source.error = undefined;
    expect(await get()).toBe(2);
  });
});

describe('one request loads for all', () => {
  it('and others get what it loads, or load by themselves where it fails', async () => {
    const { get, source } = cellOf();
    source.late = SECOND;
    const all = Promise.all([get(), get(), get()]);
    await pass(SECOND + 10);
    expect([await all, source.loads]).toEqual([[1, 1, 1], 1]);
    await pass(10 * SECOND);
    source.error = new Error('not now');
    const failing = expect(get()).rejects.toThrow('not now');
    source.error = undefined;
    const other = get();
    await pass(2 * SECOND + 10);
    await failing;
    expect(await other).toBe(3);
  });

  it('until its load counts as abandoned', async () => {
    const { get, source } = cellOf();
    source.late = 3600 * SECOND;
    void get();
    source.late = 0;
    const other = get();
    await pass(1990);
    expect(source.loads).toBe(1);
    await pass(10);
    expect([await other, source.loads]).toEqual([2, 2]);
  });

  it('while others have time to wait beside what they reserve', async () => {
    const { get, cell, source, loading } = cellOf({ reserve: SECOND });
    source.late = 1900;
    const first = get();
    const other = cell.get(loading({ deadline: new Deadline('all', 1500) }));
    await pass(480);
    expect(source.loads).toBe(1);
    await pass(20);
    // Its own load finds out that there is no time. That of the first still counts.
    expect(source.loads).toBe(2);
    await pass(1400);
    expect([await first, await get(), source.loads]).toEqual([1, 1, 2]);
    await pass(500);
    expect([await other, await get()]).toEqual([2, 1]);
  });

  it('a reload takes place unless a load has just begun', async () => {
    const { cell, get, source, loading } = cellOf({ backoff: 5 * SECOND });
    await get();
    expect(await cell.reload(loading())).toBe(1);
    await pass(5 * SECOND);
    source.late = 100;
    const both = Promise.all([cell.reload(loading()), cell.reload(loading())]);
    await pass(110);
    expect([await both, source.loads]).toEqual([[2, 2], 2]);
  });
});
