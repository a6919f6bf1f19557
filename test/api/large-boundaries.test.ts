import { exports } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { BOUNDARY_BUDGET } from '../../src/areas/store.ts';
import { type Body, get, MASTER, ORIGIN } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { bodiesOf } from '../support/requests.ts';
import { some } from '../support/some.ts';
import { database } from '../support/sql.ts';

/** Most text of boundaries that a statement brings along after the first, bytes. */
const PORTION = BOUNDARY_BUDGET / 2;

/** A municipality of the drawn country whose barangays have no boundary, and one of these barangays. */
const ABULUG = '0201501000';
const ALINUNU = '0201501001';
/** Positions on the northern edge: more than the budget in one boundary, or in all of a municipality together. */
const IN_ONE = 150_000;
const IN_EACH = 8000;

/** Draws a rectangle with so many positions more on its northern edge for every barangay that a code begins. */
const draw = (begin: string, resolution: string, positions: number) =>
  database.execute(sql`with drawing as (
      select '{"type":"Polygon","coordinates":[[[121,18],[121.9,18],[121.9,18.1]' || string_agg(
          ',[' || round(121.9 - i * 0.9 / ${positions + 1}::int, 6) || ',18.1]', '' order by i
        ) || ',[121,18.1],[121,18]]]}' as text
      from generate_series(1, ${positions}::int) i
    )
    insert into boundaries (release_id, level, resolution, code, geojson, bytes, geom)
    select release_id, level, ${resolution}::resolution, code, text, octet_length(text), st_makeenvelope(121, 18, 121.9, 18.1, 4326)
    from active_release join areas using (release_id) cross join drawing
    where level = 'barangay' and starts_with(code, ${begin})`);

beforeAll(async () => {
  await draw(ALINUNU, 'detailed', IN_ONE);
  await draw(ABULUG.slice(0, 7), 'simple', IN_EACH);
});

afterAll(async () => {
  await database.execute(
    sql`delete from boundaries where level = 'barangay' and starts_with(code, ${ABULUG.slice(0, 7)})`,
  );
});

describe('a single area with more boundary than one statement brings along', () => {
  const fetched = vi.spyOn(globalThis, 'fetch');

  /** Asks past the edge, which keeps no answer to a request with a parameter that it does not know. */
  const asked = (path: string) => askedEdge(`${path}&beside=the-edge`);

  async function askedEdge(path: string) {
    fetched.mockClear();
    const answer = await get(path, MASTER);
    return { ...answer, statements: bodiesOf(fetched).length };
  }

  const positionsOf = (geometry: Body): number => geometry.coordinates[0].length - 5;

  it.each([
    [`/v1/barangays/${ALINUNU}?geometry=detailed`, (body: Body) => body.data.geometry],
    [`/v1/barangays/${ALINUNU}?format=geojson&geometry=detailed`, (body: Body) => body.geometry],
  ])('%s is read in portions and comes whole', async (path, geometryOf) => {
    const { status, body, text, headers, statements } = await asked(path);
    expect(status).toBe(200);
    expect(positionsOf(geometryOf(body))).toBe(IN_ONE);
    expect(text.length).toBeGreaterThan(BOUNDARY_BUDGET);
    expect(statements).toBe(1 + Math.ceil((text.length - 1000) / PORTION));
    expect(headers.get('X-Data-Release')).toBe('2026-3q-1');
    expect(
      (await get(`${path}&beside=the-edge`, { ...MASTER, 'If-None-Match': headers.get('ETag') ?? '' })).status,
    ).toBe(304);
  });

  it('has the same record as without its boundary', async () => {
    const { geometry, ...rest } = (await asked(`/v1/barangays/${ALINUNU}?geometry=detailed`)).body.data;
    expect(geometry.type).toBe('Polygon');
    expect(rest).toEqual((await get(`/v1/barangays/${ALINUNU}`)).body.data);
  });

  it('nests boundaries the same way, in the order of their codes', async () => {
    const { status, body, text, statements } = await asked(`/v1/municities/${ABULUG}?geometry=true`);
    expect(status).toBe(200);
    expect(body.data).toEqual((await get(`/v1/municities/${ABULUG}`)).body.data);
    const { features } = body.geojson;
    expect(features).toHaveLength(body.data.barangay_count);
    expect(features.map(({ id }: Body) => id)).toEqual(features.map(({ id }: Body) => id).sort());
    for (const { geometry } of some(features)) expect(positionsOf(geometry)).toBe(IN_EACH);
    expect(text.length).toBeGreaterThan(BOUNDARY_BUDGET);
    expect(statements).toBeGreaterThan(1);
  });

  it.each([`/v1/barangays/${ALINUNU}?geometry=detailed`, `/v1/municities/${ABULUG}?geometry=true`])(
    '%s is kept at the edge, for which it is read a second time',
    async (path) => {
      const first = await askedEdge(path);
      expect(first.statements).toBeGreaterThan(1);
      const kept = await eventually(async () => {
        const answer = await askedEdge(path);
        expect(answer.statements).toBe(1);
        return answer;
      });
      expect(kept.text).toBe(first.text);
      expect(kept.headers.get('ETag')).toBe(first.headers.get('ETag'));
    },
  );

  it('is one statement where it is asked for at a resolution that fits', async () => {
    const { body, statements } = await asked(`/v1/barangays/${ALINUNU}?geometry=simple`);
    expect(positionsOf(body.data.geometry)).toBe(IN_EACH);
    expect(statements).toBe(1);
  });

  it('is read at most a portion ahead of a reader who goes away', async () => {
    const path = `/v1/barangays/${ALINUNU}?geometry=detailed&beside=the-edge`;
    fetched.mockClear();
    const response = await exports.default.fetch(new Request(ORIGIN + path, { headers: MASTER }));
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(bodiesOf(fetched).length).toBeLessThanOrEqual(3);
  });
});
