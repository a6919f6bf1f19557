import type { Area, Release } from '../../psgc/area.ts';
import { areaFinder } from '../read/join.ts';
import type { FoundPolygon } from '../read/survey.ts';
import type { OutdatedArea } from './level-plan.ts';

/**
 * Finds the areas that have gained or lost children since the source's edition, by code. A code contains the digits of
 * its parents. So a child whose code is unchanged still has the same parents, and a child that was found by a former
 * code had the parents that this former code names.
 */
export function findOutdated(release: Release, found: FoundPolygon[]): Map<string, OutdatedArea> {
  const findArea = areaFinder(release);
  const byCode = new Map(release.areas.map((area) => [area.code, area]));
  const changes = new Map<string, { lost: Area[]; gained: Area[] }>();
  const note = (parent: string | null, what: 'lost' | 'gained', child: Area) => {
    if (parent === null) return;
    const change = changes.get(parent) ?? { lost: [], gained: [] };
    change[what].push(child);
    changes.set(parent, change);
  };
  /** @param then code and level of the parent that the child had */
  const compare = (child: Area, then: Parameters<typeof findArea>, now: (string | null)[]) => {
    const result = findArea(...then);
    // A parent that no longer exists, such as Maguindanao, has no polygon that could be outdated.
    if (result.kind !== 'area') return;
    const parent = result.area;
    if (now.includes(parent.code)) return;
    for (const code of [parent.code, parent.municityCode]) note(code, 'lost', child);
    for (const code of now) note(code, 'gained', child);
  };
  for (const { area, sourceCode, rekeyed } of found) {
    if (!rekeyed) continue;
    const parentOf = (digits: number) => sourceCode.slice(0, digits).padEnd(sourceCode.length, '0');
    const short = sourceCode.length === 9 ? 1 : 0;
    if (area.level === 'barangay')
      compare(area, [parentOf(7 - short), 'municity'], [area.municityCode, area.submunicipalityCode]);
    if (area.level === 'municity') {
      const host = area.hostProvinceCode === null ? undefined : byCode.get(area.hostProvinceCode);
      // Sources draw a city together with the province that hosts it where both belong to one region.
      const drawnWith = area.provinceCode ?? (host?.regionCode === area.regionCode ? area.hostProvinceCode : null);
      if (drawnWith !== null) compare(area, [parentOf(5 - short), 'province'], [drawnWith]);
    }
    if (area.level === 'municity' || area.level === 'province')
      compare(area, [parentOf(2), 'region'], [area.regionCode]);
  }
  return new Map(
    [...changes].flatMap(([code, { lost, gained }]) => {
      const area = byCode.get(code);
      if (!area) return [];
      const parts = [
        ...(lost.length > 0 ? [`has lost ${some(lost)}`] : []),
        ...(gained.length > 0 ? [`has gained ${some(gained)}`] : []),
      ];
      return [[code, { area, why: `${parts.join(' and ')} since the source's edition` }] as const];
    }),
  );
}

/** The first names of a list, and how many more there are. */
function some(areas: Area[]): string {
  // Provinces are named before the cities and municipalities in them, because readers know the larger areas.
  const level = areas.some((area) => area.level === 'province') ? 'province' : areas[0]?.level;
  const those = areas.filter((area) => area.level === level);
  const first = those.slice(0, 3);
  const more = those.length - first.length;
  return `${first.map((area) => area.name).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
