import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BoundedMap, TtlMap } from '../../src/bounded-map.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a bounded map drops its oldest entry for a new one, and an entry that is set again is the newest', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
});

it('an entry of a TTL map ends when its own time is over, and the entries of a condition are deleted', () => {
  const map = new TtlMap<string, number>(3);
  map.set('short', 1, 1000);
  map.set('long', 2, 2000);
  map.set('gone', 3, 2000);
  map.deleteWhere((value) => value === 3);
  expect(['short', 'long', 'gone'].map((key) => map.get(key))).toEqual([1, 2, undefined]);
  vi.advanceTimersByTime(999);
  expect(map.get('short')).toBe(1);
  vi.advanceTimersByTime(1);
  expect([map.get('short'), map.get('long')]).toEqual([undefined, 2]);
  map.set('b', 4, 1000);
  map.set('c', 5, 1000);
  map.set('d', 6, 1000);
  expect(map.get('long')).toBeUndefined();
});
