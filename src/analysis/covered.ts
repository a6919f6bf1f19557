import { boundariesOf } from '../areas/portions.ts';
import { type Area, type AreaFilter, type AreaStore, type Level, SUB_MUNICIPALITY } from '../areas/store.ts';
import type { Deadline } from '../deadline.ts';
import { DomainError } from '../errors.ts';
import type { NameLevel } from '../names/source.ts';
import { Turns, turn } from '../turn.ts';
import { overlapOf, tooIntricate } from './overlap.ts';
import type { Polygon } from './polygon.ts';
import { ringsOf } from './rings.ts';

/** The most areas whose boxes a polygon may meet: the barangays of every region but none of the whole country. */
const MAX_AREAS = 10_000;

/** The most text of the boundaries that the polygon's edge runs through, bytes: that of all regions. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * The most edges of the polygon that are looked at beside the edges of areas: some seconds of the processor. A star of 5000
 * positions over the country takes half of it.
 */
const MAX_LOOKED = 2_500_000;

/** Polygons that an instance reads or measures at once. */
export const MEASURING = new Turns({ max: 1, maxMs: 10_000 });

/** Areas that are compared by their boxes in one turn. */
const BOXES_OF_TURN = 1000;

/** Edges that are looked at in one turn while areas are compared by their boxes: their sides are told, which takes longer. */
const SIDES_OF_TURN = 50_000;

/** The most edges that are looked at to compare areas by their boxes. Stars of 5000 positions take that for 9000 areas. */
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

/** Is told how many areas are inside and how many are measured, before they are. Gives what throws the error of measuring them. */
export type CountAreas = (count: { whole: number; crossed: number }) => Promise<(error: unknown) => never>;

interface CoveredOptions {
  readonly polygon: Polygon;
  readonly level: NameLevel;
  readonly deadline: Deadline;
  /** The most areas whose boxes the polygon may meet. */
  readonly maxAreas?: number;
  /** The most edges that are looked at beside those of areas, and to compare areas by their boxes. */
  readonly maxLooked?: number;
  readonly maxSides?: number;
  /** The most text of boundaries that is read, bytes. */
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
  const { maxAreas = MAX_AREAS, maxLooked = MAX_LOOKED, maxSides = MAX_SIDES, maxBytes = MAX_BYTES } = given;
  const [listed, filter] = listOf(level);
  const box: AreaFilter = { ...filter, meets: polygon.box };
  // What takes the processor for long has a turn: the list of a region's barangays too.
  const { whole, crossed } = await MEASURING.take(async (goesOn) => {
    const { value } = await areas.list(listed, box, { page: { page: 1, limit: maxAreas } });
    if (value.total > maxAreas) throw tooMany(`areas of the level ${level} around it, ${value.total} of them`);
    return sorted(polygon, value.areas, { most: polygon.looked + maxSides, goesOn });
  });
  const fail = await countAreas({ whole: whole.length, crossed: crossed.length });
  const covered: CoveredArea[] = whole.map((area) => ({ area, overlap: area.areaKm2 ?? 0, share: 1 }));
  if (crossed.length === 0) return covered;
  const codes = crossed.map(({ code }) => code);
  const measuring = MEASURING.take((goesOn) =>
    measured(areas, { polygon, listed, codes, deadline, maxLooked, maxBytes, goesOn }),
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
    maxLooked,
    maxBytes,
    goesOn,
  }: Pick<CoveredOptions, 'polygon' | 'deadline'> & {
    listed: Level;
    codes: string[];
    maxLooked: number;
    maxBytes: number;
    goesOn: () => void;
  },
): Promise<CoveredArea[]> {
  const { release, value } = await areas.findMany(listed, codes, { resolution: 'detailed' });
  const bytes = value.areas.reduce((sum, { boundaryBytes }) => sum + boundaryBytes, 0);
  if (bytes > maxBytes) throw tooMany(`boundaries at its edge, ${Math.ceil(bytes / 2 ** 20)} MiB of them`);
  const set = { release, level: listed, resolution: 'detailed' } as const;
  const found: CoveredArea[] = [];
  const most = polygon.looked + maxLooked;
  for await (const { area, text } of boundariesOf(value.areas, (slices) => areas.boundaries(set, slices))) {
    const { area: overlap, whole } = await overlapOf(polygon, ringsOf(JSON.parse(text)), most);
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

/** Areas that lie in a polygon as a whole, and those that its edge may run through. Of others it has no part. */
async function sorted(
  polygon: Polygon,
  areas: readonly Area[],
  { most, goesOn }: { most: number; goesOn: () => void },
): Promise<{ whole: Area[]; crossed: Area[] }> {
  const whole: Area[] = [];
  const crossed: Area[] = [];
  let next = polygon.looked + SIDES_OF_TURN;
  for (const [i, area] of areas.entries()) {
    if (i % BOXES_OF_TURN === BOXES_OF_TURN - 1 || polygon.looked > next) {
      next = polygon.looked + SIDES_OF_TURN;
      goesOn();
      await turn();
    }
    if (polygon.looked > most) throw tooIntricate();
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
