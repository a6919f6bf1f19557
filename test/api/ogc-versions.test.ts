import { beforeAll, describe, expect, it } from 'vitest';
import { api, type Body, MASTER, ORIGIN, workerWith } from '../support/api.ts';
import { bearer, newKey, person } from '../support/people.ts';
import { apart, publish } from '../support/snapshot.ts';

// The collections through time. The snapshot has three editions: see snapshot-files.ts.

const EDITIONS = ['2023-4q', '2025-2q', '2026-3q'];
const DAYS = ['2023-12-31', '2025-06-30', '2026-09-30'];
const LEVELS = ['regions', 'provinces', 'municities', 'submunicipalities', 'barangays'];

const bucket = apart();
beforeAll(() => publish({ active: true, bucket }));
const worker = workerWith({ FILES: bucket });

const ogc = (path: string, headers: Record<string, string> = MASTER) =>
  worker(`/ogc${path}`, { headers, undeclared: true });
const itemsOf = (level: string, parameters: Record<string, string> = {}, headers: Record<string, string> = MASTER) =>
  ogc(`/collections/${level}-history/items?${new URLSearchParams(parameters)}`, headers);

/** All features of a level, page by page. */
async function walk(level: string, parameters: Record<string, string> = {}): Promise<Body[]> {
  const features: Body[] = [];
  let { body } = await itemsOf(level, parameters);
  const total = body.numberMatched;
  for (;;) {
    expect(body).toMatchObject({ numberMatched: total, numberReturned: body.features.length });
    features.push(...body.features);
    const next = body.links.find(({ rel }: Body) => rel === 'next')?.href;
    if (next === undefined) break;
    body = (await ogc(next.slice(`${ORIGIN}/ogc`.length))).body;
  }
  expect(features).toHaveLength(total);
  return features;
}

describe('versions of areas', () => {
  it('stand in a collection of each level', async () => {
    const { body } = await ogc('/collections', {});
    const ids = body.collections.map(({ id }: Body) => id);
    for (const level of LEVELS) {
      expect(ids).toContain(`${level}-history`);
      const { body: one } = await ogc(`/collections/${level}-history`, {});
      expect(one.description).toContain('Every version of an area');
      expect(one.extent.temporal.interval[0][1]).toBeNull();
      const { body: schema } = await ogc(`/collections/${level}-history/schema`, {});
      expect(Object.keys(schema.properties)).toEqual(
        expect.arrayContaining(['code', 'valid_from', 'valid_to', 'first_edition', 'last_edition', 'geometry']),
      );
      const { body: queryables } = await ogc(`/collections/${level}-history/queryables`, {});
      expect(queryables.properties).not.toHaveProperty('geometry');
      // Residents are those of a census, and not of a version.
      expect(queryables.properties).not.toHaveProperty('population');
      const { body: page } = await itemsOf(level, { limit: '1' });
      const { geometry: _, ...properties } = schema.properties;
      expect(Object.keys(page.features[0].properties).sort()).toEqual(Object.keys(properties).sort());
    }
  });

  it('say from when to when lists have them', async () => {
    const { body } = await itemsOf('provinces', { name: 'Negros Occidental' });
    expect(body.features.map(({ id, properties: it }: Body) => [id, it.code, it.valid_from, it.valid_to])).toEqual([
      ['0604500000-2023-4q', '0604500000', '2023-12-31', '2025-06-29'],
      ['1804500000-2025-2q', '1804500000', '2025-06-30', null],
    ]);
    expect(body.features[0].properties).toMatchObject({
      ...{ r_code: '0600000000', first_edition: '2023-4q', last_edition: '2023-4q' },
    });
    // Another class is another version of the same area.
    const { body: sulu } = await itemsOf('provinces', { code: '1906600000' });
    expect(sulu.features.map(({ id, properties: it }: Body) => [id, it.income_class])).toEqual([
      ['1906600000-2023-4q', '2nd'],
      ['1906600000-2025-2q', '1st'],
    ]);
  });

  it('are at each day those of the edition that was in force', async () => {
    for (const [i, edition] of EDITIONS.entries()) {
      const [day, next] = [DAYS[i] as string, DAYS[i + 1]];
      const dayBefore = next && new Date(Date.parse(next) - 86_400_000).toISOString().slice(0, 10);
      for (const level of ['regions', 'provinces']) {
        const { body: list } = await worker(`/v1/${level}?edition=${edition}&limit=100`, { headers: MASTER });
        const codes = list.data.map(({ code }: Body) => code).sort();
        for (const datetime of [day, `${day}T12:00:00Z`, dayBefore ?? '2099-01-01']) {
          const found = await walk(level, { datetime, limit: '40' });
          expect(
            found.map(({ properties }) => properties.code),
            `${level} ${datetime}`,
          ).toEqual(codes);
        }
      }
    }
    expect((await itemsOf('provinces', { datetime: '2023-12-30' })).body).toMatchObject({
      ...{ numberMatched: 0, features: [] },
    });
    const all = await walk('regions');
    expect(await walk('regions', { datetime: '2023-12-31/..' })).toEqual(all);
    expect(await walk('regions', { datetime: '../2024-01-01' })).toHaveLength(17);
    // Its offset leads to the year 10000.
    expect(await walk('regions', { datetime: '9999-12-31T23:59:59-14:00' })).toHaveLength(18);
    expect((await itemsOf('regions', { datetime: 'then' })).body.code).toBe('invalid_parameter');
  });

  it('come once each, by code and then by time, however long pages are', async () => {
    const all = await walk('municities', { limit: '10000' });
    const keys = all.map(({ properties: it }) => `${it.code} ${it.valid_from}`);
    expect(keys).toEqual([...new Set(keys)].sort());
    const { body: first } = await itemsOf('municities', { limit: '700' });
    const next = new URL(first.links.find(({ rel }: Body) => rel === 'next').href);
    next.searchParams.set('limit', '10000');
    const { body: rest } = await ogc(next.href.slice(`${ORIGIN}/ogc`.length));
    expect([...first.features, ...rest.features].map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    // Of one code, the time of a version ends the day before the next.
    expect(new Set(all.map(({ properties: it }) => it.code)).size).toBeLessThan(all.length - 500);
    for (const [i, { properties: it }] of all.entries()) {
      const after = all[i + 1]?.properties;
      if (after?.code !== it.code) continue;
      expect(Date.parse(after.valid_from) - Date.parse(it.valid_to)).toBe(86_400_000);
    }
  });

  it('can be filtered by their time and by what else they have', async () => {
    const { body: today } = await worker('/v1/provinces?limit=100', { headers: MASTER });
    const { body: now } = await itemsOf('provinces', { filter: 'valid_to IS NULL', limit: '100' });
    expect(now.features.map(({ properties }: Body) => properties.code)).toEqual(
      today.data.map(({ code }: Body) => code),
    );
    const { body: ended } = await itemsOf('provinces', {
      filter: "valid_to < '2026-01-01' AND r_code = '0700000000' AND name LIKE 'Siq%'",
    });
    expect(ended.features.map(({ id }: Body) => id)).toEqual(['0706100000-2023-4q']);
    const { body: early } = await itemsOf('regions', { first_edition: '2025-2q' });
    expect(early.features.map(({ id }: Body) => id)).toEqual(['1800000000-2025-2q']);
    const refused = await itemsOf('provinces', { filter: 'S_INTERSECTS(geometry, POINT(121 14))' });
    expect(refused.status).toBe(400);
    expect(refused.body.message).toContain('geometry');
    expect((await itemsOf('provinces', { population: '5' })).status).toBe(400);
    const { body: boxed } = await itemsOf('provinces', { bbox: '120,14,121,15', limit: '100' });
    const { body: current } = await ogc('/collections/provinces-medium/items?bbox=120,14,121,15&limit=100');
    const codes = boxed.features.map(({ properties }: Body) => properties.code);
    expect([...new Set(codes)]).toEqual(current.features.map(({ id }: Body) => id));
  });

  it('have the medium boundary, in each reference system', async () => {
    const { body } = await itemsOf('municities', { limit: '10000', filter: 'valid_to IS NULL' });
    const { body: current } = await ogc('/collections/municities-medium/items?limit=10000');
    expect(body.features).toHaveLength(current.features.length);
    for (const [i, { geometry, bbox }] of body.features.entries()) {
      expect({ geometry, bbox }).toEqual({ geometry: current.features[i].geometry, bbox: current.features[i].bbox });
    }
    const crs = 'http://www.opengis.net/def/crs/EPSG/0/3857';
    const one = await ogc(`/collections/provinces-history/items/1804500000-2025-2q?crs=${encodeURIComponent(crs)}`);
    expect(one.headers.get('Content-Crs')).toBe(`<${crs}>`);
    const other = await ogc(`/collections/provinces-medium/items/1804500000?crs=${encodeURIComponent(crs)}`);
    expect(one.body.geometry).toEqual(other.body.geometry);
  });

  it('have an address each', async () => {
    const { body: page } = await itemsOf('provinces', { name: 'Siquijor' });
    for (const feature of page.features) {
      const { body, headers } = await ogc(`/collections/provinces-history/items/${feature.id}`);
      const { links, ...rest } = body;
      expect(rest).toEqual(feature);
      expect(links.map(({ rel }: Body) => rel)).toContain('collection');
      const again = await ogc(`/collections/provinces-history/items/${feature.id}`, {
        ...{ ...MASTER, 'If-None-Match': headers.get('ETag') ?? '' },
      });
      expect(again.status).toBe(304);
      // What there is not is not unchanged either.
      const none = await ogc('/collections/provinces-history/items/0706100000-2025-2q', {
        ...{ ...MASTER, 'If-None-Match': headers.get('ETag') ?? '' },
      });
      expect(none.status).toBe(404);
    }
    const path = '/collections/provinces-history/items/0706100000-2023-4q';
    expect((await ogc(`${path}?datetime=2024-01-01`)).status).toBe(200);
    expect((await ogc(`${path}?datetime=2026-01-01`)).status).toBe(404);
    for (const id of ['0706100000', '0706100000-2023', "0706100000-2023-4q' or", '%00', '0706100000-2023-4Q']) {
      const { status, body } = await ogc(`/collections/provinces-history/items/${encodeURIComponent(id)}`);
      expect([id, status, body.code]).toEqual([id, 404, 'feature_not_found']);
    }
  });

  it('need credentials, as boundaries do', async () => {
    for (const path of ['/items', '/items/0706100000-2023-4q']) {
      const { status, body } = await ogc(`/collections/provinces-history${path}`, {});
      expect([status, body.code]).toEqual([401, 'authentication_required']);
    }
    const { key } = await newKey((await person()).session, { scopes: ['read:datasets'] });
    expect((await itemsOf('provinces', {}, bearer(key))).status).toBe(403);
  });

  it('go on in the same release alone', async () => {
    const { body } = await itemsOf('provinces', { limit: '1' });
    const next = new URL(body.links.find(({ rel }: Body) => rel === 'next').href);
    const cursor = next.searchParams.get('cursor') ?? '';
    const text = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
    const other = btoa(text.replace(/(?<=^[^.]+\.)[^.]+/, '2099-1q-1'));
    const { status, body: refused } = await itemsOf('provinces', { cursor: other });
    expect([status, refused.message]).toEqual([400, expect.stringContaining('was replaced')]);
    // A cursor is of versions, or of areas, and of one collection.
    const { body: areas } = await ogc('/collections/provinces/items?limit=1');
    const ofAreas = new URL(areas.links.find(({ rel }: Body) => rel === 'next').href).searchParams.get('cursor') ?? '';
    for (const path of [
      ...[`provinces-history/items?cursor=${ofAreas}`, `provinces/items?cursor=${cursor}`],
      ...[
        `provinces-simple/items?cursor=${ofAreas}`,
        `provinces-history/items?cursor=${btoa(text.replace('provinces', 'regions'))}`,
      ],
    ]) {
      const { status, body } = await ogc(`/collections/${path}`);
      expect([status, body.message]).toEqual([400, expect.stringContaining('of the collection provinces')]);
    }
  });

  it('have what they are compared by in a list once: what is no value counts as a comparison', async () => {
    for (const [count, expected] of [
      [99, 200],
      [100, 400],
    ]) {
      const filter = `name IN (${Array(count).fill('code').join()})`;
      expect((await itemsOf('regions', { filter, limit: '1' })).status).toBe(expected);
    }
  });

  it('are 503 where no snapshot has them, and what is said of them is not', async () => {
    const ask = (path: string) => api(`/ogc/collections/regions-history${path}`, { headers: MASTER, undeclared: true });
    for (const path of ['/items', '/items/0600000000-2023-4q']) {
      const { status, body } = await ask(path);
      expect([status, body.code]).toEqual([503, 'storage_unavailable']);
    }
    for (const path of ['', '/schema', '/queryables']) expect((await ask(path)).status).toBe(200);
    const { body: list } = await api('/ogc/collections', { headers: MASTER, undeclared: true });
    expect(list.collections.map(({ id }: Body) => id)).not.toContain('regions-history');
  });
});
