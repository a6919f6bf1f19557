import type { Point } from '../store.ts';

// The grid of cells that points are looked up in. Boundaries have six decimals: their vertices are whole microdegrees.
// The lines of the grid lie half a microdegree beside multiples of a cell's side, so that no vertex lies on a line.
// Where a point lies on the grid is decided with whole numbers only.

/** Side of a cell in microdegrees: a quarter of a degree. */
const SIDE = 250_000;

/** Numbers of the column east of the meridian 0 and of the row north of the equator, so that the first ones are 0. */
const WEST = 721;
const SOUTH = 361;

/** Columns of the whole Earth. That of 180° W has only this meridian, because the lines are half a microdegree beside it. */
const COLUMNS = 1441;

/** A point among whole microdegrees. */
export interface GridPoint {
  readonly lon: number;
  readonly lat: number;
  /** The greatest whole microdegrees that are at most the longitude and the latitude. */
  readonly x: number;
  readonly y: number;
  /** Whether the longitude is `x`, and the latitude `y`. */
  readonly exactX: boolean;
  readonly exactY: boolean;
}

/** The point, with the whole microdegrees below it. */
export function gridPoint({ lon, lat }: Point): GridPoint {
  const x = wholeBelow(lon);
  const y = wholeBelow(lat);
  return { lon, lat, x, y, exactX: x / 1e6 === lon, exactY: y / 1e6 === lat };
}

/** The column of a whole microdegree of longitude. */
export function columnOf(x: number): number {
  return Math.floor((x - 1) / SIDE) + WEST;
}

/** The row of a whole microdegree of latitude. */
export function rowOf(y: number): number {
  return Math.floor((y - 1) / SIDE) + SOUTH;
}

export function cellAt(column: number, row: number): number {
  return row * COLUMNS + column;
}

/** The greatest whole microdegrees west and south of a cell. Those in the cell are greater by 1 to 250,000. */
export function cornerOf(cell: number): { west: number; south: number } {
  return { west: ((cell % COLUMNS) - WEST) * SIDE, south: southOf(Math.floor(cell / COLUMNS)) };
}

/** The last whole microdegree of latitude south of a row of cells. */
function southOf(row: number): number {
  return (row - SOUTH) * SIDE;
}

/** The number of the cell that a point lies in; undefined for what is no point of the Earth. */
export function cellOf(point: Point): number | undefined {
  if (!(Math.abs(point.lon) <= 180 && Math.abs(point.lat) <= 90)) return undefined;
  const { x, y, exactX, exactY } = gridPoint(point);
  return cellAt(columnOf(exactX ? x : x + 1), rowOf(exactY ? y : y + 1));
}

/** The numbers of the cells that a box of degrees meets, in ascending order. What is off the Earth has none. */
export function cellsOfBox(box: { west: number; south: number; east: number; north: number }): number[] {
  const columns = [Math.max(box.west, -180), Math.min(box.east, 180)].map((lon) => columnOf(Math.ceil(lon * 1e6)));
  const rows = [Math.max(box.south, -90), Math.min(box.north, 90)].map((lat) => rowOf(Math.ceil(lat * 1e6)));
  const [west = 0, east = -1] = columns;
  const [south = 0, north = -1] = rows;
  const cells: number[] = [];
  for (let row = south; row <= north; row++) {
    for (let column = west; column <= east; column++) cells.push(cellAt(column, row));
  }
  return cells;
}

/**
 * The greatest whole microdegree that is at most some degrees. It is compared as `whole / 1e6`, the double that a vertex is taken
 * for. The product `degrees * 1e6` is rounded, and may be one too small or too large.
 */
function wholeBelow(degrees: number): number {
  let whole = Math.floor(degrees * 1e6);
  while ((whole + 1) / 1e6 <= degrees) whole++;
  while (whole / 1e6 > degrees) whole--;
  return whole;
}
