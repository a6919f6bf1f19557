import { turn } from '../../turn.ts';
import { searchedLevel } from '../location.ts';
import type { Area, AreaNear, Point } from '../store.ts';
import { readPlaces } from './boundaries.ts';
import { type Boundary, contains, ringsOf } from './edition-places.ts';
import { NO_ROW } from './layout.ts';
import { boxAround, cellsNear, DistancesWithin } from './nearest.ts';
import { MAX_CONCURRENT_READS, type SnapshotObjects } from './objects.ts';
import type { OpenedAreas } from './opened.ts';
import { readCell } from './places.ts';

interface Options {
  readonly level: Area['level'];
  readonly metres: number;
  readonly page: { readonly page: number; readonly limit: number };
}

/** The areas of a level within some metres of a point, the nearest first, and those as far by code. */
export async function areasWithin(
  opened: OpenedAreas,
  objects: SnapshotObjects,
  point: Point,
  { level, metres, page: { page, limit } }: Options,
): Promise<{ total: number; found: AreaNear[] }> {
  const distances = await distancesOf(opened, objects, point, { level, metres });
  const sorted = [...distances].sort(([a, near], [b, far]) => near - far || a - b);
  const shown = sorted.slice((page - 1) * limit, page * limit);
  const found = shown.map(([row, distance]) => ({ area: opened.area(row, undefined), distance }));
  return { total: sorted.length, found };
}

/** Metres to each row of a level, with one decimal. */
async function distancesOf(
  opened: OpenedAreas,
  objects: SnapshotObjects,
  point: Point,
  { level, metres }: Omit<Options, 'page'>,
): Promise<Map<number, number>> {
  const searched = searchedLevel(level);
  const drawn = new DistancesWithin(point, metres);
  const numbers = cellsNear(point, metres);
  for (let i = 0; i < numbers.length; i += MAX_CONCURRENT_READS) {
    // Other requests of the instance have a turn in between, also where every cell is in memory.
    if (i > 0) await turn();
    const cells = await Promise.all(
      numbers.slice(i, i + MAX_CONCURRENT_READS).map((number) => readCell(opened, objects, number)),
    );
    for (const cell of cells) if (cell) drawn.addCell(cell, searched);
  }
  const found = new Map<number, number>();
  const add = (row: number, distance: number) => {
    const shown = level === searched ? row : (opened.submunicipalities[row] as number);
    if (shown === NO_ROW) return;
    found.set(shown, Math.min(found.get(shown) ?? Number.POSITIVE_INFINITY, Math.round(distance * 10) / 10));
  };
  for (const { row, metres: distance } of drawn.distances()) {
    const then = opened.base ? opened.boundaries.rowWithLandOf(row) : row;
    if (then !== NO_ROW) add(then, distance);
  }
  if (opened.base) {
    for (const { row, metres: distance } of await ownDistances(opened, objects, point, { level: searched, metres })) {
      add(row, distance);
    }
  }
  return found;
}

/** The distances of the areas that an edition draws in another way than the release that includes it. */
async function ownDistances(
  opened: OpenedAreas,
  objects: SnapshotObjects,
  point: Point,
  { level, metres }: Omit<Options, 'page'>,
): Promise<Iterable<{ row: number; metres: number }>> {
  const { west, south, east, north } = boxAround(point, metres);
  const own = new DistancesWithin(point, metres);
  const rows = opened.boundaries.ownDrawn(level).filter((row) => opened.meets(row, [west, south, east, north]));
  for (const row of rows) {
    const length = opened.boundaries.bytesOf(row, 'detailed');
    const [text = ''] = await readPlaces(objects, [{ ...opened.boundaries.placeOf(row, 'detailed'), length }]);
    const boundary: Boundary = JSON.parse(text);
    if (contains(boundary, point.lon, point.lat)) own.addContaining(row);
    else for (const ring of ringsOf(boundary)) own.addRing(row, ring);
  }
  return own.distances();
}
