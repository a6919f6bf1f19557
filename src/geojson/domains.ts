/** The EPSG code of WGS 84, the reference system of GeoJSON (RFC 7946, 4) and of everything that is stored. */
export const WGS84 = 4326;

/** West, south, east and north bounds of a reference system, in its own units. */
export type Domain = readonly [number, number, number, number];

const DEGREES: Domain = [-180, -90, 180, 90];
/** Bounds of a zone of a transverse Mercator projection, metres. A greater northing is beyond the pole. */
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
  [WGS84, WGS84, DEGREES],
  [4683, 4683, DEGREES],
  [25391, 25395, ZONE],
  [32601, 32660, ZONE],
  [32701, 32760, SOUTHERN_ZONE],
];

/**
 * The domain of a reference system used for the Philippines; undefined for any other. Beyond it PROJ returns wrong
 * positions, or fails without naming the position.
 */
export function domainOf(srid: number): Domain | undefined {
  return DOMAINS.find(([first, last]) => srid >= first && srid <= last)?.[2];
}

/**
 * How far beyond an edge of the world a position still counts as on it: 1e-5 degrees, with room for the rounding of
 * doubles, or a tenth of a metre.
 */
const SLACK_DEGREES = 1.000001e-5;
const SLACK_METRES = 0.1;

/** The greatest x and y of a system that covers the world, and the tolerance beyond them. */
export interface Edges {
  readonly x: number;
  readonly y: number;
  readonly slack: number;
}

const UNKNOWN: Edges = { x: Number.MAX_VALUE, y: Number.MAX_VALUE, slack: 0 };

/** The edges of the world in a reference system; the largest numbers if unknown. */
export function edgesOf(srid: number): Edges {
  const domain = domainOf(srid);
  if (domain !== DEGREES && domain !== WEB_MERCATOR) return UNKNOWN;
  return { x: domain[2], y: domain[3], slack: domain === DEGREES ? SLACK_DEGREES : SLACK_METRES };
}
