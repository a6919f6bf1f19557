import { expect, it, vi } from 'vitest';
import { type Body, ON_TIME } from '../support/api.ts';
import { atOnce, byStatus, counting, keyOf, PATH } from '../support/limits.ts';
import { bearer, person } from '../support/people.ts';
import { bodiesOf } from '../support/requests.ts';

const fetched = vi.spyOn(globalThis, 'fetch');

it('many requests at once with keys that nothing knows look each key up once, and nobody beside them is refused', async () => {
  const keys = await Promise.all(Array.from({ length: 8 }, () => keyOf(600)));
  const known = await keyOf(600);
  const { session } = await person();
  const { ask, calls } = counting(ON_TIME);
  const bystanders = [bearer(known.key), session, {}].map((headers) => ({ headers }));
  for (const init of bystanders) expect((await ask(PATH, init)).status).toBe(200);
  fetched.mockClear();
  calls.length = 0;
  const burst = atOnce(400, (i) => ask(PATH, { headers: bearer((keys[i % 8] as Body).key) }));
  const beside = atOnce(30, (i) => ask(PATH, bystanders[i % 3]));
  const datasets = atOnce(5, () => ask('/v1/datasets', { headers: session }));
  for (const [count, answers] of [
    [400, burst],
    [30, beside],
    [5, datasets],
  ] as const) {
    const { 200: passed = [], ...others } = byStatus(await answers);
    expect([passed.length, others]).toEqual([count, {}]);
  }
  expect(bodiesOf(fetched).filter((body) => body.includes('k.prefix ='))).toHaveLength(8);
  expect(calls.filter((name) => name === 'admit').length).toBeLessThanOrEqual(40);
});
