import type { AreaLevel } from '../../psgc/area.ts';
import type { Plan } from '../plan/level-plan.ts';
import { tolerated } from '../plan/missing.ts';

export interface ShortcomingsInput {
  plan: Plan;
  /** How many areas the release has, by level. */
  areas: ReadonlyMap<AreaLevel, number>;
}

/**
 * Lists in words why points can't be looked up in the boundaries of a release. The list is empty when
 *
 * - every missing area is explained or one of the few that are tolerated, so that the load passes without
 *   `--allow-missing` (see `listUnexplained`);
 * - every boundary of every level is a detailed one;
 * - barangays have boundaries.
 *
 * Pure.
 */
export function listShortcomings({ plan, areas }: ShortcomingsInput): string[] {
  const reasons: string[] = [];
  const number = (value: number) => value.toLocaleString('en');
  for (const { level, origin, missing, filled } of plan.toReversed()) {
    const all = areas.get(level) ?? 0;
    const unexplained = missing.filter(({ explained }) => explained === null).length;
    if (unexplained > tolerated(all)) {
      reasons.push(`${level}: ${number(unexplained)} of ${number(all)} without a boundary, and nothing explains it`);
    } else if (level === 'barangay' && missing.length === all) reasons.push('barangay: none has a boundary');
    if (origin.kind === 'source' && origin.resolution !== 'detailed') {
      reasons.push(`${level}: the boundaries are ${origin.resolution} ones, none is detailed`);
    } else if (filled.length > 0) {
      reasons.push(
        `${level}: ${number(filled.length)} of ${number(all)} with a coarser boundary instead of a detailed one`,
      );
    }
  }
  return reasons;
}
