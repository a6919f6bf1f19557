import { countInWords } from '../../../../src/db/release-loss.ts';
import type { Problem } from '../../psgc/publication.ts';
import { RULE } from '../topology/country.ts';
import type { LevelDeviations } from '../write/redraw.ts';
import { type Loss, lossProblems } from './losses.ts';
import type { Stored } from './verify.ts';

/** Max megabytes of a level's GeoJSON texts together, at simple; at medium three times as much. */
const BUDGETS_MB: Partial<Record<Stored['level'], number>> = { province: 0.6, municity: 2, barangay: 20 };
const MEDIUM_BUDGET = 3;

/** Number of reported worst areas per resolution. */
const WORST = 10;

/** The shapes made by a load. */
interface Shapes {
  losses: readonly Loss[];
  deviations: readonly LevelDeviations[];
  stored: readonly Stored[];
}

/** How a simplified area differs from the detailed one, as shares of the latter. */
interface WorstArea {
  level: LevelDeviations['level'];
  code: string;
  growth: number;
  difference: number;
}

/** The areas of each resolution that differ most from their detailed boundary, the worst first. Pure. */
export function findWorst(levels: readonly LevelDeviations[]): Record<LevelDeviations['resolution'], WorstArea[]> {
  const worst = (resolution: LevelDeviations['resolution']) =>
    levels
      .filter((it) => it.resolution === resolution)
      .flatMap(({ level, deviations }) =>
        deviations.map(({ name, growth, difference }) => ({ level, code: name, growth, difference })),
      )
      .sort((one, other) => shareOfRule(resolution, other) - shareOfRule(resolution, one))
      .slice(0, WORST);
  return { medium: worst('medium'), simple: worst('simple') };
}

function shareOfRule(resolution: LevelDeviations['resolution'], { growth, difference }: WorstArea): number {
  return Math.max(Math.abs(growth) / RULE[resolution].area, difference / RULE[resolution].difference);
}

/** The simplified areas that break the rule: reasons to refuse the load. Pure. */
function deviationProblems(levels: readonly LevelDeviations[]): Problem[] {
  const worst = findWorst(levels);
  return (['medium', 'simple'] as const).flatMap((resolution) =>
    worst[resolution]
      .filter((it) => shareOfRule(resolution, it) > 1)
      .map(({ level, code, growth, difference }) => ({
        at: `${level} ${code}`,
        what: `its ${resolution} boundary differs too much from the detailed one: ${describeShares(growth, difference)}`,
      })),
  );
}

/** `area +1.2 %, symmetric difference 3.4 %` */
export function describeShares(growth: number, difference: number): string {
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  return `area ${growth < 0 ? '' : '+'}${percent(growth)}, symmetric difference ${percent(difference)}`;
}

/** Levels whose texts are larger than those of the whole country may be: reasons to refuse the load. Pure. */
function sizeProblems(stored: readonly Stored[]): Problem[] {
  return stored.flatMap(({ level, resolution, bytes, count }) => {
    const budget = BUDGETS_MB[level];
    if (budget === undefined || resolution === 'detailed') return [];
    const max = budget * (resolution === 'medium' ? MEDIUM_BUDGET : 1);
    if (bytes <= max * 1e6) return [];
    const sizes = `takes ${(bytes / 1e6).toFixed(1)} MB at ${resolution}, more than ${max.toFixed(1)} MB`;
    const advice = 'leave islets and the finest bends of the shore out of the source';
    return [{ at: level, what: `${countInWords(count, level)}: the GeoJSON ${sizes}; ${advice}` }];
  });
}

/**
 * Why the boundaries that a load made can't be served: land that was lost, simplified areas that differ too much, and
 * texts that are too large. Empty where they can. Pure.
 */
export function findShapeProblems({ losses, deviations, stored }: Shapes): Problem[] {
  return [...lossProblems(losses), ...deviationProblems(deviations), ...sizeProblems(stored)];
}
