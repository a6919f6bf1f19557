import { sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { createKeyToken } from '../../src/auth/key-token.ts';
import { administrator } from '../support/admin.ts';
import { list, revoke, rotate, statusOf } from '../support/keys.ts';
import { expectNothingSecret, get, logged, newKey, post } from '../support/leaks.ts';
import { bearer, type Headers, person } from '../support/people.ts';
import { database, setKey, setProfile } from '../support/sql.ts';

describe('a new key', () => {
  it('works at once; its token is shown in this answer only, and later answers have its record', async () => {
    const { session, email } = await person();
    const created = await post('/v1/api-keys', { name: ' Flood map ' }, session);
    expect(created.headers.get('Cache-Control')).toBe('private, no-store');
    const { key, ...record } = created.body.data;
    expect(key).toMatch(/^svc_sk_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/);
    expect(key.split('_')[3]).toBe(record.prefix);
    expect(record).toMatchObject({
      name: 'Flood map',
      description: null,
      environment: 'live',
      status: 'active',
      scopes: null,
      rate_limit_rpm: null,
      rate_limit_burst: null,
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
      updated_at: record.created_at,
      user_email: email,
    });
    expect(Math.abs(Date.now() - Date.parse(record.created_at))).toBeLessThan(60_000);
    expect(await statusOf(key)).toBe('200');
    const listed = await get('/v1/api-keys', session);
    expect(listed.headers.get('Cache-Control')).toBe('private, no-store');
    expect(listed.body.data).toEqual([record]);
  });

  it('has the settings that were asked for', async () => {
    const { session } = await person();
    const input = {
      name: '🇵🇭 ñandú',
      description: 'Two\nlines',
      environment: 'test',
      scopes: ['write:datasets', 'read:boundaries', 'write:datasets'],
      rate_limit_rpm: 10_000,
      rate_limit_burst: 1,
      expires_at: '2099-12-31T23:59:59.123456789+14:00',
    };
    const key = await newKey(session, input);
    const scopes = ['write:datasets', 'read:boundaries'];
    expect(key).toMatchObject({ ...input, scopes, expires_at: '2099-12-31T09:59:59.123Z', status: 'active' });
    expect(key.key).toMatch(/^svc_sk_test_/);
    expect(await statusOf(key.key)).toBe('200');
    expect((await newKey(session, { scopes: [] })).scopes).toBeNull();
  });

  it.each(['2099-01-01T00:00:00Z', '2099-01-01T00:00:00-23:59', '2099-01-01T00:00:00+23:59', '2096-02-29T00:00:00Z'])(
    'may expire at %s',
    async (moment) => {
      const { expires_at } = await newKey((await person()).session, { expires_at: moment });
      expect(Date.parse(expires_at)).toBe(Date.parse(moment));
    },
  );

  it('may be created with the caller as its owner, and with nobody else', async () => {
    const { session, email } = await person();
    const { user_id } = await newKey(session, { user_email: email.toUpperCase() });
    await newKey(session, { user_id: user_id.toUpperCase(), user_email: null });
    const other = await newKey((await person()).session);
    for (const owner of [
      { user_id: other.user_id },
      { user_email: other.user_email },
      { user_email: 'x@example.com' },
    ]) {
      const { status, body } = await post('/v1/api-keys', { name: 'x', ...owner }, session);
      expect([status, body.code]).toEqual([422, 'owner_not_allowed']);
    }
  });
});

it('a token is good as a whole, not by its prefix', async () => {
  const { session } = await person();
  const { id, key } = await newKey(session);
  // A key that exists is given the prefix of another token.
  const { token, prefix } = createKeyToken('live');
  await setKey(id, sql`prefix = ${prefix}`);
  expect(await statusOf(token)).toBe('401 invalid_api_key');
  await setKey(id, sql`prefix = ${key.split('_')[3]}`);
  expect(await statusOf(key)).toBe('200');
});

describe('a refused key', async () => {
  const { session } = await person();
  const refused: [field: string, values: unknown[]][] = [
    [
      'name',
      [
        undefined,
        null,
        '',
        '  ',
        1,
        [],
        'x'.repeat(101),
        'x'.repeat(10_000),
        'a\u0000b',
        'a\nb',
        '\u001b[0m',
        '\u0085',
        '\ud800',
        'a\udfff',
      ],
    ],
    ['description', [1, 'x'.repeat(1001), 'a\u0000', '\udc00']],
    ['environment', ['', 'LIVE', 'prod', null, 1, ['live']]],
    [
      'scopes',
      [
        'read:boundaries',
        {},
        [null],
        [''],
        ['read'],
        ['READ:BOUNDARIES'],
        ['read:everything'],
        ['*'],
        ['admin '],
        Array(12).fill('read:orgs'),
      ],
    ],
    ['rate_limit_rpm', [0, -1, 1.5, 1e9, 10_001, '60', true, [], {}]],
    ['rate_limit_burst', [0, -1, 1.5, 1e9, '60']],
    [
      'expires_at',
      [
        '',
        'tomorrow',
        '2099-01-01',
        '2099-01-01T00:00:00',
        '2099-13-01T00:00:00Z',
        '2099-02-30T00:00:00Z',
        '2099-01-01T25:00:00Z',
        '2099-01-01T00:00:00+99:00',
        '9999-12-31T23:59:59-23:00',
        '+010000-01-01T00:00:00Z',
        4_102_444_800,
        {},
      ],
    ],
    ['user_id', ['', 'me', '123', 1]],
    ['user_email', ['', 'me', 'a@b', `${'x'.repeat(400)}@example.com`, 1]],
    ['id', ['00000000-0000-4000-8000-000000000000']],
    ['is_admin', [true]],
  ];

  it.each(refused)('is 422 with the field that is wrong: %s', async (field, values) => {
    for (const value of values) {
      const { status, body } = await post('/v1/api-keys', { name: 'x', [field]: value }, session);
      expect([field, value, status, body.error?.name]).toEqual([field, value, 422, 'ZodError']);
      expect(JSON.stringify(body.error.issues)).toContain(field);
    }
  });

  it.each([
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['9999-12-31T23:59:59+08:00', '9999-12-31T15:59:59.000Z'],
  ])('may be created with a moment in the last year that there is: %s', async (asked, kept) => {
    const { session: owner } = await person();
    const { status, body } = await post('/v1/api-keys', { name: 'x', expires_at: asked }, owner);
    expect([status, body.data?.expires_at]).toEqual([200, kept]);
    expect((await get('/v1/regions', bearer(body.data.key))).status).toBe(200);
    expect((await get('/v1/api-keys', owner)).body.data[0].expires_at).toBe(kept);
  });

  it.each([0, -1, -1e12])('is 422 expires_at_in_past: a key that expires %i ms from now', async (after) => {
    const moment = new Date(Math.max(Date.now() + after, Date.UTC(1, 0))).toISOString();
    const { status, body } = await post('/v1/api-keys', { name: 'x', expires_at: moment }, session);
    expect([status, body.code]).toEqual([422, 'expires_at_in_past']);
  });

  it.each([
    ['{', 'application/json', 400, 'invalid_json'],
    ['', 'application/json', 400, 'invalid_json'],
    ['name=x', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
    ['{"name":"x"}', 'text/plain', 415, 'unsupported_media_type'],
    [JSON.stringify({ name: 'x', description: 'x'.repeat(70_000) }), 'application/json', 413, 'payload_too_large'],
  ])('is refused with a status and a code: $0 as $1', async (text, type, status, code) => {
    const answer = await post('/v1/api-keys', text, { ...session, 'Content-Type': type });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it.each(['null', '[]', '"x"', '1', '{"name":"x","__proto__":{"a":1}}'])(
    'is 422 where the body is no object of known members: %s',
    async (text) => {
      expect((await post('/v1/api-keys', text, session)).status).toBe(422);
    },
  );

  it('is not created', async () => {
    expect(await list(session)).toEqual([]);
  });
});

describe('scopes', () => {
  it('can only be given by somebody who holds them', async () => {
    const [somebody, admin] = [await person(), await administrator()];
    const wholeKey = bearer((await newKey(admin.session)).key);
    for (const owner of [somebody.session, wholeKey]) {
      const { status, body } = await post('/v1/api-keys', { name: 'x', scopes: ['read:orgs', 'admin'] }, owner);
      expect([status, body.code]).toEqual([403, 'scope_not_held']);
    }
    expect((await newKey(admin.session, { scopes: ['admin'] })).scopes).toEqual(['admin']);
  });

  it('are not gained by rotating a key', async () => {
    const admin = await administrator();
    const wholeKey = bearer((await newKey(admin.session)).key);
    const { id, key } = await newKey(admin.session, { scopes: ['admin', 'read:boundaries'] });
    const refusal = async (by: Headers) => {
      const { status, body } = await rotate(id, {}, by);
      expect([status, body.code]).toEqual([403, 'scope_not_held']);
    };
    await refusal(wholeKey);
    await setProfile(admin, sql`is_admin = false`);
    await refusal(admin.session);
    expect(await statusOf(key)).toBe('200');
    await setProfile(admin, sql`is_admin = true`);
    expect((await rotate(id, {}, admin.session)).body.data.scopes).toEqual(['admin', 'read:boundaries']);
  });

  it('keep a key from managing keys, its own included', async () => {
    const { session } = await person();
    const { id, key } = await newKey(session, { scopes: ['read:boundaries', 'write:boundaries'] });
    const limited = bearer(key);
    for (const answer of [
      await get('/v1/api-keys', limited),
      await get('/v1/api-keys/stats', limited),
      await post('/v1/api-keys', { name: 'x' }, limited),
      await revoke(id, limited),
      await rotate(id, {}, limited),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([403, 'unscoped_key_required']);
    }
    expect(await statusOf(key)).toBe('200');
  });
});

describe('a key that creates another', () => {
  const end = '2099-01-01T00:00:00.000Z';
  const later = '2099-01-01T00:00:00.001Z';

  it.each([
    [{}, {}, { rate_limit_rpm: null, expires_at: null }],
    [{}, { rate_limit_rpm: 60, expires_at: end }, { rate_limit_rpm: 60, expires_at: end }],
    [{ rate_limit_rpm: 7, expires_at: end }, {}, { rate_limit_rpm: 7, expires_at: end }],
    [
      { rate_limit_rpm: 7, expires_at: end },
      { rate_limit_rpm: null, expires_at: null },
      { rate_limit_rpm: 7, expires_at: end },
    ],
    [{ rate_limit_rpm: 7 }, { rate_limit_rpm: 6 }, { rate_limit_rpm: 6, expires_at: null }],
    [{ rate_limit_rpm: 600 }, {}, { rate_limit_rpm: null }],
    [{ rate_limit_rpm: 600 }, { rate_limit_rpm: 600 }, { rate_limit_rpm: 600 }],
  ])('with limits %j may create one with %j', async (limits, input, made) => {
    const maker = await newKey((await person()).session, limits);
    expect(await newKey(bearer(maker.key), input)).toMatchObject(made);
  });

  it.each([
    [{}, { rate_limit_rpm: 61 }, 'rate_limit_rpm'],
    [{ rate_limit_rpm: 7 }, { rate_limit_rpm: 8 }, 'rate_limit_rpm'],
    [{ expires_at: end }, { expires_at: later }, 'expires_at'],
  ])('with limits %j can not create one that may do more: %j', async (limits, input, field) => {
    const { session } = await person();
    const { key } = await newKey(session, limits);
    const { status, body } = await post('/v1/api-keys', { name: 'x', ...input }, bearer(key));
    expect([status, body.code]).toEqual([422, 'api_key_exceeds_maker']);
    expect(body.message).toMatch(new RegExp(`^${field}: `));
    expect(await list(session)).toHaveLength(1);
    await newKey(session, input);
  });

  it('can not rotate one that may do more, and gains no time by its own rotation', async () => {
    const { session } = await person();
    const maker = await newKey(session, { rate_limit_rpm: 7, expires_at: end });
    for (const limits of [{ rate_limit_rpm: 8, expires_at: end }, { rate_limit_rpm: 7 }, { expires_at: end }]) {
      const { id, key } = await newKey(session, limits);
      const { status, body } = await rotate(id, {}, bearer(maker.key));
      expect([status, body.code]).toEqual([422, 'api_key_exceeds_maker']);
      expect(await statusOf(key)).toBe('200');
    }
    const renewed = (await rotate(maker.id, { grace_seconds: 60 }, bearer(maker.key))).body.data;
    expect(renewed).toMatchObject({ rate_limit_rpm: 7, expires_at: end });
    // The old key has a minute to live, so what it creates may not live longer.
    const child = await newKey(bearer(maker.key));
    expect(Date.parse(child.expires_at)).toBeLessThanOrEqual(Date.now() + 60_000);
    expect((await rotate(renewed.id, {}, bearer(maker.key))).body.code).toBe('api_key_exceeds_maker');
  });
});

it('an account that is deleted while a key is created or rotated gets no further key', async () => {
  for (const ask of [
    (_: string, session: Headers) => post('/v1/api-keys', { name: 'x' }, session),
    (id: string, session: Headers) => rotate(id, { grace_seconds: 60 }, session),
  ]) {
    const deleted = await person();
    const { id, user_id } = await newKey(deleted.session);
    const original = globalThis.fetch;
    const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
      if (String(init?.body).includes('insert into \\"api_keys\\"')) await setProfile(deleted, sql`deleted_at = now()`);
      return original(url, init);
    });
    const { status } = await ask(id, deleted.session);
    fetched.mockRestore();
    expect([401, 422]).toContain(status);
    const { rows } = await database.execute(sql`select id from api_keys where user_id = ${user_id}`);
    expect(rows).toEqual([{ id }]);
  }
});

describe('many keys', () => {
  const fill = (userId: string, count: number, set: ReturnType<typeof sql>) =>
    database.execute(sql`insert into api_keys (user_id, name, environment, prefix, hash, revoked_at, created_at)
      select ${userId}::uuid, 'Filler ' || i, 'live', 'filler' || gen_random_uuid(), '', ${set}, now() - i * interval '1 hour'
      from generate_series(1, ${count}::int) i`);

  it('are at most a hundred that work, and rotation with grace can not exceed that', async () => {
    const { session } = await person();
    const { id, user_id } = await newKey(session);
    await fill(user_id, 98, sql`null`);
    const last = await newKey(session);
    for (const answer of [
      await post('/v1/api-keys', { name: 'x' }, session),
      await rotate(id, { grace_seconds: 1 }, session),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([422, 'too_many_api_keys']);
    }
    expect(await statusOf(last.key)).toBe('200');
    expect((await rotate(id, {}, session)).status).toBe(200);
    await revoke(last.id, session);
    expect((await rotate(last.id, { grace_seconds: 1 }, session)).body.code).toBe('api_key_not_active');
    await newKey(session);
  });

  it('are listed newest first: all that work, and the latest hundred of the others', async () => {
    const { session } = await person();
    const oldest = await newKey(session);
    await setKey(oldest.id, sql`created_at = now() - interval '1 year'`);
    await fill(oldest.user_id, 120, sql`now()`);
    const newest = await newKey(session);
    const listed = await list(session);
    expect(listed).toHaveLength(102);
    expect([listed[0].id, listed[101].id]).toEqual([newest.id, oldest.id]);
    expect(listed.slice(1, 101).map(({ name }) => name)).toEqual(
      Array.from({ length: 100 }, (_, i) => `Filler ${i + 1}`),
    );
  });
});

it('a statement that fails leaves nothing of the key in the log', async () => {
  const { session } = await person();
  await list(session);
  const original = globalThis.fetch;
  const sent: string[] = [];
  const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    const statement = String(init?.body);
    if (!statement.includes('insert into \\"api_keys\\"')) return original(url, init);
    sent.push(...JSON.parse(statement).params.filter((value: unknown) => /^[0-9a-f]{64}$/.test(String(value))));
    return Response.json({ message: 'value too long', code: '22001' }, { status: 400 });
  });
  const { status, body } = await post('/v1/api-keys', { name: 'Unlucky' }, session);
  fetched.mockRestore();
  expect([status, body.code]).toEqual([500, 'internal_error']);
  await expect.poll(() => logged('value too long').length).toBe(1);
  const lines = logged('value too long');
  expect(sent).toHaveLength(1);
  for (const secret of [...sent, 'Unlucky']) expect(lines[0]).not.toContain(secret);
});

it('nothing of all this shows a key, its hash or a session', expectNothingSecret);
