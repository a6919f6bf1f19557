import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { finestOf } from '../../src/areas/location.ts';
import { postgisAreas } from '../../src/areas/served-areas.ts';
import { snapshotAreas } from '../../src/areas/snapshot/store.ts';
import {
  type AreaFilter,
  type AreaStore,
  type Level,
  RESOLUTIONS,
  type Relation,
  SORTS,
} from '../../src/areas/store.ts';
import { NAME_LEVELS } from '../../src/names/source.ts';
import { openedSnapshot, publish } from '../support/snapshot.ts';
import { some } from '../support/some.ts';
import { database } from '../support/sql.ts';

// One suite for both implementations of AreaStore: whatever is asked, the snapshot answers as PostGIS does.

const LEVELS = ['region', 'province', 'municity', 'barangay'] as const satisfies readonly Level[];
const postgis = postgisAreas(database);
let snapshot: AreaStore;
/** Every current code by level. */
const codes: Record<Level, string[]> = { region: [], province: [], municity: [], barangay: [] };
let formerCodes: { level: Level; alias: string }[] = [];

beforeAll(async () => {
  await publish({ active: false });
  const { opened, objects } = await openedSnapshot();
  snapshot = snapshotAreas(opened)(objects);
  const { rows } = await database.execute<{ level: string; code: string }>(
    sql`select level, code from areas where release_id = (select release_id from active_release) order by code`,
  );
  for (const { level, code } of rows) codes[askedLevel(level)].push(code);
  const aliases = await database.execute<{ level: Level; alias: string }>(
    sql`select distinct level, alias from code_aliases where release_id = (select release_id from active_release)
      order by level, alias`,
  );
  // Sub-municipalities are asked for among cities and municipalities.
  formerCodes = aliases.rows.map(({ level, alias }) => ({ level: askedLevel(level), alias }));
});

function askedLevel(level: string): Level {
  return level === 'submunicipality' ? 'municity' : (level as Level);
}

/** Both answer the same; gives the answer. */
async function agree<T>(ask: (areas: AreaStore) => Promise<T>, what: unknown): Promise<T> {
  const [expected, found] = await Promise.all([ask(postgis), ask(snapshot)]);
  expect(found, JSON.stringify(what)).toEqual(expected);
  return found;
}

/** How many questions are asked at once: the embedded database answers one after the other, and each has a deadline. */
const AT_ONCE = 4;

async function everyNth<T>(list: readonly T[], n: number, check: (item: T) => Promise<unknown>): Promise<void> {
  const chosen = some(list.filter((_, i) => i % n === 0));
  for (let i = 0; i < chosen.length; i += AT_ONCE) await Promise.all(chosen.slice(i, i + AT_ONCE).map(check));
}

/** The most codes that a batch may have. */
const BATCH = 1000;

function batchesOf(list: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(some(list).length / BATCH) }, (_, i) => list.slice(i * BATCH, (i + 1) * BATCH));
}

it('have the same names', async () => {
  const [expected, found] = await Promise.all([postgis.names(), snapshot.names()]);
  expect({ ...found, value: null }).toEqual({ ...expected, value: null });
  const factsOf = ({ value: { index, typeOf } }: typeof found) => {
    const { source } = index;
    const { codes, regions, provinces, hosts, municities, submunicipalities, populations } = source;
    return {
      columns: { codes, regions, provinces, hosts, municities, submunicipalities, populations },
      rows: Array.from(codes, (_, row) => [
        source.nameOf(row),
        typeOf(row),
        source.formerNames(row),
        source.formerEditions(row),
      ]),
      former: formerCodes.map(({ level, alias }) => source.formerCodes?.(level, alias).map(({ row }) => row)),
      keys: index.keys.text,
    };
  };
  const [own, others] = [factsOf(found), factsOf(expected)];
  for (const what of ['columns', 'former', 'keys', 'rows'] as const) expect(own[what], what).toEqual(others[what]);
  expect((await postgis.names()).value.index).toBe(expected.value.index);
});

describe('lists', () => {
  const filters: [Level, AreaFilter][] = [
    ['region', {}],
    ['region', { nameContains: 'visayas' }],
    ['region', { nameContains: '%' }],
    ['region', { nameContains: '...' }],
    ['region', { codes: ['0700000000', '070000000', '9900000000', '1300000000', '0700000000'] }],
    ['province', {}],
    ['province', { regions: [{ code: '0700000000' }] }],
    ['province', { regions: [{ name: 'Central Visayas' }] }],
    ['province', { regions: [{ name: 'nowhere' }] }],
    ['municity', { province: { parent: { code: '0702200000' }, scope: 'geographic' } }],
    ['municity', { province: { parent: { code: '0702200000' }, scope: 'admin' } }],
    ['municity', { province: { parent: { code: '072200000' }, scope: 'geographic' } }],
    ['municity', { province: { parent: { name: 'cebu' }, scope: 'geographic' }, nameStartsWith: 'San' }],
    ['municity', { province: { parent: { name: 'Isabela' }, scope: 'geographic' } }],
    ['municity', { regions: [{ code: '1300000000' }] }],
    ['municity', { regions: [{ name: 'NCR' }, { code: '1300000000' }] }],
    ['municity', { regions: [{ code: '1900000000' }], province: { parent: { name: 'Basilan' }, scope: 'geographic' } }],
    ['barangay', { municity: { code: '1380600000' } }],
    ['barangay', { municity: { code: '133900000' }, nameStartsWith: 'barangay 1' }],
    ['barangay', { municity: { name: 'City of Cebu' } }],
    ['barangay', { municity: { name: 'San Juan' } }],
    ['barangay', { municity: { name: 'San Juan' }, regions: [{ name: 'NCR' }] }],
    ['barangay', { province: { parent: { code: '0702200000' }, scope: 'geographic' }, nameStartsWith: 'san' }],
    ['barangay', { province: { parent: { name: 'Batanes' }, scope: 'admin' } }],
    ['barangay', { regions: [{ code: '1400000000' }], nameStartsWith: 'pob' }],
    ['barangay', { municity: { name: 'Nowhere' } }],
    ['barangay', { municity: { code: '9999999999' } }],
    ['municity', { regions: [{ code: '1300000000' }], type: 'SubMun' }],
    ['municity', { regions: [{ code: '1300000000' }], type: 'SubMun', nameStartsWith: 'S', populationMin: 1 }],
    ['municity', { province: { parent: { code: '0702200000' }, scope: 'geographic' }, type: 'SubMun' }],
    ['barangay', { municity: { code: '1380608000' } }],
    ['barangay', { municity: { code: '133908000' }, regions: [{ name: 'NCR' }] }],
    ['barangay', { municity: { name: 'Ermita' } }],
    ['barangay', { municity: { name: 'Sampaloc' } }],
    ['barangay', { municity: { name: 'Santa Cruz' } }],
    ['region', { islandGroup: 'mindanao' }],
    ['province', { islandGroup: 'visayas' }],
    ['province', { incomeClass: '1ST*' }],
    ['province', { populationMin: 0 }],
    ['municity', { regions: [{ code: '0200000000' }], type: 'City', cityClass: 'ICC' }],
    ['municity', { regions: [{ code: '0200000000' }], incomeClass: '4th', type: 'Municipality' }],
    ['barangay', { regions: [{ code: '0200000000' }], populationMin: 100, populationMax: 300 }],
    ['barangay', { regions: [{ code: '0200000000' }], populationMax: 0 }],
    ['region', { meets: [118, 9, 121, 10] }],
    ['municity', { meets: [120.1, 9.1, 120.3, 9.3] }],
    ['municity', { meets: [120.9, 14.5, 121.1, 14.7], type: 'SubMun' }],
    ['barangay', { meets: [0, 0, 1, 1] }],
  ];
  const pages = [undefined, { page: 1, limit: 10 }, { page: 2, limit: 7 }, { page: 99, limit: 100 }];
  /** Filters, each with one of the resolutions: which boundary an area has does not depend on why it was chosen. */
  const filtersAt = filters.map((filter, i) => [...filter, RESOLUTIONS[i % RESOLUTIONS.length]] as const);

  it('are in the same order, whatever they are sorted by', async () => {
    const batanes = { province: { parent: { code: '0200900000' }, scope: 'admin' } } as const;
    for (const by of SORTS) {
      for (const descending of [false, true]) {
        const order = { by, descending };
        for (const [level, filter] of [
          ['municity', { regions: [{ code: '1300000000' }], type: 'SubMun' }],
          ['region', {}],
          ['province', {}],
          ['municity', batanes],
          ['barangay', batanes],
        ] as const) {
          for (const page of [undefined, { page: 2, limit: 4 }]) {
            const resolution = page ? undefined : 'simple';
            const { value } = await agree((areas) => areas.list(level, filter, { page, order, resolution }), {
              level,
              order,
            });
            expect(value.areas.length).toBeGreaterThan(1);
          }
        }
      }
    }
    const page = { page: 1, limit: 100 };
    const { value } = await snapshot.list('barangay', batanes, { page, order: { by: 'population', descending: true } });
    const populations = value.areas.map(({ population }) => population ?? -1);
    expect(populations).toEqual(populations.toSorted((a, b) => b - a));
    expect(populations.slice(-2)).toEqual([-1, -1]);
  });

  it.each(filtersAt)(
    'of %s with %j are the same on every page and with boundaries (%s)',
    async (level, filter, resolution) => {
      for (const page of pages) await agree((areas) => areas.list(level, filter, { page }), { page });
      await agree((areas) => areas.list(level, filter, { resolution }), { resolution });
    },
  );

  it('of every barangay and every city are the same', async () => {
    const isDistrict = (code: string) => /^13806(?!00)/.test(code);
    for (const [level, filter, expected] of [
      ['municity', {}, codes.municity.filter((code) => !isDistrict(code))],
      ['municity', { type: 'SubMun' }, codes.municity.filter(isDistrict)],
      ['barangay', {}, codes.barangay],
    ] as const) {
      const found: string[] = [];
      for (let page = 1; found.length < some(expected).length; page += 1) {
        const { value } = await agree((areas) => areas.list(level, filter, { page: { page, limit: 5000 } }), {
          level,
          page,
        });
        expect(value.areas.length).toBeGreaterThan(0);
        found.push(...value.areas.map(({ code }) => code));
      }
      expect(found).toEqual(expected);
    }
  });

  it('have nothing in them for a caller who has the answer', async () => {
    const knownVersions = [await postgis.activeVersion()];
    const read = await agree((areas) => areas.list('province', {}, { knownVersions }), 'known');
    expect(read.unchanged).toBe(true);
  });
});

describe('single areas', () => {
  const relations: (Relation | undefined)[] = [undefined, 'ancestors', 'neighbors'];

  it.each(LEVELS)('of the level %s are the same, with all that is related to them', async (level) => {
    await everyNth(codes[level], level === 'barangay' ? 1291 : level === 'municity' ? 67 : 5, async (code) => {
      for (const relation of relations)
        await agree((areas) => areas.find(level, code, { relation }), { code, relation });
    });
  });

  it.each(['province', 'municity'] as const)('of the level %s bring the same children', async (level) => {
    await everyNth([...codes[level].slice(0, 5), '1380600000', '1380608000', '133908000', '0702200000'], 1, (code) =>
      agree((areas) => areas.find(level, code, { relation: 'children', resolution: 'simple' }), code),
    );
  });

  it('come with the same boundaries', async () => {
    for (const resolution of ['simple', 'medium', 'detailed'] as const) {
      for (const [level, code] of [
        ['region', '0700000000'],
        ['province', '0702200000'],
        ['municity', '0730600000'],
        ['municity', '1380608000'],
      ] as const) {
        await agree((areas) => areas.find(level, code, { resolution }), { code, resolution });
      }
    }
  });

  it('are led to by every former code', async () => {
    await everyNth(formerCodes, 31, ({ level, alias }) =>
      agree((areas) => areas.find(level, alias, {}), { level, alias }),
    );
  });

  it.each(LEVELS)('are not led to by what is no code of the level %s, and both say why', async (level) => {
    const strange = [
      '0',
      '00',
      '702200000',
      '0702200000',
      '072200000',
      '9902200000',
      '1380601000',
      '1380600000',
      '133900000',
      '0604500000',
      '0630200000',
      '999999999999999',
      '0700000000',
      '070000000',
      '1999900000',
      '0990100000',
      '153800000',
      '1900000001',
    ];
    for (const code of strange)
      await agree((areas) => areas.find(level, code, { relation: 'ancestors' }), { level, code });
  });
});

describe('batches', () => {
  it('are in the same order, with the same codes missing', async () => {
    for (const level of LEVELS) {
      const list = [
        ...codes[level].slice(0, 40).reverse(),
        '9999999999',
        '0702200000',
        '072200000',
        '9999999999',
        codes[level][0] as string,
      ];
      for (const resolution of ['simple', 'detailed'] as const) {
        await agree((areas) => areas.findMany(level, list, { resolution }), { level, resolution });
      }
    }
  });

  // Batches of all barangays would take more than five seconds. Lists above have every one of them.
  it.each(['region', 'province', 'municity'] as const)('of the level %s have every area', async (level) => {
    for (const batch of batchesOf(codes[level])) {
      const { value } = await agree((areas) => areas.findMany(level, batch, {}), { level, first: batch[0] });
      expect(value.areas.map(({ code }) => code)).toEqual(batch);
    }
  });

  it('have an area for every former code', async () => {
    const byLevel = Object.groupBy(formerCodes, ({ level }) => level);
    for (const [level, former = []] of some(Object.entries(byLevel))) {
      for (const batch of batchesOf(former.map(({ alias }) => alias))) {
        await agree((areas) => areas.findMany(level as Level, batch, {}), { level, first: batch[0] });
      }
    }
  });
});

describe('searches', () => {
  const texts = [
    'paranaque',
    'san',
    'san juan',
    'poblacion',
    'city',
    'cebu',
    'ñ',
    'Sta. Maria',
    'sto nino',
    'barangay 1',
    '%',
    '_',
    '..',
    'metro manila',
    'city of isabela',
    'isabela',
    'x',
    'zzzz',
    'district i',
    'pob',
    'a b',
    'manila',
    "o'donnell",
    '  cebu  ',
    'Dasmarinyas',
    'QC',
    'San Fernado, Pampanga',
  ];

  it.each(LEVELS)('of the level %s give the same areas in the same order', async (level) => {
    // A short list is cut from the same order as a long one, so either is asked for of every other text.
    for (const [i, text] of texts.entries()) {
      const limit = (i + LEVELS.indexOf(level)) % 2 === 0 ? 5 : 100;
      await agree((areas) => areas.search(level, text, { filter: {}, limit }), { text, limit });
    }
  });

  it('are narrowed by the same filters', async () => {
    const filters: AreaFilter[] = [
      { municity: { code: '0730600000' } },
      { municity: { code: '1380608000' } },
      { province: { parent: { code: '0702200000' }, scope: 'geographic' } },
      { regions: [{ code: '1300000000' }] },
      { municity: { code: '9999999999' } },
    ];
    for (const filter of filters) {
      await agree((areas) => areas.search('barangay', 'san', { filter, limit: 20 }), filter);
    }
  });
});

describe('sources', () => {
  it('are the same', async () => {
    await agree((areas) => areas.listSources({}), 'sources');
    await agree((areas) => areas.activeVersion(), 'version');
  });
});

describe('boundaries', () => {
  it('are the same in every slice', async () => {
    const { value } = await postgis.list('province', {}, { resolution: 'detailed' });
    const slices = value.areas.flatMap(({ code, id, boundaryBytes }) => [
      { code, id, start: 0, length: Math.min(100, boundaryBytes) },
      { code, id, start: Math.floor(boundaryBytes / 2), length: boundaryBytes - Math.floor(boundaryBytes / 2) },
    ]);
    expect(slices.length).toBeGreaterThan(100);
    const { release } = await postgis.list('region', {}, {});
    await agree((areas) => areas.boundaries({ release, level: 'province', resolution: 'detailed' }, slices), 'slices');
  });
});

describe('points', () => {
  /** The corners and the middle of the drawn country's columns, points of the sea between them, and off the coast. */
  const points = [116.9, 117, 117.1, 117.25, 117.3, 120.1, 120.24, 120.251, 123.1, 123.2501, 126, 127].flatMap((lon) =>
    [5.99, 6, 6.5, 9.123456, 12, 14.999999, 17.9, 18, 18.01].map((lat) => ({ lon, lat })),
  );

  it.each(NAME_LEVELS)('are in the same areas down to the level %s', async (level) => {
    for (let i = 0; i < points.length; i += 36) {
      const some = points.slice(i, i + 36);
      const { value } = await agree((areas) => areas.reverseGeocode(some, { level, within: 0 }), { level, i });
      expect(value.locations).toHaveLength(some.length);
    }
  });

  it.each([[500], [5000], [15_000]])('have the same nearest areas within %i metres', async (within) => {
    for (const level of NAME_LEVELS) {
      for (let i = 0; i < points.length; i += 36) {
        const some = points.slice(i, i + 36);
        await agree((areas) => areas.reverseGeocode(some, { level, within }), { level, i, within });
      }
    }
  });

  it('have no nearest area where a part of what contains them is not drawn', async () => {
    const { area } = (await postgis.find('municity', '0701211000', {})).value;
    const [west, south, east] = area?.bbox ?? [0, 0, 0];
    const point = { lat: south + 0.0001, lon: (west + east) / 2 };
    for (const level of LEVELS) {
      const { value } = await agree((areas) => areas.reverseGeocode([point], { level, within: 15_000 }), { level });
      expect(value.locations[0]).toMatchObject({ match: 'contains', barangay: null });
    }
  });

  it.each(NAME_LEVELS)('have the same areas of the level %s around them, as far away', async (level) => {
    const { area } = (await postgis.find('barangay', '1380608003', {})).value;
    const [west, south, east, north] = area?.bbox ?? [0, 0, 0, 0];
    const middle = { lon: (west + east) / 2 + 1e-4, lat: (south + north) / 2 + 1e-4 };
    let found = 0;
    for (const metres of [0, 3000, 40_000]) {
      for (const point of [middle, ...points.filter((_, i) => i % 10 === 0)]) {
        for (const page of [1, 2]) {
          const options = { level, metres, page: { page, limit: 7 } };
          const { value } = await agree((areas) => areas.within(point, options), { point, ...options });
          found += value.found.length;
        }
      }
    }
    expect(found).toBeGreaterThan(5);
  });

  it('bring the same boundary of the finest area', async () => {
    for (const resolution of ['simple', 'medium', 'detailed'] as const) {
      const [expected, found] = await Promise.all(
        [postgis, snapshot].map((areas) =>
          areas.reverseGeocode([{ lon: 120.1, lat: 9.1 }], { level: 'barangay', within: 0, resolution }),
        ),
      );
      const texts = [expected, found].map((read) => {
        const [location] = read?.value.locations ?? [];
        return location && finestOf(location)?.boundary;
      });
      expect(texts[0]).toMatch(/^\{"type":"(Multi)?Polygon"/);
      expect(texts[1]).toBe(texts[0]);
    }
  });

  it('bring the same boundary of a sub-municipality', async () => {
    const { area } = (await postgis.find('barangay', '1380608003', {})).value;
    const [west, south, east, north] = area?.bbox ?? [0, 0, 0, 0];
    const point = { lon: (west + east) / 2, lat: (south + north) / 2 };
    const options = { level: 'submunicipality', within: 0, resolution: 'simple' } as const;
    const reads = await Promise.all([postgis, snapshot].map((areas) => areas.reverseGeocode([point], options)));
    const [expected, found] = reads.map(({ value }) => value.locations[0]?.submunicipality);
    expect(expected).toMatchObject({
      code: '1380608000',
      boundary: expect.stringMatching(/^\{"type":"(Multi)?Polygon"/),
    });
    expect(found?.boundary).toBe(expected?.boundary);
  });
});
