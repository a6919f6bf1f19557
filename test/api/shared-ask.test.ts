import { expect, it, vi } from 'vitest';
import { AGAIN, SharedAsk } from '../../src/rate-limits/shared-ask.ts';

/** Something that is asked, which answers when it is told to, each request with its number. */
function slowly() {
  const shared = new SharedAsk<number>();
  const asked: { count: number; answer: (partOf?: (i: number) => number | typeof AGAIN) => void; fail: () => void }[] =
    [];
  const ask = () =>
    shared.ask(async (join) => {
      const { promise, resolve, reject } = Promise.withResolvers<(i: number) => number | typeof AGAIN>();
      const answer = (partOf = (i: number): number | typeof AGAIN => i) => resolve(partOf);
      asked.push({ count: join(), answer, fail: () => reject(new Error('Network connection lost.')) });
      return promise;
    });
  const nth = (i: number) => vi.waitUntil(() => asked[i]);
  return { ask, asked, nth };
}

it('asks once for all that come while another one asks, and each gets its part', async () => {
  const { ask, asked, nth } = slowly();
  const first = ask();
  const others = Array.from({ length: 20 }, ask);
  (await nth(0)).answer();
  expect(await first).toBe(0);
  const second = await nth(1);
  expect(second.count).toBe(20);
  second.answer();
  expect((await Promise.all(others)).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i));
  expect(asked).toHaveLength(2);
});

it('lets those ask anew whose part is to ask again', async () => {
  const shared = new SharedAsk<number>();
  let calls = 0;
  const ask = () =>
    shared.ask(async (join) => {
      calls += 1;
      const call = calls;
      join();
      await scheduler.wait(1);
      return (i) => (call === 2 && i > 0 ? AGAIN : call);
    });
  const [first, ...others] = await Promise.all([ask(), ask(), ask(), ask()]);
  expect(first).toBe(1);
  expect(others.filter((call) => call === 2)).toHaveLength(1);
  expect(others.filter((call) => call > 2)).toHaveLength(2);
});

it('fails all that it asked for, and the next request asks again', async () => {
  const { ask, nth } = slowly();
  const first = ask();
  const others = [ask(), ask()].map((asking) => expect(asking).rejects.toThrow('Network connection lost.'));
  (await nth(0)).answer();
  await first;
  (await nth(1)).fail();
  await Promise.all(others);
  const next = ask();
  (await nth(2)).answer();
  expect(await next).toBe(0);
});
