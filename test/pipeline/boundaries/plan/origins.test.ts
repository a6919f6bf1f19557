import { describe, expect, it } from 'vitest';
import { explainGaps, listUnexplained } from '../../../../scripts/pipeline/boundaries/plan/missing.ts';
import { planBoundaries } from '../../../../scripts/pipeline/boundaries/plan/origins.ts';
import { row } from '../../psgc/rows.ts';
import { BARANGAYS, barangays, box, COUNTRY, country, feature, lines, polygon, surveyed } from '../country.ts';

async function planned(files: Record<string, string>, release = country()) {
  const found = await surveyed(files, release);
  const levels = planBoundaries(release, found);
  const at = (level: string) => levels.find((it) => it.level === level) ?? levels[0];
  return { found, at, problems: listUnexplained(levels, found, release.areas).map(({ at, what }) => `${at}: ${what}`) };
}

const square = polygon(box(120, 18));

describe('the polygons of a level', () => {
  const file = lines(barangays());
  it.each([
    [['barangays'], 'detailed'],
    [['barangays.medium'], 'medium'],
    [['barangays.simple', 'barangays.detailed'], 'detailed'],
    [['barangays.medium', 'barangays.simple'], 'medium'],
  ])('of %j are those that are %s', async (names, resolution) => {
    const { at } = await planned(Object.fromEntries(names.map((name) => [`${name}.ndjson`, file])));
    expect(at('barangay')).toMatchObject({ origin: { kind: 'source', resolution }, filled: [] });
    const name = names.find((it) => it.includes(resolution)) ?? names[0];
    expect([...(at('barangay')?.places ?? [])]).toEqual(BARANGAYS.map((_, i) => `${name}.ndjson line ${i + 1}`));
    expect(at('region')?.origin).toEqual({ kind: 'dissolved' });
  });

  it('are coarser where the finest one of an area is coarser, or has no geometry', async () => {
    const some = barangays().map((it, i) => (i === 0 ? feature(BARANGAYS[0], null) : it));
    const { at } = await planned({
      'barangays.detailed.ndjson': lines(some.slice(0, 5)),
      'barangays.simple.ndjson': file,
    });
    expect(at('barangay')?.filled).toEqual([
      { code: BARANGAYS[0], from: 'simple' },
      { code: BARANGAYS[5], from: 'simple' },
    ]);
  });
});

describe('an area without a polygon', () => {
  it('is dissolved from its children', async () => {
    const { at, problems } = await planned({ 'barangays.ndjson': lines(barangays()) });
    const dissolved = ['municity', 'province', 'region'].map((level) =>
      at(level)?.dissolve.map(({ area, children }) => [area.code, children.map(({ code }) => code)]),
    );
    expect(dissolved).toEqual([
      [
        ['0102801000', BARANGAYS.slice(0, 2)],
        ['0102802000', BARANGAYS.slice(2, 4)],
        ['0201501000', BARANGAYS.slice(4)],
      ],
      [
        ['0102800000', ['0102801000', '0102802000']],
        ['0201500000', ['0201501000']],
      ],
      [
        ['0100000000', ['0102800000']],
        ['0200000000', ['0201500000']],
      ],
    ]);
    expect(problems).toEqual([]);
  });

  it('is a hole if one of its children is missing', async () => {
    const { problems } = await planned({ 'barangays.ndjson': lines(barangays().slice(2)) });
    expect(problems).toContain(
      'barangay 0102801001: 0102801001 Adams Poblacion has no boundary: the source has no polygon of it',
    );
    expect(problems).toContain(
      'province 0102800000: 0102800000 Ilocos Norte has no boundary: the source has no polygon of it, and its children are not all there to dissolve one from',
    );
    expect(problems.some((problem) => problem.includes('0200000000'))).toBe(false);
  });

  it('is a hole where its feature has no geometry at any resolution', async () => {
    const some = barangays();
    some[0] = feature('0102801001', null);
    const { problems } = await planned({ 'barangays.ndjson': lines(some) });
    expect(problems).toContain(
      'barangays.ndjson line 1: 0102801001 Adams Poblacion has no boundary: its feature has no geometry',
    );
  });
});

describe('a barangay that is newer than the source', () => {
  const many = Array.from({ length: 200 }, (_, i) => row('Bgy', `0102801${String(i + 3).padStart(3, '0')}`, `B${i}`));
  const shape = (code: string) => feature(code, square);

  it('is explained when the source has the others of its municipality', async () => {
    const release = country([...COUNTRY, ...many]);
    const codes = release.areas.filter(({ level }) => level === 'barangay').map(({ code }) => code);
    const { at, problems } = await planned({ 'barangays.ndjson': lines(codes.slice(0, 205).map(shape)) }, release);
    expect(problems).toEqual([]);
    expect(at('barangay')?.missing).toMatchObject([{ area: { code: '0201501002' }, explained: expect.any(String) }]);
    expect(at('municity')?.dissolve.map(({ area }) => area.code)).toContain('0201501000');
  });

  it('is not when more than five in a thousand are', async () => {
    const release = country([...COUNTRY, ...many]);
    const codes = release.areas.filter(({ level }) => level === 'barangay').map(({ code }) => code);
    const { problems } = await planned({ 'barangays.ndjson': lines(codes.slice(2).map(shape)) }, release);
    expect(problems).toHaveLength(2 + 3);
  });

  it('is reported and does not block the others if only a few are missing', async () => {
    const more = Array.from({ length: 14 }, (_, i) => row('Bgy', `01028020${10 + i}`, `New ${i}`));
    const release = country([...COUNTRY, ...more]);
    const codes = release.areas.filter(({ level }) => level === 'barangay').map(({ code }) => code);
    const upper = release.areas.filter(({ level }) => level !== 'barangay').map(({ code }) => shape(code));
    const without = (...gone: string[]) => {
      const drawn = codes.map((code) => (gone.includes(code) ? feature(code, null) : shape(code)));
      return planned({ 'a.ndjson': lines([...drawn, ...upper]) }, release);
    };
    const { problems, at } = await without('0102801001');
    expect(problems).toEqual([]);
    expect(at('barangay')?.missing).toMatchObject([{ area: { code: '0102801001' }, explained: null }]);
    expect((await without('0102801001', '0102801002')).problems).toHaveLength(2);
  });

  it('gets the land of the areas that it was made from, where it is their only successor', async () => {
    const city = [
      row('Reg', '0400000000', 'R'),
      row('Prov', '0402100000', 'Cavite'),
      row('City', '0402103000', 'Bacoor'),
    ];
    // Aniban 1 was made of Aniban I, III and V.
    const then = ['0402103002', '0402103030', '0402103032'].map(shape);
    const { problems, at } = await planned(
      { 'barangays.ndjson': lines([...barangays(), ...then]) },
      country([...COUNTRY, ...city, row('Bgy', '0402103076', 'Aniban 1')]),
    );
    expect(problems).toEqual([]);
    expect([...(at('barangay')?.places ?? [])].slice(-3)).toEqual([7, 8, 9].map((n) => `barangays.ndjson line ${n}`));
    expect(at('municity')?.dissolve.map(({ area }) => area.code)).toContain('0402103000');
  });

  it('is explained when the source has the one that it was made from', async () => {
    const caloocan = [row('Reg', '1300000000', 'NCR'), row('City', '1380100000', 'City of Caloocan')];
    const parts = [189, 190, 191, 192, 193, 194].map((n) => row('Bgy', `1380100${n}`, `Barangay 176-${n}`));
    const { problems, at } = await planned(
      { 'a.ndjson': lines([...barangays(), shape('1380100000'), shape('1380100176')]) },
      country([...COUNTRY, ...caloocan, ...parts]),
    );
    expect(problems).toEqual([]);
    expect(at('barangay')?.missing).toHaveLength(6);
    expect(at('barangay')?.missing[0]?.explained).toBe('was made from 1380100176, which the source still has');
  });
});

describe('a gap declared by the source', () => {
  const upper = COUNTRY.filter(({ level }) => level !== 'Bgy').map(({ code }) => feature(code, square));
  const files = (some: unknown[], uppers: unknown[] = upper) => ({ 'all.ndjson': lines([...some, ...uppers]) });
  const unexplained = async (gaps: string[], ...of: Parameters<typeof files>) => {
    const found = await surveyed(files(...of));
    return listUnexplained(explainGaps(planBoundaries(country(), found), gaps, country()), found, country().areas).map(
      ({ what }) => what.slice(0, 10),
    );
  };

  it('is explained, with everything below it', async () => {
    const without = [feature(BARANGAYS[0], null), ...barangays().slice(1, 4)];
    expect(await unexplained([], without)).toEqual([BARANGAYS[0], BARANGAYS[4], BARANGAYS[5]]);
    expect(await unexplained(['0102801001', '0201500000'], without)).toEqual([]);
  });

  it('is explained by a code that it had', async () => {
    expect(await unexplained(['0901501001', '021501002'], barangays().slice(0, 4))).toEqual([]);
  });

  it('explains nothing else, and nothing above it', async () => {
    const above = upper.filter(({ properties: { psgc } }) => psgc !== '0201501000');
    expect(await unexplained(['0201501001'], barangays().slice(0, 4), above)).toEqual([BARANGAYS[5], '0201501000']);
    expect(await unexplained(['9999999999'], barangays().slice(0, 5))).toEqual([BARANGAYS[5]]);
  });

  it('keeps its parent from being dissolved without it', async () => {
    const above = upper.filter(({ properties: { psgc } }) => psgc !== '0201501000');
    expect(await unexplained([BARANGAYS[5] ?? ''], barangays().slice(0, 5), above)).toEqual(['0201501000']);
  });
});

describe('a parent whose children have moved', () => {
  // Bacarra's province has moved to the second region since, and one of Adams' barangays to Abulug.
  const MOVED = country([
    ...COUNTRY.slice(0, 5),
    row('Prov', '0202900000', 'Batanes'),
    row('Mun', '0202902000', 'Bacarra'),
    row('Bgy', '0202902001', 'Bani'),
    row('Bgy', '0202902002', 'Buyon'),
    ...COUNTRY.slice(8),
  ]);
  const then = ['0102801001', '0102801002', '0102902001', '0102902002', '0201501001', '0201501002'];
  const upper = [
    '0100000000',
    '0200000000',
    '0102800000',
    '0102900000',
    '0201500000',
    '0102801000',
    '0102902000',
    '0201501000',
  ];
  const files = { 'all.ndjson': lines([...then, ...upper].map((code) => feature(code, square))) };

  it('is dissolved when it is a region, on both sides', async () => {
    const { at } = await planned(files, MOVED);
    expect(at('region')?.dissolve.map(({ area, children, why }) => [area.code, children.length, why])).toEqual([
      ['0100000000', 1, "has lost Batanes since the source's edition"],
      ['0200000000', 2, "has gained Batanes since the source's edition"],
    ]);
    expect(at('province')?.dissolve).toEqual([]);
    expect(at('province')?.outdated).toEqual([]);
  });

  it('keeps its outdated polygon, and says so, where a child has none', async () => {
    const rest = [...then, ...upper].filter((code) => !code.startsWith('02015'));
    const { at } = await planned({ 'all.ndjson': lines(rest.map((code) => feature(code, square))) }, MOVED);
    expect(at('province')?.missing.map(({ area }) => area.code)).toEqual(['0201500000']);
    expect(at('region')?.dissolve.map(({ area }) => area.code)).toEqual(['0100000000']);
    expect(at('region')?.outdated.map(({ area }) => area.code)).toEqual(['0200000000']);
    expect(at('region')?.missing).toEqual([]);
  });
});
