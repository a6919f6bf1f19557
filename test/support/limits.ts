import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Meter } from '../../src/meter.ts';
import { addressLimit } from '../../src/rate-limits/limit.ts';
import type { Use } from '../../src/usage/usage.ts';
import { type Answer, type Body, workerWith } from './api.ts';
import { newKey, person } from './people.ts';

/** A cheap request that everybody may make. */
export const PATH = '/v1/regions?limit=1';

/** A key with a limit, of a person whom no other test knows. */
export async function keyOf(rate_limit_rpm: number | null): Promise<Body> {
  return newKey((await person()).session, { rate_limit_rpm });
}

export function atOnce<T>(count: number, ask: (i: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => ask(i)));
}

export function byStatus(answers: Answer[]): Record<number, Answer[]> {
  return Object.groupBy(answers, ({ status }) => status) as Record<number, Answer[]>;
}

/** What the headers say is left of the limit of a policy, and in how many seconds there will be more. */
export function left({ headers }: Answer, policy = 'key'): { r: number; t: number } | undefined {
  const items = (headers.get('RateLimit') ?? '').split(', ').map((item) => /^"([a-z-]+)";r=(\d+);t=(\d+)$/.exec(item));
  const [, , r, t] = items.find((item) => item?.[1] === policy) ?? [];
  return r === undefined ? undefined : { r: Number(r), t: Number(t) };
}

/** The counter of a key or an address, by its name. */
export function meterOf(counter: string): DurableObjectStub<Meter> {
  const meters = env.METER as unknown as DurableObjectNamespace<Meter>;
  return meters.get(meters.idFromName(counter));
}

/**
 * Lets the counter of an address answer in an instance that was imported anew: the test pool fails the first call of each
 * object whose class is another one by then.
 */
export async function renewCounter(address: string): Promise<void> {
  await runInDurableObject(meterOf(addressLimit(address, 'XX', 1).counter), () => undefined).catch(() => undefined);
}

/** What the counter of a key has added up and not sent to the database yet. */
export function usesOf(prefix: string): Promise<readonly Use[]> {
  return runInDurableObject(
    meterOf(`key:${prefix}`),
    (_, { storage }) => storage.kv.get<{ uses: Use[] }>('usage')?.uses ?? [],
  );
}

/** The Worker, and the names of the methods of counters that it calls. */
export function counting(settings: object = {}) {
  const calls: string[] = [];
  const get = (id: DurableObjectId) =>
    new Proxy(env.METER.get(id), {
      get: (real, name) => {
        calls.push(String(name));
        return Reflect.get(real, name);
      },
    });
  const METER = { idFromName: (name: string) => env.METER.idFromName(name), get };
  return { ask: workerWith({ ...settings, METER }), calls };
}
