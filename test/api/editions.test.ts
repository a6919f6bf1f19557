import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { EDITIONS_KEY, type Manifest, manifestKey, POINTER_KEY } from '../../src/areas/snapshot/layout.ts';
import worker from '../../src/worker.ts';
import { type Body, MASTER, workerWith } from '../support/api.ts';
import { ANOTHER_LOAD, OLDER_EDITION } from '../support/older-edition.ts';
import { apart, publish, publishHistory } from '../support/snapshot.ts';
import { connectUnhurried } from '../support/sql.ts';

// What happened between the editions of the PSGC is asked of a Worker without a database, with what is published of the seeded
// release. Reads of an older edition are asked of one with that in a database of its own: Bacolod is in Region VI there.

/** The editions in data/psgc, the newest first. */
const EDITIONS = [
  ...['2026-3q', '2026-1q', '2025-4q', '2025-3q', '2025-07', '2025-2q', '2025-1q', '2024-4q', '2024-3q', '2024-2q'],
  ...['2024-04', '2023-4q', '2023-1q'],
];

/** How many areas each has, as data/psgc/editions.csv says, but for the two rows that are no areas. */
const AREAS: Readonly<Record<string, number>> = {
  '2023-1q': 43782,
  '2025-2q': 43767,
  '2025-07': 43767,
  '2026-3q': 43766,
};

/** Those whose areas are published with the seeded release, and its own. */
const ANSWERED = ['2026-3q', '2025-2q', '2023-4q'];

const bucket = apart();
const ask = workerWith({ FILES: bucket, DATABASE_URL: inject('faultyDatabases').fails as string });
const data = async (path: string, init = {}) => (await ask(path, init)).body.data;

let older: ReturnType<typeof workerWith>;
let database: ReturnType<typeof connectUnhurried>;

beforeAll(async () => {
  await publish({ active: true, bucket });
  const DATABASE_URL = await (await fetch(`${inject('spareDatabase')}editions`)).text();
  older = workerWith({ DATABASE_URL });
  database = connectUnhurried(DATABASE_URL);
  for (const statement of [...OLDER_EDITION, ANOTHER_LOAD]) await database.execute(sql.raw(statement));
  await database.execute(sql`insert into boundaries (release_id, level, resolution, code, geojson, bytes, geom)
    select '2023-4q-1', level, resolution, '0630200000', geojson, bytes, geom from boundaries
    where code = '1830200000' and release_id <> '2023-4q-1'`);
});

describe('editions', () => {
  it('are listed without the database, the newest first, each with the release that answers for it', async () => {
    const { status, body, headers } = await ask('/v1/editions');
    expect([status, body.data.map(({ id }: Body) => id)]).toEqual([200, ANSWERED]);
    expect(body.data[0]).toMatchObject({
      ...{ id: '2026-3q', release: '2026-3q-1', active: true, previous: '2025-2q', published: '2026-09-30' },
      counts: { regions: 18, provinces: 82, cities: 149, municipalities: 1493, barangays: 42010 },
    });
    expect(body.data.at(-1)).toMatchObject({
      ...{ id: '2023-4q', release: '2026-3q-1', active: false, previous: null, published: '2023-12-31' },
      counts: { regions: 17 },
      ...{ newer_likely: false, newer_edition: '2026-3q', notice: expect.stringMatching(/; 2026-3q is newer\.$/) },
    });
    expect(body.data[0].newer_edition).toBeNull();
    const again = await ask('/v1/editions', { headers: { 'If-None-Match': headers.get('ETag') ?? '' } });
    expect(again.status).toBe(304);
  });

  it('are as old as their lists on the day, also for who has an older answer', async () => {
    vi.useFakeTimers({ now: Date.parse('2026-12-31T23:59:50Z'), toFake: ['Date'] });
    try {
      const ageOf = ({ data: [newest] }: Body) => [newest.as_of, newest.age_days, newest.newer_likely];
      const before = await ask('/v1/editions');
      expect(ageOf(before.body)).toEqual(['2026-09-30', 92, false]);
      const headers = { 'If-None-Match': before.headers.get('ETag') ?? '' };
      expect((await ask('/v1/editions', { headers })).status).toBe(304);
      vi.setSystemTime(Date.parse('2027-01-01T00:00:05Z'));
      const after = await ask('/v1/editions', { headers });
      expect([after.status, ageOf(after.body)]).toEqual([200, ['2026-09-30', 93, true]]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('say why an area has no boundary', async () => {
    const path = '/v1/barangays/1380100176?edition=2023-4q&geometry=simple';
    const { status, body } = await ask(path, { headers: MASTER });
    expect([status, body.data.geometry]).toEqual([200, null]);
    expect(body.meta.notices).toEqual([
      {
        code: 'boundary_missing',
        parameter: 'geometry',
        message: 'No boundaries are loaded for this edition.',
        successors: [],
      },
    ]);
    const list = await ask('/v1/provinces?edition=2023-4q&geometry=simple', { headers: MASTER });
    expect(list.body.meta.notices).toMatchObject([
      { code: 'boundary_missing', parameter: 'geometry', message: 'No boundaries are loaded for this edition.' },
    ]);
    const feature = await ask('/v1/provinces?edition=2023-4q&format=geojson', { headers: MASTER });
    expect([feature.status, feature.body.meta]).toEqual([200, undefined]);
    expect((await ask('/v1/provinces?geometry=simple&limit=2', { headers: MASTER })).body.meta.notices).toBeUndefined();
    const neighbors = await ask('/v1/provinces/0702200000/neighbors?edition=2023-4q');
    expect([neighbors.status, neighbors.body.message]).toEqual([
      503,
      'The edition 2023-4q has no boundaries here. Ask without "edition" for those of today.',
    ]);
    // Whoever asks again gets the same.
    expect(neighbors.headers.get('Retry-After')).toBeNull();
    // Nothing is said where no boundary was asked for.
    expect((await ask('/v1/provinces?edition=2023-4q')).body.meta.notices).toBeUndefined();
    expect((await ask(path.replace('&geometry=simple', ''), { headers: MASTER })).body.meta).toBeUndefined();
  });

  it('are answered for by their own release where it is published, also those that the history lacks', async () => {
    const manifest = inject('snapshot');
    const others = apart();
    await publish({ active: true, bucket: others });
    const own = { version: 'x', boundary_set: 'display', published: '2022-03-31', counts: { regions: 17 } };
    const editions = {
      '2026-3q': { release: manifest.release, version: manifest.version, boundary_set: 'full' },
      '2023-4q': { ...own, release: '2023-4q-7' },
      '2022-1q': { ...own, release: '2022-1q-2' },
    };
    await others.put(EDITIONS_KEY, JSON.stringify({ editions }));
    const listed: Body[] = (await workerWith({ FILES: others })('/v1/editions')).body.data;
    const of = (id: string) => listed.find((edition) => edition.id === id);
    expect(of('2026-3q')).toMatchObject({ release: '2026-3q-1', boundary_set: 'full', active: true });
    expect(of('2023-4q')).toMatchObject({ release: '2023-4q-7', boundary_set: 'display', published: '2023-12-31' });
    // The borders in the repository don't draw the release of the tests, so it carries others without boundaries.
    expect(of('2025-2q')).toMatchObject({ release: '2026-3q-1', boundary_set: 'none', active: false });
    // Its areas were not published with the release.
    expect(of('2023-1q')).toBeUndefined();
    expect(listed.at(-1)).toMatchObject({ id: '2022-1q', release: '2022-1q-2', counts: { regions: 17 } });
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
    const { status, body, headers } = await older(path);
    expect([status, read(body)]).toEqual([200, expected]);
    expect(headers.get('X-Data-Release')).toBe('2023-4q-1');
    expect(headers.get('Cache-Control')).toBe('public, max-age=300');
    const again = await older(path, { headers: { 'If-None-Match': headers.get('ETag') ?? '' } });
    expect(again.status).toBe(304);
    expect((await older(path.replace(/edition=2023-4q&?/i, ''))).headers.get('X-Data-Release')).toBe('2026-3q-1');
  });

  it('are read in batches, with the shape of then, and matched', async () => {
    const headers = { ...MASTER, 'Content-Type': 'application/json' };
    const post = (path: string, body: object) => older(path, { method: 'POST', headers, body: JSON.stringify(body) });
    const batch = await post('/v1/municities/search?edition=2023-4q', { codes: ['1830200000'] });
    expect(batch.body).toMatchObject([{ code: '0630200000', geometry: { type: expect.stringContaining('Polygon') } }]);
    const single = await older('/v1/municities/0630200000?edition=2023-4q&geometry=detailed', { headers: MASTER });
    expect(single.body.data.geometry.type).toContain('Polygon');
    const matched = await post('/v1/match?edition=2023-4q', { rows: [{ municity: 'Bacolod City' }] });
    expect(matched.body.data).toMatchObject([{ code: '0630200000' }]);
  });

  it('in which a code was not yet say so, and where its history is', async () => {
    const { status, body } = await older('/v1/regions/1800000000?edition=2023-4q');
    expect([status, body.code]).toEqual([404, 'area_not_found']);
    expect(body.message).toBe(
      'No region has the PSGC code 1800000000 in the edition 2023-4q. /v1/changes/1800000000 tells what is known of it in others.',
    );
  });

  it('that there are none of are 404, with those that there are', async () => {
    const { status, body } = await older('/v1/provinces?edition=2019-1q');
    expect([status, body.code, body.editions]).toEqual([404, 'edition_not_found', ['2026-3q', '2023-4q']]);
    expect((await older('/v1/provinces?edition=newest')).status).toBe(422);
    for (const [path, parameter] of [
      ['/v1/changes?from=2019-1q', 'from'],
      ['/v1/changes?from=2023-4q&to=2019-1q', 'to'],
      ['/v1/crosswalk?from=2019-1q&to=2023-4q', 'from'],
      ['/v1/crosswalk?from=2023-4q&to=2019-1q', 'to'],
    ] as const) {
      const { status: refused, body: error } = await ask(path);
      expect([refused, error.code, error.message.split(':')[0]]).toEqual([404, 'edition_not_found', parameter]);
      expect(error.editions).toEqual(EDITIONS);
    }
  });
});

describe('editions that the release carries', () => {
  it.each([
    ['/v1/regions?edition=2023-4q', ({ meta }: Body) => meta.total, 17],
    [
      '/v1/provinces/0906600000?edition=2025-2q',
      ({ data: it }: Body) => [it.code, it.r_code],
      ['1906600000', '1900000000'],
    ],
    [
      '/v1/barangays/1380100176?edition=2023-4q',
      ({ data: it }: Body) => [it.name, it.m_code],
      ['Barangay 176', '1380100000'],
    ],
    ['/v1/barangays/1380100176?edition=2023-4q', ({ data: it }: Body) => it.population_year, 2020],
    ['/v1/municities/0630200000/hierarchy?edition=2023-4q', ({ data: it }: Body) => it.region.code, '0600000000'],
    ['/v1/municities?edition=2025-2q&province_code=1906600000', ({ meta }: Body) => meta.total, 19],
    ['/v1/search?q=Bacolod&edition=2023-4q', ({ data: [it] }: Body) => it.code, '0630200000'],
    ['/v1/regions?edition=2026-3q', ({ meta }: Body) => meta.total, 18],
    [
      '/v1/sources?edition=2025-2q',
      ({ data: it }: Body) => [it.edition, it.as_of, it.boundaries, it.newer_likely, it.newer_edition],
      ['2Q 2025', '2025-06-30', 'none', false, '2026-3q'],
    ],
  ])('are answered without the database: %s', async (path, of, expected) => {
    const { status, body, headers } = await ask(path);
    expect([status, of(body)]).toEqual([200, expected]);
    expect(headers.get('X-Data-Release')).toBe('2026-3q-1');
    const again = await ask(path, { headers: { 'If-None-Match': headers.get('ETag') ?? '' } });
    expect(again.status).toBe(304);
  });

  it('have another validator than the release and than each other', async () => {
    const etags = await Promise.all(
      ['', '?edition=2025-2q', '?edition=2023-4q'].map(async (query) =>
        (await ask(`/v1/regions${query}`)).headers.get('ETag'),
      ),
    );
    expect(new Set(etags).size).toBe(3);
  });

  it('match typed places to the codes of then', async () => {
    const body = JSON.stringify({ rows: [{ municity: 'Bacolod City' }, { text: 'Jolo, Sulu' }] });
    const matched = await ask('/v1/match?edition=2023-4q', {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(matched.body.data.map(({ code }: Body) => code)).toEqual(['0630200000', '1906602000']);
  });

  it('that it does not carry are 404 without the database, with those that there are', async () => {
    const { status, body } = await ask('/v1/provinces?edition=2019-1q');
    expect([status, body.code, body.editions]).toEqual([404, 'edition_not_found', ANSWERED]);
  });

  it('are 503 until they are published, which may be after the release itself, and answered from then on', async () => {
    const later = apart();
    const manifest = inject('snapshot');
    await publish({ active: true, bucket: later });
    const first = manifest.objects.filter(({ name }) => name !== 'history' && !name.startsWith('edition-'));
    await later.put(manifestKey(manifest.version), JSON.stringify({ ...manifest, objects: first } satisfies Manifest));
    const worker = workerWith({ FILES: later, DATABASE_URL: inject('faultyDatabases').fails as string });
    expect((await worker('/v1/regions')).status).toBe(200);
    const early = await worker('/v1/regions?edition=2023-4q');
    expect([early.status, early.body.code]).toEqual([503, 'storage_unavailable']);
    expect(Number(early.headers.get('Retry-After'))).toBeGreaterThan(0);
    await later.put(manifestKey(manifest.version), JSON.stringify(manifest));
    await expect
      .poll(async () => (await worker('/v1/regions?edition=2023-4q')).body.meta?.total, { timeout: 15_000 })
      .toBe(17);
  });
});

describe('changes', () => {
  const total = async (query: string) => (await ask(`/v1/changes?${query}`)).body.meta.total;

  it('tell that Sulu moved to Region IX with all that is in it', async () => {
    const [move] = await data('/v1/changes?from=2025-2q&to=2025-07&level=province');
    expect(move).toMatchObject({
      ...{ kind: 'moved', level: 'province', from_edition: '2025-2q', to_edition: '2025-07', basis: 'correspondence' },
      from: [{ code: '1906600000', name: 'Sulu' }],
      to: [{ code: '0906600000', name: 'Sulu' }],
    });
    const between = 'from=2025-2q&to=2025-07';
    expect([await total(`${between}&kind=moved`), await total(`${between}&kind=recoded`)]).toEqual([1, 429]);
  });

  it('tell that the Negros Island Region was made of parts of two', async () => {
    const found: Body[] = await data('/v1/changes?from=2024-04&to=2024-2q&level=region');
    const created = found.find(({ kind }) => kind === 'created');
    expect(created?.to).toMatchObject([{ code: '1800000000', name: 'Negros Island Region (NIR)' }]);
    expect(created?.from.map(({ code }: Body) => code)).toEqual(['0600000000', '0700000000']);
    expect(found.filter(({ kind }) => kind === 'redrawn')).toHaveLength(2);
  });

  it('tell that Barangay 176 of Caloocan became six, and what law says so', async () => {
    const [split] = await data('/v1/changes?from=2024-2q&to=2024-3q&code=1380100176');
    expect(split).toMatchObject({ kind: 'split', level: 'barangay', from: [{ code: '1380100176' }], basis: 'note' });
    expect(split.to.map(({ name }: Body) => name)).toEqual([...'ABCDEF'].map((letter) => `Barangay 176-${letter}`));
    expect(split.note).toContain('RA 11993');
  });

  it('tell the mergers of Bacoor and the ten barangays that went from Makati to Taguig', async () => {
    const first = 'from=2023-1q&to=2023-4q';
    const merged: Body[] = await data(`/v1/changes?${first}&kind=merged&limit=100`);
    const ofBacoor = merged.filter(({ to: [{ code }] }) => code.startsWith('0402103'));
    expect(ofBacoor.map(({ note }) => note.slice(0, 11))).toEqual(ofBacoor.map(() => 'Bacoor City'));
    const sources = merged.find(({ to: [{ code }] }) => code === '0402103076')?.from.map(({ code }: Body) => code);
    expect(sources).toEqual(['0402103002', '0402103030', '0402103032']);
    const moved: Body[] = await data(`/v1/changes?${first}&kind=moved&level=barangay&limit=100`);
    const toTaguig = moved.filter(({ to: [{ code }] }) => code.startsWith('1381500'));
    expect(toTaguig.map(({ to: [{ code }] }) => code).sort()).toEqual(
      Array.from({ length: 10 }, (_, i) => `${1381500029 + i}`),
    );
    expect(toTaguig.every(({ from: [{ code }] }) => code.startsWith('1380300'))).toBe(true);
  });

  it('are listed by edition, kind, level and code, in pages', async () => {
    const all = (await ask('/v1/changes?limit=1')).body;
    expect(all.data[0].from_edition).toBe('2023-1q');
    const { kinds } = all.meta;
    expect(all.meta.total).toBe(Object.values<number>(kinds).reduce((sum, count) => sum + count, 0));
    expect((await ask('/v1/changes?kind=split')).body.meta).toMatchObject({ total: kinds.split, kinds });
    const steps = await Promise.all(
      EDITIONS.slice(1).map((from, i) => total(`from=${from}&to=${EDITIONS[i]}`) as Promise<number>),
    );
    expect(steps.reduce((sum, count) => sum + count, 0)).toBe(all.meta.total);
    // An interim list lies between two quarters, whatever its id looks like.
    expect(await total('from=2025-07&to=2025-2q')).toBe(await total('from=2025-2q&to=2025-07'));
    // Eighteen areas were renamed in 3Q 2026.
    const pages = await Promise.all([1, 2].map((page) => data(`/v1/changes?from=2026-1q&limit=10&page=${page}`)));
    expect(pages.map((page) => page.length)).toEqual([10, 8]);
    expect(new Set(pages.flat().map(({ to: [{ code }] }: Body) => code)).size).toBe(18);
    expect(await data('/v1/changes?from=2026-3q')).toEqual([]);
    const [bacoor] = await data('/v1/changes/0402103036');
    expect([bacoor.kind, bacoor.note]).toEqual(['renamed', expect.stringMatching(/^Bacoor City Ordinance 275-2023/)]);
    expect((await ask('/v1/changes?kind=split&level=region')).body.meta).toMatchObject({
      total: 0,
      kinds: { created: 1 },
    });
  });

  it('of a heading of the list are none, with what to ask for', async () => {
    for (const [code, hint] of [
      ['0990100000', '/v1/municities/0990101000'],
      ['1999900000', 'begin with 19999'],
    ] as const) {
      const { status, body } = await ask(`/v1/changes/${code}`);
      expect([status, body.code, body.message]).toEqual([404, 'area_not_found', expect.stringContaining(hint)]);
    }
  });

  it.each([
    ['of today', '0906600000'],
    ['of a region of then', '1906600000'],
    ['of nine digits', '156600000'],
  ])('of Sulu are found by its code %s', async (_, code) => {
    const [first, ...others] = await data(`/v1/changes/${code}`);
    expect([first.kind, first.to_edition, others]).toEqual(['moved', '2025-07', []]);
    expect(await data(`/v1/changes?code=${code}`)).toEqual([first]);
  });

  it.each([
    ['that went into its neighbour', '0401007038', ['merged 2026-1q']],
    ['that is gone, of nine digits', '041007038', ['merged 2026-1q']],
    ['that was divided', '1380100176', ['split 2024-3q']],
    ['that was merged', '0402103032', ['merged 2023-4q']],
    ['that was another one in 2022', '1903800000', []],
    ['of nine digits that the rule of eight does not find', '064501000', ['moved 2024-2q']],
    ['of a barangay of Makati then', '137602003', ['moved 2023-4q']],
    ['that never changed', '0702200000', []],
  ])('of a code %s are its history', async (_, code, history) => {
    const changes: Body[] = await data(`/v1/changes/${code}`);
    expect(changes.map(({ kind, to_edition }) => `${kind} ${to_edition}`)).toEqual(history);
  });

  it('of an older code that the editions show no change of tell what became of it', async () => {
    const { body } = await ask('/v1/changes/1903800000');
    const [{ code, successors }] = body.meta.notices;
    const { body: refusal } = await ask('/v1/provinces/1903800000');
    expect([body.data, code, successors]).toEqual([[], refusal.code, refusal.successors]);
    expect(successors).toHaveLength(2);
    expect((await ask('/v1/changes/0702200000')).body.meta).toBeUndefined();
  });

  it('of an older code tell what is known also where there is a history of one edition alone', async () => {
    const alone = apart();
    const areas = [
      ['0906600000', 'province', 'Sulu'],
      ['1900000000', 'region', 'BARMM'],
    ] as const;
    const made = { editions: ['2026-3q'], areas, changes: {} };
    await publishHistory(alone, made, { release: '2026-3q-1' });
    const { body } = await workerWith({ FILES: alone })('/v1/changes/1906600000');
    expect([body.data, body.meta.notices.map((it: Body) => [it.code, it.successors[0].code])]).toEqual([
      [],
      [['area_recoded', '0906600000']],
    ]);
  });

  it('of no area are 404', async () => {
    for (const code of ['0799999999', '9930200000', '990200000', '630200000']) {
      const { status, body } = await ask(`/v1/changes/${code}`);
      expect([code, status, body.code]).toEqual([code, 404, 'area_not_found']);
      expect(body.message.endsWith('was it 0630200000?')).toBe(code === '630200000');
    }
  });
});

describe('changes within an area', () => {
  const total = async (query: string) => (await ask(`/v1/changes?${query}`)).body.meta.total;

  it('are those of the area and of all that lies or lay in it, under all of its codes', async () => {
    const inNegros: Body[] = await data('/v1/changes?within=0704600000&limit=100');
    expect(inNegros.length).toBeGreaterThan(20);
    // Negros Oriental was 0704600000 of Region VII, and is 1804600000 of the new region.
    const codes = inNegros.flatMap(({ from, to }) => [...from, ...to].map(({ code }) => code.slice(2, 5)));
    expect(new Set(codes)).toEqual(new Set(['046']));
    expect(await total('within=1804600000')).toBe(await total('within=0704600000'));
    expect(await total('within=1380100000&kind=split')).toBe(1);
    expect(await total('within=1380100000&kind=split&level=barangay&from=2024-3q')).toBe(0);
    expect(await total('within=9999999999')).toBe(0);
  });

  it('of several areas are told once, in the order of all changes', async () => {
    const [negros, caloocan] = await Promise.all([total('within=0704600000'), total('within=1380100000')]);
    expect(await total('within=0704600000,1380100000')).toBe(negros + caloocan);
    expect(await total('within=0704600000,1804600000,0704600000')).toBe(negros);
    const all = Array.from({ length: 50 }, (_, i) => `07046${String(i).padStart(5, '0')}`).join();
    expect((await ask(`/v1/changes?within=${all}`)).status).toBe(200);
    for (const wrong of [`${all},0704600000`, '0704600000,', ',', '0704600000;1380100000']) {
      const { status, body } = await ask(`/v1/changes?within=${wrong}`);
      expect([status, body.error.issues[0].message]).toEqual([
        422,
        expect.stringContaining('within: must be a PSGC code'),
      ]);
    }
  });

  it('of a region are all that any code of it names', async () => {
    expect(await total('within=1800000000')).toBeGreaterThan(await total('within=1804600000'));
  });
});

describe('the feed of changes', () => {
  const titles = (xml: string) => Array.from(xml.matchAll(/<entry>.*?<title>(.*?)<\/title>/g), ([, title]) => title);

  it('has an entry for each edition with changes, the newest first, as Atom', async () => {
    const { status, text, headers } = await ask('/v1/changes/feed.atom?within=1380100000');
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/atom+xml; charset=utf-8']);
    expect(titles(text)).toContain('PSGC 3Q 2024: 1 change in City of Caloocan');
    expect(text).toContain('barangay split: Barangay 176 (1380100176) → ');
    expect(text).toMatch(/<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom">/);
    const days = Array.from(text.matchAll(/<updated>(.*?)<\/updated>/g), ([, day]) => day as string);
    expect(days.slice(1)).toEqual(days.slice(1).toSorted().reverse());
    expect(days[0]).toBe(days[1]);
    expect(text).toContain('<link rel="alternate" href="http');
    expect(text).toMatch(/within=1380100000&amp;from=2024-2q&amp;to=2024-3q/);
    expect(text).not.toMatch(/&(?!amp;|lt;|gt;|quot;)/);
  });

  it('says the same as a JSON Feed, whose entries lead to the changes', async () => {
    const { body, headers } = await ask('/v1/changes/feed.json?level=province');
    expect(headers.get('Content-Type')).toBe('application/feed+json; charset=utf-8');
    expect(body).toMatchObject({ version: 'https://jsonfeed.org/version/1.1', title: 'Changes of the PSGC' });
    const sulu = body.items.find(({ title }: Body) => title.startsWith('PSGC July 2025'));
    expect(sulu).toMatchObject({ date_published: '2025-07-31T00:00:00Z', id: expect.stringMatching(/^urn:uuid:/) });
    const { pathname, search } = new URL(sulu.url);
    const { data: changes, meta } = (await ask(pathname + search)).body;
    expect(sulu.content_text.split('\n')).toHaveLength(changes.length);
    expect(sulu.title).toContain(`${meta.total} change`);
  });

  it('has ids that stay what they are at another address of the service, and differ between feeds', async () => {
    const idsOf = (xml: string) => Array.from(xml.matchAll(/<id>(.*?)<\/id>/g), ([, id]) => id);
    const fromHost = async (host: string, path: string) => {
      const request = new Request(`https://${host}${path}`);
      const bindings = { ...env, FILES: bucket, DATABASE_URL: inject('faultyDatabases').fails as string };
      return (await worker.fetch(request, bindings, createExecutionContext())).text();
    };
    const atom = await fromHost('a.example', '/v1/changes/feed.atom?within=1380100000&level=barangay');
    const elsewhere = await fromHost('b.example', '/v1/changes/feed.atom?level=barangay&within=1380100000');
    expect(elsewhere).toContain('href="https://b.example/v1/changes?');
    const [feed, ...entries] = idsOf(atom);
    expect(idsOf(elsewhere)).toEqual([feed, ...entries]);
    // Version 5 of RFC 9562. Another algorithm would make all entries new to readers.
    expect(feed).toBe('urn:uuid:4e26c6c8-ff12-5f25-8171-82820ed1d56a');
    const json = JSON.parse(await fromHost('c.example', '/v1/changes/feed.json?within=1380100000&level=barangay'));
    expect(json.items.map(({ id }: Body) => id)).toEqual(entries);
    const ofAll = idsOf((await ask('/v1/changes/feed.atom')).text);
    expect(new Set([feed, ...entries, ...ofAll]).size).toBe(1 + entries.length + ofAll.length);
  });

  it('lists 100 changes of an edition at most, and says how many more there are', async () => {
    const { body } = await ask('/v1/changes/feed.json');
    const lines = body.items.map(({ content_text }: Body) => content_text.split('\n'));
    const longest = lines.find((it: string[]) => it.length > 100);
    expect(longest).toHaveLength(101);
    expect(longest.at(-1)).toMatch(/^and \d+ more$/);
  });

  it('is not sent again to a reader that has it, and names a code that no area had', async () => {
    const { headers } = await ask('/v1/changes/feed.atom');
    expect(headers.get('Cache-Control')).toContain('public');
    const again = await ask('/v1/changes/feed.atom', { headers: { 'If-None-Match': headers.get('ETag') ?? '' } });
    expect(again.status).toBe(304);
    const { status, body } = await ask('/v1/changes/feed.atom?within=9999999999');
    expect([status, body.code ?? body.error?.code]).toEqual([404, 'area_not_found']);
  });
});

describe('a crosswalk', () => {
  it.each([
    ['2023-1q', '2026-3q'],
    ['2026-3q', '2023-1q'],
    ['2025-2q', '2025-07'],
    ['2025-07', '2025-2q'],
    ['2023-4q', '2025-2q'],
  ] as const)('from %s to %s has every code, and weights of a code that add up to 1', async (from, to) => {
    const rows: Body[] = await data(`/v1/crosswalk?from=${from}&to=${to}`);
    const groups = Map.groupBy(rows, ({ from_code }) => from_code);
    if (AREAS[from] !== undefined) expect(groups.size).toBe(AREAS[from]);
    for (const [code, group] of groups) {
      if (group[0]?.relation === 'none') continue;
      for (const weight of ['weight_area', 'weight_population'])
        expect(
          group.reduce((sum, row) => sum + row[weight], 0),
          `${code} ${weight}`,
        ).toBeCloseTo(1, 9);
      expect(
        group.filter(({ to_name }) => to_name === null),
        code,
      ).toEqual([]);
    }
  });

  it('tells what became of a code over several editions', async () => {
    const rows: Body[] = await data('/v1/crosswalk?from=2023-1q&to=2026-3q');
    const of = (code: string) =>
      rows
        .filter(({ from_code }) => from_code === code)
        .map(({ to_code, relation }) => `${relation} ${to_code}`)
        .toSorted();
    expect(of('0630200000')).toEqual(['recoded 1830200000']);
    expect(of('1906600000')).toEqual(['recoded 0906600000']);
    expect(of('1380300003')).toEqual(['recoded 1381500029']);
    expect(of('0730600000')).toEqual(['same 0730600000']);
    expect(of('1705323000')).toEqual(['renamed 1705323000']);
    expect(of('0402103032')).toEqual(['merged 0402103076']);
    expect(of('1380100176')).toEqual(['89', '90', '91', '92', '93', '94'].map((end) => `split 13801001${end}`));
    expect(of('0401007038')).toEqual(['merged 0401007019']);
    expect(of('0600000000')).toEqual(['partial 0600000000', 'partial 1800000000']);
    const split = rows.filter(({ from_code }) => from_code === '1380100176');
    expect(split.map(({ estimated }) => estimated)).toEqual(split.map(() => null));
    expect(new Set(split.map(({ weight_population }) => weight_population)).size).toBe(6);
  });

  it('goes back too', async () => {
    const rows: Body[] = await data('/v1/crosswalk?from=2026-3q&to=2023-4q&level=region');
    expect(rows.map(({ from_code, to_code }) => `${from_code} ${to_code}`)).toEqual(
      expect.arrayContaining(['1800000000 0600000000', '1800000000 0700000000']),
    );
    expect(
      (await data('/v1/crosswalk?from=2023-4q&to=2023-4q&level=region')).every(
        ({ relation }: Body) => relation === 'same',
      ),
    ).toBe(true);
  });

  it('is a table too, by level and code', async () => {
    const { headers, text, bytes } = await ask('/v1/crosswalk?from=2023-4q&to=2025-2q&format=csv');
    expect([...bytes.slice(0, 3)], 'the mark by which Excel knows UTF-8').toEqual([0xef, 0xbb, 0xbf]);
    expect(headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('Content-Disposition')).toBe('attachment; filename="crosswalk-2023-4q-2025-2q.csv"');
    const [heading, ...lines] = text.trimEnd().split('\r\n');
    expect(heading).toBe('from_code,from_name,to_code,to_name,relation,weight_area,weight_population,basis,estimated');
    expect(lines.find((line) => line.startsWith('0630200000'))).toBe(
      '0630200000,City of Bacolod,1830200000,City of Bacolod,recoded,1,1,code,',
    );
    expect(lines.length).toBeGreaterThan(43_000);
    const codes = lines.map((line) => line.slice(0, 10));
    expect(codes.slice(0, 17)).toEqual(codes.filter((code) => code.endsWith('00000000')).slice(0, 17));
  });
});

describe('without a published history', () => {
  const paths = ['/v1/editions', '/v1/changes', '/v1/changes/0702200000', '/v1/crosswalk?from=2023-4q&to=2025-2q'];
  const refusals = async (files: R2Bucket) => {
    const worker = workerWith({ FILES: files });
    for (const path of paths) {
      const { status, body, headers } = await worker(path);
      expect([path, status, body.code]).toEqual([path, 503, 'storage_unavailable']);
      expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
    }
  };

  it('all of it is 503, where nothing is published', () => refusals(apart()));

  it('all of it is 503, where an earlier build has published the release, which is served all the same', async () => {
    const earlier = apart();
    await publish({ active: false, bucket: earlier });
    const manifest = inject('snapshot');
    const objects = manifest.objects.filter(({ name }) => name !== 'history');
    expect(objects.length).toBe(manifest.objects.length - 1);
    const version = `${manifest.version}-earlier`;
    await earlier.put(manifestKey(version), JSON.stringify({ ...manifest, version, objects } satisfies Manifest));
    await earlier.put(POINTER_KEY, JSON.stringify({ version }));
    await refusals(earlier);
  });
});

it('a parent that goes by a former name alone is abolished, with what it is now', async () => {
  const successors = ['1908700000', '1908800000'];
  for (const code of successors) {
    await database.execute(sql`insert into former_names (release_id, code, name)
      values ('2026-3q-1', ${code}, 'Matandang Lalawigan')`);
    await database.execute(sql`insert into area_names (release_id, level, code, key, former)
      values ('2026-3q-1', 'province', ${code}, 'matandang lalawigan', true)`);
  }
  const { data: found, meta } = (await older('/v1/municities?province=Matandang%20Lalawigan')).body;
  expect(found).toEqual([]);
  expect(meta.notices).toMatchObject([
    { code: 'area_abolished', parameter: 'province', successors: successors.map((code) => ({ code })) },
  ]);
});
