import { type Arc, mergeUnits, type Topology } from '../topology/arcs.ts';
import type { Country, Unit } from '../topology/country.ts';
import { IN_MEDIUM, IN_SIMPLE, IN_UPPER, type PackedCountry } from './format.ts';

/**
 * Ranks of the vertices of the detailed borders: in which coarser borders each is. Borders of barangays alone count as
 * simple ones of cities and municipalities too, since in another edition they may be that.
 */
export function ranksOf({ detailed, medium, simple, upper, upperSimple }: Country['topologies']): Uint8Array {
  const ranks = new Uint8Array(detailed.xs.length);
  for (const [topology, bit] of [
    [medium, IN_MEDIUM],
    [simple, IN_SIMPLE],
    [upperSimple, IN_UPPER],
  ] as const) {
    for (const { path } of topology.arcs) for (const vertex of path) (ranks[vertex] as number) |= bit;
  }
  const isUpper = new Uint8Array(detailed.xs.length);
  for (const { path } of upper.arcs) for (const vertex of path) isUpper[vertex] = 1;
  for (const [vertex, rank] of ranks.entries()) {
    if (isUpper[vertex] === 0 && (rank & IN_SIMPLE) !== 0) ranks[vertex] = rank | IN_UPPER;
  }
  return ranks;
}

/** The simple borders of cities and municipalities, provinces and regions. */
interface UpperBorders {
  /** Its sides are numbers of `groups`. */
  readonly topology: Topology;
  /** Per group of units that belong to the same areas: one of its units. */
  readonly groups: readonly number[];
}

/** The borders of a country at all resolutions, by the land that it is divided into. */
export class BordersByResolution {
  readonly detailed: Topology;
  readonly medium: Topology;
  /** Of barangays and sub-municipalities. */
  readonly simple: Topology;
  readonly #ranks: Uint8Array;
  /** The last result, cached because most editions have the same cities and provinces. */
  #upper: { readonly groupOf: Int32Array; readonly borders: UpperBorders } | undefined;

  constructor({ detailed, ranks }: PackedCountry) {
    this.#ranks = ranks;
    this.detailed = detailed;
    this.medium = withRank(detailed, ranks, IN_MEDIUM);
    this.simple = withRank(detailed, ranks, IN_SIMPLE);
  }

  /** @param units areas of each unit, by the codes of any edition */
  upperSimple(units: readonly Unit[]): UpperBorders {
    const groupOf = new Int32Array(units.length).fill(-1);
    const groups: number[] = [];
    const ids = new Map<string, number>();
    for (const [unit, { municity, province, region }] of units.entries()) {
      if (municity === null && province === null && region === null) continue;
      const key = `${municity} ${province} ${region}`;
      const existing = ids.get(key);
      if (existing === undefined) {
        ids.set(key, groups.length);
        groupOf[unit] = groups.length;
        groups.push(unit);
      } else groupOf[unit] = existing;
    }
    if (this.#upper?.groupOf.every((group, unit) => group === groupOf[unit])) return this.#upper.borders;
    const merged = mergeUnits(this.detailed, (unit) => groupOf[unit] as number);
    const borders = { topology: withRank(merged, this.#ranks, IN_UPPER), groups };
    this.#upper = { groupOf, borders };
    return borders;
  }
}

/** Borders reduced to vertices with a rank. The ends of an arc stay unless it is a ring. */
function withRank(topology: Topology, ranks: Uint8Array, bit: number): Topology {
  const has = (vertex: number) => ((ranks[vertex] as number) & bit) !== 0;
  const arcs = topology.arcs.map(({ path, left, right }): Arc => {
    const last = path.length - 1;
    if (path[0] !== path[last]) {
      return { left, right, path: path.filter((vertex, i) => i === 0 || i === last || has(vertex)) };
    }
    const ring = path.filter((vertex, i) => i < last && has(vertex));
    return { left, right, path: ring.length < 3 ? [] : [...ring, ring[0] as number] };
  });
  return { ...topology, arcs };
}
