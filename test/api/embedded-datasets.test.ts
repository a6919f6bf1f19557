import { sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { freshAddress } from '../support/addresses.ts';
import { api, get, MASTER, send } from '../support/api.ts';
import { newDataset, point } from '../support/datasets.ts';
import { byStatus, left } from '../support/limits.ts';
import { newKey, person } from '../support/people.ts';
import { bodiesOf } from '../support/requests.ts';
import { database } from '../support/sql.ts';
import { upload } from '../support/uploads.ts';
import { fromIdentity, userDeleted } from '../support/webhooks.ts';

/** Statements to the database, whose driver is one `fetch` each. */
const fetched = vi.spyOn(globalThis, 'fetch');

const pathOf = (id: string) => `/embed/datasets/${id}`;
const FEATURE = { geom: point(123.9, 10.3), properties: { depth_m: 42 } };
const shown = (input: object = {}) => ({ visibility: 'everyone', features: [FEATURE], ...input });

describe('a dataset for everyone', () => {
  it('is for everybody: all features as GeoJSON, its name and description, and nothing of who owns it', async () => {
    const { session, email } = await person();
    const dataset = await newDataset(session, {
      ...shown({ name: 'Wells "of" <Argao>', description: 'Dug by hand', metadata: { phone: 'call me' } }),
      features: Array.from({ length: 2500 }, (_, i) => ({ geom: point(120 + i / 1000, 10), properties: { i } })),
    });
    const { status, headers, body, text } = await get(pathOf(dataset.id));
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/geo+json']);
    const { features, ...members } = body;
    expect(members).toEqual({
      ...{ type: 'FeatureCollection', name: 'Wells "of" <Argao>', description: 'Dug by hand', feature_count: 2500 },
      bbox: [120, 10, 122.499, 10],
    });
    const list = await get(`/v1/features/dataset/${dataset.id}?format=geojson`, session);
    expect(features).toEqual(list.body.features);
    for (const secret of [email, dataset.user_id, 'call me']) expect(text).not.toContain(secret);
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
  });

  it('has the style that its author keeps in its metadata, and nothing else of these', async () => {
    const { session } = await person();
    const { id } = await newDataset(session, shown({ metadata: { phone: 'call me' } }));
    const styleWith = async (metadata: unknown) => {
      await send('PATCH', `/v1/datasets/${id}`, session, { metadata });
      const { body, headers, text } = await get(pathOf(id));
      expect(text).not.toContain('call me');
      return [body.map_style, headers.get('ETag')];
    };
    const style = 'color=depth_m&title=Wells+%22of%22';
    const [plain, first] = await styleWith({ phone: 'call me' });
    const [kept, second] = await styleWith({ phone: 'call me', map_style: style });
    expect([plain, kept, first === second]).toEqual([undefined, style, false]);
    expect(await styleWith({ map_style: 'é'.repeat(4000) })).toContain('é'.repeat(4000));
    for (const other of [{ map_style: 'x'.repeat(4001) }, { map_style: { color: 'depth_m' } }, { map_style: null }])
      expect((await styleWith(other))[0]).toBeUndefined();
    for (const other of [['map_style'], 'map_style', 1, null]) expect((await styleWith(other))[0]).toBeUndefined();
  });

  it('has no bbox where it has no features, as a dataset of a file alone', async () => {
    const { session } = await person();
    const { body } = await upload(session, 'notes.txt', 'x', { feature_storage: 'r2_only' });
    await send('PATCH', `/v1/datasets/${body.data.id}`, session, { visibility: 'everyone' });
    const answer = await get(pathOf(body.data.id));
    expect(answer.body).toEqual({
      ...{ type: 'FeatureCollection', name: 'notes.txt', description: null, feature_count: 0, features: [] },
    });
  });

  it('is an empty collection before it has features, and after it has lost them', async () => {
    const { session } = await person();
    const { id, status } = await newDataset(session, { visibility: 'everyone', name: 'Springs' });
    expect(status).toBe('draft');
    const empty = { type: 'FeatureCollection', name: 'Springs', description: null, feature_count: 0, features: [] };
    expect(await get(pathOf(id))).toMatchObject({ status: 200, body: empty });
    const { body } = await send('POST', '/v1/features', session, { dataset_id: id, ...FEATURE });
    expect((await get(pathOf(id))).body.features).toHaveLength(1);
    await send('DELETE', `/v1/features/${body.data.id}`, session);
    expect(await get(pathOf(id))).toMatchObject({ status: 200, body: empty });
  });

  it('is shown whatever its owner calls its status, because visibility alone decides', async () => {
    const { session } = await person();
    for (const status of ['ready', 'archived', 'draft', 'processing', 'failed', 'geprüft']) {
      const { id } = await newDataset(session, shown({ status }));
      const { status: answered, text } = await get(pathOf(id));
      expect([status, answered]).toEqual([status, 200]);
      expect(text).not.toContain(`"${status}"`);
    }
  });

  it('is asked for again each time, and is sent again only where it changed', async () => {
    const { session } = await person();
    const { id } = await newDataset(session, shown());
    const ask = async (etag = '') => {
      const { status, headers } = await get(pathOf(id), etag ? { 'If-None-Match': etag } : {});
      expect(headers.get('Cache-Control')).toBe('private, no-cache');
      return { status, etag: headers.get('ETag') ?? '' };
    };
    const first = await ask();
    expect(first).toEqual({ status: 200, etag: expect.stringMatching(/^".+"$/) });
    expect(await ask(first.etag)).toEqual({ status: 304, etag: first.etag });
    const { body } = await get(`/v1/features/dataset/${id}`, session);
    const seen = [first.etag];
    for (const change of [
      () => send('PATCH', `/v1/datasets/${id}`, session, { name: 'Renamed' }),
      () => send('PATCH', `/v1/features/${body.data[0].id}`, session, { properties: { depth_m: 43 } }),
      () => send('POST', '/v1/features', session, { dataset_id: id, ...FEATURE }),
      () => send('DELETE', `/v1/features/${body.data[0].id}`, session),
      () => upload(session, 'a.csv', 'lat,lon\n10,123\n', { dataset_id: id, feature_storage: 'features_and_r2' }),
    ]) {
      expect((await change()).status).toBe(200);
      const next = await ask(seen.at(-1));
      expect([next.status, seen.includes(next.etag)]).toEqual([200, false]);
      seen.push(next.etag);
    }
  });

  it('is nobody’s any more from the request on after it was for accounts only, also for whoever holds it', async () => {
    const { session } = await person();
    const { id } = await newDataset(session, shown());
    const { headers } = await get(pathOf(id));
    await send('PATCH', `/v1/datasets/${id}`, session, { visibility: 'accounts' });
    const held = { 'If-None-Match': headers.get('ETag') ?? '' };
    for (const asked of [held, {}, { ...held, ...session }]) {
      const { status, body, headers: got } = await get(pathOf(id), asked);
      expect([status, body.code]).toEqual([404, 'dataset_not_found']);
      expect([got.get('Cache-Control'), got.get('ETag')]).toEqual(['no-store', null]);
    }
  });

  it('counts for the address that asks, as everything that is free', async () => {
    const { session } = await person();
    const { id } = await newDataset(session, shown());
    const address = { 'CF-Connecting-IP': freshAddress() };
    const answers = await Promise.all(Array.from({ length: 34 }, () => get(pathOf(id), address)));
    const { 200: passed = [], 429: refused = [] } = byStatus(answers);
    expect([passed.length, refused.length]).toEqual([30, 4]);
    expect(left(passed[0] as never, 'free-tier')).toBeDefined();
    for (const { body, headers } of refused) {
      expect(body.code).toBe('rate_limit_exceeded');
      expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
    }
  });

  it('with more than 20 MiB of features is for callers with credentials, and the refusal says what to do', async () => {
    const { session } = await person();
    const { id } = await newDataset(session, shown());
    // The quota counts 256 bytes of each feature beside its texts.
    const setBytes = (bytes: number, features = 4) =>
      database.execute(
        sql`update datasets set feature_bytes = ${bytes - 256 * features}, feature_count = ${features} where id = ${id}`,
      );
    await setBytes(20 * 1024 * 1024);
    expect((await get(pathOf(id))).status).toBe(200);
    await setBytes(20.5 * 1024 * 1024);
    const { status, body, headers } = await get(pathOf(id));
    expect([status, body.code, headers.get('ETag')]).toEqual([401, 'authentication_required', null]);
    expect(body.message).toContain('20.5 MiB');
    expect(body.message).toContain('simpler geometries');
    await setBytes(20.5 * 1024 * 1024, 50_000);
    expect((await get(pathOf(id))).status).toBe(401);
    const { key } = await newKey((await person()).session, { scopes: ['read:datasets'] });
    expect((await get(pathOf(id), { Authorization: `Bearer ${key}` })).status).toBe(200);
  });

  it('answers HEAD with the headers of GET, and reads no features for it', async () => {
    const { session } = await person();
    const { id } = await newDataset(session, shown());
    const answered = async (method: string, given: Record<string, string> = {}) => {
      fetched.mockClear();
      const { status, headers } = await api(pathOf(id), { method, headers: given });
      const named = ['Content-Type', 'Cache-Control', 'ETag', 'Access-Control-Allow-Origin'];
      const reads = bodiesOf(fetched).filter((statement) => statement.includes('from \\"features\\"')).length;
      return { status, headers: named.map((name) => headers.get(name)), reads };
    };
    const whole = await answered('GET');
    expect(whole.status).toBe(200);
    expect(whole.reads).toBeGreaterThan(0);
    expect(await answered('HEAD')).toEqual({ ...whole, reads: 0 });
    const held = { 'If-None-Match': whole.headers[2] ?? '' };
    expect(await answered('HEAD', held)).toEqual(await answered('GET', held));
  });

  it('lets other origins ask with what browsers hold', async () => {
    const { session } = await person();
    const { id } = await newDataset(session, shown());
    const preflight = await api(pathOf(id), {
      method: 'OPTIONS',
      headers: { Origin: 'https://blog.example', 'Access-Control-Request-Method': 'GET' },
    });
    expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe('*');
    const { status, headers } = await api(pathOf(id), { method: 'POST', undeclared: true });
    expect([status, headers.get('Allow')]).toEqual([405, expect.stringContaining('GET')]);
  });
});

describe('any other dataset', () => {
  it('is not there: nobody learns whether it is private, deleted, or none at all', async () => {
    const { session } = await person();
    const unknown = crypto.randomUUID();
    const { id: isPrivate } = await newDataset(session, { features: [FEATURE] });
    const { id: forAccounts } = await newDataset(session, shown({ visibility: 'accounts' }));
    const { id: deleted } = await newDataset(session, shown());
    await api(`/v1/datasets/${deleted}`, { method: 'DELETE', headers: session });
    const left = await person();
    const { id: leftBehind } = await newDataset(left.session, shown());
    await fromIdentity(userDeleted(left.subject));
    const bodies = new Set<string>();
    for (const id of [unknown, isPrivate, forAccounts, deleted, leftBehind]) {
      // Its owner and the administrator see what everybody sees.
      for (const headers of [{}, session, MASTER]) {
        const { status, text, headers: got } = await get(pathOf(id), headers);
        expect([id, status, got.get('Cache-Control')]).toEqual([id, 404, 'no-store']);
        bodies.add(text.replaceAll(id, 'ID'));
      }
    }
    expect(bodies.size).toBe(1);
  });

  it('can’t be reached by an id that is none', async () => {
    const { session } = await person();
    const { id } = await newDataset(session, shown());
    for (const hostile of [
      'x',
      `${id}'`,
      `${id}%00`,
      `${id}%20or%201=1`,
      `{${id}}`,
      `%7b${id}%7d`,
      id.replaceAll('-', ''),
      '00000000',
      'null',
      '..%2f..%2fv1%2fdatasets',
      'a'.repeat(5000),
    ]) {
      const { status, body } = await get(pathOf(hostile));
      expect([hostile, status, body.success]).toEqual([hostile, 422, false]);
    }
    expect((await get(pathOf(id.toUpperCase()))).status).toBe(200);
    expect((await api(`${pathOf(id)}/features`, { undeclared: true })).status).toBe(404);
  });

  it('is not told by a request with wrong credentials, which are refused', async () => {
    const { session } = await person();
    const { id } = await newDataset(session, shown());
    const { status, body } = await get(pathOf(id), { Authorization: 'Bearer garbage' });
    expect([status, body.code]).toEqual([401, 'invalid_token']);
  });
});
