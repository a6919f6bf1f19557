import { sql } from 'drizzle-orm';
import { describe, expect, inject, it } from 'vitest';
import { historyOf, userOf } from '../support/admin.ts';
import { type Body, get, MASTER, post, workerWith } from '../support/api.ts';
import { newDataset, point } from '../support/datasets.ts';
import { eventually } from '../support/eventually.ts';
import { bearer, newKey, person } from '../support/people.ts';
import { connectUnhurried, database } from '../support/sql.ts';
import { fromIdentity, newDeliveryId, userDeleted, userEvent } from '../support/webhooks.ts';

describe('the log', () => {
  it('tells the story of a user in order: made, with a key, deleted, the key revoked', async () => {
    const { subject, email, session } = await person();
    const created = newDeliveryId();
    await fromIdentity(userEvent('user.created', { id: subject, email }), { id: created });
    const user = await userOf(subject);
    const key = await newKey(session);
    expect([key.user_id, (await get('/v1/regions', bearer(key.key))).status]).toEqual([user.id, 200]);
    const deleted = newDeliveryId();
    await fromIdentity(userDeleted(subject), { id: deleted });
    expect((await get('/v1/regions', bearer(key.key))).body.code).toBe('api_key_revoked');

    // The whole log is read from there on, because other tests write into it at the same time.
    const since = encodeURIComponent((await historyOf(user.id))[0].at);
    const log: Body[] = [];
    for (let page: number | null = 1; page !== null; ) {
      const { body } = await get(`/v1/admin/audit-logs?order=asc&limit=100&since=${since}&page=${page}`, MASTER);
      log.push(...body.data);
      page = body.meta.next;
    }
    const moments = log.map(({ at }) => at);
    expect(moments).toEqual(moments.toSorted());
    const story = log.filter(({ subject: { id } }) => [user.id, key.id].includes(id));
    const webhook = { kind: 'webhook', user_id: null, key_id: null };
    expect(story).toMatchObject([
      { action: 'user.created', subject: { type: 'user' }, actor: webhook, details: { delivery: created } },
      { action: 'api_key.created', subject: { id: key.id }, actor: { kind: 'session', user_id: user.id } },
      { action: 'user.deleted', subject: { type: 'user' }, actor: webhook, details: { delivery: deleted } },
      {
        action: 'api_key.revoked',
        subject: { id: key.id },
        actor: webhook,
        details: { delivery: deleted, because: 'user.deleted' },
      },
    ]);
    expect(story.every(({ request_id }) => request_id)).toBe(true);
  });

  it('lists ten thousand entries at most, and reaches the older ones by time', async () => {
    const action = `test.${crypto.randomUUID()}`;
    const yesterday = Date.now() - 86_400_000;
    const at = (seconds: number) => new Date(yesterday + seconds * 1000).toISOString();
    await database.execute(sql`insert into audit_logs (at, actor_kind, action, subject_type, subject_id)
      select ${at(0)}::timestamptz + make_interval(secs => i), 'command', ${action}, 'test', i::text
      from generate_series(1, 10050) i`);
    try {
      const list = async (query: string) => {
        const { data, meta } = (await get(`/v1/admin/audit-logs?action=${action}&limit=100&${query}`, MASTER)).body;
        return [data.length, data[0]?.subject.id, data.at(-1)?.subject.id, meta.total, meta.next];
      };
      expect(await list('page=100')).toEqual([100, '150', '51', 10_000, null]);
      expect(await list('page=101')).toEqual([0, undefined, undefined, 10_000, null]);
      expect(await list('page=2147483647')).toEqual([0, undefined, undefined, 10_000, null]);
      expect(await list(`until=${at(51)}`)).toEqual([50, '50', '1', 50, null]);
    } finally {
      await database.execute(sql`delete from audit_logs where action = ${action}`);
    }
  });

  it("has every event of a key with its actor and request, and nothing of the key's secret", async () => {
    const someone = await person();
    const key = await newKey(someone.session, { scopes: ['read:boundaries'] });
    const rotated = await post(`/v1/api-keys/${key.id}/rotate`, { grace_seconds: 60 }, someone.session);
    await post(`/v1/api-keys/${rotated.body.data.id}/revoke`, '', someone.session);
    const actor = { kind: 'session', user_id: key.user_id, key_id: null };
    const successor = rotated.body.data.id;
    const history = [...(await historyOf(key.id)), ...(await historyOf(successor))];
    expect(history).toMatchObject([
      { action: 'api_key.created', actor, details: { name: 'Test', scopes: ['read:boundaries'] } },
      {
        action: 'api_key.rotated',
        actor,
        details: { successor, grace_seconds: 60 },
        request_id: rotated.headers.get('X-Request-Id'),
      },
      { action: 'api_key.revoked', actor },
    ]);
    const secrets = [key.key, rotated.body.data.key].map((token: string) => token.split('_').pop());
    for (const secret of secrets) expect(JSON.stringify(history)).not.toContain(secret);
  });

  it('names the key that something was done with', async () => {
    const someone = await person();
    const key = await newKey(someone.session);
    const other = await newKey(bearer(key.key));
    expect((await historyOf(other.id))[0].actor).toEqual({ kind: 'key', user_id: key.user_id, key_id: key.id });
  });

  it('is filtered by action, actor, subject, request and time', async () => {
    const someone = await person();
    const [first, second] = [await newKey(someone.session), await newKey(someone.session)];
    const revoked = await post(`/v1/api-keys/${first.id}/revoke`, '', someone.session);
    const ids = async (query: string) => {
      const { data } = (await get(`/v1/admin/audit-logs?user_id=${first.user_id}&${query}`, MASTER)).body;
      return data.map(({ action, subject }: Body) => [action, subject.id]);
    };
    const created = [
      ['api_key.created', second.id],
      ['api_key.created', first.id],
    ];
    expect(await ids('')).toEqual([['api_key.revoked', first.id], ...created]);
    expect(await ids('order=asc')).toEqual([...created.toReversed(), ['api_key.revoked', first.id]]);
    expect(await ids('action=api_key.created')).toEqual(created);
    expect(await ids(`subject_type=api_key&subject_id=${second.id}`)).toEqual([['api_key.created', second.id]]);
    expect(await ids(`request_id=${revoked.headers.get('X-Request-Id')}`)).toEqual([['api_key.revoked', first.id]]);
    expect(await ids(`until=2020-01-01T00:00:00Z`)).toEqual([]);
    expect(await ids(`since=2020-01-01T00:00:00%2B08:00`)).toHaveLength(3);
    // Every date and time of RFC 3339 is one, also where neither the database nor the clock can have it.
    for (const since of ['1852-06-12T00:00:00Z', '0000-01-01T00:00:00%2B14:00', '2016-12-31t23:59:60z']) {
      expect(await ids(`since=${since}`)).toHaveLength(3);
      expect(await ids(`until=${since}`)).toEqual([]);
    }
    for (const until of ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59-14:00']) {
      expect(await ids(`until=${until}`)).toHaveLength(3);
      expect(await ids(`since=${until}`)).toEqual([]);
    }
    expect(await ids(`limit=1&page=2`)).toEqual([['api_key.created', second.id]]);
  });

  it.each([
    'since=yesterday',
    'since=2026-02-30T00:00:00Z',
    'until=10000-01-01T00:00:00Z',
    'user_id=1',
    'order=up',
    'limit=101',
    'page=0',
    'action=a&action=b',
  ])('is 422 for %s', async (query) => {
    expect((await get(`/v1/admin/audit-logs?${query}`, MASTER)).status).toBe(422);
  });
});

describe('webhook events', () => {
  it.each(['source=clerk', 'noted=maybe', 'since=now', 'type='.concat('x'.repeat(257))])(
    'are 422 for %s',
    async (query) => {
      expect((await get(`/v1/admin/webhook-events?${query}`, MASTER)).status).toBe(422);
    },
  );
});

describe('releases', () => {
  const list = async () => (await get('/v1/admin/releases', MASTER)).body.data;
  const activate = (id: string) => post(`/v1/admin/releases/${id}/activate`, {});

  it('are listed with what they hold and which is served', async () => {
    const active = (await list()).find(({ status }: Body) => status === 'active');
    expect(active.counts).toMatchObject({ regions: 18, provinces: 82 });
    expect(active.checked_at).not.toBeNull();
    expect((await get('/v1/regions')).headers.get('X-Data-Release')).toBe(active.id);
  });

  it('that are active stay so, and nothing is written down', async () => {
    const { id } = (await list()).find(({ status }: Body) => status === 'active');
    const before = await historyOf(id);
    const { status, body } = await activate(id);
    expect([status, body.data]).toEqual([200, { id, status: 'active', previous: id }]);
    expect(await historyOf(id)).toEqual(before);
  });

  it('that were never checked are 422, and what is served stays', async () => {
    const id = `unchecked-${crypto.randomUUID()}`;
    await database.execute(
      sql`insert into data_releases (id, edition, sources, report) values (${id}, '1Q 2099', '[]', '{}')`,
    );
    try {
      const { status, body } = await activate(id);
      expect([status, body.code]).toEqual([422, 'release_not_checked']);
      expect((await list()).find((release: Body) => release.id === id).status).toBe('inactive');
      expect(await historyOf(id)).toEqual([]);
    } finally {
      await database.execute(sql`delete from data_releases where id = ${id}`);
    }
  });

  it('are served from the next request on once they are activated, which the log has with who did it', async () => {
    // This needs a database of its own: other tests would be served by the other release too.
    const DATABASE_URL = await (await fetch(inject('spareDatabase'))).text();
    const ask = workerWith({ DATABASE_URL });
    const served = async () => {
      const { headers, body } = await ask('/v1/regions');
      return [headers.get('X-Data-Release'), body.meta.total];
    };
    const [first] = await served();
    await connectUnhurried(DATABASE_URL).execute(
      sql`insert into data_releases (id, edition, sources, report, checked_at)
        values ('2099-4q-1', '4Q 2099', '[]', '{}', now())`,
    );
    const serve = (id: string, body?: object) =>
      ask(`/v1/admin/releases/${id}/activate`, {
        method: 'POST',
        headers: { ...MASTER, ...(body && { 'Content-Type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
    const states = async () => {
      const { body } = await ask('/v1/admin/releases', { headers: MASTER });
      return body.data.map(({ id, status }: Body) => [id, status]);
    };
    expect(await served()).toEqual([first, 18]);
    const refused = await serve('2099-4q-1');
    expect([refused.status, refused.body.code]).toEqual([409, 'release_loses_data']);
    expect(refused.body.losses).toContain('reverse geocoding and neighbours');
    expect(refused.body.losses[2]).toMatch(/^18 regions, 82 provinces, [\d,]+ cities and municipalities, 14 sub/);
    expect(await served()).toEqual([first, 18]);
    const there = await serve('2099-4q-1', { force: true });
    expect([there.status, there.body.data]).toEqual([200, { id: '2099-4q-1', status: 'active', previous: first }]);
    expect(await served()).toEqual(['2099-4q-1', 0]);
    expect(await states()).toEqual([
      ['2099-4q-1', 'active'],
      [first, 'inactive'],
    ]);
    const back = await serve(first);
    expect(back.body.data).toEqual({ id: first, status: 'active', previous: '2099-4q-1' });
    expect(await served()).toEqual([first, 18]);

    const log = await ask('/v1/admin/audit-logs?action=release.activated&order=asc', { headers: MASTER });
    const actor = { kind: 'master', user_id: null, key_id: null };
    const requests = [there, back].map(({ headers }) => headers.get('X-Request-Id'));
    expect(requests).toEqual([expect.any(String), expect.any(String)]);
    expect(log.body.data.slice(-2)).toMatchObject([
      { subject: { type: 'release', id: '2099-4q-1' }, actor, request_id: requests[0], details: { previous: first } },
      { subject: { type: 'release', id: first }, actor, request_id: requests[1], details: { previous: '2099-4q-1' } },
    ]);
  });

  it('that do not exist are 404', async () => {
    const { status, body } = await activate('2099-1q-1');
    expect([status, body.code]).toEqual([404, 'release_not_found']);
  });
});

describe('the numbers', () => {
  it('count what there is', async () => {
    const numbers = async () => (await get('/v1/admin/stats', MASTER)).body.data;
    // Other tests make and delete users, keys and thousands of events at the same time.
    const after = await eventually(async () => {
      const before = await numbers();
      const someone = await person();
      const key = await newKey(someone.session);
      await newKey(someone.session);
      await post(`/v1/api-keys/${key.id}/revoke`, '', someone.session);
      const now = await numbers();
      expect(now.users.active - before.users.active).toBeGreaterThanOrEqual(1);
      expect(now.api_keys.active - before.api_keys.active).toBeGreaterThanOrEqual(1);
      expect(now.api_keys.revoked - before.api_keys.revoked).toBeGreaterThanOrEqual(1);
      expect(now.audit_logs.total - before.audit_logs.total).toBeGreaterThanOrEqual(3);
      return now;
    });
    expect(after.releases.active).toBe((await get('/v1/regions')).headers.get('X-Data-Release'));
  });

  it('count datasets, what is in them and how large they are', async () => {
    const { session } = await person();
    await newDataset(session, { is_public: true, features: [{ geom: point(121, 14) }, { geom: point(122, 15) }] });
    const everything = async () => {
      const all: Body[] = [];
      for (let page: number | null = 1; page !== null; ) {
        const { body } = await get(`/v1/admin/datasets?limit=100&page=${page}`, MASTER);
        all.push(...body.data);
        page = body.meta.next;
      }
      const sum = (of: (dataset: Body) => number) => all.reduce((total, dataset) => total + of(dataset), 0);
      return {
        total: all.length,
        public: sum(({ is_public }) => Number(is_public)),
        features: sum(({ feature_count }) => feature_count),
        bytes: sum(({ size_bytes }) => size_bytes),
      };
    };
    // Other tests make and delete datasets at the same time.
    await eventually(async () => {
      const listed = await everything();
      expect((await get('/v1/admin/stats', MASTER)).body.data.datasets).toEqual(listed);
      expect([listed.public > 0, listed.features > 1, listed.bytes > 0]).toEqual([true, true, true]);
    });
  });

  it("are the database's estimate where a table that only grows is large", async () => {
    // The pages are set with the rows, because the planner estimates by the number of rows in a page.
    const planner = (rows: unknown, pages: unknown) =>
      database.execute(sql`update pg_class set reltuples = ${rows}, relpages = ${pages}
        where relname in ('audit_logs', 'webhook_events')`);
    try {
      await planner(7_000_000, 100_000);
      const { data } = (await get('/v1/admin/stats', MASTER)).body;
      expect([data.audit_logs.total, data.webhook_events.total]).toEqual([7_000_000, 7_000_000]);
    } finally {
      // A table that has never been analysed.
      await planner(-1, 0);
    }
    expect((await get('/v1/admin/stats', MASTER)).body.data.audit_logs.total).toBeLessThan(1_000_000);
  });
});
