import { describe, expect, it } from 'vitest';
import { administrator, detailOf, historyOf, userOf } from '../support/admin.ts';
import { api, type Body, get, MASTER, openApi, patch, post, workerWith } from '../support/api.ts';
import { newDataset, point } from '../support/datasets.ts';
import { bearer, type Headers, newKey, person } from '../support/people.ts';
import { some } from '../support/some.ts';
import { fromIdentity, userDeleted } from '../support/webhooks.ts';

const document = await openApi();
const operations: [string, string][] = Object.entries<Body>(document.paths)
  .filter(([path]) => path.startsWith('/v1/admin/'))
  .flatMap(([path, methods]) => Object.keys(methods).map((method): [string, string] => [method.toUpperCase(), path]));

const NOBODY = '00000000-0000-4000-8000-000000000000';

/** An operation on something that doesn't exist, so that asking for it changes nothing. */
function ask([method, path]: [string, string], headers: Headers) {
  const change = path.includes('users') ? { is_admin: false } : { name: 'x' };
  const body =
    method === 'PATCH' ? JSON.stringify(change) : path.endsWith('/snapshot') && method === 'PUT' ? '{}' : null;
  return api(path.replace('{id}', NOBODY), {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  });
}

describe('administration', () => {
  it('has the operations of the contract', () => {
    expect(operations.map((it) => it.join(' ')).sort()).toEqual([
      'DELETE /v1/admin/releases/{id}',
      'DELETE /v1/admin/tiles/{slug}',
      'DELETE /v1/admin/users/{id}',
      'GET /v1/admin/api-keys',
      'GET /v1/admin/audit-logs',
      'GET /v1/admin/datasets',
      'GET /v1/admin/releases',
      'GET /v1/admin/releases/{id}/snapshot',
      'GET /v1/admin/stats',
      'GET /v1/admin/users',
      'GET /v1/admin/users/{id}',
      'GET /v1/admin/webhook-events',
      'PATCH /v1/admin/api-keys/{id}',
      'PATCH /v1/admin/users/{id}',
      'POST /v1/admin/api-keys/{id}/revoke',
      'POST /v1/admin/releases/{id}/activate',
      'POST /v1/admin/users/{id}/restore',
      'PUT /v1/admin/releases/{id}/snapshot',
      'PUT /v1/admin/releases/{id}/snapshot/{name}',
      'PUT /v1/admin/tiles/{slug}',
    ]);
  });

  it('takes the new and the old master token while one replaces the other', async () => {
    const old = MASTER.Authorization.slice('Bearer '.length);
    const next = 'the-next-master-token-not-secret';
    const statuses = (MASTER_TOKEN: string) => {
      const ask = workerWith({ MASTER_TOKEN });
      const asked = [next, old, `${next},${old}`].map((token) => ask('/v1/admin/stats', { headers: bearer(token) }));
      return Promise.all(asked.map(async (answer) => (await answer).status));
    };
    expect(await statuses(old)).toEqual([401, 200, 401]);
    expect(await statuses(`${next},${old}`)).toEqual([200, 200, 401]);
    expect(await statuses(next)).toEqual([200, 401, 401]);
  });

  it('is for the master token, sessions of administrators, and their keys with the scope admin', async () => {
    const [someone, admin] = [await person(), await administrator()];
    const refused: [string, Headers, number, string][] = [
      ['nobody', {}, 401, 'authentication_required'],
      ['a user', someone.session, 403, 'admin_only'],
      ["a user's key", bearer((await newKey(someone.session)).key), 403, 'admin_only'],
      ["an administrator's key without scopes", bearer((await newKey(admin.session)).key), 403, 'admin_only'],
      [
        "an administrator's key with other scopes",
        bearer((await newKey(admin.session, { scopes: ['read:boundaries'] })).key),
        403,
        'admin_only',
      ],
    ];
    const adminKey = await newKey(admin.session, { scopes: ['admin'], rate_limit_rpm: 1000 });
    const admitted: [string, Headers][] = [
      ['the master token', MASTER],
      ['an administrator', admin.session],
      ["an administrator's key with the scope admin", bearer(adminKey.key)],
    ];
    for (const operation of some(operations)) {
      for (const [who, headers, status, code] of refused) {
        const answer = await ask(operation, headers);
        expect([answer.status, answer.body.code], `${operation.join(' ')} by ${who}`).toEqual([status, code]);
      }
      for (const [who, headers] of admitted) {
        const { status } = await ask(operation, headers);
        expect([200, 404, 422], `${operation.join(' ')} by ${who}: ${status}`).toContain(status);
      }
    }
  });

  it('is refused from the next request on to somebody who is no longer an administrator', async () => {
    const admin = await administrator();
    const key = await newKey(admin.session, { scopes: ['admin'] });
    expect((await get('/v1/admin/stats', bearer(key.key))).status).toBe(200);
    await patch(`/v1/admin/users/${(await userOf(admin.subject)).id}`, { is_admin: false });
    expect((await get('/v1/admin/stats', bearer(key.key))).status).toBe(403);
    expect((await get('/v1/admin/stats', admin.session)).status).toBe(403);
  });

  it('is never kept by caches', async () => {
    expect((await get('/v1/admin/stats', MASTER)).headers.get('Cache-Control')).toBe('private, no-store');
    expect((await get('/v1/admin/users', MASTER)).headers.get('Cache-Control')).toBe('private, no-store');
  });
});

describe('users', () => {
  it('are listed newest first, by address, subject, state and rights', async () => {
    const [first, second] = [await person(), await administrator()];
    await get('/v1/api-keys', first.session);
    const { body } = await get('/v1/admin/users?limit=100', MASTER);
    const moments = some(body.data).map(({ created_at }: Body) => created_at);
    expect(moments).toEqual(moments.toSorted().reverse());
    expect(body.meta.total).toBeGreaterThanOrEqual(2);
    const found = async (query: string) => {
      const { data } = (await get(`/v1/admin/users?limit=100&${query}`, MASTER)).body;
      return data.map(({ subject }: Body) => subject);
    };
    expect(await found(`email=${first.email.toUpperCase()}`)).toEqual([first.subject]);
    expect(await found(`subject=${second.subject}`)).toEqual([second.subject]);
    expect(await found('is_admin=true')).toContain(second.subject);
    expect(await found('is_admin=true')).not.toContain(first.subject);
    expect(await found('is_admin=false')).toContain(first.subject);
    expect(await found('status=active')).toContain(first.subject);
    expect(await found('status=deleted')).not.toContain(first.subject);
  });

  it('are seen one by one, with the number of their keys', async () => {
    const someone = await person();
    const key = await newKey(someone.session);
    await newKey(someone.session);
    await post(`/v1/api-keys/${key.id}/revoke`, '', someone.session);
    expect(await detailOf(someone.subject)).toMatchObject({
      id: key.user_id,
      email: someone.email,
      api_keys: { total: 2, active: 1 },
      organizations: [],
    });
  });

  it('become administrators, which the log has with who did it', async () => {
    const [admin, someone] = [await administrator(), await person()];
    await get('/v1/api-keys', someone.session);
    const { id } = await userOf(someone.subject);
    const answer = await patch(`/v1/admin/users/${id}`, { is_admin: true }, admin.session);
    expect([answer.status, answer.body.data.is_admin]).toEqual([200, true]);
    expect(await historyOf(id)).toMatchObject([
      {
        action: 'user.updated',
        actor: { kind: 'session', user_id: (await userOf(admin.subject)).id, key_id: null },
        subject: { type: 'user', id },
        details: { is_admin: true },
        request_id: answer.headers.get('X-Request-Id'),
      },
    ]);
  });

  it.each([
    [{}, 422],
    [{ is_admin: 'yes' }, 422],
    [{ is_admin: true, email: 'x@example.com' }, 422],
  ])('are not changed by %o', async (change, status) => {
    expect((await patch(`/v1/admin/users/${NOBODY}`, change)).status).toBe(status);
  });

  it('that do not exist are 404, and 422 where the id is none', async () => {
    for (const answer of [
      await get(`/v1/admin/users/${NOBODY}`, MASTER),
      await patch(`/v1/admin/users/${NOBODY}`, { is_admin: true }),
    ])
      expect([answer.status, answer.body.code]).toEqual([404, 'user_not_found']);
    expect((await get('/v1/admin/users/1', MASTER)).status).toBe(422);
  });
});

describe('keys', () => {
  it("of all users are listed, without anybody's secrets", async () => {
    const someone = await person();
    const [live, test] = [await newKey(someone.session), await newKey(someone.session, { environment: 'test' })];
    const ids = async (query: string) => {
      const { data } = (await get(`/v1/admin/api-keys?user_id=${live.user_id}&${query}`, MASTER)).body;
      return data.map(({ id }: Body) => id);
    };
    expect(await ids('')).toEqual([test.id, live.id]);
    expect(await ids('environment=test')).toEqual([test.id]);
    expect(await ids(`prefix=${live.prefix}`)).toEqual([live.id]);
    await post(`/v1/admin/api-keys/${live.id}/revoke`, '');
    expect(await ids('status=revoked')).toEqual([live.id]);
    expect(await ids('status=active')).toEqual([test.id]);
    expect(await ids('status=expired')).toEqual([]);
    const { body, text } = await get('/v1/admin/api-keys?limit=100', MASTER);
    expect(some(body.data)[0]).toHaveProperty('prefix');
    expect(text).not.toContain('hash');
    expect(text).not.toContain(live.key);
  });

  it('can be given more requests than users may choose, from the next request on', async () => {
    const someone = await person();
    const key = await newKey(someone.session, { rate_limit_rpm: 1 });
    const use = async () => (await get('/v1/regions', bearer(key.key))).status;
    expect([await use(), await use()]).toEqual([200, 429]);
    const change = { rate_limit_rpm: 100_000, name: ' Renamed ', expires_at: '2099-01-01T08:00:00+08:00' };
    const { status, body } = await patch(`/v1/admin/api-keys/${key.id}`, change);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      rate_limit_rpm: 100_000,
      name: 'Renamed',
      expires_at: '2099-01-01T00:00:00.000Z',
      description: key.description,
    });
    expect(await use()).toBe(200);
    expect(await historyOf(key.id)).toMatchObject([
      { action: 'api_key.created', actor: { kind: 'session' } },
      { action: 'api_key.updated', actor: { kind: 'master', user_id: null }, details: { rate_limit_rpm: 100_000 } },
    ]);
    const cleared = await patch(`/v1/admin/api-keys/${key.id}`, { expires_at: null, rate_limit_rpm: null });
    expect(cleared.body.data).toMatchObject({ expires_at: null, rate_limit_rpm: null, name: 'Renamed' });
  });

  it.each([
    [{}, undefined],
    [{ rate_limit_rpm: 1_000_001 }, undefined],
    [{ rate_limit_rpm: 0 }, undefined],
    [{ name: ' ' }, undefined],
    [{ scopes: ['admin'] }, undefined],
    [{ user_id: NOBODY }, undefined],
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at_in_past'],
    [{ expires_at: 'tomorrow' }, undefined],
  ])('are not changed by %o', async (change, code) => {
    const answer = await patch(`/v1/admin/api-keys/${NOBODY}`, change);
    expect([answer.status, answer.body.code]).toEqual([422, code]);
  });

  it('are revoked once, and stop on the next request', async () => {
    const someone = await person();
    const key = await newKey(someone.session);
    const first = await post(`/v1/admin/api-keys/${key.id}/revoke`, '');
    expect([first.status, first.body.data.status]).toEqual([200, 'revoked']);
    expect((await get('/v1/regions', bearer(key.key))).body.code).toBe('api_key_revoked');
    const second = await post(`/v1/admin/api-keys/${key.id}/revoke`, '');
    expect(second.body.data.revoked_at).toBe(first.body.data.revoked_at);
    expect((await historyOf(key.id)).map(({ action }) => action)).toEqual(['api_key.created', 'api_key.revoked']);
  });

  it('that do not exist are 404', async () => {
    for (const answer of [
      await patch(`/v1/admin/api-keys/${NOBODY}`, { name: 'x' }),
      await post(`/v1/admin/api-keys/${NOBODY}/revoke`, ''),
    ])
      expect([answer.status, answer.body.code]).toEqual([404, 'api_key_not_found']);
  });
});

describe('datasets', () => {
  it('of all users are listed, newest first, as their owners see them but for the features', async () => {
    const [one, other] = [await person(), await person()];
    const older = await newDataset(one.session, { features: [{ geom: point(121, 14) }], metadata: { a: [1] } });
    const newer = await newDataset(other.session, { is_public: true });
    const { body } = await get('/v1/admin/datasets?limit=100', MASTER);
    const places = [newer, older].map(({ id }) => body.data.findIndex((dataset: Body) => dataset.id === id));
    expect(places[0]).toBeGreaterThanOrEqual(0);
    expect(places[1]).toBeGreaterThan(places[0] as number);
    const { features: _, ...record } = (await get(`/v1/datasets/${older.id}`, one.session)).body.data;
    expect(record).toMatchObject({ user_email: one.email, metadata: { a: [1] }, feature_count: 1 });
    expect(body.data[places[1] as number]).toEqual(record);
  });

  it('are found by owner, address, visibility, type and status', async () => {
    const someone = await person();
    const [open, raster] = [
      await newDataset(someone.session, { is_public: true }),
      await newDataset(someone.session, { data_type: 'raster', status: 'checked by hand' }),
    ];
    const addressed = await newDataset(MASTER, { user_email: `By.Address.${someone.email}` });
    const ids = async (query: string) => {
      const { data, meta } = (await get(`/v1/admin/datasets?${query}`, MASTER)).body;
      expect(meta.total).toBe(data.length);
      return data.map(({ id }: Body) => id);
    };
    const owner = `user_id=${open.user_id}`;
    expect(await ids(owner)).toEqual([raster.id, open.id]);
    expect(await ids(`user_email=${someone.email.toUpperCase()}`)).toEqual([raster.id, open.id]);
    expect(await ids(`user_email=by.address.${someone.email}`)).toEqual([addressed.id]);
    expect(await ids(`${owner}&is_public=true`)).toEqual([open.id]);
    expect(await ids(`${owner}&is_public=false`)).toEqual([raster.id]);
    expect(await ids(`${owner}&data_type=raster`)).toEqual([raster.id]);
    expect(await ids(`${owner}&data_type=data`)).toEqual([]);
    expect(await ids(`${owner}&status=checked%20by%20hand`)).toEqual([raster.id]);
    const { body } = await get(`/v1/admin/datasets?${owner}&limit=1&page=2`, MASTER);
    expect([body.data.map(({ id }: Body) => id), body.meta.total]).toEqual([[open.id], 2]);
  });

  it('of a deleted user are still seen', async () => {
    const someone = await person();
    const { id, user_id } = await newDataset(someone.session, { is_public: true });
    await fromIdentity(userDeleted(someone.subject));
    const { data } = (await get(`/v1/admin/datasets?user_id=${user_id}`, MASTER)).body;
    expect(data).toMatchObject([{ id, user_id, user_email: someone.email, is_public: true }]);
  });

  it.each(['user_id=1', 'is_public=maybe', 'data_type=table', 'status=a&status=b', 'limit=101'])(
    'are 422 for %s',
    async (query) => {
      expect((await get(`/v1/admin/datasets?${query}`, MASTER)).status).toBe(422);
    },
  );
});
