import { expect, it } from 'vitest';
import { AddressWindows } from '../../src/rate-limits/address-windows.ts';
import type { StoredWindow } from '../../src/rate-limits/durable-window.ts';

const NOW = 1_800_000_000_000;

/** The storage of an object, of which only this is used. */
function storage() {
  const stored = new Map<string, unknown>();
  const get = (name: string) => structuredClone(stored.get(name));
  const put = (name: string, value: unknown) => stored.set(name, structuredClone(value));
  return { get, put } as unknown as DurableObjectStorage['kv'];
}

const limits = [
  { network: 'narrow', perMinute: 30 },
  { network: 'wide', perMinute: 40 },
];

it('a request that counts as several is let through while one is free, and counts in full for a minute', () => {
  const windows = new AddressWindows(storage(), 'first');
  const take = (now: number, count?: number) =>
    windows.take({ limits, receipts: [], ...(count && { count }) }, now).allowances;
  expect(take(NOW)).toMatchObject([{ remaining: 29 }, { remaining: 39 }]);
  expect(take(NOW + 1000, 30)).toMatchObject([
    { allowed: true, remaining: 0, resetMs: 60_000 },
    { allowed: true, remaining: 9 },
  ]);
  expect(take(NOW + 60_999)).toMatchObject([{ allowed: false, remaining: 0, resetMs: 1 }]);
  expect(take(NOW + 61_000)).toMatchObject([{ remaining: 29 }, { remaining: 39 }]);
});

it('a request that was let through and turns out to count as more is not refused, and counts in full', () => {
  const windows = new AddressWindows(storage(), 'first');
  windows.take({ limits, receipts: [], count: 30 }, NOW);
  const { allowances } = windows.take({ limits, receipts: [], count: 5, isMore: true }, NOW + 1000);
  expect(allowances).toMatchObject([
    { allowed: true, remaining: 0 },
    { allowed: true, remaining: 5 },
  ]);
  expect(windows.take({ limits, receipts: [] }, NOW + 60_000).allowances).toMatchObject([{ remaining: 24 }, {}]);
});

it('what a wider network refuses does not count for the narrower one, however much it counts as', () => {
  const windows = new AddressWindows(storage(), 'first');
  const others = [{ network: 'other', perMinute: 60 }, limits[1] as (typeof limits)[number]];
  windows.take({ limits: others, receipts: [], count: 40 }, NOW);
  const refused = windows.take({ limits, receipts: [], count: 20 }, NOW + 1).allowances;
  expect(refused.map(({ allowed }) => allowed)).toEqual([true, false]);
  const narrow = windows.take({ limits: limits.slice(0, 1), receipts: [] }, NOW + 2).allowances;
  expect(narrow).toMatchObject([{ remaining: 29 }]);
});

it.each([1, 20])('so it does after an eviction, where it counts as %i', (count) => {
  const kv = storage();
  const windows = new AddressWindows(kv, 'first');
  const others = [{ network: 'other', perMinute: 60 }, limits[1] as (typeof limits)[number]];
  windows.take({ limits: others, receipts: [], count: 40 }, NOW);
  const { allowances, receipt } = windows.take({ limits, receipts: [], count }, NOW + 1);
  expect(allowances).toMatchObject([{ allowed: true, remaining: 30 }, { allowed: false }]);
  const receipts = receipt ? [receipt] : [];
  const narrow = { limits: limits.slice(0, 1), receipts };
  expect(new AddressWindows(kv, 'second').take(narrow, NOW + 20_000).allowances).toMatchObject([{ remaining: 29 }]);
});

it('has an entry for a quarter of a second, where a limit is high', () => {
  const kv = storage();
  const windows = new AddressWindows(kv, 'first');
  const high = [{ network: 'high', perMinute: 6000 }];
  for (let i = 0; i < 1000; i += 1) windows.take({ limits: high, receipts: [], count: 2 }, NOW + i);
  const [[, { entries }]] = kv.get('windows') as [[string, StoredWindow]];
  expect(entries.length).toBeLessThanOrEqual(5);
});

it('counts after an eviction what a request counted as', () => {
  const kv = storage();
  const { receipt } = new AddressWindows(kv, 'first').take({ limits, receipts: [], count: 25 }, NOW);
  const receipts = receipt ? [receipt] : [];
  const [own] = new AddressWindows(kv, 'second').take({ limits, receipts }, NOW + 20_000).allowances;
  expect(own?.remaining).toBeLessThanOrEqual(4);
});

it('counts by its receipt what was let through before an eviction and not written, for the narrowest network', () => {
  const kv = storage();
  const { receipt } = new AddressWindows(kv, 'first').take({ limits, receipts: [] }, NOW);
  const receipts = receipt ? [receipt] : [];
  const { allowances } = new AddressWindows(kv, 'second').take({ limits, receipts }, NOW + 20_000);
  expect(allowances).toMatchObject([{ remaining: 28 }, { remaining: 39 }]);
});
