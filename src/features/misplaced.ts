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

/** West, south, east and north of what a reference system has coordinates for, in its own units. */
export type Domain = readonly [number, number, number, number];

const DEGREES: Domain = [-180, -90, 180, 90];
/** Easting and northing of a zone of a transverse Mercator projection, metres: a greater northing is beyond the pole. */
const ZONE: Domain = [-9_500_000, -10_000_000, 10_500_000, 10_000_000];
/** The same for zones whose equator has the northing 10,000,000. */
const SOUTHERN_ZONE: Domain = [-9_500_000, 0, 10_500_000, 20_000_000];
/** The world as EPSG describes it for web maps: to 85.06 degrees north and south. */
const WEB_MERCATOR: Domain = [-20_037_508.342789244, -20_048_966.1, 20_037_508.342789244, 20_048_966.1];

/** First and last SRID of systems with the same domain: geographic ones, zones of the Philippines, UTM, web maps. */
const DOMAINS: readonly (readonly [first: number, last: number, Domain])[] = [
  [3121, 3125, ZONE],
  [3857, 3857, WEB_MERCATOR],
  [4253, 4253, DEGREES],
  [4683, 4683, DEGREES],
  [25391, 25395, ZONE],
  [32601, 32660, ZONE],
  [32701, 32760, SOUTHERN_ZONE],
];

/**
 * The domain of a reference system that files of the Philippines use; undefined for any other. PROJ takes positions
 * beyond it for others, or fails without saying which position it was.
 */
export function domainOf(srid: number): Domain | undefined {
  return DOMAINS.find(([first, last]) => srid >= first && srid <= last)?.[2];
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
export function misplacedText(place: Path, srid: number, { x, y }: Misplaced): string {
  const domain = domainOf(srid);
  const range = domain && `, x from ${domain[0]} to ${domain[2]} and y from ${domain[1]} to ${domain[3]}`;
  const got = x === null ? '' : ` (got ${x}, ${y})`;
  return `${pathText(place)}: must be within what SRID ${srid} has coordinates for${range ?? ''}${got}.`;
}
