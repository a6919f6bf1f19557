import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { inTurn } from '../../../src/features/page-turns.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('reads four pages at once, and the others as these end, also in a failure', async () => {
  const ends: ((fails: boolean) => void)[] = [];
  const page = () =>
    inTurn(
      () =>
        new Promise<void>((resolve, reject) => {
          ends.push((fails) => (fails ? reject(new Error('gone')) : resolve()));
        }),
    ).catch(() => undefined);
  const all = Array.from({ length: 6 }, page);
  await vi.advanceTimersByTimeAsync(100);
  expect(ends.length).toBe(4);
  ends[0]?.(true);
  await vi.advanceTimersByTimeAsync(20);
  expect(ends.length).toBe(5);
  ends[1]?.(false);
  await vi.advanceTimersByTimeAsync(20);
  expect(ends.length).toBe(6);
  for (const end of ends) end(false);
  await Promise.all(all);
});

it('does not wait for ever for pages that never end', async () => {
  for (let i = 0; i < 4; i += 1) void inTurn(() => new Promise(() => undefined));
  const read = vi.fn(async () => 'read');
  const waiting = inTurn(read);
  await vi.advanceTimersByTimeAsync(1900);
  expect(read).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  expect(await waiting).toBe('read');
});
