import type { Area, AreaLevel, Release } from './area.ts';
import { NCR } from './facts.ts';
import { HOSTS } from './hosts.ts';
import type { Problem } from './publication.ts';
import { isGarbled } from './published-names.ts';
import { checkSummary } from './summary.ts';

/** Advice for a refused list. */
const CORRECT_LIST =
  'Correct these rows in a copy of the workbook, or get it again from https://psa.gov.ph/classification/psgc, and load that.';

/** How many problems are printed. The first few show what is wrong with the others. */
const SHOWN = 20;

/** Thrown when a publication must not become a release. The database is unchanged. */
export class LoadRefused extends Error {
  readonly problems: Problem[];
  /** The first problems, a line each, and how many more there are. */
  readonly shown: string[];
  /** What the user can do, in a sentence. */
  readonly remedy: string;

  constructor(problems: Problem[], remedy: string = CORRECT_LIST) {
    const shown = problems.slice(0, SHOWN).map((problem) => `  ${problem.at}: ${problem.what}`);
    if (problems.length > shown.length)
      shown.push(`  and ${(problems.length - shown.length).toLocaleString('en')} more`);
    super(`The load was refused for ${problems.length} problem(s):\n${shown.join('\n')}\n${remedy}`);
    this.name = 'LoadRefused';
    this.shown = shown;
    this.remedy = remedy;
    this.problems = problems;
  }
}

/** What a load found: `data_releases.report`. */
export interface Report extends Record<string, unknown> {
  counts: Record<string, number>;
  ignored: Release['ignored'];
  /** Names that were corrected: `code: before → after`. */
  repairs: string[];
  /** Unusual findings that don't refuse the list. */
  warnings: Problem[];
}

/** How many areas another edition has, by the names of the counts. */
export interface ReferenceCounts {
  edition: string;
  counts: Readonly<Record<string, number>>;
}

/**
 * The ten-digit codes of each level: `RR PPP MM BBB`. `PPP` of a province begins with 0. A highly urbanised city or Pateros has
 * `PPP` 3xx or 8xx and `MM` 00. Sub-municipalities are those of Manila, `RR PPP` 13 806.
 */
const CODE_PATTERNS: Readonly<Record<AreaLevel, RegExp>> = {
  region: /^(?!00)\d{2}0{8}$/,
  province: /^(?!00)\d{2}0(?!00)\d{2}0{5}$/,
  municity: /^(?!00)\d{2}(?:(?!000)\d{3}(?!00)\d{2}|[38](?!00)\d{2}00)000$/,
  submunicipality: /^13806(?!00)\d{2}000$/,
  barangay: /^(?!00)\d{2}(?!000)\d{3}\d{2}(?!000)\d{3}$/,
};

/**
 * Finds all problems that prevent loading a release, and reports its content and unusual findings. Pure.
 *
 * @param reference another edition. Differences in the counts are reported, because an edition changes by a few areas
 */
export function checkRelease(
  release: Release,
  reference: ReferenceCounts | null = null,
): { problems: Problem[]; report: Report } {
  const counts = countsOf(release);
  const problems = [
    ...release.problems,
    ...checkLevels(counts),
    ...checkCodes(release.areas),
    ...checkParents(release.areas),
    ...checkNames(release),
  ];
  const warnings = [
    ...release.warnings,
    ...findSameNames(release.areas),
    ...findEmpty(release.areas),
    ...checkHosts(release.areas),
    ...compareCounts(release.edition, counts, reference),
    ...checkSummary(release),
  ];
  return { problems, report: { counts, ignored: release.ignored, repairs: release.repairs, warnings } };
}

/** Counts that depend on the history that is loaded, and not on the edition alone. */
const NOT_COMPARED: ReadonlySet<string> = new Set(['former names', 'former codes']);

/** The differences in the counts of areas to another edition. */
function compareCounts(
  edition: string,
  counts: Readonly<Record<string, number>>,
  reference: ReferenceCounts | null,
): Problem[] {
  if (reference === null) return [];
  return Object.keys({ ...reference.counts, ...counts }).flatMap((what) => {
    const [before, now] = [reference.counts[what] ?? 0, counts[what] ?? 0];
    if (now === before || NOT_COMPARED.has(what)) return [];
    const difference = `${Math.abs(now - before).toLocaleString('en')} ${now > before ? 'more' : 'fewer'}`;
    const [one, other] = [now.toLocaleString('en'), before.toLocaleString('en')];
    return [{ at: 'count', what: `${one} ${what} in ${edition}, ${other} in ${reference.edition}: ${difference}` }];
  });
}

function countsOf({ areas, aliases, formerNames }: Release): Record<string, number> {
  return { ...countAreas(areas), 'former names': formerNames.length, 'former codes': aliases.length };
}

/** How many areas of each kind there are. */
export function countAreas(areas: readonly Pick<Area, 'level' | 'type' | 'cityClass'>[]): Record<string, number> {
  const count = (matches: (area: (typeof areas)[number]) => boolean) => areas.filter(matches).length;
  const units = count((area) => area.type === 'SGU');
  return {
    regions: count((area) => area.level === 'region'),
    provinces: count((area) => area.level === 'province'),
    cities: count((area) => area.type === 'City'),
    'highly urbanised cities': count((area) => area.cityClass === 'HUC'),
    'independent component cities': count((area) => area.cityClass === 'ICC'),
    municipalities: count((area) => area.type === 'Municipality'),
    // Only older editions have special government units, so others don't count them.
    ...(units > 0 && { 'special government units': units }),
    'sub-municipalities': count((area) => area.level === 'submunicipality'),
    barangays: count((area) => area.level === 'barangay'),
  };
}

/** Refuses a list without any area of a level, because it is no list of the country. */
function checkLevels(counts: Readonly<Record<string, number>>): Problem[] {
  return ['regions', 'provinces', 'cities', 'municipalities', 'barangays']
    .filter((what) => counts[what] === 0)
    .map((what) => ({ at: 'count', what: `the list has no ${what}` }));
}

function checkCodes(areas: Area[]): Problem[] {
  const problems: Problem[] = [];
  const seen = new Map<string, Area>();
  // The last eight digits are unique below regions, also when an area moves to another region (facts.ts).
  const seenLastEight = new Map<string, Area>();
  for (const area of areas) {
    const { code, level, name } = area;
    if (!CODE_PATTERNS[level].test(code)) {
      problems.push({ at: code || name, what: `"${code}" is no ten-digit code of a ${level} (${name})` });
      continue;
    }
    const duplicate = seen.get(code) ?? (level === 'region' ? undefined : seenLastEight.get(code.slice(2)));
    if (duplicate?.code === code) problems.push({ at: code, what: `${duplicate.name} and ${name} have the same code` });
    else if (duplicate) {
      const what = `${name} has the same last eight digits as ${duplicate.code} ${duplicate.name}`;
      problems.push({ at: code, what });
    }
    seen.set(code, area);
    seenLastEight.set(code.slice(2), area);
  }
  return problems;
}

function checkParents(areas: Area[]): Problem[] {
  const levels = new Map(areas.map((area) => [area.code, area.level]));
  const problems: Problem[] = [];
  for (const area of areas) {
    const expect = (code: string | null, level: AreaLevel) => {
      if (code === null || levels.get(code) === level) return;
      problems.push({ at: area.code, what: `${area.name} is an orphan: there is no ${level} ${code}` });
    };
    expect(area.regionCode, 'region');
    // A barangay's province is checked at its municity.
    if (area.level !== 'barangay') {
      expect(area.provinceCode, 'province');
      expect(area.hostProvinceCode, 'province');
    }
    expect(area.municityCode, 'municity');
    expect(area.submunicipalityCode, 'submunicipality');
  }
  return problems;
}

/** Areas above barangays that have none: they are new, or the list is a part of one. */
function findEmpty(areas: Area[]): Problem[] {
  return areas
    .filter(({ level, barangayCount }) => level !== 'barangay' && barangayCount === 0)
    .map(({ level, code, name }) => ({ at: code, what: `${name}, a ${level}, has no barangays` }));
}

/** Barangays of one municity or sub-municipality that have the same name. */
function findSameNames(areas: Area[]): Problem[] {
  const groups = Map.groupBy(
    areas.filter(({ level }) => level === 'barangay'),
    ({ municityCode, submunicipalityCode, nameKey }) => `${submunicipalityCode ?? municityCode} ${nameKey}`,
  );
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .map(([first, ...others]) => ({
      at: first?.code ?? '',
      what: `${first?.name} has the same name and parent as ${others.map(({ code }) => code).join(', ')}`,
    }));
}

function checkNames({ areas }: Release): Problem[] {
  const problems: Problem[] = [];
  for (const { code, name, nameKey } of areas) {
    if (nameKey === '') problems.push({ at: code, what: `the name "${name}" is empty` });
    if (isGarbled(name)) problems.push({ at: code, what: `the name ${JSON.stringify(name)} is garbled` });
  }
  return problems;
}

/**
 * Warns of municities whose host province differs from the hosting table (`hosts.json`). That table is of one date, so other
 * editions may rightly differ. Also warns of municities that have both a province and a host, or neither. In the National Capital
 * Region none has either.
 */
function checkHosts(areas: Area[]): Problem[] {
  const problems: Problem[] = [];
  const missing = new Set(HOSTS.keys());
  for (const area of areas) {
    if (area.level !== 'municity') continue;
    const lastEight = area.code.slice(2);
    const expected = HOSTS.get(lastEight);
    missing.delete(lastEight);
    if (expected !== area.hostProvinceCode?.slice(2)) {
      const [actual, by] = [area.hostProvinceCode ?? 'no province', expected ?? 'none'];
      problems.push({ at: area.code, what: `${area.name} is hosted by ${actual}; by the hosting table, by ${by}` });
    }
    const belongs = area.provinceCode !== null;
    const needsNone = area.hostProvinceCode !== null || area.regionCode === NCR;
    if (belongs === needsNone) {
      const what = belongs ? 'has a province although it needs none' : 'has neither a province nor a host';
      problems.push({ at: area.code, what: `${area.name} (${area.cityClass ?? area.type}) ${what}` });
    }
  }
  for (const lastEight of missing)
    problems.push({ at: `..${lastEight}`, what: 'is in the hosting table but not in the list' });
  return problems;
}
