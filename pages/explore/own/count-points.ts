import type { Geometry, Position } from 'geojson';
import type { Box } from '../places.ts';
import { extentOf } from './extent.ts';

/**
 * How far beyond the coarse coast a point may lie and still count for the nearest area, degrees: some 650 m. Of the land on
 * islands that the coarse map has, 99.9 % lies within it, measured by the detailed boundaries of the regions in cells of
 * 0.0025 degrees. Ten times as far would count the sea for a third of the land.
 */
const NEAR = 0.006;

/** The side of a cell of areas, degrees. */
const CELL = 0.25;

export interface Counts {
  /** How many points lie in each area. */
  readonly counts: readonly number[];
  /** How many lie in none. */
  readonly outside: number;
}

/** Counts points by the areas in which they lie. What is no point is left out. */
export function countPoints(geometries: readonly (Geometry | null)[], areas: readonly (Geometry | null)[]): Counts {
  const nearTo = byCells(areas);
  const counts = areas.map(() => 0);
  let outside = 0;
  for (const geometry of geometries) {
    if (geometry?.type !== 'Point') continue;
    const point = geometry.coordinates;
    const near = nearTo(point);
    const index =
      near.find(({ polygons }) => polygons.some((rings) => isInside(point, rings)))?.index ?? nearest(point, near);
    if (index === undefined) outside += 1;
    else counts[index] = (counts[index] ?? 0) + 1;
  }
  return { counts, outside };
}

interface Near {
  readonly index: number;
  readonly polygons: Position[][][];
  readonly box: Box;
}

/** Finds the areas in whose box a point is, or almost is. There may be thousands of areas, so each cell has its own list. */
function byCells(areas: readonly (Geometry | null)[]): (point: Position) => Near[] {
  const cells = new Map<string, Near[]>();
  const cellOf = (degrees: number) => Math.floor(degrees / CELL);
  for (const [index, area] of areas.entries()) {
    const box = extentOf(area);
    if (!box) continue;
    const one = { index, polygons: polygonsOf(area), box };
    const [west, south, east, north] = box;
    for (let x = cellOf(west - NEAR); x <= cellOf(east + NEAR); x += 1) {
      for (let y = cellOf(south - NEAR); y <= cellOf(north + NEAR); y += 1) {
        const key = `${x} ${y}`;
        const cell = cells.get(key);
        if (cell) cell.push(one);
        else cells.set(key, [one]);
      }
    }
  }
  return (point) => {
    const [x = 0, y = 0] = point;
    return (cells.get(`${cellOf(x)} ${cellOf(y)}`) ?? []).filter(({ box }) => isIn(point, box));
  };
}

function polygonsOf(area: Geometry | null): Position[][][] {
  if (area?.type === 'Polygon') return [area.coordinates];
  return area?.type === 'MultiPolygon' ? area.coordinates : [];
}

function isIn([x = 0, y = 0]: Position, [west, south, east, north]: Box): boolean {
  return x >= west - NEAR && x <= east + NEAR && y >= south - NEAR && y <= north + NEAR;
}

/** Whether a ray from the point to the east crosses the rings an odd number of times. */
function isInside([x = 0, y = 0]: Position, rings: Position[][]): boolean {
  let inside = false;
  for (const ring of rings) {
    for (const [index, [x2 = 0, y2 = 0]] of ring.entries()) {
      const [x1 = 0, y1 = 0] = ring.at(index - 1) ?? [];
      if (y1 > y !== y2 > y && x < x1 + ((x2 - x1) * (y - y1)) / (y2 - y1)) inside = !inside;
    }
  }
  return inside;
}

function nearest(point: Position, areas: readonly Near[]): number | undefined {
  let [found, least]: [number | undefined, number] = [undefined, NEAR];
  for (const { polygons, index } of areas) {
    for (const ring of polygons.flat()) {
      for (const [at, end] of ring.entries()) {
        const distance = distanceTo(point, ring.at(at - 1) ?? end, end);
        if (distance < least) [found, least] = [index, distance];
      }
    }
  }
  return found;
}

function distanceTo([x = 0, y = 0]: Position, [x1 = 0, y1 = 0]: Position, [x2 = 0, y2 = 0]: Position): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const length = dx * dx + dy * dy;
  const along = length > 0 ? Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / length)) : 0;
  return Math.hypot(x - x1 - along * dx, y - y1 - along * dy);
}
