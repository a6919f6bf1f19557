import type { Area, AreaLevel, Release } from '../../psgc/area.ts';
import type { Problem } from '../../psgc/publication.ts';
import { areaFinder } from '../read/join.ts';
import type { Survey } from '../read/survey.ts';
import type { MissingArea, Plan } from './level-plan.ts';

/** Max share of barangays newer than the source: an old source lacks some hundred, never thousands. */
const MAX_NEWER = 0.005;
/**
 * Max share of a level without a boundary for no known reason. Such holes are reported, and do not block the boundaries
 * of all others.
 */
const MAX_UNEXPLAINED = 0.005;
/** Min areas of a level that may lack one. */
const MIN_AREAS = 17;

/** Max areas of a level without a boundary for no known reason. */
export function tolerated(areas: number): number {
  return areas < MIN_AREAS ? 0 : Math.max(1, Math.floor(MAX_UNEXPLAINED * areas));
}

/** Max missing areas listed one by one per level. */
const LISTED = 20;

interface Missing {
  level: AreaLevel;
  /** The areas of the level, and those of them that have no boundary. */
  areas: Area[];
  without: Area[];
  survey: Survey;
}

/**
 * Says for each area without a boundary whether that is explained. The rules:
 *
 * - A region, province, city, municipality or sub-municipality without a boundary is never explained: it has no polygon
 *   of its own and can't be dissolved from its children either.
 * - A barangay is explained when the source has an abolished barangay in its place (it was split or merged since then).
 * - A barangay is also explained when the source doesn't know its code although it has most barangays of the same city
 *   or municipality. Such barangays may be at most five in a thousand of the country, because a few barangays are
 *   created every year, whereas a broken file loses whole provinces.
 * - A barangay whose feature has no geometry is not explained: that is a fault of the source.
 *
 * `explainGaps` deals with what the source itself says it lacks.
 */
export function explainMissing({ level, areas, without, survey }: Missing): MissingArea[] {
  if (level !== 'barangay') return without.map((area) => ({ area, explained: null }));
  const empty = new Set(survey.empty.map(({ area }) => area.code));
  const successorOf = new Map(
    survey.explained.flatMap(({ successors, code }) => successors.map((successor) => [successor, code])),
  );
  const siblings = countByMunicity(areas);
  const missing = countByMunicity(without);
  const isNewer = ({ code, municityCode }: Area) =>
    !empty.has(code) && 2 * (missing.get(municityCode) ?? 0) <= (siblings.get(municityCode) ?? 0);
  const unexplained = without.filter((area) => !successorOf.has(area.code));
  const few = unexplained.filter(isNewer).length <= MAX_NEWER * areas.length;
  return without.map((area) => {
    const predecessor = successorOf.get(area.code);
    if (predecessor !== undefined) {
      return { area, explained: `was made from ${predecessor}, which the source still has` };
    }
    return { area, explained: few && isNewer(area) ? 'is not in the source, which has its neighbours: newer' : null };
  });
}

/**
 * Explains the missing areas that the source itself says it lacks. What is dissolved stays as planned: a barangay that
 * is newer than the source lies inside another barangay's polygon, but one that the source lacks lies in no polygon, so
 * its parents stay incomplete.
 * @param gaps current or former codes of areas that have no boundary in the source, and nothing below them has one
 */
export function explainGaps(plan: Plan, gaps: readonly string[], release: Release): Plan {
  const findArea = areaFinder(release);
  const listed = new Set(
    gaps.flatMap((code) => {
      const result = findArea(code, null);
      return result.kind === 'area' ? [result.area.code] : [];
    }),
  );
  const isGap = ({ code, submunicipalityCode, municityCode, provinceCode, regionCode }: Area) =>
    [code, submunicipalityCode, municityCode, provinceCode, regionCode].some((it) => it !== null && listed.has(it));
  return plan.map((levelPlan) => ({
    ...levelPlan,
    missing: levelPlan.missing.map(({ area, explained }) => ({
      area,
      explained: explained ?? (isGap(area) ? 'is not in the source, which says so itself' : null),
    })),
  }));
}

/** Advice for refused boundaries. */
export const CORRECT_BOUNDARIES =
  'Complete these files; or name the areas that they are known to lack in "gaps" of a file source.json beside them; or load what they have for display with --allow-missing.';

/**
 * Lists the missing areas without an explanation, where a level has more of these than are tolerated, and then the
 * features of no area, which may be theirs: the reasons to refuse the files.
 */
export function listUnexplained(plan: Plan, survey: Survey, areas: readonly Area[]): Problem[] {
  const empty = new Map(survey.empty.map(({ area, at }) => [area.code, at]));
  const problems: Problem[] = [];
  for (const { level, missing } of plan) {
    const unexplained = missing.filter(({ explained }) => explained === null);
    if (unexplained.length <= tolerated(areas.filter((area) => area.level === level).length)) continue;
    for (const { area } of unexplained.slice(0, LISTED)) {
      const at = empty.get(area.code);
      const why = at === undefined ? 'the source has no polygon of it' : 'its feature has no geometry';
      const dissolve = level === 'barangay' ? '' : ', and its children are not all there to dissolve one from';
      problems.push({
        at: at ?? `${level} ${area.code}`,
        what: `${area.code} ${area.name} has no boundary: ${why}${dissolve}`,
      });
    }
    addRemainder(problems, unexplained.length, `${level} boundaries that are missing`);
  }
  if (problems.length === 0) return [];
  for (const { at, why } of survey.unknown.slice(0, LISTED)) problems.push({ at, what: why });
  addRemainder(problems, survey.unknown.length, 'features of no area');
  return problems;
}

/** Adds the number of unlisted problems. */
function addRemainder(problems: Problem[], count: number, what: string): void {
  if (count > LISTED) problems.push({ at: 'boundaries', what: `and ${count - LISTED} more ${what}` });
}

/** Counts areas by city or municipality. */
function countByMunicity(areas: Area[]): Map<string | null, number> {
  const counts = new Map<string | null, number>();
  for (const { municityCode } of areas) counts.set(municityCode, (counts.get(municityCode) ?? 0) + 1);
  return counts;
}
