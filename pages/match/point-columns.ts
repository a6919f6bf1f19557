import { LATITUDE_COLUMNS, LONGITUDE_COLUMNS, WKT_COLUMNS } from '../../src/geojson/geometry-columns.ts';
import { isNear as isNearExtent } from '../shared/far-away.ts';
import { numberOf } from '../shared/values.ts';
import { headingOf } from './groups.ts';
import { type Cell, isBlank, type Table, textOf } from './table.ts';

/** The columns of the coordinates of points, by their places in the table. */
export interface PointColumns {
  readonly latitude: number;
  readonly longitude: number;
}

/** The columns of coordinates; undefined where there are none, or no row has two numbers there that are coordinates. */
export function pointColumns({ headings, rows }: Pick<Table, 'headings' | 'rows'>): PointColumns | undefined {
  const find = (names: ReadonlySet<string>) => headings.findIndex((heading) => names.has(heading.trim().toLowerCase()));
  const at = { latitude: find(LATITUDE_COLUMNS), longitude: find(LONGITUDE_COLUMNS) };
  if (at.latitude < 0 || at.longitude < 0) return undefined;
  return rows.some((row) => isOnEarth(positionOf(row, at)) || isOnEarth(swapped(positionOf(row, at)))) ? at : undefined;
}

type Position = readonly [longitude: number, latitude: number];

/** The position in a row; its numbers are NaN where the cells have none. */
function positionOf(row: readonly Cell[], { latitude, longitude }: PointColumns): Position {
  const numberIn = (at: number) => numberOf(textOf(row[at])) ?? Number.NaN;
  return [numberIn(longitude), numberIn(latitude)];
}

function swapped([x, y]: Position): Position {
  return [y, x];
}

function isOnEarth([x, y]: Position): boolean {
  return Math.abs(x) <= 180 && Math.abs(y) <= 90;
}

function isNear([x, y]: Position): boolean {
  return isNearExtent([x, y, x, y]);
}

/** The rows of points by where they lie, by their indexes. */
export interface PointKinds {
  /** Rows whose coordinates would lie in the Philippines if they were swapped, and do not as they are. */
  readonly swapped: readonly number[];
  /** Rows that lie far outside of the Philippines. */
  readonly far: readonly number[];
  /** Rows that have neither of the two. */
  readonly blank: readonly number[];
  /** The extent of the points that lie in the Philippines or near: west, south, east, north. Undefined where none does. */
  readonly extent: readonly [number, number, number, number] | undefined;
}

/** @param turned rows whose latitude and longitude are taken for each other */
export function pointKinds(rows: Table['rows'], at: PointColumns, turned: ReadonlySet<number>): PointKinds {
  const kinds = { swapped: [] as number[], far: [] as number[], blank: [] as number[] };
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [i, row] of rows.entries()) {
    const position = turned.has(i) ? swapped(positionOf(row, at)) : positionOf(row, at);
    const [x, y] = position;
    if (isNear(position)) {
      [west, south] = [Math.min(west, x), Math.min(south, y)];
      [east, north] = [Math.max(east, x), Math.max(north, y)];
    } else if (isNear(swapped(position))) kinds.swapped.push(i);
    else if (isOnEarth(position)) kinds.far.push(i);
    else if (!isBlank(row) && isBlank([row[at.latitude] ?? null, row[at.longitude] ?? null])) kinds.blank.push(i);
  }
  return { ...kinds, extent: west <= east ? [west, south, east, north] : undefined };
}

/** A table as an upload reads it, and where its parts come from. */
export interface PointTable {
  /** Headings first. */
  readonly rows: readonly (readonly Cell[])[];
  /** The columns of the list by their names in the upload. */
  readonly columns: ReadonlyMap<string, number>;
  /** The rows of the list by the lines of the upload that they begin in. */
  readonly lines: ReadonlyMap<number, number>;
}

/**
 * The rows that an upload reads as points. No other column is called as one of a geometry, and rows without anything are left out.
 *
 * @param turned rows whose latitude and longitude are taken for each other
 */
export function pointTable(
  { headings, rows }: Pick<Table, 'headings' | 'rows'>,
  at: PointColumns,
  turned: ReadonlySet<number> = new Set(),
): PointTable {
  const columns = new Map<string, number>();
  for (const index of headings.keys()) {
    const heading = headingOf(headings, index).trim();
    const key = heading.toLowerCase();
    const isTaken = [LATITUDE_COLUMNS, LONGITUDE_COLUMNS, WKT_COLUMNS].some((known) => known.has(key));
    const plain = isTaken ? `${heading} (list)` : heading;
    const name = index === at.latitude ? 'latitude' : index === at.longitude ? 'longitude' : plain;
    let own = name;
    for (let n = 2; columns.has(own); n += 1) own = `${name} ${n}`;
    columns.set(own, index);
  }
  const names = [...columns.keys()];
  const lines = new Map<number, number>();
  const sent: (readonly Cell[])[] = [names];
  let line = 1 + linesIn(names);
  for (const [i, row] of rows.entries()) {
    if (isBlank(row)) continue;
    lines.set(line, i);
    line += linesIn(row);
    sent.push(turned.has(i) ? turnedRow(row, at) : row);
  }
  return { rows: sent, columns, lines };
}

/** How many lines a row takes: a cell may have several. */
function linesIn(cells: readonly Cell[]): number {
  return cells.reduce<number>((count, cell) => count + textOf(cell).split('\n').length - 1, 1);
}

function turnedRow(row: readonly Cell[], { latitude, longitude }: PointColumns): Cell[] {
  const turned = [...row];
  turned[latitude] = row[longitude] ?? null;
  turned[longitude] = row[latitude] ?? null;
  return turned;
}
