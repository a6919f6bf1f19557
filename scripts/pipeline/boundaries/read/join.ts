import type { Area, AreaLevel, Release } from '../../psgc/area.ts';
import { possibleCodes, toTenDigits } from './codes.ts';

type Joined =
  /** `by` says how the area was found: by the code as published, by a former code, or by the last eight digits. */
  | { kind: 'area'; area: Area; by: 'code' | 'former code' | 'last eight digits'; sourceCode: string }
  /** The feature belongs to no area for a known reason: it is a district or an abolished area. */
  | {
      kind: 'explained';
      why: string;
      successors: string[];
      /** The one area that took the place of an abolished one. */
      heir?: Area | undefined;
      sourceCode?: string;
    }
  | { kind: 'unknown'; why: string };

/** Finds the area of the release that a published code names. `level` is what the file or the feature states. */
export type Join = (published: unknown, level: AreaLevel | null) => Joined;

/** Districts of the capital. Boundary sets that draw them write ten digits, the PSA nine. */
const CAPITAL_DISTRICT = /^13(?:039|074|075|076)00000$|^13(?:39|74|75|76)00000$/;

/** Codes that look like a province's and name none (PSA workbook of 4Q 2023, sheet `Notes`, A). */
const SPECIAL_PROVINCE = /^\d\d9\d\d00000$|^0997?00000$/;

/** Makes the function that joins published codes to the areas of a release. */
export function joinTo({ areas, aliases }: Release): Join {
  const byCode = new Map(areas.map((area) => [area.code, area]));
  const byLocalCode = new Map(
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
    for (const sourceCode of codes) {
      const area = byCode.get(sourceCode);
      if (fits(area)) return { kind: 'area', area, by: 'code', sourceCode };
    }
    const special = codes.map((code) => whyNoArea(code, level)).find((why) => why !== null);
    if (special) return { kind: 'explained', why: special, successors: [] };
    for (const sourceCode of codes) {
      const area = renumbered.get(sourceCode)?.find(fits);
      if (area) return { kind: 'area', area, by: 'former code', sourceCode };
    }
    for (const sourceCode of codes) {
      const successors = abolished.get(sourceCode);
      if (!successors) continue;
      const heir = successors.length === 1 ? byCode.get(successors[0] ?? '') : undefined;
      const why = `was abolished; now ${successors.join(', ')}${heir ? ', which gets its land' : ''}`;
      return { kind: 'explained', why, successors, heir, sourceCode };
    }
    for (const sourceCode of codes) {
      const area = byLocalCode.get(toTenDigits(sourceCode).slice(2));
      if (fits(area)) return { kind: 'area', area, by: 'last eight digits', sourceCode };
    }
    const other = codes.map((code) => byCode.get(code) ?? renumbered.get(code)?.[0]).find((area) => area !== undefined);
    if (other?.level === 'municity' && level === 'province') {
      return { kind: 'explained', why: 'a city drawn among provinces, which belongs to none', successors: [] };
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
