import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { StoredKey } from '../../src/auth/accounts.ts';
import { CachedKey } from '../../src/auth/cached-key.ts';
import { checksumOf } from '../../src/auth/key-token.ts';
import {
  type Answer,
  type api,
  type Body,
  instanceWith,
  MASTER,
  ON_TIME,
  patch,
  post,
  send,
  workerWith,
} from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { keyOf, left, meterOf, usesOf } from '../support/limits.ts';
import { bearer, newKey, person } from '../support/people.ts';
import { bodiesOf } from '../support/requests.ts';
import { publish, SNAPSHOTS } from '../support/snapshot.ts';
import { database } from '../support/sql.ts';
import { fromIdentity, signed, userDeleted } from '../support/webhooks.ts';

type Ask = typeof api;

const MINUTE = 60_000;
const PATH = '/v1/provinces?format=geojson&limit=1';
const original = globalThis.fetch;
const fetched = vi.spyOn(globalThis, 'fetch');
const wait = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
afterEach(() => {
  vi.useRealTimers();
  fetched.mockReset().mockImplementation(original);
});

/** Instances beside that of `ask`. They are made first, because a new one ends the Durable Objects of the test. */
const instances: Ask[] = [];
beforeAll(async () => {
  await publish({ active: true });
  for (let i = 0; i < 2; i++) instances.push(await instanceWith({ ...ON_TIME, FILES: SNAPSHOTS }));
});

/** Geography that is read from the snapshot, so that a statement is one about the key. */
const ask = workerWith({ ...ON_TIME, FILES: SNAPSHOTS });

async function statusOf(key: Body, worker: Ask = ask): Promise<string> {
  const { status, body } = await worker(PATH, { headers: bearer(key.key) });
  return [status, body.code].filter(Boolean).join(' ');
}

/** A key that its counter knows, and what it takes to ask for it. */
async function knownKey(owner?: Record<string, string>): Promise<Body> {
  const key = await newKey(owner ?? (await person()).session);
  // What the first request has found out reaches the counter after the answer.
  await eventually(async () => {
    fetched.mockClear();
    expect(await statusOf(key)).toBe('200');
    expect(bodiesOf(fetched)).toEqual([]);
  });
  return key;
}

/** The database does something else, beginning now. */
const database503 = () => fetched.mockImplementation(async () => new Response('Not now', { status: 500 }));
const databaseHangs = () =>
  fetched.mockImplementation(
    (_, init) => new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
  );

describe('a geography read with a known key', () => {
  it('asks its counter once and the database not at all, and says what is left', async () => {
    const key = await knownKey();
    const before = left(await ask(PATH, { headers: bearer(key.key) }))?.r ?? 0;
    fetched.mockClear();
    const answer = await ask(PATH, { headers: bearer(key.key) });
    expect([answer.status, left(answer)?.r]).toEqual([200, before - 1]);
    expect(bodiesOf(fetched)).toEqual([]);
  });

  it('asks nobody else when its limit is reached', async () => {
    const key = await keyOf(2);
    await eventually(async () => {
      fetched.mockClear();
      expect([await statusOf(key)].join()).toMatch(/200|429/);
      expect(bodiesOf(fetched)).toEqual([]);
    });
    expect(await statusOf(key)).toBe('429 rate_limit_exceeded');
  });

  it('is refused with another secret, which takes nothing from its usage', async () => {
    const { session } = await person();
    const key = await knownKey(session);
    const counter = meterOf(`key:${key.prefix}`);
    const use = { day: '2026-01-01', path: '/before', status: 200, requests: 1, durationMs: 1 };
    await counter.record([{ id: crypto.randomUUID(), keyId: key.id, lastUsedAt: Date.now(), uses: [use] }]);
    // What was answered just before is taken to the counter by the next request, whoever makes it.
    expect(await statusOf(key)).toBe('200');
    await ask('/v1/regions', { headers: bearer(key.key) });
    // Whoever sees the prefix of a key can make a token with it whose checksum is right.
    const secret = 'x'.repeat(32);
    const body = `svc_sk_live_${key.prefix}_${secret}`;
    fetched.mockClear();
    for (let i = 0; i < 3; i++) {
      const { status, body: refusal } = await ask(PATH, { headers: bearer(body + checksumOf(body)) });
      expect([status, refusal.code]).toEqual([401, 'invalid_api_key']);
    }
    expect(bodiesOf(fetched)).toEqual([]);
    expect(await statusOf(key)).toBe('200');
    const paths = async () => (await usesOf(key.prefix)).map(({ path }) => path);
    await eventually(async () => expect(await paths()).toContain('/v1/regions'));
  });

  it('is known to its counter after that was evicted', async () => {
    const key = await knownKey();
    const stored = await runInDurableObject(meterOf(`key:${key.prefix}`), (_, { storage }) =>
      new CachedKey(storage).find(),
    );
    expect(stored).toMatchObject({ isOld: false, key: { keyId: key.id, status: 'active' } });
    // By the id its account is counted. Nothing else of the owner is kept.
    expect(JSON.stringify(stored)).not.toContain(key.user_email);
  });

  it('lacks the scope as before', async () => {
    const { session } = await person();
    const key = await newKey(session, { scopes: ['read:datasets'] });
    for (let i = 0; i < 3; i++) expect(await statusOf(key)).toBe('403 missing_scope');
  });

  it('expires when it does, without being told', async () => {
    const { session } = await person();
    const key = await newKey(session, { expires_at: new Date(Date.now() + 5 * MINUTE).toISOString() });
    await eventually(async () => {
      fetched.mockClear();
      expect(await statusOf(key)).toBe('200');
      expect(bodiesOf(fetched)).toEqual([]);
    });
    vi.useFakeTimers({ toFake: ['Date'] });
    wait(5 * MINUTE);
    expect(await statusOf(key)).toBe('401 api_key_expired');
  });
});

describe('while the database', () => {
  it.each([
    ['fails', database503],
    ['hangs', databaseHangs],
  ])(
    '%s, a key that was seen before works for a day, at an instance that has not seen it too',
    async (_, breakDatabase) => {
      const key = await knownKey();
      vi.useFakeTimers({ toFake: ['Date'] });
      breakDatabase();
      for (const minutes of [9, 2, 60, 12 * 60]) {
        wait(minutes * MINUTE);
        expect(await statusOf(key)).toBe('200');
      }
      expect(await statusOf(key, instances[0])).toBe('200');
      wait(12 * 60 * MINUTE);
      const { status } = await ask(PATH, { headers: bearer(key.key) });
      expect(status).toBe(503);
    },
  );

  it('hangs, only one request in thirty seconds waits for it', async () => {
    const key = await knownKey();
    vi.useFakeTimers({ toFake: ['Date'] });
    wait(11 * MINUTE);
    databaseHangs();
    for (let i = 0; i < 5; i++) expect(await statusOf(key)).toBe('200');
    expect(bodiesOf(fetched)).toHaveLength(1);
    wait(31_000);
    expect(await statusOf(key)).toBe('200');
    expect(bodiesOf(fetched)).toHaveLength(2);
  });

  it('works, a change by hand is noticed after ten minutes', async () => {
    const [revoked, deleted, kept] = [await knownKey(), await knownKey(), await knownKey()];
    await database.execute(sql`update api_keys set revoked_at = now() where id = ${revoked.id}`);
    await database.execute(sql`delete from api_keys where id = ${deleted.id}`);
    vi.useFakeTimers({ toFake: ['Date'] });
    wait(9 * MINUTE);
    for (const key of [revoked, deleted, kept]) expect(await statusOf(key)).toBe('200');
    wait(MINUTE + 1000);
    const after = ['401 api_key_revoked', '401 invalid_api_key', '200'];
    for (const [i, key] of [revoked, deleted, kept].entries()) expect(await statusOf(key)).toBe(after[i]);
  });
});

describe('while the counter', () => {
  /** The Worker with a counter of keys some of whose methods do something else. */
  const withCounter = (changes: object) => {
    const get = (id: DurableObjectId) => {
      const real = env.METER.get(id);
      return new Proxy(real, { get: (_, name) => Reflect.get(changes, name) ?? Reflect.get(real, name) });
    };
    const idFromName = (name: string) => env.METER.idFromName(name);
    return workerWith({ ...ON_TIME, FILES: SNAPSHOTS, METER: { idFromName, get } });
  };

  it('is not told what one request found, the others find it in time', async () => {
    const key = await newKey((await person()).session);
    let isFound = false;
    const learn = () => {
      isFound = true;
      return new Promise(() => undefined);
    };
    const lost = statusOf(key, withCounter({ learn }));
    await eventually(() => expect(isFound).toBe(true));
    const others = await Promise.all([1, 2, 3].map(() => statusOf(key)));
    expect([...others, await lost]).toEqual(['200', '200', '200', '200']);
  });

  it('is told of a deletion only after the answer, the keys of the user end all the same', async () => {
    const owner = await person();
    const key = await knownKey(owner.session);
    let tries = 0;
    // Two tries of a second take longer than what the database leaves of the time of the answer.
    const forget = () => (++tries <= 2 ? new Promise(() => undefined) : meterOf(`key:${key.prefix}`).forget());
    fetched.mockImplementationOnce(async (...given) => {
      await scheduler.wait(3000);
      return original(...given);
    });
    const body = JSON.stringify(userDeleted(owner.subject));
    const headers = { 'Content-Type': 'application/json', ...signed(body) };
    const answer = await withCounter({ forget })('/v1/webhooks/clerk', { method: 'POST', headers, body });
    expect([answer.status, answer.body.code]).toEqual([503, 'counter_unavailable']);
    await eventually(async () => expect(await statusOf(key)).toBe('401 api_key_revoked'));
  });

  it('does not answer, twenty requests a second ask the database for its key', async () => {
    const key = await newKey((await person()).session);
    const late = withCounter({ admit: () => Promise.reject(new Error('Durable Object is overloaded.')) });
    vi.useFakeTimers({ toFake: ['Date'] });
    const statuses = await Promise.all(Array.from({ length: 23 }, () => statusOf(key, late)));
    expect(statuses.filter((status) => status === '200')).toHaveLength(20);
    expect(statuses.filter((status) => status === '503 counter_unavailable')).toHaveLength(3);
  });
});

describe('a change takes effect on the next request, whatever instances remember', () => {
  /** A key that each instance and its counter know. */
  async function everywhere(owner?: Record<string, string>): Promise<Body> {
    const key = await knownKey(owner);
    for (const instance of instances) expect(await statusOf(key, instance)).toBe('200');
    return key;
  }

  it.each<[string, (key: Body, session: Record<string, string>) => Promise<Answer>]>([
    ['revoked by its owner', ({ id }, session) => send('POST', `/v1/api-keys/${id}/revoke`, session)],
    ['revoked by an administrator', ({ id }) => send('POST', `/v1/admin/api-keys/${id}/revoke`, MASTER)],
    ['rotated', ({ id }, session) => post(`/v1/api-keys/${id}/rotate`, { grace_seconds: 0 }, session)],
  ])('%s', async (_, change) => {
    const { session } = await person();
    const key = await everywhere(session);
    expect((await change(key, session)).status).toBe(200);
    for (const instance of instances) expect(await statusOf(key, instance)).toBe('401 api_key_revoked');
    const stored = await runInDurableObject(meterOf(`key:${key.prefix}`), (_, { storage }) =>
      new CachedKey(storage).find(),
    );
    expect(stored).toBeUndefined();
  });

  it('its limit changed', async () => {
    const key = await everywhere();
    expect((await patch(`/v1/admin/api-keys/${key.id}`, { rate_limit_rpm: 1 })).status).toBe(200);
    for (const instance of instances) expect(await statusOf(key, instance)).toBe('429 rate_limit_exceeded');
    expect((await patch(`/v1/admin/api-keys/${key.id}`, { rate_limit_rpm: 100 })).status).toBe(200);
    const [first] = instances as [Ask];
    // An instance that has seen the refusal believes it for five seconds.
    vi.useFakeTimers({ toFake: ['Date'] });
    wait(5000);
    expect(await statusOf(key, first)).toBe('200');
  });

  it('its owner deleted, of all their keys, also when the delivery comes again', async () => {
    const owner = await person();
    const keys = [await everywhere(owner.session), await everywhere(owner.session)];
    const sending = { id: `msg_${crypto.randomUUID()}` };
    for (let i = 0; i < 2; i++) expect((await fromIdentity(userDeleted(owner.subject), sending)).status).toBe(200);
    for (const key of keys) {
      for (const instance of instances) expect(await statusOf(key, instance)).toBe('401 api_key_revoked');
    }
  });

  it('its revocation overtaken by a look-up that had begun before', async () => {
    const { session } = await person();
    const key = await newKey(session);
    let answer: (() => void) | undefined;
    // The first look-up reads the key, and its answer is held back.
    fetched.mockImplementationOnce(async (...given) => {
      const response = await original(...given);
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return response;
    });
    const early = statusOf(key);
    await eventually(() => expect(answer).toBeDefined());
    expect((await send('POST', `/v1/api-keys/${key.id}/revoke`, session)).status).toBe(200);
    answer?.();
    expect(await early).toBe('200');
    // What was learned late would be believed from here on.
    vi.useFakeTimers({ toFake: ['Date'] });
    for (const later of [0, 14_000, 30_000]) {
      wait(later);
      expect(await statusOf(key, instances[0])).toBe('401 api_key_revoked');
    }
  });

  it('also where a look-up from before ends long after it', async () => {
    const key = await knownKey();
    vi.useFakeTimers({ toFake: ['Date'] });
    await runInDurableObject(meterOf(`key:${key.prefix}`), (_, { storage }) => {
      const known = new CachedKey(storage);
      const { epoch } = known;
      const found = known.find()?.key as StoredKey;
      known.forget();
      wait(MINUTE);
      known.learn({ key: found }, epoch);
      expect(known.find()).toBeUndefined();
      known.learn({ key: found }, known.epoch);
      expect(known.find()?.key.keyId).toBe(key.id);
    });
  });

  it('and is not made where the counter can not be told', async () => {
    const { session } = await person();
    const key = await knownKey(session);
    const silent = { forget: () => Promise.reject(new Error('Network connection lost.')), take: () => undefined };
    const cut = workerWith({ METER: { idFromName: () => ({}), get: () => silent } });
    const path = `/v1/api-keys/${key.id}/revoke`;
    const { status, body, headers } = await cut(path, { method: 'POST', headers: session });
    expect([status, body.code, headers.get('Retry-After')]).toEqual([503, 'counter_unavailable', '1']);
    expect(await statusOf(key)).toBe('200');
    expect((await send('POST', path, session)).status).toBe(200);
    expect(await statusOf(key)).toBe('401 api_key_revoked');
    // A key is not rotated where that would lose its successor.
    const other = await knownKey(session);
    const rotated = await cut(`/v1/api-keys/${other.id}/rotate`, {
      method: 'POST',
      headers: { ...session, 'Content-Type': 'application/json' },
      body: '{"grace_seconds":0}',
    });
    expect([rotated.status, rotated.body.code]).toEqual([503, 'counter_unavailable']);
    expect(await statusOf(other)).toBe('200');
  });
});
