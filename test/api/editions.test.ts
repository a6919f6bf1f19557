import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { type Body, MASTER, workerWith } from '../support/api.ts';
import { A_REVISION, changesFromThen, OLDER_EDITION } from '../support/older-edition.ts';
import { connectPatiently } from '../support/sql.ts';

// An older edition beside the served one, in a database of its own: Bacolod is in Region VI there.

let ask: ReturnType<typeof workerWith>;
let database: ReturnType<typeof connectPatiently>;

beforeAll(async () => {
  const DATABASE_URL = await (await fetch(`${inject('spareDatabase')}editions`)).text();
  ask = workerWith({ DATABASE_URL });
  database = connectPatiently(DATABASE_URL);
  const run = (statement: ReturnType<typeof sql>) => database.execute(statement);
  for (const statement of [...OLDER_EDITION, A_REVISION]) await run(sql.raw(statement));
  await run(sql`insert into boundaries (release_id, level, resolution, code, geojson, bytes, geom)
    select '2023-4q-1', level, resolution, '0630200000', geojson, bytes, geom from boundaries
    where code = '1830200000' and release_id <> '2023-4q-1'`);
  await run(sql`insert into edition_links values
    ('2023-4q', '2025-2q', 'municity', '0630200000', '1830200000', 'recoded', 1, 1, null, 'code'),
    ('2023-4q', '2025-2q', 'municity', '1705323000', '1705323000', 'renamed', 1, 1, null, 'code'),
    ('2023-4q', '2025-2q', 'region', '0600000000', '0600000000', 'partial', 0.75, 0.5, 'area', 'code'),
    ('2023-4q', '2025-2q', 'region', '0600000000', '1800000000', 'partial', 0.25, 0.5, 'area', 'code'),
    ('2025-2q', '2023-4q', 'municity', '1830200000', '', 'none', null, null, null, 'code')`);
});

const data = async (path: string, init = {}) => (await ask(path, init)).body.data;

describe('editions', () => {
  it('are listed, the newest first, with the release that answers for each', async () => {
    const { body, headers } = await ask('/v1/editions');
    expect(body.data).toMatchObject([
      { id: '2025-2q', release: '2025-2q-1', active: true, previous: '2023-4q', published: null },
      {
        id: '2023-4q',
        release: '2023-4q-1',
        active: false,
        previous: null,
        published: '2023-12-31',
        counts: { regions: 17 },
      },
    ]);
    const etag = headers.get('ETag') ?? '';
    expect((await ask('/v1/editions', { headers: { 'If-None-Match': etag } })).status).toBe(304);
  });

  it.each([
    ['/v1/regions?edition=2023-4q', ({ meta }: Body) => meta.total, 17],
    [
      '/v1/municities?edition=2023-4Q&region=0600000000&name=City%20of%20Bacolod',
      ({ data: [it] }: Body) => it.code,
      '0630200000',
    ],
    [
      '/v1/municities/1830200000?edition=2023-4q',
      ({ data: it }: Body) => [it.code, it.r_code],
      ['0630200000', '0600000000'],
    ],
    ['/v1/municities/1705323000?edition=2023-4q', ({ data: it }: Body) => it.name, 'Rizal'],
    ['/v1/municities/0630200000/hierarchy?edition=2023-4q', ({ data: it }: Body) => it.region.code, '0600000000'],
    [
      '/v1/municities/search?q=rizal&edition=2023-4q',
      ({ data: it }: Body) => it.some(({ code }: Body) => code === '1705323000'),
      true,
    ],
    ['/v1/search?q=Bacolod&level=municity&edition=2023-4q', ({ data: [it] }: Body) => it.code, '0630200000'],
    ['/v1/sources?edition=2023-4q', ({ data: it }: Body) => it.release, '2023-4q-1'],
  ])('are read with %s, and kept by caches', async (path, read, expected) => {
    const { status, body, headers } = await ask(path);
    expect([status, read(body)]).toEqual([200, expected]);
    expect(headers.get('X-Data-Release')).toBe('2023-4q-1');
    expect(headers.get('Cache-Control')).toBe('public, max-age=300');
    const again = await ask(path, { headers: { 'If-None-Match': headers.get('ETag') ?? '' } });
    expect(again.status).toBe(304);
    expect((await ask(path.replace(/edition=2023-4q&?/i, ''))).headers.get('X-Data-Release')).toBe('2025-2q-1');
  });

  it('are read in batches, with the shape of then, and matched', async () => {
    const headers = { ...MASTER, 'Content-Type': 'application/json' };
    const post = (path: string, body: object) => ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
    const batch = await post('/v1/municities/search?edition=2023-4q', { codes: ['1830200000'] });
    expect(batch.body).toMatchObject([{ code: '0630200000', geometry: { type: expect.stringContaining('Polygon') } }]);
    const single = await ask('/v1/municities/0630200000?edition=2023-4q&geometry=detailed', { headers: MASTER });
    expect(single.body.data.geometry.type).toContain('Polygon');
    const matched = await post('/v1/match?edition=2023-4q', { rows: [{ municity: 'Bacolod City' }] });
    expect(matched.body.data).toMatchObject([{ code: '0630200000' }]);
  });

  it('in which a code was not yet say so, and where its history is', async () => {
    const { status, body } = await ask('/v1/regions/1800000000?edition=2023-4q');
    expect([status, body.code]).toEqual([404, 'area_not_found']);
    expect(body.message).toBe(
      'No region has the PSGC code 1800000000 in the edition 2023-4q. /v1/changes/1800000000 tells what is known of it in others.',
    );
  });

  it('that are not loaded are 404, with those that are', async () => {
    const { status, body } = await ask('/v1/provinces?edition=2019-1q');
    expect([status, body.code, body.editions]).toEqual([404, 'edition_not_found', ['2025-2q', '2023-4q']]);
    expect((await ask('/v1/provinces?edition=newest')).status).toBe(422);
    expect((await ask('/v1/crosswalk?from=2023-4q&to=2019-1q')).body.code).toBe('edition_not_found');
    for (const [path, parameter] of [
      ['/v1/changes?from=2019-1q', 'from'],
      ['/v1/changes?from=2023-4q&to=2019-1q', 'to'],
      ['/v1/crosswalk?from=2019-1q&to=2023-4q', 'from'],
      ['/v1/crosswalk?from=2023-4q&to=2019-1q', 'to'],
    ] as const) {
      const { code, message } = (await ask(path)).body;
      expect([code, message.split(':')[0]]).toEqual(['edition_not_found', parameter]);
    }
  });
});

describe('changes', () => {
  it('are listed by any code that an area had', async () => {
    const [change] = await data('/v1/changes?code=064501000');
    expect(change).toMatchObject({ kind: 'moved', to: [{ code: '1830200000' }] });
  });

  it.each(['0630200000', '1830200000'])('of %s tell its move', async (code) => {
    expect(await data(`/v1/changes/${code}`)).toEqual([
      {
        kind: 'moved',
        level: 'municity',
        from: [{ code: '0630200000', name: 'City of Bacolod', share: null }],
        to: [{ code: '1830200000', name: 'City of Bacolod', share: null }],
        from_edition: '2023-4q',
        to_edition: '2025-2q',
        basis: 'code',
        note: null,
      },
    ]);
  });

  it('of an area that never changed are none, and of no area are 404', async () => {
    expect(await data('/v1/changes/0702200000')).toEqual([]);
    for (const code of ['0799999999', '9930200000', '990200000', '630200000']) {
      const { status, body } = await ask(`/v1/changes/${code}`);
      expect([code, status, body.code]).toEqual([code, 404, 'area_not_found']);
      expect(body.message.endsWith('was it 0630200000?')).toBe(code === '630200000');
    }
  });

  it('are listed by edition, kind, level and code, in pages', async () => {
    const kinds = async (query: string) => (await data(`/v1/changes?${query}`)).map(({ kind }: Body) => kind);
    expect(await kinds('from=2023-4q&to=2025-2q')).toEqual(['moved', 'renamed']);
    expect(await kinds('from=2025-2q&to=2023-4q&kind=renamed')).toEqual(['renamed']);
    expect(await kinds('from=2025-2q')).toEqual([]);
    expect(await kinds('level=barangay')).toEqual([]);
    expect(await kinds('code=1705323000')).toEqual(['renamed']);
    const page = await ask('/v1/changes?limit=1&page=2');
    expect([page.body.data.length, page.body.meta.total, page.body.data[0].note]).toEqual([1, 2, 'RA 12000']);
    const renamed = await ask('/v1/changes?kind=renamed');
    expect(renamed.body.meta).toMatchObject({ total: 1, kinds: { moved: 1, renamed: 1 } });
    const none = await ask('/v1/changes?kind=split&level=barangay');
    expect([none.body.meta.total, none.body.meta.kinds]).toEqual([0, {}]);
  });

  it('of a code that another area had before are of the area that is asked for', async () => {
    const [first, second, third, shared] = ['0990100000', '0990200000', '0990300000', '0990400000'];
    const moves = [
      [first, shared, '2020-1q', '2020-2q'],
      [shared, third, '2021-1q', '2021-2q'],
      [second, shared, '2022-1q', '2022-2q'],
    ] as const;
    for (const [i, [from, to, before, after]] of moves.entries()) {
      const move = { kind: 'recoded', level: 'municity', from: [from, 'A'], to: [to, 'A'] } as const;
      const [statement = ''] = changesFromThen([move], 90 + i);
      await database.execute(sql`insert into edition_pairs (from_edition, to_edition, from_release, to_release, adjacent, report)
        values (${before}, ${after}, '2023-4q-1', '2025-2q-1', false, '{}')`);
      await database.execute(sql.raw(statement.replace("'2023-4q', '2025-2q'", `'${before}', '${after}'`)));
    }
    const sources = async (code: string) => {
      const changes: { from: [{ code: string }] }[] = await data(`/v1/changes/${code}`);
      return changes.map(({ from: [party] }) => party.code);
    };
    expect(await sources(first)).toEqual([first, shared]);
    expect(await sources(third)).toEqual([first, shared]);
    expect(await sources(second)).toEqual([second]);
    expect(await sources(shared)).toEqual([first, shared, second]);
  });
});

describe('a crosswalk', () => {
  it('has a row for each pair of codes, and every code of the first edition', async () => {
    const rows: Body[] = await data('/v1/crosswalk?from=2023-4q&to=2025-2q&level=municity');
    expect(new Set(rows.map(({ from_code }) => from_code)).size).toBe(rows.length);
    expect(rows.length).toBeGreaterThan(1600);
    const of = (code: string) => rows.find(({ from_code }) => from_code === code);
    expect(of('0630200000')).toMatchObject({ to_code: '1830200000', to_name: 'City of Bacolod', relation: 'recoded' });
    expect(of('0730600000')).toMatchObject({ to_code: '0730600000', relation: 'same', weight_area: 1, basis: 'code' });
    expect(of('1705323000')).toMatchObject({ from_name: 'Rizal', to_name: 'Dr. Jose P. Rizal', relation: 'renamed' });
    const back: Body[] = await data('/v1/crosswalk?from=2025-2q&to=2023-4q&level=municity');
    expect(back.find(({ from_code }) => from_code === '1830200000')).toMatchObject({ to_code: null, relation: 'none' });
  });

  it('is a table too, with weights that add up to 1', async () => {
    const { headers, text, bytes } = await ask('/v1/crosswalk?from=2023-4q&to=2025-2q&format=csv');
    expect([...bytes.slice(0, 3)], 'the mark by which Excel knows UTF-8').toEqual([0xef, 0xbb, 0xbf]);
    expect(headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('Content-Disposition')).toBe('attachment; filename="crosswalk-2023-4q-2025-2q.csv"');
    const [heading, ...lines] = text.trimEnd().split('\r\n');
    expect(heading).toBe('from_code,from_name,to_code,to_name,relation,weight_area,weight_population,basis,estimated');
    expect(lines.filter((line) => line.startsWith('0600000000'))).toEqual([
      '0600000000,Region VI (Western Visayas),0600000000,Region VI (Western Visayas),partial,0.75,0.5,code,area',
      '0600000000,Region VI (Western Visayas),1800000000,Negros Island Region (NIR),partial,0.25,0.5,code,area',
    ]);
    expect(lines.length).toBeGreaterThan(1700);
  });

  it('of editions that were not compared is 404, and what is known is asked for again after a load', async () => {
    const etag = async () => (await ask('/v1/changes')).headers.get('ETag') ?? '';
    const before = await etag();
    await database.execute(sql`insert into data_releases (id, edition, sources, report, checked_at)
      values ('2022-1q-1', '1Q 2022', '[]', '{}', now())`);
    const { status, body } = await ask('/v1/crosswalk?from=2022-1q&to=2025-2q');
    expect([status, body.code]).toEqual([404, 'crosswalk_not_found']);
    expect((await ask('/v1/crosswalk?from=2023-4q&to=2023-4q&level=region')).body.data[0].relation).toBe('same');
    expect(await etag()).not.toBe(before);
    await database.execute(sql`delete from data_releases where id = '2022-1q-1'`);
  });
});

it('a parent that goes by a former name alone is abolished, with what it is now', async () => {
  const successors = ['1908700000', '1908800000'];
  for (const code of successors) {
    await database.execute(sql`insert into former_names (release_id, code, name)
      values ('2025-2q-1', ${code}, 'Matandang Lalawigan')`);
    await database.execute(sql`insert into area_names (release_id, level, code, key, former)
      values ('2025-2q-1', 'province', ${code}, 'matandang lalawigan', true)`);
  }
  const { data: found, meta } = (await ask('/v1/municities?province=Matandang%20Lalawigan')).body;
  expect(found).toEqual([]);
  expect(meta.notices).toMatchObject([
    { code: 'area_abolished', parameter: 'province', successors: successors.map((code) => ({ code })) },
  ]);
});
