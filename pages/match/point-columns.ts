import { LATITUDE_COLUMNS, LONGITUDE_COLUMNS, WKT_COLUMNS } from '../../src/geojson/geometry-columns.ts';
import { numberOf } from '../shared/values.ts';
import { headingOf } from './groups.ts';
import { type Cell, type Table, textOf } from './table.ts';

/** The names of coordinates in Filipino, besides those that uploads know. */
const LATITUDES: ReadonlySet<string> = new Set([...LATITUDE_COLUMNS, 'latitud']);
const LONGITUDES: ReadonlySet<string> = new Set([...LONGITUDE_COLUMNS, 'longitud', 'longhitud']);

/** The columns of the coordinates of points, by their places in the table. */
export interface PointColumns {
  readonly latitude: number;
  readonly longitude: number;
}

/** The columns of coordinates; undefined where there are none, or no row has two numbers there that are coordinates. */
export function pointColumns({ headings, rows }: Pick<Table, 'headings' | 'rows'>): PointColumns | undefined {
  const find = (names: ReadonlySet<string>) => headings.findIndex((heading) => names.has(heading.trim().toLowerCase()));
  const [latitude, longitude] = [find(LATITUDES), find(LONGITUDES)];
  if (latitude < 0 || longitude < 0) return undefined;
  const isWithin = (cell: Cell | undefined, most: number) => Math.abs(numberOf(textOf(cell)) ?? Infinity) <= most;
  return rows.some((row) => isWithin(row[latitude], 90) && isWithin(row[longitude], 180))
    ? { latitude, longitude }
    : undefined;
}

/** The rows that an upload reads as points, headings first. No other column is called as one of a geometry. */
export function pointRows({ headings, rows }: Pick<Table, 'headings' | 'rows'>, at: PointColumns): Cell[][] {
  const names: string[] = [];
  for (const index of headings.keys()) {
    const heading = headingOf(headings, index).trim();
    const key = heading.toLowerCase();
    const isTaken = [LATITUDE_COLUMNS, LONGITUDE_COLUMNS, WKT_COLUMNS].some((known) => known.has(key));
    const plain = isTaken ? `${heading} (list)` : heading;
    const name = index === at.latitude ? 'latitude' : index === at.longitude ? 'longitude' : plain;
    let own = name;
    for (let n = 2; names.includes(own); n += 1) own = `${name} ${n}`;
    names.push(own);
  }
  return [names, ...rows.map((row) => [...row])];
}
