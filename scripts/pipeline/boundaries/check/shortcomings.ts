import type { Done } from './report.ts';

/**
 * Why points can't be looked up in the boundaries of a release, in words; nothing where they can, which is when
 *
 * - nothing is missing that nothing explains, and every feature belongs to an area: a load passes without
 *   `--allow-missing` (see `holes`);
 * - every boundary of every level is a detailed one;
 * - there are barangays.
 *
 * Pure.
 */
export function shortcomings({ survey, plan, areas, filled }: Pick<Done, 'survey' | 'plan' | 'areas' | 'filled'>) {
  const reasons: string[] = [];
  const number = (value: number) => value.toLocaleString('en');
  for (const { level, origins, missing } of plan.toReversed()) {
    const all = areas.get(level) ?? 0;
    const unexplained = missing.filter(({ explained }) => explained === null).length;
    if (unexplained > 0) {
      reasons.push(`${level}: ${number(unexplained)} of ${number(all)} without a boundary, and nothing explains it`);
    } else if (level === 'barangay' && missing.length === all) reasons.push('barangay: none has a boundary');
    const { detailed } = origins;
    const coarse = (filled.get(level) ?? []).filter(({ resolution }) => resolution === 'detailed').length;
    if (detailed.kind === 'source' && detailed.resolution !== 'detailed') {
      reasons.push(`${level}: the boundaries are ${detailed.resolution} ones, none is detailed`);
    } else if (coarse > 0) {
      reasons.push(`${level}: ${number(coarse)} of ${number(all)} with a coarser boundary instead of a detailed one`);
    }
  }
  if (survey.unknown.length > 0) reasons.push(`features that belong to no area: ${number(survey.unknown.length)}`);
  return reasons;
}
