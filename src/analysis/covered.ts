import { boundariesOf } from '../areas/portions.ts';
import { type Area, type AreaFilter, type AreaStore, type Level, SUB_MUNICIPALITY } from '../areas/store.ts';
import type { Deadline } from '../deadline.ts';
import { DomainError } from '../errors.ts';
import type { NameLevel } from '../names/source.ts';
import { Turns, turn } from '../turn.ts';
import { overlapOf, tooIntricate } from './overlap.ts';
import type { Polygon } from './polygon.ts';
import { ringsOf } from './rings.ts';

/** Max areas whose boxes a polygon may meet: the barangays of every region but none of the whole country. */
const MAX_AREAS = 10_000;

/** Max text of the boundaries that the polygon's edge runs through, bytes: that of all regions. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Max edges of the polygon that are visited to compare them with the edges of areas: some seconds of the processor. A star of
 * 5000 positions over the country takes half of it.
 */
const MAX_VISITED = 2_500_000;

/** Polygons that an instance reads or measures at once. */
export const MEASURING = new Turns({ max: 1, maxMs: 10_000 });

/** Areas that are compared by their boxes in one turn. */
const BOXES_OF_TURN = 1000;

/** Edges that are visited in one turn to compare them with the boxes of areas. */
const SIDES_OF_TURN = 50_000;

/** Max edges that are visited to compare them with the boxes of areas. Stars of 5000 positions take that for 9000 areas. */
const MAX_SIDES = 8_000_000;

/** Kilometres. Where an area and a polygon have no more in common than this along the whole edge of the polygon, they touch. */
const TOUCH = 1e-8;

/** An area, and what of it lies in a polygon. */
export interface CoveredArea {
  readonly area: Area;
  /** Square kilometres that they have in common. */
  readonly overlap: number;
  /** What part of the area that is, 0 to 1. */
  readonly share: number;
}

/** Called with how many areas are inside and how many will be measured. Gives a function that throws an error of measuring them. */
export type CountAreas = (count: { whole: number; crossed: number }) => Promise<(error: unknown) => never>;

interface CoveredOptions {
  readonly polygon: Polygon;
  readonly level: NameLevel;
  readonly deadline: Deadline;
  /** Max areas whose boxes the polygon may meet. */
  readonly maxAreas?: number;
  /** Max visited edges of the polygon, to compare them with the edges of areas, and with their boxes. */
  readonly maxVisited?: number;
  readonly maxSides?: number;
  /** Max text of boundaries that is read, bytes. */
  readonly maxBytes?: number;
  readonly countAreas: CountAreas;
}

/**
 * The areas of a level that a polygon covers in part or as a whole, by detailed boundaries, in no order. The
 * boundaries are read of those only that its edge runs through.
 *
 * @throws DomainError `too_many_areas`
 */
export async function coveredAreas(
  areas: AreaStore,
  { polygon, level, deadline, countAreas, ...given }: CoveredOptions,
): Promise<CoveredArea[]> {
  const { maxAreas = MAX_AREAS, maxVisited = MAX_VISITED, maxSides = MAX_SIDES, maxBytes = MAX_BYTES } = given;
  const [listed, filter] = listOf(level);
  const box: AreaFilter = { ...filter, meets: polygon.box };
  // What takes the processor for long has a turn: the list of a region's barangays too.
  const { whole, crossed } = await MEASURING.take(async (goesOn) => {
    const { value } = await areas.list(listed, box, { page: { page: 1, limit: maxAreas } });
    if (value.total > maxAreas) throw tooMany(`areas of the level ${level} around it, ${value.total} of them`);
    return sortByCover(polygon, value.areas, { maxVisited: polygon.visitedEdges + maxSides, goesOn });
  });
  const fail = await countAreas({ whole: whole.length, crossed: crossed.length });
  const covered: CoveredArea[] = whole.map((area) => ({ area, overlap: area.areaKm2 ?? 0, share: 1 }));
  if (crossed.length === 0) return covered;
  const codes = crossed.map(({ code }) => code);
  const measuring = MEASURING.take((goesOn) =>
    measured(areas, { polygon, listed, codes, deadline, maxVisited, maxBytes, goesOn }),
  );
  return [...covered, ...(await measuring.catch(fail))];
}

/** The areas of some codes with what of them lies in a polygon, by their boundaries. */
async function measured(
  areas: AreaStore,
  {
    polygon,
    listed,
    codes,
    deadline,
    maxVisited,
    maxBytes,
    goesOn,
  }: Pick<CoveredOptions, 'polygon' | 'deadline'> & {
    listed: Level;
    codes: string[];
    maxVisited: number;
    maxBytes: number;
    goesOn: () => void;
  },
): Promise<CoveredArea[]> {
  const { release, value } = await areas.findMany(listed, codes, { resolution: 'detailed' });
  const bytes = value.areas.reduce((sum, { boundaryBytes }) => sum + boundaryBytes, 0);
  if (bytes > maxBytes) throw tooMany(`boundaries at its edge, ${Math.ceil(bytes / 2 ** 20)} MiB of them`);
  const set = { release, level: listed, resolution: 'detailed' } as const;
  const found: CoveredArea[] = [];
  const limit = polygon.visitedEdges + maxVisited;
  for await (const { area, text } of boundariesOf(value.areas, (slices) => areas.boundaries(set, slices))) {
    const { area: overlap, whole } = await overlapOf(polygon, ringsOf(JSON.parse(text)), limit);
    deadline.partDone();
    if (overlap > TOUCH * polygon.length) found.push({ area, overlap, share: Math.min(overlap / whole, 1) });
    goesOn();
    await turn();
  }
  return found;
}

/** The list that has the areas of a level. */
function listOf(level: NameLevel): [Level, AreaFilter] {
  return level === 'submunicipality' ? ['municity', { type: SUB_MUNICIPALITY }] : [level, {}];
}

/** The areas that lie in a polygon as a whole, and those that its edge may cross. Others lie outside. */
async function sortByCover(
  polygon: Polygon,
  areas: readonly Area[],
  { maxVisited, goesOn }: { maxVisited: number; goesOn: () => void },
): Promise<{ whole: Area[]; crossed: Area[] }> {
  const whole: Area[] = [];
  const crossed: Area[] = [];
  let next = polygon.visitedEdges + SIDES_OF_TURN;
  for (const [i, area] of areas.entries()) {
    if (i % BOXES_OF_TURN === BOXES_OF_TURN - 1 || polygon.visitedEdges > next) {
      next = polygon.visitedEdges + SIDES_OF_TURN;
      goesOn();
      await turn();
    }
    if (polygon.visitedEdges > maxVisited) throw tooIntricate();
    const cover = area.bbox === null ? 'none' : polygon.coverOf(area.bbox);
    if (cover === 'part' || (cover === 'whole' && area.areaKm2 === null)) crossed.push(area);
    else if (cover === 'whole') whole.push(area);
  }
  return { whole, crossed };
}

function tooMany(what: string): DomainError {
  return new DomainError(
    'too_many_areas',
    `geometry: has too many ${what}. Ask for a coarser level, or for parts of it.`,
  );
}
