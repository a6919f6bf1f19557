import { runDurableObjectAlarm } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { administrator } from '../support/admin.ts';
import { MASTER } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { list, revoke, rotate, statusOf } from '../support/keys.ts';
import { act, expectNothingSecret, get, newKey, post } from '../support/leaks.ts';
import { meterOf } from '../support/limits.ts';
import { bearer, person } from '../support/people.ts';
import { setKey, setProfile } from '../support/sql.ts';

describe('a key', () => {
  it('stops working when it expires, and its record says so', async () => {
    const { session } = await person();
    const { id, key } = await newKey(session, { expires_at: new Date(Date.now() + 60_000).toISOString() });
    expect(await statusOf(key)).toBe('200');
    await setKey(id, sql`expires_at = now()`);
    expect(await statusOf(key)).toBe('401 api_key_expired');
    expect((await list(session))[0].status).toBe('expired');
  });

  it('stops working when it is revoked, which is possible again and again', async () => {
    const { session } = await person();
    const { id, key } = await newKey(session);
    expect(await statusOf(key)).toBe('200');
    const first = await revoke(id, session);
    expect(first.status).toBe(200);
    expect(first.body.data).toMatchObject({ id, status: 'revoked' });
    expect(Date.parse(first.body.data.revoked_at)).toBeGreaterThanOrEqual(Date.parse(first.body.data.created_at));
    expect(first.body.data.updated_at).toBe(first.body.data.revoked_at);
    expect(await statusOf(key)).toBe('401 api_key_revoked');
    const second = await revoke(id, session);
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(await statusOf(key)).toBe('401 api_key_revoked');
  });

  it('may revoke itself, and is revoked by the master', async () => {
    const { session } = await person();
    const [own, other] = [await newKey(session), await newKey(session)];
    expect((await revoke(own.id, bearer(own.key))).status).toBe(200);
    expect((await revoke(other.id, MASTER)).body.data).toMatchObject({ id: other.id, status: 'revoked' });
    for (const { key } of [own, other]) expect(await statusOf(key)).toBe('401 api_key_revoked');
  });

  it('stops working when its owner’s account is deleted', async () => {
    const deleted = await person();
    const { key } = await newKey(deleted.session);
    expect(await statusOf(key)).toBe('200');
    await setProfile(deleted, sql`deleted_at = now()`);
    expect(await statusOf(key)).toBe('401 api_key_revoked');
  });

  it('is 404 for others, and so is a key that does not exist', async () => {
    const [owner, stranger] = [await person(), await person()];
    const { id, key } = await newKey(owner.session);
    const nobodys = crypto.randomUUID();
    for (const [which, who] of [
      [id, stranger.session],
      [id, (await administrator()).session],
      [nobodys, owner.session],
      [nobodys, MASTER],
    ] as const) {
      const answers = [await revoke(which, who)];
      if (who !== MASTER) answers.push(await rotate(which, { grace_seconds: 60 }, who));
      for (const { status, body } of answers) expect([status, body.code]).toEqual([404, 'api_key_not_found']);
    }
    expect(await list(stranger.session)).toEqual([]);
    expect(await statusOf(key)).toBe('200');
    for (const text of ['1', 'x', `${id}0`, `{${id}}`, '%00', "';--"]) {
      for (const verb of ['revoke', 'rotate'])
        expect((await act(`/v1/api-keys/${text}/${verb}`, owner.session)).status).toBe(422);
    }
  });

  it('is listed with the moment of its last use, once that has been written down', async () => {
    const { session } = await person();
    const { prefix, key } = await newKey(session);
    const before = Date.now();
    await get('/v1/regions', bearer(key));
    await eventually(async () => expect(await runDurableObjectAlarm(meterOf(`key:${prefix}`))).toBe(true));
    const [listed] = await list(session);
    expect(Date.parse(listed.last_used_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(listed.last_used_at)).toBeLessThanOrEqual(Date.now());
    expect(listed.updated_at).toBe(listed.created_at);
  });
});

describe('rotation', () => {
  it('replaces a key at once by one with the same settings', async () => {
    const { session } = await person();
    const input = {
      name: 'Old',
      description: 'd',
      scopes: ['read:boundaries'],
      rate_limit_rpm: 7,
      environment: 'test',
      expires_at: '2099-01-01T00:00:00.000Z',
    };
    const old = await newKey(session, input);
    const { status, body } = await act(`/v1/api-keys/${old.id}/rotate`, session);
    expect([status, body.data]).toEqual([
      200,
      expect.objectContaining({ ...input, status: 'active', revoked_at: null }),
    ]);
    expect(body.data.id).not.toBe(old.id);
    expect(body.data.prefix).not.toBe(old.prefix);
    expect(await statusOf(old.key)).toBe('401 api_key_revoked');
    expect(await statusOf(body.data.key)).toBe('200');
    const listed = await list(session);
    expect(listed.map((key) => [key.id, key.status])).toEqual([
      [body.data.id, 'active'],
      [old.id, 'revoked'],
    ]);
  });

  it('lets the old key live for a time of grace, and never longer than it would have', async () => {
    const { session } = await person();
    const soon = new Date(Date.now() + 1_800_000).toISOString();
    for (const [expires_at, most] of [
      [null, 3_600_000],
      [soon, 1_800_000],
    ] as const) {
      const old = await newKey(session, { expires_at });
      const renewed = (await rotate(old.id, { grace_seconds: 3600 }, session)).body.data;
      expect(renewed.expires_at).toBe(expires_at);
      for (const { key } of [old, renewed]) expect(await statusOf(key)).toBe('200');
      const left = (await list(session)).find(({ id }) => id === old.id);
      expect(left).toMatchObject({ status: 'active', revoked_at: null });
      expect(Date.parse(left.expires_at) - Date.now()).toBeLessThanOrEqual(most);
      expect(Date.parse(left.expires_at) - Date.now()).toBeGreaterThan(most - 300_000);
      await setKey(old.id, sql`expires_at = now()`);
      expect(await statusOf(old.key)).toBe('401 api_key_expired');
    }
  });

  it.each([-1, 0.5, 86_401, 1e12, '60', null, true, [60]])('refuses a time of grace of %j', async (grace_seconds) => {
    const { session } = await person();
    const { id, key } = await newKey(session);
    expect((await rotate(id, { grace_seconds }, session)).status).toBe(422);
    expect(await statusOf(key)).toBe('200');
  });

  it.each([
    ['{"grace":60}', 'application/json', 422],
    ['{"grace_seconds":', 'application/json', 400],
    ['{"grace_seconds":60}', 'text/plain', 415],
    ['[]', 'application/json', 422],
  ])('revokes nothing on a body that it does not understand: %s as %s', async (body, type, status) => {
    const { session } = await person();
    const { id, key } = await newKey(session);
    expect((await post(`/v1/api-keys/${id}/rotate`, body, { ...session, 'Content-Type': type })).status).toBe(status);
    expect(await statusOf(key)).toBe('200');
  });

  it('is refused for a key that does not work, and works once', async () => {
    const { session } = await person();
    const [first, revoked, expired] = [await newKey(session), await newKey(session), await newKey(session)];
    await revoke(revoked.id, session);
    await setKey(expired.id, sql`expires_at = now()`);
    for (const { id } of [revoked, expired]) {
      const { status, body } = await rotate(id, { grace_seconds: 60 }, session);
      expect([status, body.code]).toEqual([422, 'api_key_not_active']);
    }
    for (const [{ id }, grace_seconds, refusal] of [
      [first, 0, 'api_key_not_active'],
      [await newKey(session), 60, 'api_key_replaced'],
    ] as const) {
      const answers = await Promise.all(Array.from({ length: 5 }, () => rotate(id, { grace_seconds }, session)));
      expect(answers.map(({ status, body }) => body.code ?? status).sort()).toEqual([200, ...Array(4).fill(refusal)]);
    }
  });

  it('of a key in its time of grace leads to its successor, which can be rotated', async () => {
    const { session } = await person();
    const old = await newKey(session);
    const renewed = (await rotate(old.id, { grace_seconds: 60 }, session)).body.data;
    for (const grace_seconds of [0, 60]) {
      const { status, body } = await rotate(old.id, { grace_seconds }, session);
      expect([status, body.code]).toEqual([422, 'api_key_replaced']);
      expect(body.message).toContain(renewed.id);
    }
    expect(await list(session)).toHaveLength(2);
    const third = (await rotate(renewed.id, { grace_seconds: 60 }, session)).body.data;
    expect(third.expires_at).toBeNull();
    for (const { key } of [old, renewed, third]) expect(await statusOf(key)).toBe('200');
    await revoke(old.id, session);
    expect((await rotate(old.id, {}, session)).body.code).toBe('api_key_not_active');
  });

  it('says what the key has become when it is refused', async () => {
    const { session } = await person();
    const { id } = await newKey(session);
    // The key is revoked after the Worker has read whose it is and before it rotates it.
    const original = globalThis.fetch;
    const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
      if (String(init?.body).includes('replaced_by = ')) await setKey(id, sql`revoked_at = now()`);
      return original(url, init);
    });
    const { status, body } = await rotate(id, { grace_seconds: 60 }, session);
    fetched.mockRestore();
    expect([status, body.code]).toEqual([422, 'api_key_not_active']);
  });
});

it('nothing of all this shows a key, its hash or a session', expectNothingSecret);
