import type { Area, AreaLevel, Release } from '../../psgc/area.ts';
import { possibleCodes, toTenDigits } from './codes.ts';

type CodeResult =
  /** `by` says how the area was found: by the code as published, by a former code, or by the last eight digits. */
  | { kind: 'area'; area: Area; by: 'code' | 'former code' | 'last eight digits'; sourceCode: string }
  /** The code names no area of the release for a known reason: it is that of a district or an abolished area. */
  | {
      kind: 'known exception';
      why: string;
      successors: string[];
      onlySuccessor?: Area | undefined;
      sourceCode?: string;
    }
  | { kind: 'unknown'; why: string };

/**
 * Finds the area that a published code names.
 *
 * @param level the level that the file or feature states; null if it states none
 */
export type FindArea = (published: unknown, level: AreaLevel | null) => CodeResult;

/** Codes of the districts of the National Capital Region: ten digits in boundary sets, nine in PSA lists. */
const CAPITAL_DISTRICT = /^13(?:039|074|075|076)00000$|^13(?:39|74|75|76)00000$/;

/** Province codes that are headings, not provinces (PSA workbook of 4Q 2023, sheet `Notes`, A). */
const SPECIAL_PROVINCE = /^\d\d9\d\d00000$|^099700000$/;

/** Makes the function that finds areas of a release by published codes. */
export function areaFinder({ areas, aliases }: Release): FindArea {
  const byCode = new Map(areas.map((area) => [area.code, area]));
  const byDigitsAfterRegion = new Map(
    areas.filter(({ level }) => level !== 'region').map((area) => [area.code.slice(2), area]),
  );
  const renumbered = new Map<string, Area[]>();
  const abolished = new Map<string, string[]>();
  for (const { alias, code, change } of aliases) {
    const area = byCode.get(code);
    if (!area) continue;
    if (change === 'renumbered') renumbered.set(alias, [...(renumbered.get(alias) ?? []), area]);
    else abolished.set(alias, [...(abolished.get(alias) ?? []), code]);
  }

  return (published, level) => {
    const codes = possibleCodes(published);
    if (codes.length === 0) return { kind: 'unknown', why: `"${String(published)}" is no PSGC code` };
    const fits = (area: Area | undefined): area is Area => area !== undefined && agreesWith(area.level, level);
    // The surest reading first: a current code, a special code, a former code, an abolished area, and last the digits without the
    // region, which another area of an older edition may have had.
    for (const sourceCode of codes) {
      const area = byCode.get(sourceCode);
      if (fits(area)) return { kind: 'area', area, by: 'code', sourceCode };
    }
    const special = codes.map((code) => whyNoArea(code, level)).find((why) => why !== null);
    if (special) return { kind: 'known exception', why: special, successors: [] };
    for (const sourceCode of codes) {
      const area = renumbered.get(sourceCode)?.find(fits);
      if (area) return { kind: 'area', area, by: 'former code', sourceCode };
    }
    for (const sourceCode of codes) {
      const successors = abolished.get(sourceCode);
      if (!successors) continue;
      const onlySuccessor = successors.length === 1 ? byCode.get(successors[0] ?? '') : undefined;
      const why = `was abolished; now ${successors.join(', ')}${onlySuccessor ? ', which gets its land' : ''}`;
      return { kind: 'known exception', why, successors, onlySuccessor, sourceCode };
    }
    for (const sourceCode of codes) {
      const area = byDigitsAfterRegion.get(toTenDigits(sourceCode).slice(2));
      if (fits(area)) return { kind: 'area', area, by: 'last eight digits', sourceCode };
    }
    const other = codes.map((code) => byCode.get(code) ?? renumbered.get(code)?.[0]).find((area) => area !== undefined);
    if (other?.level === 'municity' && level === 'province') {
      return { kind: 'known exception', why: 'a city drawn among provinces, which belongs to none', successors: [] };
    }
    if (other) return { kind: 'unknown', why: `${codes[0]} is a ${other.level}, the file says ${level}` };
    return { kind: 'unknown', why: `${codes.join(' or ')} names no area of the release` };
  };
}

/** Whether an area's level fits the stated one. Sources draw Manila's parts in one layer with the cities. */
function agreesWith(level: AreaLevel, stated: AreaLevel | null): boolean {
  return stated === null || level === stated || (level === 'submunicipality' && stated === 'municity');
}

function whyNoArea(code: string, level: AreaLevel | null): string | null {
  if (level !== null && level !== 'province') return null;
  // The nine digits of the First District are also the nine digits of the City of Manila.
  if (CAPITAL_DISTRICT.test(code) && (code.length === 10 || level === 'province')) {
    return 'a district of the National Capital Region, which is no province';
  }
  return SPECIAL_PROVINCE.test(code) ? 'a special province code, not a province' : null;
}
