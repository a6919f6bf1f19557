import type { AreaLevel } from '../psgc/area.ts';
import type { Edition, EditionArea } from './edition.ts';
import type { Link, Tie } from './link.ts';

/** The levels whose areas are made of barangays, and the member of a barangay that names them. */
const PARENTS = { submunicipality: 'smCode', municity: 'mCode', province: 'pCode', region: 'rCode' } as const;

export type ParentLevel = keyof typeof PARENTS;

export const PARENT_LEVELS = Object.keys(PARENTS) as ParentLevel[];

/** The size of a part, and how many of its barangays are not measured. */
interface Measure {
  value: number;
  unknown: number;
}

/** The share of the barangays of an area that may be without a measure: a few empty cells say nothing of a province. */
const UNMEASURED = 0.01;

/** Shares of the parts of a whole, which add up to 1. Where one part is not measured, all count the same. */
function sharesOf(parts: readonly (number | null | undefined)[]): { shares: number[]; isEstimated: boolean } {
  if (parts.length === 1) return { shares: [1], isEstimated: false };
  const sum = parts.reduce<number>((total, part) => total + (part ?? 0), 0);
  const isEstimated = sum <= 0 || parts.some((part) => part === null || part === undefined);
  return { shares: parts.map((part) => (isEstimated ? 1 / parts.length : (part as number) / sum)), isEstimated };
}

/**
 * Gives the ties of barangays their shares: from the land that two have in common; else from the size of the parts,
 * where each part is made of one barangay only; residents from what the parts have.
 */
export function weighTies(before: Edition, after: Edition, ties: readonly Tie[]): Link[] {
  const sources = Map.groupBy(ties, ({ to }) => to);
  return [...Map.groupBy(ties, ({ from }) => from).values()].flatMap((group) => {
    const targets = group.map(({ to }) => after.areas.get(to) as EditionArea);
    // What a part has besides is not of this barangay.
    const areOwn = group.every(({ to }) => sources.get(to)?.length === 1);
    const drawn = landOf(before.areas.get(group[0]?.from ?? '')?.areaKm2 ?? null, group);
    const area = sharesOf(group.map((_, i) => (drawn ? drawn[i] : areOwn ? targets[i]?.areaKm2 : null)));
    const people = sharesOf(group.map((_, i) => (areOwn ? targets[i]?.population : null)));
    return group.map(({ from, to, basis, note }, i): Link => {
      const { level } = before.areas.get(from) as EditionArea;
      return {
        level,
        from,
        to,
        area: area.shares[i] as number,
        population: (people.isEstimated ? area : people).shares[i] as number,
        areaEstimated: area.isEstimated,
        populationEstimated: people.isEstimated,
        basis,
        note,
      };
    });
  });
}

/**
 * What of a barangay's land each of its ties has, where the boundaries tell. They are asked only about what is gone or new,
 * so an area that goes on keeps what the others don't have. Null where they don't tell.
 */
function landOf(size: number | null, group: readonly Tie[]): number[] | null {
  const untold = group.filter(({ common }) => common === undefined);
  const told = group.reduce((sum, { common }) => sum + (common ?? 0), 0);
  if (untold.length === group.length || untold.length > 1) return null;
  if (untold.length === 1 && (size === null || size <= told)) return null;
  return group.map(({ common }) => common ?? (size ?? 0) - told);
}

/**
 * Makes the links of a level of the links of its barangays: of what an area is made, that is what it becomes. Parts are
 * measured by the areas and the residents of barangays in the first edition; where more than a few have none, barangays are
 * counted.
 *
 * @param own what is known of the areas themselves
 */
export function linkParents(
  level: ParentLevel,
  {
    before,
    after,
    barangays,
    own,
  }: { before: Edition; after: Edition; barangays: readonly Link[]; own: readonly Tie[] },
): Link[] {
  const member = PARENTS[level];
  const flows = new Map<string, Map<string, { area: Measure; population: Measure; count: number }>>();
  for (const link of barangays) {
    const [from, to] = [before.areas.get(link.from), after.areas.get(link.to)];
    const [source, target] = [from?.[member], to?.[member]];
    if (!from || !source || !target) continue;
    const targets = flows.get(source) ?? new Map();
    flows.set(source, targets);
    const flow = targets.get(target) ?? {
      area: { value: 0, unknown: 0 },
      population: { value: 0, unknown: 0 },
      count: 0,
    };
    targets.set(target, flow);
    add(flow.area, from.areaKm2, link.area, link.areaEstimated);
    add(flow.population, from.population, link.population, link.populationEstimated);
    flow.count += link.area;
  }
  const ties = new Map(own.map((tie) => [`${tie.from} ${tie.to}`, tie]));
  return [...before.areas.values()]
    .filter((area) => area.level === level)
    .flatMap(({ code }) => {
      const flow = [...(flows.get(code) ?? [])];
      // An area without barangays, and one whose barangays are not known to be anywhere.
      if (flow.length === 0) return own.filter(({ from }) => from === code).map((tie) => whole(level, tie));
      const barangaysOf = flow.reduce((sum, [, { count }]) => sum + count, 0);
      const measured = (measure: 'area' | 'population') => {
        const unknown = flow.reduce((sum, [, part]) => sum + part[measure].unknown, 0);
        const isMeasured = unknown <= UNMEASURED * barangaysOf;
        return sharesOf(flow.map(([, part]) => (isMeasured ? part[measure].value : null)));
      };
      const counted = sharesOf(flow.map(([, { count }]) => count)).shares;
      const [area, population] = [measured('area'), measured('population')];
      return flow.map(([to], i): Link => {
        const tie = ties.get(`${code} ${to}`);
        return {
          level,
          from: code,
          to,
          area: (area.isEstimated ? counted : area.shares)[i] as number,
          population: (population.isEstimated ? counted : population.shares)[i] as number,
          areaEstimated: area.isEstimated,
          populationEstimated: population.isEstimated,
          basis: tie?.basis ?? 'code',
          note: tie?.note ?? null,
        };
      });
    });
}

function add(measure: Measure, size: number | null, share: number, isEstimated: boolean): void {
  measure.value += (size ?? 0) * share;
  if (size === null || (isEstimated && share < 1)) measure.unknown += share;
}

/** A link of which nothing is known but that it is. */
function whole(level: AreaLevel, { from, to, basis, note }: Tie): Link {
  return {
    level,
    from,
    to,
    area: 1,
    population: 1,
    areaEstimated: false,
    populationEstimated: false,
    basis,
    note,
  };
}
