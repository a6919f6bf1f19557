import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { POINTER_KEY } from '../../src/areas/snapshot/layout.ts';
import { jobContext as contextOf } from '../../src/context.ts';
import { RELEASE_VERSION } from '../../src/db/releases.ts';
import { sendDueDeliveries } from '../../src/notifications/deliver.ts';
import { jobs } from '../../src/scheduled.ts';
import { historyOf } from '../support/admin.ts';
import { api, type Body, get, MASTER, patch, post, send, workerWith } from '../support/api.ts';
import { jobContext } from '../support/context.ts';
import { eventually } from '../support/eventually.ts';
import { makeDue, newEndpoint, newReceiver, type Receiver } from '../support/hooks.ts';
import { bearer, type Headers, newKey, person } from '../support/people.ts';
import { apart, publishHistory } from '../support/snapshot.ts';
import { connectUnhurried, database } from '../support/sql.ts';
import { feature, upload } from '../support/uploads.ts';

const ENDPOINTS = '/v1/webhook-endpoints';
const DATASET = JSON.stringify(feature(1));

const sendNow = () => sendDueDeliveries(jobContext(env));
const logOf = async (id: string, owner: Headers): Promise<Body[]> =>
  (await get(`${ENDPOINTS}/${id}/deliveries`, owner)).body.data;
const recordOf = async (id: string, owner: Headers): Promise<Body> =>
  (await get(`${ENDPOINTS}/${id}`, owner)).body.data;
const set = (id: string, change: ReturnType<typeof sql>) =>
  database.execute(sql`update webhook_endpoints set ${change} where id = ${id}`);

/** Somebody with an endpoint that is told of their datasets. */
async function told(
  receiver: Receiver = newReceiver(),
): Promise<{ session: Headers; receiver: Receiver; endpoint: Body }> {
  const { session } = await person();
  return { session, receiver, endpoint: await newEndpoint(session, { url: receiver.url }) };
}

/** Waits until a receiver has got as many requests as said, and gives them. */
async function receivedBy(receiver: Receiver, count: number) {
  return eventually(async () => {
    const received = await receiver.received();
    expect(received).toHaveLength(count);
    return received;
  });
}

/** Waits until the latest delivery in the log of an endpoint has a status, and gives it. */
function latest(id: string, owner: Headers, status: string): Promise<Body> {
  return eventually(async () => {
    const [delivery] = await logOf(id, owner);
    expect(delivery).toMatchObject({ status });
    return delivery;
  });
}

/**
 * Makes the next attempt of the latest delivery, which fails, and gives the delivery.
 *
 * @param attempts the number of this attempt, from 1
 */
async function failOnce(id: string, owner: Headers, attempts: number): Promise<Body> {
  // The service makes the second attempt by itself after five seconds. On a busy machine this may have happened by now, and then the
  // delivery has as many attempts already and stays as it is.
  await makeDue(id, database, attempts);
  await sendNow();
  return eventually(async () => {
    const [delivery] = await logOf(id, owner);
    expect(delivery.attempts).toBe(attempts);
    expect(delivery.last_error).not.toBeNull();
    // While it is being sent, the next attempt is the end of its lease.
    const wait = Date.parse(delivery.next_attempt_at ?? '') - Date.parse(delivery.last_attempt_at);
    if (delivery.next_attempt_at !== null) expect(wait).toBeGreaterThan(120_000);
    return delivery;
  });
}

describe('an endpoint', () => {
  it('is created with its secret, listed without it, changed and deleted', async () => {
    const { session } = await person();
    const input = { url: 'https://hooks.example.com/psgc', events: ['release.activated'], description: 'Clinics' };
    const { status, body } = await post(ENDPOINTS, input, session);
    expect([status, body.data.secret]).toEqual([200, expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/)]);
    const { secret, ...record } = body.data;
    expect(record).toMatchObject({ ...input, areas: [], enabled: true, disabled_reason: null, failing_since: null });
    const list = await get(ENDPOINTS, session);
    expect(list.body.data).toEqual([record]);
    expect(list.text + (await get(`${ENDPOINTS}/${record.id}`, session)).text).not.toContain(secret);
    const changed = await patch(`${ENDPOINTS}/${record.id}`, { ...record, description: null, enabled: false }, session);
    expect(changed.body.data).toMatchObject({ description: null, enabled: false, url: input.url });
    expect((await send('DELETE', `${ENDPOINTS}/${record.id}`, session)).status).toBe(200);
    expect((await get(ENDPOINTS, session)).body.data).toEqual([]);
    const { user_id: userId } = await newKey(session);
    const log = (await get(`/v1/admin/audit-logs?user_id=${userId}&subject_type=webhook_endpoint`, MASTER)).body.data;
    expect(log.map(({ action }: Body) => action).reverse()).toEqual(
      ['created', 'updated', 'deleted'].map((verb) => `webhook_endpoint.${verb}`),
    );
    expect(JSON.stringify(log)).not.toContain('hooks.example.com');
  });

  it('is one of five of an account at most', async () => {
    const { session } = await person();
    for (let i = 0; i < 5; i += 1) await newEndpoint(session, { url: `https://example.com/${i}` });
    const { status, body } = await post(
      ENDPOINTS,
      { url: 'https://example.com/6', events: ['release.activated'] },
      session,
    );
    expect([status, body.code]).toEqual([422, 'too_many_webhook_endpoints']);
  });

  it('is created once for an Idempotency-Key, and its secret is told again', async () => {
    const { session } = await person();
    const headers = { ...session, 'Idempotency-Key': crypto.randomUUID() };
    const [one, other] = [
      await newEndpoint(headers, { url: 'https://example.com/a' }),
      await newEndpoint(headers, { url: 'https://example.com/a' }),
    ];
    expect(other).toEqual(one);
    const rotated = { ...session, 'Idempotency-Key': crypto.randomUUID() };
    const rotate = async () => (await post(`${ENDPOINTS}/${one.id}/rotate-secret`, {}, rotated)).body.data.secret;
    const secret = await rotate();
    expect([secret === one.secret, await rotate()]).toEqual([false, secret]);
  });

  it('has a secret that is told again for ten minutes, and only until it is replaced', async () => {
    const { session } = await person();
    const input = { url: 'https://example.com/', events: ['dataset.processed'] };
    const asked = async (path: string, body: object, key: string): Promise<unknown> => {
      const answer = await post(ENDPOINTS + path, body, { ...session, 'Idempotency-Key': key });
      return answer.status === 200 ? answer.body.data.secret : answer.body.code;
    };
    const [made, replaced] = [crypto.randomUUID(), crypto.randomUUID()];
    const secret = await asked('', input, made);
    const [{ id }] = (await get(ENDPOINTS, session)).body.data;
    await set(id, sql`created_at = now() - interval '9 minutes'`);
    expect(await asked('', input, made)).toBe(secret);
    await set(id, sql`created_at = now() - interval '11 minutes'`);
    expect(await asked('', input, made)).toBe('webhook_endpoint_not_found');
    await set(id, sql`created_at = now()`);
    const rotate = () => asked(`/${id}/rotate-secret`, { grace_seconds: 60 }, replaced);
    expect(await rotate()).toMatch(/^whsec_/);
    expect(await asked('', input, made)).toBe('webhook_endpoint_not_found');
    await set(id, sql`previous_until = previous_until - interval '11 minutes'`);
    expect(await rotate()).toBe('webhook_endpoint_not_found');
  });

  it('of changes names the areas that it follows', async () => {
    const { session } = await person();
    const { id } = await newEndpoint(session, { url: 'https://example.com/' });
    const events = ['dataset.processed', 'area.changed'];
    for (const { status, body } of [
      await post(ENDPOINTS, { url: 'https://example.com/', events }, session),
      await post(ENDPOINTS, { url: 'https://example.com/', events, areas: [] }, session),
      await patch(`${ENDPOINTS}/${id}`, { events }, session),
    ]) {
      expect([status, body.code, body.message]).toEqual([422, 'missing_areas', expect.stringMatching(/^areas: /)]);
    }
  });

  it('is deleted with a log of any length', async () => {
    const { session, endpoint } = await told();
    await database.execute(sql`insert into webhook_deliveries (endpoint_id, type, data, next_attempt_at)
      select ${endpoint.id}, 'dataset.processed', '{}', null from generate_series(1, 5001)`);
    expect((await send('DELETE', `${ENDPOINTS}/${endpoint.id}`, session)).status).toBe(200);
    expect((await get(`${ENDPOINTS}/${endpoint.id}`, session)).status).toBe(404);
  });

  it('keeps its failures, and why it was disabled, when its record is sent back with another description', async () => {
    const { session } = await person();
    const { id } = await newEndpoint(session, { url: 'https://example.com/' });
    const since = '2026-11-01T00:00:00.000Z';
    const sendBack = async (change: object) =>
      (await patch(`${ENDPOINTS}/${id}`, { ...(await recordOf(id, session)), ...change }, session)).body.data;
    await set(id, sql`failing_since = ${since}::timestamptz`);
    expect(await sendBack({ description: 'One' })).toMatchObject({ description: 'One', failing_since: since });
    await set(id, sql`enabled = false, disabled_reason = 'It answered 410: it is gone.'`);
    expect(await sendBack({ description: 'Two' })).toMatchObject({
      ...{ description: 'Two', enabled: false, disabled_reason: 'It answered 410: it is gone.', failing_since: since },
    });
    expect(await sendBack({ enabled: true })).toMatchObject({ disabled_reason: null, failing_since: null });
    await set(id, sql`failing_since = ${since}::timestamptz`);
    expect(await sendBack({ url: 'https://example.com/b' })).toMatchObject({ failing_since: null });
  });

  it('of an account that is restored begins without failures', async () => {
    const { session, endpoint } = await told();
    await set(endpoint.id, sql`failing_since = now() - interval '4 days'`);
    const { id } = (await get('/v1/account', session)).body.data;
    expect((await api(`/v1/account?confirm=${id}`, { method: 'DELETE', headers: session })).status).toBe(200);
    expect((await send('POST', `/v1/admin/users/${id}/restore`, MASTER)).status).toBe(200);
    expect(await recordOf(endpoint.id, session)).toMatchObject({ enabled: true, failing_since: null });
  });

  it('is nobody else’s', async () => {
    const { endpoint, session } = await told();
    const { session: stranger } = await person();
    await upload(session, 'a.geojson', DATASET);
    const { id: delivery } = await latest(endpoint.id, session, 'delivered');
    const path = `${ENDPOINTS}/${endpoint.id}`;
    const asks: [string, string, object?][] = [
      ['GET', path],
      ['PATCH', path, { enabled: false }],
      ['DELETE', path],
      ['POST', `${path}/rotate-secret`, {}],
      ['POST', `${path}/test`],
      ['GET', `${path}/deliveries`],
    ];
    for (const [method, at, body] of asks) {
      const answer = await send(method, at, stranger, body);
      expect([answer.status, answer.body.code], at).toEqual([404, 'webhook_endpoint_not_found']);
    }
    const replay = await send('POST', `${path}/deliveries/${delivery}/replay`, stranger);
    expect([replay.status, replay.body.code]).toEqual([404, 'webhook_delivery_not_found']);
    // Through an endpoint of one's own no delivery of another is reached.
    const own = await newEndpoint(stranger, { url: 'https://example.com/' });
    expect((await send('POST', `${ENDPOINTS}/${own.id}/deliveries/${delivery}/replay`, stranger)).status).toBe(404);
    expect((await get(ENDPOINTS, stranger)).body.data.map(({ id }: Body) => id)).toEqual([own.id]);
    const { secret, ...record } = endpoint;
    expect(await recordOf(endpoint.id, session)).toEqual(record);
  });

  it('is managed with a session or a key without scopes', async () => {
    const { session } = await person();
    const [whole, limited] = [await newKey(session), await newKey(session, { scopes: ['read:datasets'] })];
    expect((await get(ENDPOINTS, bearer(whole.key))).status).toBe(200);
    expect((await get(ENDPOINTS, bearer(limited.key))).body.code).toBe('unscoped_key_required');
  });

  it.each([
    ['http://example.com/', 'https'],
    ['https://user:secret@example.com/', 'user'],
    ['https://example.com:22/', 'port'],
    ['https://10.0.0.1/', 'number'],
    ['https://0x7f.1/', 'number'],
    ['https://2130706433/', 'number'],
    ['https://017700000001/', 'number'],
    ['https://[::ffff:10.0.0.1]/', 'number'],
    ['https://localhost/', 'public'],
    ['https://printer.local/', 'public'],
    ['https://metadata.google.internal/', 'public'],
    ['ftp://example.com/', 'https'],
    ['nowhere', 'address'],
  ])('is refused at %s, on creation and on change', async (url, rule) => {
    const { session } = await person();
    const { id } = await newEndpoint(session, { url: 'https://example.com/' });
    const answers = [
      await post(ENDPOINTS, { url, events: ['dataset.processed'] }, session),
      await patch(`${ENDPOINTS}/${id}`, { url }, session),
    ];
    for (const { status, body } of answers) {
      expect([status, body.code]).toEqual([422, 'webhook_url_not_allowed']);
      expect(body.message).toMatch(new RegExp(`^url: .*${rule}`));
    }
  });

  it('may be on this machine in development only, also where it was stored before', async () => {
    const { session, endpoint, receiver } = await told();
    const ask = workerWith({ ENVIRONMENT: 'preview' });
    const headers = { ...session, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ url: receiver.url, events: ['dataset.processed'] });
    expect((await ask(ENDPOINTS, { method: 'POST', headers, body })).body.code).toBe('webhook_url_not_allowed');
    await database.execute(sql`insert into webhook_deliveries (endpoint_id, type, data, next_attempt_at)
      values (${endpoint.id}, 'dataset.processed', '{}', now())`);
    await sendDueDeliveries(jobContext({ ...env, ENVIRONMENT: 'preview' }));
    const [delivery] = await logOf(endpoint.id, session);
    expect(delivery).toMatchObject({ status: 'pending', last_error: 'Its address must begin with https://.' });
    expect(await receiver.received()).toEqual([]);
  });
});

describe('a dataset that was processed', () => {
  it('is told at once, signed by the specification, and told again when it is replaced', async () => {
    const { session, receiver, endpoint } = await told();
    const { body } = await upload(session, 'wells.geojson', DATASET);
    const { id } = body.data;
    const [first] = await receivedBy(receiver, 1);
    const event = new Webhook(endpoint.secret).verify(first?.body ?? '', first?.headers ?? {}) as Body;
    expect(event).toEqual({
      type: 'dataset.processed',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        ...{
          id,
          name: 'wells.geojson',
          status: 'ready',
          feature_count: 1,
          file_bytes: new TextEncoder().encode(DATASET).length,
        },
        ...{ replaced: false, href: `/v1/datasets/${id}` },
      },
    });
    expect(() => new Webhook(endpoint.secret).verify(`${first?.body} `, first?.headers ?? {})).toThrow();
    expect(first?.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'PSGC-Webhooks/1' });
    const delivery = await latest(endpoint.id, session, 'delivered');
    expect(delivery).toMatchObject({
      ...{
        id: first?.headers['webhook-id'],
        type: 'dataset.processed',
        attempts: 1,
        last_status: 204,
        data: event.data,
      },
      ...{ next_attempt_at: null, last_error: null, response_excerpt: null },
    });
    await upload(session, 'wells.geojson', `${DATASET}\n`, { dataset_id: id, feature_storage: 'features_and_r2' });
    const [, second] = await receivedBy(receiver, 2);
    expect(JSON.parse(second?.body ?? '').data).toMatchObject({ id, replaced: true });
    expect(second?.headers['webhook-id']).not.toBe(first?.headers['webhook-id']);
  });

  it('is told its owner, who may be known by address only, and nobody else', async () => {
    const [owner, stranger] = [await told(), await told()];
    const { body } = await get('/v1/account', owner.session);
    const { id } = (await upload(MASTER, 'a.geojson', DATASET, { user_email: body.data.email })).body.data;
    const [received] = await receivedBy(owner.receiver, 1);
    expect(JSON.parse(received?.body ?? '').data.id).toBe(id);
    expect(await logOf(stranger.endpoint.id, stranger.session)).toEqual([]);
  });

  it('is not told an endpoint for which a thousand deliveries wait', async () => {
    const { session, endpoint } = await told();
    await database.execute(sql`insert into webhook_deliveries (endpoint_id, type, data, next_attempt_at)
      select ${endpoint.id}, 'dataset.processed', '{}', now() + interval '1 day' from generate_series(1, 999)`);
    const total = async () => (await get(`${ENDPOINTS}/${endpoint.id}/deliveries?limit=1`, session)).body.meta.total;
    // The first one fails and waits too.
    await set(endpoint.id, sql`url = 'http://127.0.0.1:1/'`);
    await upload(session, 'a.geojson', DATASET);
    expect(await total()).toBe(1000);
    await upload(session, 'b.geojson', DATASET);
    expect(await total()).toBe(1000);
  });

  it('is not told an endpoint of other events, or one that is disabled', async () => {
    const { session, endpoint } = await told();
    const other = await newEndpoint(session, { url: newReceiver().url, events: ['release.activated'] });
    await patch(`${ENDPOINTS}/${endpoint.id}`, { enabled: false }, session);
    await upload(session, 'a.geojson', DATASET);
    expect([await logOf(endpoint.id, session), await logOf(other.id, session)]).toEqual([[], []]);
  });
});

describe('a secret that is replaced', () => {
  it('goes on signing beside the new one for the grace time', async () => {
    const { session, receiver, endpoint } = await told();
    const rotate = (body?: object) => post(`${ENDPOINTS}/${endpoint.id}/rotate-secret`, body, session);
    const { secret } = (await rotate({})).body.data;
    await upload(session, 'a.geojson', DATASET);
    const [both] = await receivedBy(receiver, 1);
    expect(both?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    for (const one of [endpoint.secret, secret]) new Webhook(one).verify(both?.body ?? '', both?.headers ?? {});
    const { secret: last } = (await rotate({ grace_seconds: 0 })).body.data;
    await upload(session, 'a.geojson', DATASET);
    const [, alone] = await receivedBy(receiver, 2);
    new Webhook(last).verify(alone?.body ?? '', alone?.headers ?? {});
    for (const one of [endpoint.secret, secret]) {
      expect(() => new Webhook(one).verify(alone?.body ?? '', alone?.headers ?? {})).toThrow();
    }
  });
});

describe('a delivery that fails', () => {
  it('is tried again after 5 seconds and then ever later, ten times in three days', async () => {
    const { session, receiver, endpoint } = await told();
    await receiver.answer({ status: 500, body: 'x'.repeat(5000) });
    await upload(session, 'a.geojson', DATASET);
    await receivedBy(receiver, 1);
    const waits: number[] = [];
    for (let attempt = 2; attempt <= 10; attempt += 1) {
      const { next_attempt_at: next, last_attempt_at: last } = await failOnce(endpoint.id, session, attempt);
      if (next !== null) waits.push(Math.round((Date.parse(next) - Date.parse(last)) / 1000));
    }
    const expected = [300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 73_495];
    for (const [i, seconds] of expected.entries()) {
      expect(waits[i], `${i}`).toBeGreaterThanOrEqual(seconds);
      expect(waits[i], `${i}`).toBeLessThan(seconds * 1.1 + 30);
    }
    expect(5 + expected.reduce((sum, one) => sum + one)).toBe(3 * 24 * 60 * 60);
    const [delivery] = await logOf(endpoint.id, session);
    expect(delivery).toMatchObject({ status: 'failed', next_attempt_at: null, last_status: 500 });
    expect(delivery.response_excerpt).toBe('x'.repeat(1024));
    const received = await receiver.received();
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    // Three days have not passed here.
    expect(await recordOf(endpoint.id, session)).toMatchObject({ enabled: true, failing_since: expect.any(String) });
  });

  it('is tried again by itself, and success ends the failure', async () => {
    const { session, receiver, endpoint } = await told();
    await receiver.answer({ status: 503 });
    await upload(session, 'a.geojson', DATASET);
    await receivedBy(receiver, 1);
    await receiver.answer({ status: 200, body: 'Thanks\u0000\u001b[31m' });
    // Nobody but the object that sends does anything from here.
    await receivedBy(receiver, 2);
    const delivery = await latest(endpoint.id, session, 'delivered');
    expect(delivery).toMatchObject({
      attempts: 2,
      last_status: 200,
      last_error: null,
      response_excerpt: 'Thanks [31m',
    });
    expect((await recordOf(endpoint.id, session)).failing_since).toBeNull();
  });

  it.each([
    ['a redirect', { status: 307, headers: { Location: '/' } }, 'It answered 307, and redirects are not followed.'],
    ['an answer after ten seconds', { isHeld: true }, 'It did not answer in 10 seconds.'],
    ['a refusal', { status: 404 }, 'It answered 404.'],
  ])('says why: %s', async (_, behaviour, error) => {
    const { session, receiver, endpoint } = await told();
    await receiver.answer(behaviour);
    await upload(session, 'a.geojson', DATASET);
    const delivery = await eventually(async () => {
      const [one] = await logOf(endpoint.id, session);
      expect(one?.last_error).toBe(error);
      return one;
    });
    expect(delivery).toMatchObject({ status: 'pending', last_status: 'status' in behaviour ? behaviour.status : null });
  });

  it('says so where nothing listens', async () => {
    const { session } = await person();
    const { id } = await newEndpoint(session, { url: 'http://127.0.0.1:1/' });
    await upload(session, 'a.geojson', DATASET);
    await eventually(async () => expect((await logOf(id, session))[0]?.last_error).toBe('It could not be reached.'));
  });

  it('after three days of failures disables the endpoint, whose owner is told why, and stops the others', async () => {
    const { session, receiver, endpoint } = await told();
    await receiver.answer({ status: 500 });
    await upload(session, 'a.geojson', DATASET);
    await receivedBy(receiver, 1);
    await failOnce(endpoint.id, session, 2);
    await set(endpoint.id, sql`failing_since = now() - interval '71 hours'`);
    await failOnce(endpoint.id, session, 3);
    expect((await recordOf(endpoint.id, session)).enabled).toBe(true);
    await database.execute(sql`insert into webhook_deliveries (endpoint_id, type, data, next_attempt_at)
      values (${endpoint.id}, 'dataset.processed', '{}', now() + interval '1 day')`);
    await set(endpoint.id, sql`failing_since = now() - interval '73 hours'`);
    await database.execute(sql`update webhook_deliveries set next_attempt_at = now() where endpoint_id = ${endpoint.id}
      and attempts = 3`);
    await sendNow();
    const reason = 'No delivery succeeded for 3 days. The last one: It answered 500.';
    await eventually(async () =>
      expect(await recordOf(endpoint.id, session)).toMatchObject({ enabled: false, disabled_reason: reason }),
    );
    expect((await logOf(endpoint.id, session)).map(({ status, last_error: error }) => [status, error])).toEqual([
      ['failed', 'The endpoint was disabled.'],
      ['failed', 'It answered 500.'],
    ]);
    expect((await historyOf(endpoint.id)).map(({ action }) => action)).toEqual([
      'webhook_endpoint.created',
      'webhook_endpoint.disabled',
    ]);
    // Enabled again, it begins anew.
    const { body } = await patch(`${ENDPOINTS}/${endpoint.id}`, { enabled: true }, session);
    expect(body.data).toMatchObject({ enabled: true, disabled_reason: null, failing_since: null });
  });

  it('with 410 disables the endpoint at once, and is sent again when it is asked for', async () => {
    const { session, receiver, endpoint } = await told();
    await receiver.answer({ status: 410 });
    await upload(session, 'a.geojson', DATASET);
    await receivedBy(receiver, 1);
    await eventually(async () =>
      expect(await recordOf(endpoint.id, session)).toMatchObject({
        enabled: false,
        disabled_reason: 'It answered 410: it is gone.',
      }),
    );
    const [{ id }] = (await logOf(endpoint.id, session)) as [Body];
    const replay = () => send('POST', `${ENDPOINTS}/${endpoint.id}/deliveries/${id}/replay`, session);
    for (const refused of [await replay(), await send('POST', `${ENDPOINTS}/${endpoint.id}/test`, session)]) {
      expect([refused.status, refused.body.code]).toEqual([409, 'webhook_endpoint_disabled']);
    }
    await patch(`${ENDPOINTS}/${endpoint.id}`, { enabled: true }, session);
    await receiver.answer({ status: 204 });
    expect((await replay()).body.data).toMatchObject({ id, status: 'pending', attempts: 0 });
    const [first, second] = await receivedBy(receiver, 2);
    expect([second?.headers['webhook-id'], second?.body]).toEqual([first?.headers['webhook-id'], first?.body]);
    expect(await latest(endpoint.id, session, 'delivered')).toMatchObject({ attempts: 1, last_status: 204 });
  });

  it('counts as ten requests each time that it is replayed, of a session too', async () => {
    const { session, receiver, endpoint } = await told();
    await upload(session, 'a.geojson', DATASET);
    await receivedBy(receiver, 1);
    const { id } = await latest(endpoint.id, session, 'delivered');
    const limited = workerWith({ ACCOUNT_RPM: '20' });
    const replay = () =>
      limited(`${ENDPOINTS}/${endpoint.id}/deliveries/${id}/replay`, { method: 'POST', headers: session });
    expect([(await replay()).status, (await replay()).status]).toEqual([200, 200]);
    const refused = await replay();
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limit_exceeded']);
    expect((await limited(`${ENDPOINTS}/${endpoint.id}/deliveries`, { headers: session })).status).toBe(200);
  });
});

describe('an answer of an address that was changed meanwhile', () => {
  it('says nothing of the endpoint, and the new address gets the delivery', async () => {
    const { session, receiver, endpoint } = await told();
    await receiver.answer({ isHeld: true });
    await upload(session, 'a.geojson', DATASET);
    await receivedBy(receiver, 1);
    const next = newReceiver();
    await patch(`${ENDPOINTS}/${endpoint.id}`, { url: next.url }, session);
    await receiver.answer({ status: 410 });
    await eventually(async () =>
      expect(await logOf(endpoint.id, session)).toMatchObject([{ status: 'pending', last_status: 410 }]),
    );
    expect(await recordOf(endpoint.id, session)).toMatchObject({ enabled: true, failing_since: null });
    await makeDue(endpoint.id);
    await sendNow();
    await receivedBy(next, 1);
  });
});

describe('a test of an endpoint', () => {
  it('is sent once, and the log has the latest only', async () => {
    const { session, receiver, endpoint } = await told();
    await receiver.answer({ status: 500 });
    const test = () => send('POST', `${ENDPOINTS}/${endpoint.id}/test`, session);
    const first = await test();
    expect([first.status, first.body.data.type]).toEqual([200, 'endpoint.test']);
    expect(await latest(endpoint.id, session, 'failed')).toMatchObject({ id: first.body.data.id, last_status: 500 });
    // It says nothing of the endpoint.
    expect((await recordOf(endpoint.id, session)).failing_since).toBeNull();
    await receiver.answer({});
    const early = await test();
    expect([early.status, early.body.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(Number(early.headers.get('Retry-After'))).toBeGreaterThan(0);
    await database.execute(sql`update webhook_deliveries set created_at = created_at - interval '10 seconds'
      where endpoint_id = ${endpoint.id}`);
    const second = await test();
    const [, received] = await receivedBy(receiver, 2);
    expect(new Webhook(endpoint.secret).verify(received?.body ?? '', received?.headers ?? {})).toMatchObject({
      type: 'endpoint.test',
      data: { endpoint_id: endpoint.id },
    });
    await latest(endpoint.id, session, 'delivered');
    expect((await logOf(endpoint.id, session)).map(({ id }) => id)).toEqual([second.body.data.id]);
  });
});

it('tests of new endpoints count as ten requests each, of a session too', async () => {
  const { session, receiver } = await told();
  const limited = workerWith({ ACCOUNT_RPM: '20' });
  const answers: Body[] = [];
  for (let i = 0; i < 3; i += 1) {
    const { id } = await newEndpoint(session, { url: receiver.url });
    const { status, body } = await limited(`${ENDPOINTS}/${id}/test`, { method: 'POST', headers: session });
    answers.push([status, body.code]);
    await send('DELETE', `${ENDPOINTS}/${id}`, session);
  }
  expect(answers).toEqual([
    [200, undefined],
    [200, undefined],
    [429, 'rate_limit_exceeded'],
  ]);
});

describe('a run', () => {
  it('sends nothing that another one sends at the same time', async () => {
    const { session, receiver, endpoint } = await told();
    await receiver.answer({ delayMs: 200 });
    const count = 15;
    await database.execute(sql`insert into webhook_deliveries (endpoint_id, type, data, next_attempt_at)
      select ${endpoint.id}, 'dataset.processed', jsonb_build_object('n', n), now() from generate_series(1, ${count}::int) n`);
    await Promise.all([sendNow(), sendNow(), sendNow()]);
    const received = await receivedBy(receiver, count);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(count);
    const { body } = await get(`${ENDPOINTS}/${endpoint.id}/deliveries?limit=100`, session);
    expect(body.data.map(({ attempts }: Body) => attempts)).toEqual(Array.from({ length: count }, () => 1));
  });

  it('puts off an attempt that can not be made, each time for longer, and ten times at most', async () => {
    const { session, receiver, endpoint } = await told();
    // The look-up of its changes throws, because the edition has no text.
    await database.execute(sql`insert into webhook_deliveries (endpoint_id, type, data, attempts, next_attempt_at, created_at)
      values (${endpoint.id}, 'area.changed', '{"previous_edition": {"toString": 0}}', 3, now(), now()),
        (${endpoint.id}, 'dataset.processed', '{}', 10, now() - interval '1 minute', now() - interval '3 days')`);
    await sendNow();
    await sendNow();
    const [broken, ended] = await logOf(endpoint.id, session);
    expect(broken).toMatchObject({ status: 'pending', attempts: 4 });
    expect(Date.parse(broken?.next_attempt_at) - Date.parse(broken?.last_attempt_at)).toBe(7_200_000);
    expect(ended).toMatchObject({ status: 'failed', attempts: 10, last_error: 'It could not be sent.' });
    expect(await receiver.received()).toEqual([]);
  });

  it('puts off an attempt that can not be signed, which is no failure of the endpoint', async () => {
    const { session, receiver, endpoint } = await told();
    await set(endpoint.id, sql`secret = 'whsec_!'`);
    await database.execute(sql`insert into webhook_deliveries (endpoint_id, type, data, next_attempt_at)
      values (${endpoint.id}, 'dataset.processed', '{}', now())`);
    await sendNow();
    const [delivery] = await logOf(endpoint.id, session);
    expect(delivery).toMatchObject({ status: 'pending', attempts: 1, last_error: null });
    expect((await recordOf(endpoint.id, session)).failing_since).toBeNull();
    expect(await receiver.received()).toEqual([]);
  });

  it('makes an attempt again that was lost, after its lease', async () => {
    const { session, receiver, endpoint } = await told();
    // Somebody has begun it and said nothing since.
    await database.execute(sql`insert into webhook_deliveries (endpoint_id, type, data, attempts, next_attempt_at)
      values (${endpoint.id}, 'dataset.processed', '{}', 1, now() + interval '60 seconds')`);
    await sendNow();
    expect(await receiver.received()).toEqual([]);
    await makeDue(endpoint.id);
    await sendNow();
    await receivedBy(receiver, 1);
    expect(await latest(endpoint.id, session, 'delivered')).toMatchObject({ attempts: 2 });
  });
});

describe('accounts', async () => {
  const DATABASE_URL = await (await fetch(`${inject('spareDatabase')}turns`)).text();
  const spare = connectUnhurried(DATABASE_URL);
  const run = () => sendDueDeliveries(contextOf({ ...env, DATABASE_URL } as unknown as Env, () => undefined));
  const count = async (receivers: Receiver[]) =>
    (await Promise.all(receivers.map((it) => it.received()))).flat().length;

  beforeEach(() => spare.execute(sql`delete from webhook_deliveries`));

  /** An account with some endpoints at one receiver, and something to be sent to each. */
  async function accountWith(endpoints: number, { isHeld = false, dueSeconds = 0 } = {}): Promise<Receiver> {
    const receiver = newReceiver();
    await receiver.answer({ isHeld });
    await spare.execute(sql`with owner as (insert into profiles (subject) values (${receiver.url}) returning id), e as (
        insert into webhook_endpoints (user_id, url, events, secret)
        select owner.id, ${receiver.url}, '{dataset.processed}', ${`whsec_${btoa('x'.repeat(24))}`}
        from owner, generate_series(1, ${endpoints}::int) returning id
      )
      insert into webhook_deliveries (endpoint_id, type, data, next_attempt_at)
      select id, 'dataset.processed', '{}', now() - make_interval(secs => ${dueSeconds}) from e`);
    return receiver;
  }

  it('do not wait for others whose endpoints are slow, fewer of which get a turn for an hour', async () => {
    const slow = await Promise.all(Array.from({ length: 5 }, () => accountWith(5, { isHeld: true })));
    // Each round: how many of the five get a request at once, how many requests they got before, and the minutes since the last round.
    // All get one while none is known to be slow, then two within the hour, and all after it.
    for (const [underWay, before, minutesLater] of [
      [5, 0, 0],
      [2, 5, 50],
      [5, 7, 61],
    ] as const) {
      await spare.execute(
        sql`update profiles set slow_webhook_at = slow_webhook_at - make_interval(mins => ${minutesLater})`,
      );
      await Promise.all(slow.map((it) => it.answer({ isHeld: true })));
      const sending = run();
      await eventually(async () => expect(await count(slow)).toBe(before + underWay));
      const prompt = await accountWith(1);
      await receivedBy(prompt, 1);
      // None of them has answered yet, and no other one of the same account was asked.
      expect(await count(slow)).toBe(before + underWay);
      const { rows } = await spare.execute(sql`select count(*)::int from webhook_deliveries d
        join webhook_endpoints e on e.id = d.endpoint_id where e.url = any (${sql.param(slow.map(({ url }) => url))}::text[])
          and d.attempts = 1 and d.delivered_at is null`);
      expect(rows).toEqual([{ count: underWay }]);
      await spare.execute(sql`update webhook_deliveries set next_attempt_at = null where attempts = 0`);
      // An answer is slow after two seconds.
      await new Promise((done) => setTimeout(done, 2100));
      await Promise.all(slow.map((it) => it.answer({})));
      await sending;
      await spare.execute(sql`update webhook_deliveries set next_attempt_at = now() where attempts = 0`);
    }
  });

  it('take turns, also where much has waited for long', async () => {
    await Promise.all(Array.from({ length: 6 }, () => accountWith(3, { dueSeconds: 3600 })));
    const { url } = await accountWith(1);
    await run();
    const { rows } = await spare.execute<{ place: string }>(sql`select place from (
        select e.url, rank() over (order by d.last_attempt_at) as place
        from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id where d.delivered_at is not null
      ) sent where url = ${url}`);
    expect(rows.map(({ place }) => Number(place))).toEqual([7]);
  });
});

describe('a new release', async () => {
  const DATABASE_URL = await (await fetch(`${inject('spareDatabase')}notifications`)).text();
  const spare = connectUnhurried(DATABASE_URL);
  const FILES = apart();
  const ask = workerWith({ DATABASE_URL, FILES });
  const bindings = { ...env, DATABASE_URL, FILES };
  const asUser = (owner: Headers) => (path: string, body: unknown) =>
    ask(path, {
      method: 'POST',
      headers: { ...owner, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const activate = (id: string) =>
    asUser(MASTER)(`/v1/admin/releases/${id}/activate`, { force: true }).then(({ status, text }) => {
      if (status !== 200) throw new Error(text);
    });
  const received = async (receiver: Receiver) => (await receiver.received()).map(({ body }) => JSON.parse(body));
  const cebu = '0702200000';
  const change = (code: string) => ({
    ...{ kind: 'renamed', level: 'municity', from: [[code, null]], to: [[code, null]], basis: 'note', note: null },
  });
  const history = {
    editions: ['2026-3q', '2026-4q'],
    areas: [
      ['0700000000', 'region', 'Central Visayas'],
      [cebu, 'province', 'Cebu'],
      ['0702201000', 'municity', 'Alcantara'],
      ['0701200000', 'province', 'Bohol'],
      ['0702202000', 'municity', 'Alcoy'],
    ],
    changes: { '2026-3q': [change('0702201000')] },
  };

  it('is told a minute after it is activated, and its changes those who follow an area that has any', async () => {
    await spare.execute(sql`insert into data_releases (id, edition, sources, report, boundary_set, checked_at)
      select id, '4Q 2026', sources, report, boundary_set, now() from (values ('2026-4q-1'), ('2026-4q-2')) as r (id),
        (select sources, report, boundary_set from data_releases where id = '2026-3q-1') as old`);
    const { rows } = await spare.execute<{ version: string }>(
      sql`select ${RELEASE_VERSION} as version from data_releases r where id = '2026-4q-1'`,
    );
    const version = rows[0]?.version ?? '';
    await publishHistory(FILES, history as never, { release: '2026-4q-1', version });
    const { session } = await person();
    const endpointOf = async (input: object) => {
      const receiver = newReceiver();
      const url = receiver.url;
      const endpoint = await newEndpoint(session, { url, ...input }, (path, body) => asUser(session)(path, body));
      return { endpoint, receiver };
    };
    const release = await endpointOf({ events: ['release.activated'] });
    const [within, one, unchanged] = [
      await endpointOf({ events: ['area.changed', 'release.activated'], areas: [cebu, '0702201000'] }),
      await endpointOf({ events: ['area.changed'], areas: [cebu] }),
      await endpointOf({ events: ['area.changed'], areas: ['0701200000'] }),
    ];
    const unknown = await asUser(session)(ENDPOINTS, {
      url: 'https://a.example/',
      events: ['area.changed'],
      areas: ['9999999999'],
    });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'area_not_found']);
    const context = contextOf(bindings as unknown as Env, () => undefined);

    await activate('2026-4q-1');
    expect(await sendDueDeliveries(context)).toBeGreaterThan(30);
    expect(await received(release.receiver)).toEqual([]);
    const due = sql`update webhook_deliveries set next_attempt_at = now() where next_attempt_at is not null`;
    await spare.execute(due);
    expect(await sendDueDeliveries(context)).toBeUndefined();
    const facts = {
      release: '2026-4q-1',
      edition: '2026-4q',
      previous_release: '2026-3q-1',
      previous_edition: '2026-3q',
    };
    expect(await received(release.receiver)).toMatchObject([{ type: 'release.activated', data: facts }]);
    const events = await received(within.receiver);
    expect(events.map(({ type }) => type).sort()).toEqual(['area.changed', 'release.activated']);
    const { data } = events.find(({ type }) => type === 'area.changed');
    expect(data).toMatchObject({
      ...facts,
      ...{
        areas: [cebu, '0702201000'],
        total: 1,
        href: `/v1/changes?from=2026-3q&to=2026-4q&within=${cebu},0702201000`,
      },
    });
    // The change is of both areas, and told once.
    expect(data.changes).toMatchObject([{ kind: 'renamed', from: [{ code: '0702201000', name: 'Alcantara' }] }]);
    // Every attempt sends what is stored, in its order.
    const log = await ask(`${ENDPOINTS}/${within.endpoint.id}/deliveries`, { headers: session });
    const stored = log.body.data.find(({ type }: Body) => type === 'area.changed').data;
    expect(JSON.stringify(data)).toBe(JSON.stringify(stored));
    const { body: answered } = await ask(data.href);
    expect(data.changes).toEqual(answered.data);
    const [toOne] = await received(one.receiver);
    expect(toOne.data).toMatchObject({ total: 1, href: `/v1/changes?from=2026-3q&to=2026-4q&within=${cebu}` });
    expect(await received(unchanged.receiver)).toEqual([]);

    // Another load of the same edition changes no area, and neither does an older edition that is served again. An activation is told
    // only if its release is still active when its turn comes, so the first of these two is not.
    await activate('2026-4q-2');
    await activate('2026-3q-1');
    await spare.execute(due);
    await sendDueDeliveries(context);
    const types = (await received(within.receiver)).map(({ type }) => type).sort();
    expect(types).toEqual(['area.changed', 'release.activated', 'release.activated']);
    expect((await received(release.receiver)).map(({ data }) => data.release)).toEqual(['2026-4q-1', '2026-3q-1']);
    const left = await spare.execute<{ count: number }>(
      sql`select count(*)::int from webhook_deliveries where delivered_at is null`,
    );
    expect(left.rows).toEqual([{ count: 0 }]);
  });

  it('waits with the changes until the history of its edition is served', async () => {
    const { session } = await person();
    const receiver = newReceiver();
    await publishHistory(FILES, history as never, { release: '2026-4q-1' });
    const input = { url: receiver.url, events: ['area.changed'], areas: [cebu] };
    const { id } = await newEndpoint(session, input, (path, body) => asUser(session)(path, body));
    await spare.execute(sql`insert into webhook_deliveries (endpoint_id, type, data) values (${id}, 'area.changed',
      '{"release": "2027-1q-1", "edition": "2027-1q", "previous_release": "2026-3q-1", "previous_edition": "2026-3q"}')`);
    await sendDueDeliveries(contextOf(bindings as unknown as Env, () => undefined));
    const log = await ask(`${ENDPOINTS}/${id}/deliveries`, { headers: session });
    expect(log.body.data).toMatchObject([
      { status: 'pending', last_error: 'The changes of the edition can not be read yet.', last_status: null },
    ]);
    expect((await ask(`${ENDPOINTS}/${id}`, { headers: session })).body.data.failing_since).toBeNull();
    expect(await receiver.received()).toEqual([]);
  });

  it('is told when the bucket serves it too, and what was told once is sent again whatever is served', async () => {
    await activate('2026-3q-1');
    const { session } = await person();
    const receiver = newReceiver();
    const input = { url: receiver.url, events: ['release.activated'] };
    const { id } = await newEndpoint(session, input, (path, body) => asUser(session)(path, body));
    await publishHistory(FILES, history as never, { release: '2026-4q-1' });
    await spare.execute(sql`insert into webhook_deliveries (endpoint_id, type, data) values
      (${id}, 'release.activated', '{"release": "2026-3q-1"}')`);
    const context = contextOf(bindings as unknown as Env, () => undefined);
    const delivery = async () => (await ask(`${ENDPOINTS}/${id}/deliveries`, { headers: session })).body.data.at(-1);
    await sendDueDeliveries(context);
    const waiting = await delivery();
    expect(waiting).toMatchObject({ status: 'pending', last_error: 'The release is not served yet.' });
    await FILES.put(POINTER_KEY, '{"version":1}');
    await makeDue(id, spare);
    await sendDueDeliveries(context);
    expect(await delivery()).toMatchObject({ status: 'pending', last_error: 'The release is not served yet.' });
    expect(await receiver.received()).toEqual([]);
    await activate('2026-3q-1');
    await receiver.answer({ status: 500 });
    await makeDue(id, spare);
    await sendDueDeliveries(context);
    expect(await receiver.received()).toHaveLength(1);
    await activate('2026-4q-1');
    await makeDue(id, spare);
    await receiver.answer({});
    await sendDueDeliveries(context);
    expect(await delivery()).toMatchObject({ id: waiting.id, status: 'delivered', attempts: 4 });
  });
});

describe('housekeeping', () => {
  it('deletes what was told more than 30 days ago, and sends what nobody has sent', async () => {
    const { session, receiver, endpoint } = await told();
    await database.execute(sql`insert into webhook_deliveries (endpoint_id, type, data, created_at, next_attempt_at)
      values (${endpoint.id}, 'dataset.processed', '{"n": 1}', now() - interval '31 days', null),
        (${endpoint.id}, 'dataset.processed', '{"n": 2}', now() - interval '29 days', null),
        (${endpoint.id}, 'dataset.processed', '{"n": 3}', now(), now())`);
    for (const name of ['delete-old-notifications', 'send-notifications']) {
      await jobs.find((job) => job.name === name)?.run(jobContext(env), new Date());
    }
    await receivedBy(receiver, 1);
    await latest(endpoint.id, session, 'delivered');
    expect((await logOf(endpoint.id, session)).map(({ data }) => data.n)).toEqual([3, 2]);
  });

  it('sends nothing to a deleted account', async () => {
    const { session, receiver, endpoint } = await told();
    const { id } = (await get('/v1/account', session)).body.data;
    await api(`/v1/account?confirm=${id}`, { method: 'DELETE', headers: session });
    await database.execute(sql`insert into webhook_deliveries (endpoint_id, type, data, next_attempt_at)
      values (${endpoint.id}, 'dataset.processed', '{}', now())`);
    await sendNow();
    expect(await receiver.received()).toEqual([]);
  });
});
