import { domainOf } from '../geojson/domains.ts';
import { type Geometry, isEmpty, type Path, pathText } from '../geojson/geometry.ts';

/** A position outside of the area that a reference system is defined for. */
export interface Misplaced {
  /** The number of the feature that has it, from 1. */
  readonly feature: number;
  /**
   * The path that `ST_DumpPoints` gives of the position: the numbers of the parts of the stored geometry that lead to it, from 1;
   * null where the position was not found.
   */
  readonly path: readonly number[] | null;
  /** The coordinates of the position in the reference system; null where it was not found. */
  readonly x: number | null;
  readonly y: number | null;
}

/**
 * The path of a misplaced position in the JSON of its geometry.
 *
 * @param geometry as it was given. It may have parts without coordinates, which were not stored and have no number.
 */
export function positionPath(geometry: Geometry, { path }: Misplaced): Path {
  const found: (string | number)[] = [];
  const numbers = [...(path ?? [])];
  let part: Geometry | undefined = geometry;
  while (part?.geometries && numbers.length > 0) {
    const index: number = storedIndex(part.geometries, numbers.shift() as number, isEmpty);
    found.push('geometries', index);
    part = part.geometries[index];
  }
  let list = part?.coordinates;
  if (list === undefined) return found;
  found.push('coordinates');
  while (Array.isArray(list) && Array.isArray(list[0]) && numbers.length > 0) {
    const index = storedIndex(list, numbers.shift() as number, isEmptyList);
    found.push(index);
    list = list[index];
  }
  return found;
}

/** The index of the part that has a number among the parts that were stored. */
function storedIndex<Part>(parts: readonly Part[], number: number, isLeftOut: (part: Part) => boolean): number {
  const indexes = [...parts.keys()].filter((index) => !isLeftOut(parts[index] as Part));
  return indexes[number - 1] ?? 0;
}

/** Whether a list in coordinates has nothing in it. A polygon without a shell is empty, whatever holes it has. */
function isEmptyList(list: unknown[]): boolean {
  return list.length === 0 || (Array.isArray(list[0]) && list[0].length === 0);
}

/**
 * The message about a misplaced position.
 *
 * @param path of the position in its document
 * @param srid the reference system that it was given in
 * @param location where it is in a file, for people: `line 7`
 */
export function misplacedText(path: Path, srid: number, { x, y }: Misplaced, location?: string): string {
  const domain = domainOf(srid);
  const range = domain && `, x from ${domain[0]} to ${domain[2]} and y from ${domain[1]} to ${domain[3]}`;
  const where = location === undefined ? '' : ` (${location})`;
  const got = x === null ? '' : ` (got ${x}, ${y})`;
  return `${pathText(path)}: must be within what SRID ${srid} has coordinates for${range ?? ''}${got}${where}.`;
}
