import { nameKey, searchKeys } from '../../../src/areas/names.ts';
import { listCodeAliases } from './aliases.ts';
import type { Area, AreaLevel, Release } from './area.ts';
import { ISABELA_CITY, isHighlyUrbanised, MANILA, NCR } from './facts.ts';
import { formerCode } from './former-codes.ts';
import { HOSTS, INDEPENDENT_COMPONENT_CITIES } from './hosts.ts';
import type { CityClass, Problem, Publication, PublishedLevel, PublishedRow } from './publication.ts';
import { isGarbled } from './published-names.ts';

const LEVELS: Readonly<Record<PublishedLevel, AreaLevel>> = {
  Reg: 'region',
  Prov: 'province',
  City: 'municity',
  Mun: 'municity',
  SGU: 'municity',
  SubMun: 'submunicipality',
  Bgy: 'barangay',
};

const TYPES: Readonly<Partial<Record<PublishedLevel, Area['type']>>> = {
  City: 'City',
  Mun: 'Municipality',
  SGU: 'SGU',
};

const ORDER: readonly AreaLevel[] = ['region', 'province', 'municity', 'submunicipality', 'barangay'];

/**
 * Makes a release of a publication: finds the ancestors of every area. Pure; never throws, whatever the rows contain.
 */
export function toRelease(publication: Publication): Release {
  const warnings = [...publication.warnings];
  const provinces = provincesByDigits(publication.rows);
  const newestCensus = publication.censusYears.at(-1) ?? null;
  const municities = new Map<string, Area>();
  const rows = publication.rows
    .map((row) => withoutGarbled(row, warnings))
    .map((row) => ({ row, order: ORDER.indexOf(LEVELS[row.level]) }))
    .sort((a, b) => a.order - b.order || (a.row.code < b.row.code ? -1 : 1));
  const areas = rows.map(({ row }) => {
    const area = placeArea(row, { provinces, municities, warnings, newestCensus });
    if (area.level === 'municity') municities.set(area.code, area);
    return area;
  });
  countChildren(areas);
  const sorted = rows.map(({ row }) => row);
  const aliases = listCodeAliases(areas, warnings);
  return {
    edition: publication.edition,
    sources: [publication.source],
    areas,
    names: sorted.flatMap(searchNames),
    formerNames: sorted.flatMap(formerNames),
    aliases,
    ignored: publication.ignored,
    repairs: publication.repairs,
    publishedOn: publication.publishedOn,
    problems: [...publication.problems],
    warnings,
    summary: publication.summary,
  };
}

/**
 * Province codes by `PPP`. These digits are unique in the country; the two digits of old are the same without the zero.
 */
function provincesByDigits(rows: PublishedRow[]): Map<string, string> {
  return new Map(rows.filter((row) => row.level === 'Prov').map((row) => [row.code.slice(2, 5), row.code]));
}

/** A row with the former names that can be read. A garbled one would never be asked for, and is no reason to refuse a list. */
function withoutGarbled(row: PublishedRow, warnings: Problem[]): PublishedRow {
  const [garbled, formerNames] = [row.formerNames.filter(isGarbled), row.formerNames.filter((it) => !isGarbled(it))];
  for (const name of garbled) {
    warnings.push({ at: row.at, what: `${row.code}: the former name ${JSON.stringify(name)} is garbled; left out` });
  }
  return garbled.length === 0 ? row : { ...row, formerNames };
}

/** Makes the area of a row and finds its ancestors. Its counts stay 0. */
export function placeArea(
  row: PublishedRow,
  {
    provinces,
    municities,
    warnings,
    newestCensus,
  }: {
    provinces: ReadonlyMap<string, string>;
    municities: ReadonlyMap<string, Pick<Area, 'provinceCode'> & Partial<Pick<Area, 'hostProvinceCode'>>>;
    warnings: Problem[];
    newestCensus: number | null;
  },
): Area {
  const { code } = row;
  const level = LEVELS[row.level];
  const area: Area = {
    level,
    code,
    name: row.name,
    nameKey: nameKey(row.name),
    type: TYPES[row.level] ?? null,
    cityClass: row.level === 'City' ? (row.cityClass ?? cityClass(code)) : null,
    regionCode: level === 'region' ? null : `${code.slice(0, 2)}00000000`,
    provinceCode: null,
    hostProvinceCode: null,
    municityCode: null,
    submunicipalityCode: null,
    urbanRural: row.urbanRural,
    population: row.population,
    populationYear: row.population === null ? null : newestCensus,
    populations: row.populations,
    incomeClass: row.incomeClass,
    notes: row.notes,
    correspondence: row.correspondence,
    provinceCount: 0,
    municityCount: 0,
    hostedMunicityCount: 0,
    barangayCount: 0,
  };
  if (level === 'municity') {
    const independent = area.cityClass === 'HUC' || area.cityClass === 'ICC';
    // `PPP` of 301 and above: highly urbanised cities, the capital, the City of Isabela, the Special Geographic Area.
    if (!independent && code[2] === '0') area.provinceCode = `${code.slice(0, 5)}00000`;
    if (area.provinceCode === null && area.regionCode !== NCR)
      area.hostProvinceCode = findHost(row, provinces, warnings);
  } else if (level === 'submunicipality') {
    area.municityCode = MANILA;
  } else if (level === 'barangay') {
    const parent = `${code.slice(0, 7)}000`;
    const inManila = parent !== MANILA && parent.startsWith(MANILA.slice(0, 5));
    area.municityCode = inManila ? MANILA : parent;
    area.submunicipalityCode = inManila ? parent : null;
    const municity = municities.get(area.municityCode);
    area.provinceCode = municity?.provinceCode ?? null;
    area.hostProvinceCode = municity?.hostProvinceCode ?? null;
  }
  return area;
}

/** The class of a city where its publication doesn't say. */
function cityClass(code: string): CityClass {
  if (isHighlyUrbanised(code)) return 'HUC';
  return INDEPENDENT_COMPONENT_CITIES.has(code.slice(2)) ? 'ICC' : 'CC';
}

/**
 * Finds the province in which a city or municipality lies without belonging to it. It is the province whose digits are
 * in the nine-digit code. Where those name no province (the City of Isabela, Cotabato City, the Special Geographic
 * Area), it is taken from the hosting table (`hosts.json`).
 */
function findHost(row: PublishedRow, provinces: ReadonlyMap<string, string>, warnings: Problem[]): string | null {
  const local = row.code.slice(2);
  const fact = HOSTS.get(local);
  const former = row.correspondence ?? formerCode(row.code);
  const derived = former === null || local === ISABELA_CITY ? undefined : provinces.get(`0${former.slice(2, 4)}`);
  const listed = fact === undefined ? undefined : provinces.get(fact.slice(0, 3));
  if (derived !== undefined && listed !== undefined && derived !== listed) {
    const what = `${row.code} ${row.name} lies in ${derived} by its old code ${former}, in ${listed} by the hosting table; the old code is believed`;
    warnings.push({ at: row.at, what });
  }
  return derived ?? listed ?? null;
}

/**
 * Fills in the counts of children. A hosted area counts as hosted where it lies, and as a child only where it belongs.
 */
function countChildren(areas: Area[]): void {
  const byCode = new Map(areas.map((area) => [area.code, area]));
  const of = (code: string | null) => (code === null ? undefined : byCode.get(code));
  for (const area of areas) {
    const region = of(area.regionCode);
    const province = of(area.provinceCode);
    if (area.level === 'province') {
      if (region) region.provinceCount++;
    } else if (area.level === 'municity') {
      if (region) region.municityCount++;
      if (province) province.municityCount++;
      const hosting = of(area.hostProvinceCode);
      if (hosting) hosting.hostedMunicityCount++;
    } else if (area.level === 'barangay') {
      for (const parent of [region, province, of(area.municityCode), of(area.submunicipalityCode)])
        if (parent) parent.barangayCount++;
    }
  }
}

function searchNames(row: PublishedRow): Release['names'] {
  const level = LEVELS[row.level];
  const current = new Set(searchKeys(row.name));
  const former = new Set(row.formerNames.flatMap(searchKeys).filter((key) => !current.has(key)));
  return [
    ...[...current].map((key) => ({ level, code: row.code, key, former: false })),
    ...[...former].map((key) => ({ level, code: row.code, key, former: true })),
  ];
}

function formerNames(row: PublishedRow): Release['formerNames'] {
  return row.formerNames.filter((name) => name !== row.name).map((name) => ({ code: row.code, name }));
}
