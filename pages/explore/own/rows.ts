import type { FeatureCollection, Geometry, Position } from 'geojson';
import type { Box } from '../places.ts';

/** A feature of a dataset, as a row of its table. */
export interface Row {
  /** The id of the feature, which stays the same when it is read again. */
  readonly id: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly geometry: Geometry | null;
}

export interface Column {
  readonly name: string;
  /** Whether all of its values are numbers. */
  readonly isNumeric: boolean;
}

/** How the rows of a table are chosen and ordered. */
export interface Order {
  /** Rows that have this text in a value; all rows if it is empty. */
  readonly find: string;
  /** The column to sort by; undefined for the order of the dataset. */
  readonly sort: string | undefined;
  readonly isDescending: boolean;
}

/** A number as files write it. A code with leading zeros, or with more digits than a double has, is none. */
const NUMERAL = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;
const MAX_DIGITS = 15;

export function rowsOf({ features }: FeatureCollection): Row[] {
  return features.map(({ id, properties, geometry }, index) => ({
    id: String(id ?? index),
    properties: properties ?? {},
    geometry,
  }));
}

/** The names of all properties, in the order in which they come first. */
export function columnsOf(rows: readonly Row[]): Column[] {
  const numeric = new Map<string, boolean | undefined>();
  for (const { properties } of rows) {
    for (const [name, value] of Object.entries(properties)) {
      const known = numeric.get(name);
      if (isMissing(value)) numeric.set(name, known);
      else numeric.set(name, known !== false && numberOf(value) !== undefined);
    }
  }
  return [...numeric].map(([name, isNumeric]) => ({ name, isNumeric: isNumeric === true }));
}

/** A value as text. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The number that a value is, or that its text says; undefined if it is none. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !NUMERAL.test(value)) return undefined;
  return value.replace(/\D/g, '').length > MAX_DIGITS ? undefined : Number(value);
}

export function isMissing(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

/** The rows that an order chooses, in its order. Rows without a value come last, whatever the direction. */
export function ordered(rows: readonly Row[], columns: readonly Column[], order: Order): Row[] {
  const wanted = order.find.trim().toLowerCase();
  const chosen = rows.filter(({ properties }) => {
    return wanted === '' || Object.values(properties).some((value) => textOf(value).toLowerCase().includes(wanted));
  });
  const column = columns.find(({ name }) => name === order.sort);
  if (!column) return chosen;
  const sign = order.isDescending ? -1 : 1;
  const { compare } = new Intl.Collator('en', { numeric: true });
  const keyed = chosen.map((row) => ({ row, value: row.properties[column.name] }));
  keyed.sort((a, b) => {
    const missing = Number(isMissing(a.value)) - Number(isMissing(b.value));
    if (missing !== 0 || isMissing(a.value)) return missing;
    const difference = column.isNumeric
      ? (numberOf(a.value) ?? 0) - (numberOf(b.value) ?? 0)
      : compare(textOf(a.value), textOf(b.value));
    return sign * difference;
  });
  return keyed.map(({ row }) => row);
}

/** The extent of a geometry; undefined if it has no position. */
export function extentOf(geometry: Geometry | null): Box | undefined {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  const add = (part: Position | Position[] | Position[][] | Position[][][]): void => {
    const [x, y] = part;
    if (typeof x === 'number' && typeof y === 'number') {
      west = Math.min(west, x);
      south = Math.min(south, y);
      east = Math.max(east, x);
      north = Math.max(north, y);
    } else for (const inner of part) if (typeof inner !== 'number') add(inner);
  };
  const walk = (one: Geometry | null): void => {
    if (one?.type === 'GeometryCollection') one.geometries.forEach(walk);
    else if (one) add(one.coordinates);
  };
  walk(geometry);
  return west <= east ? [west, south, east, north] : undefined;
}

/** Rows of a long list that are in sight, with some before and behind them. */
export function rowsInSight(
  { scrolled, height, rowHeight }: { scrolled: number; height: number; rowHeight: number },
  total: number,
): { from: number; to: number } {
  const spare = 6;
  const first = Math.floor(scrolled / rowHeight) - spare;
  const from = Math.max(0, Math.min(first, total - Math.ceil(height / rowHeight) - spare));
  return { from, to: Math.min(total, Math.ceil((scrolled + height) / rowHeight) + spare) };
}
