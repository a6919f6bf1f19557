import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deadline } from '../../src/deadline.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const answerAfter = (milliseconds: number) => () =>
  new Promise<string>((resolve) => setTimeout(() => resolve('answer'), milliseconds));

describe('the deadline of a request', () => {
  it('is for all waits together, where those at the same time count once and other time does not', async () => {
    const deadline = new Deadline();
    const both = Promise.all([deadline.count(answerAfter(1000)), deadline.within(4000, answerAfter(500))]);
    await vi.advanceTimersByTimeAsync(600);
    expect(deadline.left).toBe(3900);
    await vi.advanceTimersByTimeAsync(400);
    await both;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(deadline.left).toBe(3500);
    deadline.renew();
    expect(deadline.left).toBe(4500);
  });

  it('does not count short waits of parts of long work, and never lets long ones add up to more than the whole', async () => {
    const deadline = new Deadline();
    const part = async (milliseconds: number) => {
      const waiting = deadline.within(4000, answerAfter(milliseconds));
      waiting.catch(() => undefined);
      await vi.advanceTimersByTimeAsync(milliseconds);
      await waiting;
      deadline.partDone();
      return deadline.left;
    };
    for (let i = 0; i < 10; i += 1) expect(await part(1500)).toBe(4500);
    expect([await part(1600), await part(100), await part(2000), await part(800)]).toEqual([2900, 2900, 900, 900]);
    await expect(part(1000)).rejects.toThrow('no answer in 900 ms');
    deadline.renew();
    expect(deadline.left).toBe(4500);
    // A wait that goes on while a part is done belongs to the next one.
    const waiting = deadline.within(4000, answerAfter(1200));
    await vi.advanceTimersByTimeAsync(1000);
    deadline.partDone();
    await vi.advanceTimersByTimeAsync(200);
    await waiting;
    expect(deadline.left).toBe(4300);
  });

  it('ends a wait that takes too long, and begins none that has no time', async () => {
    const deadline = new Deadline();
    const first = expect(deadline.within(4000, answerAfter(60_000))).rejects.toThrow('no answer in 4000 ms');
    await vi.advanceTimersByTimeAsync(4000);
    await first;
    const second = expect(deadline.within(4000, answerAfter(60_000))).rejects.toThrow('no answer in 500 ms');
    await vi.advanceTimersByTimeAsync(500);
    await second;
    const start = vi.fn(answerAfter(0));
    await expect(deadline.within(4000, start)).rejects.toThrow('no time left');
    expect(start).not.toHaveBeenCalled();
  });

  it('sets no timer that outlives its wait', async () => {
    const deadline = new Deadline();
    const failing = () => {
      throw new Error('Not now');
    };
    await expect(deadline.within(4000, failing)).rejects.toThrow('Not now');
    await expect(deadline.within(4000, async () => 'answer')).resolves.toBe('answer');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is for each wait by itself in work that nobody waits for', async () => {
    const deadline = new Deadline('each');
    for (let i = 0; i < 3; i += 1) {
      const wait = deadline.within(4000, answerAfter(3000));
      await vi.advanceTimersByTimeAsync(3000);
      expect(await wait).toBe('answer');
    }
  });
});
