import { domainOf } from '../geojson/domains.ts';
import { type Geometry, type Path, pathText } from '../geojson/geometry.ts';

/** A position that a reference system has no place on Earth for. */
export interface Misplaced {
  /** Which of the features has it, from 1. */
  readonly feature: number;
  /** The numbers that lead to it in its geometry, from 1, as `ST_DumpPoints` has them; null where it was not found. */
  readonly path: readonly number[] | null;
  readonly x: number | null;
  readonly y: number | null;
}

/** Where a misplaced position stands within its geometry. */
export function positionPath(geometry: Geometry, { path }: Misplaced): Path {
  const found: (string | number)[] = [];
  const steps = [...(path ?? [])];
  const step = () => {
    const index = (steps.shift() ?? 1) - 1;
    found.push(index);
    return index;
  };
  let part: Geometry | undefined = geometry;
  while (part?.geometries && steps.length > 0) {
    found.push('geometries');
    part = part.geometries[step()];
  }
  let list = part?.coordinates;
  if (list === undefined) return found;
  found.push('coordinates');
  while (Array.isArray(list) && Array.isArray(list[0]) && steps.length > 0) list = list[step()];
  return found;
}

/** What is wrong with a misplaced position, as messages say it. */
export function misplacedText(path: Path, srid: number, { x, y }: Misplaced): string {
  const domain = domainOf(srid);
  const range = domain && `, x from ${domain[0]} to ${domain[2]} and y from ${domain[1]} to ${domain[3]}`;
  const got = x === null ? '' : ` (got ${x}, ${y})`;
  return `${pathText(path)}: must be within what SRID ${srid} has coordinates for${range ?? ''}${got}.`;
}
