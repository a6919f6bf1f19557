import { describe, expect, it } from 'vitest';
import { countedIn } from '../../../pages/explore/counted.ts';
import type { Area } from '../../../pages/explore/places.ts';
import { toRelease } from '../../../scripts/pipeline/psgc/areas.ts';
import { publicationOf, readHistory } from '../../../scripts/pipeline/psgc/history.ts';

const history = await readHistory('data/psgc');

/** The oldest and the newest edition with the census of 2020, and with that of 2024. */
const EDITIONS = ['2023-1q', '2025-2q', '2025-07', '2026-3q'];

/** The provinces of an edition that host cities or municipalities, with which of these the published residents count. */
function hostsOf(edition: string) {
  const { areas } = toRelease(publicationOf(history, edition));
  const municities = areas.filter(({ level }) => level === 'municity');
  const isHosted = (province: string) => municities.some((it) => it.hostProvinceCode === province);
  return areas
    .filter(({ level, code }) => level === 'province' && isHosted(code))
    .map((province) => {
      const isIn = (it: (typeof areas)[number]) =>
        it.provinceCode === province.code || it.hostProvinceCode === province.code;
      return { name: province.name, counted: countedIn(areaOf(province), municities.filter(isIn).map(areaOf)) };
    });
}

function areaOf(of: ReturnType<typeof toRelease>['areas'][number]): Area {
  return {
    ...{ code: of.code, name: of.name, population: of.population, population_year: of.populationYear },
    ...{ centroid: null, bbox: null, city_class: of.cityClass, r_code: of.regionCode, p_code: of.provinceCode },
  };
}

const hostsIn = new Map(EDITIONS.map((edition) => [edition, hostsOf(edition)]));

describe('what the residents of a province count', () => {
  it.each(EDITIONS)('is known of each province that hosts a city, in %s', (edition) => {
    const hosts = hostsIn.get(edition) ?? [];
    expect(hosts.length).toBeGreaterThan(20);
    expect(hosts.filter(({ counted }) => counted === undefined)).toEqual([]);
    for (const { counted } of hosts) for (const { city_class } of counted?.within ?? []) expect(city_class).toBe('ICC');
    // The API's documentation says so.
    const leftOut = hosts
      .flatMap(({ counted }) => counted?.without ?? [])
      .filter(({ city_class }) => city_class === 'ICC');
    const isOfCensus2020 = history.editions.find(({ id }) => id === edition)?.census === 2020;
    expect(leftOut.map(({ name }) => name)).toEqual(isOfCensus2020 ? ['City of Cotabato'] : []);
  });

  it('is an independent component city in most provinces, and no highly urbanised one', () => {
    const namesOf = (edition: string, name: string) => {
      const counted = hostsIn.get(edition)?.find((host) => host.name === name)?.counted;
      return [counted?.within.map((it) => it.name), counted?.without.map((it) => it.name)];
    };
    expect(namesOf('2026-3q', 'Leyte')).toEqual([['Ormoc City'], ['City of Tacloban']]);
    expect(namesOf('2026-3q', 'Cebu')).toEqual([[], ['City of Cebu', 'City of Lapu-Lapu', 'City of Mandaue']]);
    expect(namesOf('2025-2q', 'Maguindanao del Norte')).toEqual([[], ['City of Cotabato']]);
    expect(namesOf('2026-3q', 'Maguindanao del Norte')).toEqual([['City of Cotabato'], []]);
  });

  const province: Area = {
    ...{ code: '0702200000', name: 'Cebu', population: 100, population_year: 2024, centroid: null, bbox: null },
    ...{ r_code: '0700000000', area_km2: 50 },
  };
  const own: Area = { ...province, code: '0702201000', p_code: province.code, area_km2: 30 };
  const city: Area = { ...own, p_code: null, city_class: 'HUC', population: 70, area_km2: 20 };

  it.each([
    ['has the land of a city that is left out taken off', 100, [own, city], 30],
    [
      'keeps the land of a city of another region, which its boundary leaves out',
      100,
      [own, { ...city, r_code: '0600000000' }],
      50,
    ],
    ['keeps the land of a city that is counted', 170, [own, { ...city, city_class: 'ICC' }], 50],
    ['is unknown where the land of a city is', 100, [own, { ...city, area_km2: null }], null],
  ])('%s', (_, population, municities, expected) => {
    expect(countedIn({ ...province, population }, municities)?.areaKm2).toBe(expected);
  });

  it('is not told where no sum fits, or nothing is hosted', () => {
    expect(countedIn(province, [own])).toBeUndefined();
    expect(countedIn({ ...province, population: 101 }, [own, city])).toBeUndefined();
  });
});
