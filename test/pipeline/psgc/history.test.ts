import { describe, expect, it } from 'vitest';
import type { Area, Release } from '../../../scripts/pipeline/psgc/area.ts';
import { toRelease } from '../../../scripts/pipeline/psgc/areas.ts';
import { checkRelease } from '../../../scripts/pipeline/psgc/checks.ts';
import { HISTORY_FOLDER, publicationOf, readHistory } from '../../../scripts/pipeline/psgc/history.ts';
import { checkFiles } from '../../../scripts/pipeline/psgc/history-files.ts';
import table from '../../../scripts/pipeline/psgc/hosts.json' with { type: 'json' };
import { checkHostTable } from '../../../scripts/pipeline/psgc/hosts.ts';

const history = await readHistory();

const publication = publicationOf(history, '2026-3q');
const release = toRelease(publication);
const areas = new Map(release.areas.map((area) => [area.code, area]));

function area(code: string): Area {
  const found = areas.get(code);
  if (!found) throw new Error(`no area ${code}`);
  return found;
}

function aliases(alias: string): string[] {
  return release.aliases.filter((it) => it.alias === alias).map((it) => `${it.level} ${it.change} ${it.code}`);
}

describe('the list of 3Q 2026', () => {
  it('passes every check', () => {
    const { problems, report } = checkRelease(release);
    expect(problems).toEqual([]);
    expect(publication.edition).toBe('3Q 2026');
    expect(report.counts).toEqual({
      regions: 18,
      provinces: 82,
      cities: 149,
      'highly urbanised cities': 33,
      'independent component cities': 5,
      municipalities: 1493,
      'sub-municipalities': 14,
      barangays: 42_010,
      'former names': 1866,
      'former codes': 4568,
    });
  });

  it('has each area of the hosting table and its host, by their names there', () => {
    const named = new Map(release.areas.map(({ code, name }) => [code.slice(2), name]));
    for (const { code, name, host, host_name } of checkHostTable(table)) {
      expect([code, named.get(code)]).toEqual([code, expect.stringContaining(name)]);
      expect([host, named.get(host)]).toEqual([host, host_name]);
    }
  });

  it.each([
    [[{ ...table[0], host: '0705400000' }], 'hosts.json, 0.host: must be the last eight digits of a code'],
    [[{ ...table[0], independent: false }], 'hosts.json, 0.independent'],
    [[table[0], table[0]], '30100000 Angeles stands twice'],
  ])('has no host table with a fault: %j', (rows, message) => {
    expect(() => checkHostTable(rows)).toThrow(message);
  });

  // The host provinces, written out, so that a wrong line of hosts.json fails here.
  it.each([
    ['0330100000', '0305400000'],
    ['0331400000', '0307100000'],
    ['0431200000', '0405600000'],
    ['1731500000', '1705300000'],
    ['1430300000', '1401100000'],
    ['0631000000', '0603000000'],
    ['1830200000', '1804500000'],
    ['0730600000', '0702200000'],
    ['0731100000', '0702200000'],
    ['0731300000', '0702200000'],
    ['0831600000', '0803700000'],
    ['1030900000', '1003500000'],
    ['1130700000', '1102400000'],
    ['1230800000', '1206300000'],
    ['1630400000', '1600200000'],
    ['0931700000', '0907300000'],
    ['1030500000', '1004300000'],
    ['0105518000', '0105500000'],
    ['0203135000', '0203100000'],
    ['0501724000', '0501700000'],
    ['0803738000', '0803700000'],
    ['1908703000', '1908700000'],
    ['0990101000', '1900700000'],
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((cluster) => [`199990${cluster}000`, '1204700000']),
  ])('%s belongs to no province and lies in %s', (code, host) => {
    expect(area(code)).toMatchObject({ provinceCode: null, hostProvinceCode: host });
  });

  it('has no other municity with a host province', () => {
    const hosted = release.areas.filter((it) => it.level === 'municity' && it.hostProvinceCode !== null);
    expect(hosted).toHaveLength(31);
  });

  it('has a capital region without provinces, in which nothing has a host', () => {
    const capital = release.areas.filter((it) => it.regionCode === '1300000000');
    expect(capital.every((it) => it.provinceCode === null && it.hostProvinceCode === null)).toBe(true);
    expect(area('1300000000')).toMatchObject({ provinceCount: 0, municityCount: 17, barangayCount: 1715 });
    expect(area('1381701000')).toMatchObject({ name: 'Pateros', type: 'Municipality', cityClass: null });
  });

  it('gives Manila its 897 barangays, by way of its 14 sub-municipalities', () => {
    const manila = release.areas.filter((it) => it.municityCode === '1380600000');
    expect(manila.filter((it) => it.level === 'submunicipality')).toHaveLength(14);
    expect(manila.filter((it) => it.level === 'barangay' && it.submunicipalityCode !== null)).toHaveLength(897);
    expect(area('1380600000').barangayCount).toBe(897);
    expect(area('1380602001')).toMatchObject({
      municityCode: '1380600000',
      submunicipalityCode: '1380602000',
      provinceCode: null,
    });
    expect(release.areas.some((it) => it.level === 'municity' && /^13806(?!00)/.test(it.code))).toBe(false);
  });

  it('counts the Special Geographic Area as eight municipalities with 63 barangays, in BARMM and in no province', () => {
    const special = release.areas.filter((it) => it.code.startsWith('19999'));
    expect(special.filter((it) => it.type === 'Municipality')).toHaveLength(8);
    expect(special.filter((it) => it.level === 'barangay')).toHaveLength(63);
    expect(special.every((it) => it.regionCode === '1900000000' && it.provinceCode === null)).toBe(true);
    expect(area('1204700000')).toMatchObject({ municityCount: 18, hostedMunicityCount: 8 });
  });

  it('counts a city where it belongs and, apart from that, where it lies', () => {
    expect(area('0702200000')).toMatchObject({ name: 'Cebu', municityCount: 50, hostedMunicityCount: 3 });
    expect(area('0803700000')).toMatchObject({ name: 'Leyte', municityCount: 41, hostedMunicityCount: 2 });
    expect(area('1900700000')).toMatchObject({ name: 'Basilan', hostedMunicityCount: 1 });
    expect(area('0900000000')).toMatchObject({ provinceCount: 4, municityCount: 91 });
  });

  it('gives a barangay the province of its city, not the one in its digits', () => {
    expect(area('0105518001')).toMatchObject({
      provinceCode: null,
      hostProvinceCode: '0105500000',
      municityCode: '0105518000',
    });
    expect(area('0105501001')).toMatchObject({ provinceCode: '0105500000', hostProvinceCode: null });
  });

  it('has names without the marks and wrong capitals of lists', () => {
    expect(area('1903638000').name).toBe('Tagoloan II');
    expect(area('1900000000').name).toBe('Bangsamoro Autonomous Region in Muslim Mindanao (BARMM)');
    expect(area('1907004015').name).toBe('Bagid');
    expect(area('1030500000').name).toBe('City of Cagayan De Oro');
    expect(release.areas.every((it) => it.name === it.name.trim())).toBe(true);
  });

  it('keeps former names for people and as search keys', () => {
    expect(release.formerNames).toContainEqual({ code: '0731100000', name: 'Opon' });
    expect(release.formerNames).toContainEqual({ code: '0306905054', name: 'Cobra' });
    expect(release.names).toContainEqual({ level: 'municity', code: '0731100000', key: 'opon', former: true });
    expect(release.names).toContainEqual({ level: 'municity', code: '1381000000', key: 'paranaque', former: false });
  });
});

describe('former codes in the list of 3Q 2026', () => {
  it.each([
    ['035401000', ['municity renumbered 0330100000']],
    ['064501000', ['municity renumbered 1830200000']],
    ['072217000', ['municity renumbered 0730600000']],
    ['133900000', ['municity renumbered 1380600000']],
    ['133902000', ['submunicipality renumbered 1380602000']],
    ['133902001', ['barangay renumbered 1380602001']],
    ['137602000', ['municity renumbered 1380300000']],
    ['137606000', ['municity renumbered 1381701000']],
    ['099701000', ['municity renumbered 0990101000']],
    ['129804000', ['municity renumbered 1908703000']],
    ['150000000', ['region renumbered 1900000000']],
    ['010000000', ['region renumbered 0100000000']],
  ])('%s is %j', (alias, expected) => {
    expect(aliases(alias)).toEqual(expected);
  });

  // "Enlisted men's barrios": ten barangays that went from Makati to Taguig.
  it.each([
    ['137602003', '1380300003', '1381500029'],
    ['137602004', '1380300004', '1381500030'],
    ['137602007', '1380300007', '1381500031'],
    ['137602016', '1380300016', '1381500032'],
    ['137602019', '1380300019', '1381500033'],
    ['137602021', '1380300021', '1381500034'],
    ['137602022', '1380300022', '1381500035'],
    ['137602033', '1380300033', '1381500036'],
    ['137602028', '1380300028', '1381500037'],
    ['137602032', '1380300032', '1381500038'],
  ])('finds the EMBO barangay %s, later %s, as %s', (nine, ten, code) => {
    expect(aliases(nine)).toEqual([`barangay renumbered ${code}`]);
    expect(aliases(ten)).toEqual([`barangay renumbered ${code}`]);
  });

  it('finds the municipalities and barangays of undivided Maguindanao', () => {
    expect(aliases('1903801000')).toEqual(['municity renumbered 1908801000']);
    expect(aliases('153801004')).toEqual(['barangay renumbered 1908801001']);
    expect(aliases('1903801004')).toEqual(['barangay renumbered 1908801001']);
    expect(aliases('1903800000')).toEqual(['province abolished 1908700000', 'province abolished 1908800000']);
    expect(aliases('153800000')).toEqual(['province abolished 1908700000', 'province abolished 1908800000']);
  });

  it('finds the barangays of the Special Geographic Area by every code they had', () => {
    const panicupan = ['barangay renumbered 1999908010'];
    expect(aliases('124712048')).toEqual(panicupan);
    expect(aliases('1204712048')).toEqual(panicupan);
    expect(aliases('1999906008')).toEqual(panicupan);
  });

  it('names every successor of an abolished barangay', () => {
    const parts = [189, 190, 191, 192, 193, 194].map((digits) => `barangay abolished 1380100${digits}`);
    expect(aliases('1380100176')).toEqual(parts);
    expect(aliases('137501176')).toEqual(parts);
    expect(aliases('0402103001')).toEqual(['barangay abolished 0402103089']);
    expect(aliases('042103001')).toEqual(['barangay abolished 0402103089']);
  });

  it('stores no former code whose last eight digits are those of a code of today', () => {
    expect(aliases('015501001')).toEqual([]);
    expect(aliases('0906600000')).toEqual([]);
    expect(aliases('0630200000')).toEqual([]);
  });

  it('stores no code of an area of today', () => {
    expect(release.aliases.filter((it) => areas.get(it.alias)?.level === it.level)).toEqual([]);
  });
});

describe('the history of the list', () => {
  const releases = new Map(history.editions.map(({ id }) => [id, toRelease(publicationOf(history, id))]));
  // Below regions a code keeps its last eight digits when its region changes.
  const withoutRegion = ({ level, code }: Area) => (level === 'region' ? code : code.slice(2));
  const codesOf = (id: string) => new Set(releases.get(id)?.areas.map(withoutRegion));

  it('is written as geo:edition writes it', async () => {
    expect(await checkFiles(HISTORY_FOLDER, history)).toEqual([]);
  });

  it.each(history.editions.map(({ id, areas, asOf }) => [id, areas, asOf] as const))(
    'has %s, with its %i areas, which passes every check',
    (id, count, asOf) => {
      const found = releases.get(id) as Release;
      expect(found.areas).toHaveLength(count);
      expect(found.publishedOn).toBe(asOf);
      expect(checkRelease(found).problems).toEqual([]);
    },
  );

  it('has the regions, provinces, cities, municipalities and barangays that the PSA published', () => {
    const counts = [...releases.values()].map(({ areas: all }) => {
      const areasOf = (level: string, type?: string) =>
        all.filter((it) => it.level === level && (!type || it.type === type));
      return [
        areasOf('region').length,
        areasOf('province').length,
        areasOf('municity', 'City').length,
        areasOf('municity').length - areasOf('municity', 'City').length,
        areasOf('barangay').length,
      ].join(' ');
    });
    expect(counts).toEqual([
      '17 82 148 1494 42027',
      '17 82 149 1493 42001',
      '17 82 149 1493 42004',
      '18 82 149 1493 42004',
      ...Array.from({ length: 7 }, () => '18 82 149 1493 42011'),
      ...Array.from({ length: 2 }, () => '18 82 149 1493 42010'),
    ]);
  });

  // Each edition against the one before it: how many areas are new and gone, whatever their region.
  it('changes from edition to edition by what laws and ordinances made', () => {
    const ids = history.editions.map(({ id }) => id);
    const lacking = (all: Set<string>, of: Set<string>) => [...all].filter((it) => !of.has(it)).length;
    const steps = ids.slice(1).map((id, i) => {
      const [before, after] = [codesOf(ids[i] as string), codesOf(id)];
      return `${id} +${lacking(after, before)} -${lacking(before, after)}`;
    });
    expect(steps).toEqual([
      ...['2023-4q +28 -54', '2024-04 +7 -4', '2024-2q +1 -0', '2024-3q +8 -1', '2024-4q +0 -0', '2025-1q +0 -0'],
      ...['2025-2q +0 -0', '2025-07 +0 -0', '2025-3q +0 -0', '2025-4q +0 -0', '2026-1q +0 -1', '2026-3q +0 -0'],
    ]);
  });

  it('leads from every code of every edition to areas of the newest', () => {
    const now = new Set(release.areas.map((it) => `${it.level} ${withoutRegion(it)}`));
    const former = new Set(release.aliases.map(({ level, alias }) => `${level} ${alias}`));
    const lost = [...releases.values()].flatMap(({ areas: all }) =>
      all.filter((it) => !now.has(`${it.level} ${withoutRegion(it)}`) && !former.has(`${it.level} ${it.code}`)),
    );
    expect(lost).toEqual([]);
  });

  it('has Sulu in Region IX since July 2025, with all that lies in it', () => {
    const within = (id: string, prefix: string) =>
      releases.get(id)?.areas.filter(({ code }) => code.startsWith(prefix)).length;
    expect([within('2025-2q', '19066'), within('2025-2q', '09066')]).toEqual([430, 0]);
    expect([within('2025-07', '19066'), within('2025-07', '09066')]).toEqual([0, 430]);
    expect(area('0906600000')).toMatchObject({ name: 'Sulu', regionCode: '0900000000' });
    expect(aliases('1906600000')).toEqual([]);
  });

  it('has the Negros Island Region since 2Q 2024', () => {
    const has = (id: string, code: string) => releases.get(id)?.areas.some((it) => it.code === code);
    expect([has('2024-04', '0630200000'), has('2024-04', '1800000000')]).toEqual([true, false]);
    expect([has('2024-2q', '1830200000'), has('2024-2q', '1800000000')]).toEqual([true, true]);
  });

  it('has Ermita as a sub-municipality of Manila', () => {
    expect(area('1380608000')).toMatchObject({ level: 'submunicipality', name: 'Ermita', municityCode: '1380600000' });
  });

  it('has older spellings among former names', () => {
    const names = (code: string) => release.formerNames.filter((it) => it.code === code).map(({ name }) => name);
    expect(names('1001313009')).toEqual(['Santa Ines']);
    expect(names('1102324000')).toEqual(['San Isidro']);
    expect(toRelease(publicationOf(history, '2026-1q')).formerNames).not.toContainEqual({
      code: '1001313009',
      name: 'Sta. Ines',
    });
  });

  it('has the censuses that were public when a list was', () => {
    const years = history.editions.map(({ id }) => publicationOf(history, id).censusYears.join(' '));
    expect(years).toEqual([...Array(8).fill('2015 2020'), ...Array(5).fill('2015 2020 2024')]);
    expect(area('0906600000')).toMatchObject({ population: 1_146_097, populationYear: 2024 });
  });

  it('counts residents within the boundaries of each census, and those of merged and divided areas within the boundaries of today', () => {
    const counts = (code: string) => area(code).populations.map(({ population }) => population);
    // Makati had the ten barangays that are of Taguig now.
    expect([counts('1380300000'), counts('1381500000')]).toEqual([
      [582_602, 629_616, 309_770],
      [804_915, 886_722, 1_308_085],
    ]);
    // Bacoor merged these three barangays in 2023.
    const countsIn2020OfMerged = ['0402103002', '0402103030', '0402103032'].map(
      (code) => history.populations.get(code)?.[1],
    );
    expect(counts('0402103076')[1]).toBe(countsIn2020OfMerged.reduce<number>((sum, count) => sum + (count ?? 0), 0));
    // Maguindanao was divided in 2022.
    const within = release.areas.filter(({ level, code }) => level === 'municity' && code.startsWith('19088'));
    const sumOf = (year: number) =>
      within.flatMap(({ populations }) => populations.filter((it) => it.year === year)).map((it) => it.population);
    for (const [i, year] of [2015, 2020, 2024].entries())
      expect(sumOf(year).reduce((sum, count) => sum + count, 0)).toBe(counts('1908800000')[i]);
    expect(area('1800000000').populations.map(({ year }) => year)).toEqual([2024]);
  });

  it.each([
    ['0906600000', 'a region that has changed'],
    ['1381500036', 'another city'],
    ['1999908010', 'another municipality'],
  ])('has every census of %s, whose code has moved to %s', (code) => {
    expect(area(code).populations.map(({ year }) => year)).toEqual([2015, 2020, 2024]);
  });

  it('names the editions that there are', () => {
    expect(() => publicationOf(history, '2024-1q')).toThrow(/There is no edition "2024-1q".*2023-1q.*2026-3q/);
  });
});

// The lists below are areas of 3Q 2026 whose residents are not the sum of those of their barangays, by reason. A census counts
// within the boundaries of its time, which for some regions, cities and municipalities are not those of today.

const CALACA = ['0400000000', '0401000000', '0401007000']; // with San Rafael, which went into Dacanlao in 1Q 2026
const INDEPENDENT = ['0105500000', '0203100000', '0501700000', '0803700000']; // provinces count their independent city
const MOVED = ['0908304000', '0908311000', '1380300000', '1381500000']; // Guintolan, and ten barangays of Taguig
const DIVIDED = ['1380100000', '1300000000']; // Caloocan, whose 176-A to 176-F were one barangay
const REGIONS = ['0600000000', '0700000000', '0900000000', '1800000000']; // without Negros, with Sulu
const SPECIAL = [
  ...['1200000000', '1900000000', '1204700000'], // Cotabato and its region counted barangays that are of the BARMM
  ...['1204702000', '1204703000', '1204709000', '1204711000', '1204712000', '1204717000'],
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((nth) => `199990${nth}000`), // which had no municipalities
];
const BEFORE_2024 = [...CALACA, ...INDEPENDENT, ...MOVED, ...DIVIDED, ...REGIONS, ...SPECIAL];

it.each([
  // Benguet by 2,000, a slip of the list; Burdeos and Panukulan, between which Rizal moved in 2018.
  [2015, [...BEFORE_2024, '1401100000', '0405606000', '0405631000']],
  [2020, BEFORE_2024],
  // From 2024 on the list counts Cotabato City in Maguindanao del Norte.
  [2024, [...CALACA, ...INDEPENDENT, '1908700000']],
] as const)(
  'residents in the census of %i are the sum of those of the barangays, except where an area has changed or a province counts a city',
  (year, codes) => {
    const residents = ({ populations }: Area) => populations.find((census) => census.year === year)?.population;
    const sums = new Map<string, number>();
    for (const barangay of release.areas.filter(({ level }) => level === 'barangay')) {
      for (const code of [
        barangay.submunicipalityCode,
        barangay.municityCode,
        barangay.provinceCode,
        barangay.regionCode,
      ]) {
        if (code) sums.set(code, (sums.get(code) ?? 0) + (residents(barangay) ?? 0));
      }
    }
    const others = release.areas.filter((it) => it.level !== 'barangay' && residents(it) !== sums.get(it.code));
    expect(others.map(({ code }) => code).sort()).toEqual([...codes].sort());
  },
);
