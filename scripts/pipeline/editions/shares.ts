import type { AreaLevel } from '../psgc/area.ts';
import type { Edition, EditionArea } from './edition.ts';
import type { Link, Tie } from './link.ts';

/** The levels whose areas are made of barangays, and the member of a barangay that names them. */
const PARENTS = { submunicipality: 'smCode', municity: 'mCode', province: 'pCode', region: 'rCode' } as const;

export type ParentLevel = keyof typeof PARENTS;

export const PARENT_LEVELS = Object.keys(PARENTS) as ParentLevel[];

/** The size of a part, and whether it is known. */
interface Measure {
  value: number;
  isKnown: boolean;
}

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
    const areDrawn = group.every(({ common }) => common !== undefined);
    const area = sharesOf(group.map(({ common }, i) => (areDrawn ? common : areOwn ? targets[i]?.areaKm2 : null)));
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
 * Makes the links of a level of the links of its barangays: of what an area is made, that is what it becomes. Parts are
 * measured by the areas and the residents of barangays in the first edition; where one has none, barangays are counted.
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
      area: { value: 0, isKnown: true },
      population: { value: 0, isKnown: true },
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
      const measured = (measure: 'area' | 'population') =>
        sharesOf(flow.map(([, part]) => (part[measure].isKnown ? part[measure].value : null)));
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
  if (size === null || (isEstimated && share < 1)) measure.isKnown = false;
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
