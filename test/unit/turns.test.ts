import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Turns } from '../../src/turn.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('does four works at once, and the others as these end, also in a failure', async () => {
  const turns = new Turns({ max: 4, maxMs: 2000 });
  const ends: ((fails: boolean) => void)[] = [];
  const work = () =>
    turns
      .take(
        () =>
          new Promise<void>((resolve, reject) => {
            ends.push((fails) => (fails ? reject(new Error('gone')) : resolve()));
          }),
      )
      .catch(() => undefined);
  const all = Array.from({ length: 6 }, work);
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

it('does not wait for ever for works that never end', async () => {
  const turns = new Turns({ max: 4, maxMs: 2000 });
  for (let i = 0; i < 4; i += 1) void turns.take(() => new Promise(() => undefined));
  const read = vi.fn(async () => 'read');
  const waiting = turns.take(read);
  await vi.advanceTimersByTimeAsync(1900);
  expect(read).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  expect(await waiting).toBe('read');
});

it('leaves a long work its turn while it says that it goes on', async () => {
  const turns = new Turns({ max: 1, maxMs: 2000 });
  const long = turns.take(async (goesOn) => {
    for (let i = 0; i < 10; i += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      goesOn();
    }
  });
  const read = vi.fn(async () => 'read');
  const waiting = turns.take(read);
  await vi.advanceTimersByTimeAsync(9500);
  expect(read).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1000);
  await Promise.all([long, waiting]);
});
