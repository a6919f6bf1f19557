import type { Area, AreaLevel, Release } from '../../psgc/area.ts';
import type { Problem } from '../../psgc/publication.ts';
import { joinTo } from '../read/join.ts';
import type { Survey } from '../read/survey.ts';
import type { LevelPlan, Plan } from './plan.ts';

/** Among all barangays, the share that may be newer than the source: some hundred in an old source, never thousands. */
const NEWER_AT_MOST = 0.005;
/** Of each level this many holes are told one by one. */
const TOLD = 20;

/**
 * Says of each area without a boundary whether that is explained. The rule:
 *
 * - A region, province, city, municipality or sub-municipality without a boundary never is: it has none of its own and
 *   can't be dissolved from its children either.
 * - A barangay is when the source has an abolished one in its place (it was split or merged since), or when the source
 *   doesn't know its code although it has most barangays of its city or municipality, as long as such are at most
 *   five in a thousand of the country: barangays are made every year, files of the country lose whole provinces.
 * - A barangay whose feature has no geometry is a fault of the source.
 *
 * What a source says itself that it lacks is another matter: see `withGaps`.
 */
export function explainMissing(level: AreaLevel, areas: Area[], without: Area[], survey: Survey): LevelPlan['missing'] {
  if (level !== 'barangay') return without.map((area) => ({ area, explained: null }));
  const empty = new Set(survey.empty.map(({ area }) => area.code));
  const successorOf = new Map(
    survey.explained.flatMap(({ successors, code }) => successors.map((successor) => [successor, code])),
  );
  const siblings = countBy(areas);
  const missing = countBy(without);
  const isNewer = ({ code, mCode }: Area) =>
    !empty.has(code) && 2 * (missing.get(mCode) ?? 0) <= (siblings.get(mCode) ?? 0);
  const unexplained = without.filter((area) => !successorOf.has(area.code));
  const few = unexplained.filter(isNewer).length <= NEWER_AT_MOST * areas.length;
  return without.map((area) => {
    const predecessor = successorOf.get(area.code);
    if (predecessor !== undefined) {
      return { area, explained: `was made from ${predecessor}, which the source still has` };
    }
    return { area, explained: few && isNewer(area) ? 'is not in the source, which has its neighbours: newer' : null };
  });
}

/**
 * A plan with the holes explained that the source is known to have. What is dissolved stays as planned: a barangay that
 * is newer than the source lies in another's polygon, one that the source lacks lies in nobody's.
 * @param gaps codes, of today or former, of areas that have no boundary, nor has anything below them
 */
export function withGaps(plan: Plan, gaps: readonly string[], release: Release): Plan {
  const join = joinTo(release);
  const known = new Set(
    gaps.flatMap((code) => {
      const joined = join(code, null);
      return joined.kind === 'area' ? [joined.area.code] : [];
    }),
  );
  const isGap = ({ code, smCode, mCode, pCode, rCode }: Area) =>
    [code, smCode, mCode, pCode, rCode].some((it) => it !== null && known.has(it));
  return plan.map((levelPlan) => ({
    ...levelPlan,
    missing: levelPlan.missing.map(({ area, explained }) => ({
      area,
      explained: explained ?? (isGap(area) ? 'is not in the source, which says so itself' : null),
    })),
  }));
}

/** The holes that nothing explains and the features that belong nowhere, as reasons to refuse the files. */
export function holes(plan: Plan, survey: Survey): Problem[] {
  const empty = new Map(survey.empty.map(({ area, at }) => [area.code, at]));
  const problems: Problem[] = [];
  for (const { level, missing } of plan) {
    const unexplained = missing.filter(({ explained }) => explained === null);
    for (const { area } of unexplained.slice(0, TOLD)) {
      const at = empty.get(area.code);
      const why = at === undefined ? 'the source has no polygon of it' : 'its feature has no geometry';
      const dissolve = level === 'barangay' ? '' : ', and its children are not all there to dissolve one from';
      problems.push({
        at: at ?? `${level} ${area.code}`,
        what: `${area.code} ${area.name} has no boundary: ${why}${dissolve}`,
      });
    }
    more(problems, unexplained.length, `${level} boundaries that are missing`);
  }
  for (const { at, why } of survey.unknown.slice(0, TOLD)) problems.push({ at, what: why });
  more(problems, survey.unknown.length, 'features of no area');
  return problems;
}

function more(problems: Problem[], count: number, what: string): void {
  if (count > TOLD) problems.push({ at: 'boundaries', what: `and ${count - TOLD} more ${what}` });
}

function countBy(areas: Area[]): Map<string | null, number> {
  const counts = new Map<string | null, number>();
  for (const { mCode } of areas) counts.set(mCode, (counts.get(mCode) ?? 0) + 1);
  return counts;
}
