import type { Area } from '../areas/store.ts';

/** How it is known what became of an area. */
export const BASES = ['correspondence', 'code', 'name', 'note'] as const;

export type Basis = (typeof BASES)[number];

/** What one area of an edition and one of another have in common. */
export interface Link {
  level: Area['level'];
  from: string;
  to: string;
  /** The share of the area and of the residents of `from` that are in `to`. Those of one source add up to 1. */
  area: number;
  population: number;
  /** Whether these are estimates, because nothing measures the parts. */
  areaEstimated: boolean;
  populationEstimated: boolean;
  basis: Basis;
}

export type Relation = 'same' | 'renamed' | 'recoded' | 'merged' | 'split' | 'partial';

/** The links of each area, by its code. */
export function byCode<T extends Link>(links: Iterable<T>, side: 'from' | 'to'): Map<string, T[]> {
  return Map.groupBy(links, (link) => link[side]);
}

/** Two steps in one: what became of areas by way of an edition in between. */
export function compose(first: Iterable<Link>, second: Iterable<Link>): Link[] {
  const next = byCode(second, 'from');
  const joined = new Map<string, Link>();
  for (const one of first) {
    for (const other of next.get(one.to) ?? []) {
      const key = `${one.from} ${other.to}`;
      const known = joined.get(key);
      joined.set(key, {
        level: one.level,
        from: one.from,
        to: other.to,
        area: one.area * other.area + (known?.area ?? 0),
        population: one.population * other.population + (known?.population ?? 0),
        areaEstimated: one.areaEstimated || other.areaEstimated || (known?.areaEstimated ?? false),
        populationEstimated:
          one.populationEstimated || other.populationEstimated || (known?.populationEstimated ?? false),
        basis: BASES.indexOf(one.basis) > BASES.indexOf(other.basis) ? one.basis : other.basis,
      });
    }
  }
  return [...byCode(joined.values(), 'from').values()].flatMap(wholeOf);
}

/** Links of one area whose shares add up to 1, although nothing says what a part of it became on the way. */
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
 * What an area of an edition is to one of another.
 *
 * @param isRenamed whether an area that keeps its code has another name
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
