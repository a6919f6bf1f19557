import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Admitted } from '../../src/auth/cached-key.ts';
import { dropPermits, permitsOf } from '../../src/auth/key-permits.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

/** What an instance holds of a key whose counter gives as many permits as are likely, unless it says otherwise. */
function keyOf(says: Partial<Admitted> = {}) {
  const prefix = crypto.randomUUID();
  const permits = permitsOf({ hash: prefix, prefix });
  const asked: { ahead: number; unused: number | undefined }[] = [];
  const take = () =>
    permits.take(async (join, { ahead, unused }) => {
      asked.push({ ahead, unused: unused?.permits });
      const granted = { granted: join(), remaining: 1000, resetMs: 60_000 };
      const facts = { status: 'active' as const, keyId: prefix, scopes: null, expiresAt: null };
      const lease = { permits: ahead, incarnation: 'i', givenAt: Date.now(), at: Date.now() + 1000 };
      return {
        ...facts,
        ...{ rateLimitRpm: 6000, accountRpm: null, own: granted, account: granted, lease },
        ...{ uncounted: undefined, epoch: undefined, user: undefined, receipt: undefined },
        ...{ isStale: false, isScarce: false, ...says },
      };
    });
  /** Whether some requests are let through, one after the other. */
  const takeAll = async (count: number) => {
    const through: (boolean | undefined)[] = [];
    for (let i = 0; i < count; i += 1) {
      const one = await take();
      const { allowance, account } = one && 'keyId' in one ? one : {};
      through.push(allowance?.allowed && account?.allowed !== false);
    }
    return through;
  };
  return { prefix, take, takeAll, asked };
}

it('a key is asked for as often as it was used within a second, and holds what it got for a second', async () => {
  const { takeAll, asked } = keyOf();
  // One permit with the first, two more with the third, four with the sixth.
  await takeAll(10);
  expect(asked.map(({ ahead }) => ahead)).toEqual([1, 3, 7]);
  pass(999);
  await takeAll(2);
  expect(asked).toHaveLength(3);
  pass(1);
  await takeAll(1);
  expect(asked.at(-1)).toEqual({ ahead: 10, unused: expect.any(Number) });
});

it('a key of which little is free is refused unasked until a second after it asked', async () => {
  const none = { granted: 0, remaining: 0, resetMs: 250 };
  const { takeAll, asked } = keyOf({ own: none, account: undefined, lease: undefined, isScarce: true });
  expect(await takeAll(50)).toEqual(Array(50).fill(false));
  expect(asked).toHaveLength(1);
  pass(999);
  await takeAll(10);
  expect(asked).toHaveLength(1);
  pass(1);
  await takeAll(1);
  expect(asked).toHaveLength(2);
});

it('a key whose account has less free than it has is refused in the name of the account', async () => {
  const none = { granted: 0, remaining: 0, resetMs: 250 };
  const { take, asked } = keyOf({ account: none, lease: undefined, isScarce: true });
  await take();
  expect(await take()).toMatchObject({
    allowance: { allowed: true, remaining: 1000 },
    account: { allowed: false, remaining: 0, resetMs: 1000 },
  });
  expect(asked).toHaveLength(1);
});

it('a key that is changed is asked for with its next request', async () => {
  const { prefix, takeAll, asked } = keyOf();
  await takeAll(4);
  const before = asked.length;
  dropPermits(prefix);
  await takeAll(1);
  expect(asked).toHaveLength(before + 1);
  // What is dropped is not given back: a change of the key has ended it.
  expect(asked.at(-1)?.unused).toBeUndefined();
});
