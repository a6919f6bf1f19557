import type { Resolution } from '../../../../src/areas/store.ts';
import type { AreaLevel } from '../../psgc/area.ts';
import { type Arc, joinEdges, mergeUnits, type Topology } from './arcs.ts';
import { assignFaces, type Shape } from './assign.ts';
import { splitCrossings } from './crossings.ts';
import { edgesBetween, findFaces } from './faces.ts';
import { type Deviation, deviationsOf } from './measure.ts';
import { Plane } from './plane.ts';
import { polygonsOf } from './polygons.ts';
import { type Limits, Simplifier } from './simplify.ts';
import { measureUncovered, type Outline } from './uncovered.ts';

/** Land that belongs to the same area at every level, with the code of each; null for none. */
export type Unit = Readonly<Record<AreaLevel, string | null>>;

/** From the smallest areas up. */
export const RANKS: readonly AreaLevel[] = ['barangay', 'submunicipality', 'municity', 'province', 'region'];

/** Levels whose boundaries follow the borders of cities and municipalities. */
const UPPER: readonly AreaLevel[] = ['municity', 'province', 'region'];

type Coarser = Exclude<Resolution, 'detailed'>;

/** The rule for areas of each resolution, as shares of the detailed area. */
export const RULE: Readonly<Record<Coarser, { area: number; difference: number }>> = {
  medium: { area: 0.05, difference: 0.1 },
  simple: { area: 0.15, difference: 0.25 },
};

/** How much of the rule simplification uses, because it measures in degrees and others may measure on the ellipsoid. */
const MARGIN = 0.95;

/**
 * Square microdegrees (about a hundredth of a square metre): the largest corners that are removed from borders of
 * provinces and coasts, of cities and municipalities, and of barangays.
 */
const CORNERS = {
  medium: { outline: 1e8, municity: 5e5, barangay: 2e5 },
  simple: { outline: 3e7, municity: 1e7, barangay: 3e6 },
  simpleUpper: { outline: 1e8, municity: 4e7, barangay: 0 },
} as const;

/** The polygon of an area as it takes part in the country. */
export interface CountryShape {
  level: AreaLevel;
  code: string;
  unit: Unit;
  /** Closed rings in microdegrees, longitudes and latitudes by turns; the interior lies on their left. */
  rings: readonly Int32Array[];
}

/** The boundaries of one resolution, by level. */
interface ResolutionShapes {
  resolution: Resolution;
  polygons(level: AreaLevel): Iterable<{ name: string; geojson: string }>;
  /** Against the detailed boundaries; empty for these. */
  deviations(level: AreaLevel): Deviation[];
}

export interface Country {
  resolutions: ResolutionShapes[];
  /** The units of the topologies: sides of arcs are indexes of this list. */
  units: readonly Unit[];
  topologies: {
    detailed: Topology;
    /** The same arcs with some of their vertices. */
    medium: Topology;
    simple: Topology;
    /** Borders of cities and municipalities, provinces and regions alone, with the same vertices, detailed and simple. */
    upper: Topology;
    upperSimple: Topology;
  };
  /** Square microdegrees, per shape and per outline: its land that belongs to no area of its level. */
  lost: Float64Array;
  uncovered: Float64Array;
  /** Square microdegrees, per shape: its land that belongs to other areas of its level. */
  taken: Taken;
}

/** Land that went to other areas of the same level, square microdegrees per shape. */
export interface Taken {
  /** Where both have it in the source. */
  contested: Float64Array;
  /** Where only the one that lost it has it in the source. */
  uncontested: Float64Array;
}

/**
 * Makes one topology of the country, in which every area is exactly the union of the areas below it and of what its own
 * polygon has besides, and its borders at three resolutions.
 *
 * At each resolution all levels have their borders in common, with one exception: the junctions of barangays alone
 * would make provinces half as large again as simple ones may be, so that simple cities and municipalities, provinces
 * and regions are simplified as a topology of their own.
 */
export function drawCountry(shapes: readonly CountryShape[], outlines: readonly Outline[] = []): Country {
  const units: Unit[] = [];
  const ids = new Map<string, number>();
  const idOf = (unit: Unit) => {
    const key = RANKS.map((level) => unit[level]).join();
    const existing = ids.get(key);
    if (existing !== undefined) return existing;
    ids.set(key, units.length);
    units.push(unit);
    return units.length - 1;
  };
  const ranked = shapes.map(({ level, unit }): Shape => ({ unit: idOf(unit), rank: RANKS.indexOf(level) }));
  const { detailed, lost, taken } = detailedTopology(shapes, ranked, units);
  const uncovered = measureUncovered(detailed, outlines, (level, unit) => isLandOf(level, units[unit] as Unit));
  const nameOf = (level: AreaLevel) => (unit: number) => (unit < 0 ? null : (units[unit] as Unit)[level]);

  const all = new Simplifier(detailed, units.length, leastSizes(detailed, units));
  all.run(limitsOf('medium', CORNERS.medium, nameOf));
  const medium = all.result();
  all.run(limitsOf('simple', CORNERS.simple, nameOf));
  const simple = all.result();

  const groups: number[] = [];
  const groupIds = new Map<string, number>();
  const groupOf = units.map((unit, id) => {
    const key = UPPER.map((level) => unit[level]).join();
    // Land of no city or municipality, province or region is nobody's here.
    if (UPPER.every((level) => unit[level] === null)) return -1;
    const group = groupIds.get(key) ?? groups.length;
    if (group === groups.length) groups.push(id);
    groupIds.set(key, group);
    return group;
  });
  const upper = mergeUnits(detailed, (unit) => groupOf[unit] as number);
  const groupName = (level: AreaLevel) => (group: number) =>
    group < 0 ? null : (units[groups[group] as number] as Unit)[level];
  const upperSimplifier = new Simplifier(upper, groups.length);
  upperSimplifier.run(limitsOf('simple', CORNERS.simpleUpper, groupName));
  const upperSimple = upperSimplifier.result();

  const whole = (resolution: Resolution, topology: Topology): ResolutionShapes => ({
    resolution,
    polygons: (level) => polygonsOf(topology, nameOf(level)),
    deviations: (level) => (resolution === 'detailed' ? [] : deviationsOf(detailed, topology, nameOf(level))),
  });
  const lower = whole('simple', simple);
  return {
    lost,
    uncovered,
    taken,
    units,
    topologies: { detailed, medium, simple, upper, upperSimple },
    resolutions: [
      whole('detailed', detailed),
      whole('medium', medium),
      {
        resolution: 'simple',
        polygons: (level) =>
          UPPER.includes(level) ? polygonsOf(upperSimple, groupName(level)) : lower.polygons(level),
        deviations: (level) =>
          UPPER.includes(level) ? deviationsOf(upper, upperSimple, groupName(level)) : lower.deviations(level),
      },
    ],
  };
}

function detailedTopology(shapes: readonly CountryShape[], ranked: readonly Shape[], units: readonly Unit[]) {
  const plane = new Plane();
  for (const [i, { rings }] of shapes.entries()) for (const ring of rings) plane.addRing(i, ring);
  splitCrossings(plane);
  const faces = findFaces(plane);
  const unitOf = assignFaces(plane, faces, ranked);
  const lost = new Float64Array(shapes.length);
  const taken: Taken = { contested: new Float64Array(shapes.length), uncontested: new Float64Array(shapes.length) };
  for (const [face, cover] of faces.covers.entries()) {
    const unit = units[unitOf[face] as number];
    const size = faces.areas[face] as number;
    for (const shape of cover) {
      const { level, unit: own } = shapes[shape] as CountryShape;
      const owner = unit?.[level] ?? null;
      if (unit === undefined || !isLandOf(level, unit)) (lost[shape] as number) += size;
      else if (owner !== null && owner !== own[level]) {
        const isContested = cover.some((other) => (shapes[other] as CountryShape).unit[level] === owner);
        (taken[isContested ? 'contested' : 'uncontested'][shape] as number) += size;
      }
    }
  }
  const { xs, ys } = plane.vertices;
  return { detailed: joinEdges({ xs, ys }, edgesBetween(plane, faces, unitOf)), lost, taken };
}

/**
 * Whether land belongs to the areas of a level. Every area lies in a region; cities may lie in no province, and the land
 * of an area that has no boundary itself belongs to those below it.
 */
function isLandOf(level: AreaLevel, unit: Unit): boolean {
  if (level === 'region') return unit.region !== null;
  return RANKS.slice(0, RANKS.indexOf(level) + 1).some((it) => unit[it] !== null);
}

/** A part of an area that no area below it has is measured as this share of the area at least. */
const REST = 0.02;

/**
 * Per unit the size as which it is measured at least, square microdegrees. What is left of an area beside those below it
 * can be a few strips along the coast, which would keep every corner if they had to keep their own size.
 */
function leastSizes(detailed: Topology, units: readonly Unit[]): Float64Array {
  const sizes = new Map(
    RANKS.slice(1).flatMap((level) => {
      const nameOf = (unit: number) => (unit < 0 ? null : (units[unit] as Unit)[level]);
      return deviationsOf(detailed, detailed, nameOf).map(({ name, area }) => [name, area] as const);
    }),
  );
  return Float64Array.from(units, (unit) => {
    const lowest = RANKS.find((level) => unit[level] !== null);
    return lowest === undefined || lowest === 'barangay' ? 0 : REST * (sizes.get(unit[lowest] ?? '') ?? 0);
  });
}

function limitsOf(
  resolution: Coarser,
  corners: { readonly [border in 'outline' | 'municity' | 'barangay']: number },
  nameOf: (level: AreaLevel) => (unit: number) => string | null,
): Limits {
  const [province, municity] = [nameOf('province'), nameOf('municity')];
  return {
    area: MARGIN * RULE[resolution].area,
    difference: MARGIN * RULE[resolution].difference,
    corner: ({ left, right }: Arc) => {
      if (left < 0 || right < 0 || province(left) !== province(right)) return corners.outline;
      return municity(left) === municity(right) ? corners.barangay : corners.municity;
    },
  };
}
