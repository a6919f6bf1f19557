import type { Area } from '../areas/store.ts';

/** Evidence for a link. */
export const BASES = ['correspondence', 'code', 'name', 'note'] as const;

export type Basis = (typeof BASES)[number];

/** What an area of one edition and an area of another have in common. */
export interface Link {
  level: Area['level'];
  from: string;
  to: string;
  /** Shares of the area and of the residents of `from` that are in `to`. The shares of one `from` add up to 1. */
  area: number;
  population: number;
  /** Whether these are estimates, because the parts are unmeasured. */
  areaEstimated: boolean;
  populationEstimated: boolean;
  basis: Basis;
}

export type Relation = 'same' | 'renamed' | 'recoded' | 'merged' | 'split' | 'partial';

/** Which shares of a link are estimates. */
export function estimatedOf({ areaEstimated, populationEstimated }: Link): 'both' | 'area' | 'population' | null {
  if (areaEstimated && populationEstimated) return 'both';
  if (areaEstimated) return 'area';
  return populationEstimated ? 'population' : null;
}

export function byCode<T extends Link>(links: Iterable<T>, side: 'from' | 'to'): Map<string, T[]> {
  return Map.groupBy(links, (link) => link[side]);
}

/** Composes the links of two steps, by way of the edition between them. */
export function compose(first: Iterable<Link>, second: Iterable<Link>): Link[] {
  const next = byCode(second, 'from');
  const joined = new Map<string, Link>();
  for (const one of first) {
    for (const other of next.get(one.to) ?? []) {
      const key = `${one.from} ${other.to}`;
      const existing = joined.get(key);
      joined.set(key, {
        level: one.level,
        from: one.from,
        to: other.to,
        area: one.area * other.area + (existing?.area ?? 0),
        population: one.population * other.population + (existing?.population ?? 0),
        areaEstimated: one.areaEstimated || other.areaEstimated || (existing?.areaEstimated ?? false),
        populationEstimated:
          one.populationEstimated || other.populationEstimated || (existing?.populationEstimated ?? false),
        basis: BASES.indexOf(one.basis) > BASES.indexOf(other.basis) ? one.basis : other.basis,
      });
    }
  }
  return [...byCode(joined.values(), 'from').values()].flatMap(wholeOf);
}

/** Scales the shares of one area's links to add up to 1, where a part of it is lost on the way. */
function wholeOf(group: readonly Link[]): readonly Link[] {
  const sum = (measure: 'area' | 'population') => group.reduce((total, link) => total + link[measure], 0);
  const [area, population] = [sum('area'), sum('population')];
  if (area > 1 - 1e-9 && population > 1 - 1e-9) return group;
  return group.map((link) => ({
    ...link,
    area: area > 0 ? link.area / area : 1 / group.length,
    population: population > 0 ? link.population / population : 1 / group.length,
    areaEstimated: true,
    populationEstimated: true,
  }));
}

/**
 * The relation between an area of one edition and an area of another.
 *
 * @param isRenamed whether an area that keeps its code has a new name
 */
export function relationsOf<T extends Link>(
  links: readonly T[],
  isRenamed: (code: string) => boolean,
): { link: T; relation: Relation }[] {
  const sources = byCode(links, 'to');
  const targets = byCode(links, 'from');
  const isWhole = (link: Link) => targets.get(link.from)?.length === 1;
  return links.map((link) => {
    const [out, into] = [targets.get(link.from) ?? [], sources.get(link.to) ?? []];
    const alone = (): Relation => {
      if (link.from !== link.to) return 'recoded';
      return isRenamed(link.from) ? 'renamed' : 'same';
    };
    if (out.length > 1)
      return { link, relation: out.every((it) => sources.get(it.to)?.length === 1) ? 'split' : 'partial' };
    if (into.length === 1) return { link, relation: alone() };
    return { link, relation: into.every(isWhole) ? 'merged' : alone() };
  });
}
