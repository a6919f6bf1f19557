import { DomainError } from '../errors.ts';

/** A coordinate reference system in which features can be answered and boxes given. */
export interface Crs {
  readonly uri: string;
  /** Positions in its own order of axes, with the decimals that it needs. */
  readonly fromLonLat: (lon: number, lat: number) => readonly [number, number];
  readonly toLonLat: (first: number, second: number) => readonly [lon: number, lat: number];
  /** Whether it is in metres. */
  readonly isProjected?: true;
}

/** The radius of the sphere of Web Mercator, metres. */
const RADIUS = 6_378_137;
const DEGREE = Math.PI / 180;
/** The edge of Web Mercator, beyond which nothing can be drawn. */
const MAX_LATITUDE = 85.051_128_779_806_59;

/** Longitude and latitude, degrees: what is stored. */
export const CRS84: Crs = {
  uri: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
  fromLonLat: (lon, lat) => [lon, lat],
  toLonLat: (lon, lat) => [lon, lat],
};

/** Those there are, that of storage first. EPSG:4326 has the latitude first, and EPSG:3857 is in metres. */
export const SYSTEMS: readonly [Crs, ...Crs[]] = [
  CRS84,
  {
    uri: 'http://www.opengis.net/def/crs/EPSG/0/4326',
    fromLonLat: (lon, lat) => [lat, lon],
    toLonLat: (lat, lon) => [lon, lat],
  },
  {
    uri: 'http://www.opengis.net/def/crs/EPSG/0/3857',
    isProjected: true,
    fromLonLat: (lon, lat) => [
      millimetres(RADIUS * lon * DEGREE),
      millimetres(RADIUS * Math.asinh(Math.tan(Math.min(Math.max(lat, -MAX_LATITUDE), MAX_LATITUDE) * DEGREE))),
    ],
    toLonLat: (x, y) => [
      withoutNoise(x / RADIUS / DEGREE),
      withoutNoise((2 * Math.atan(Math.exp(y / RADIUS)) - Math.PI / 2) / DEGREE),
    ],
  },
];

/** @throws DomainError `invalid_parameter` that lists those there are */
export function crsOf(parameter: string, uri: string | undefined): Crs {
  const found = uri === undefined ? CRS84 : SYSTEMS.find((crs) => crs.uri === uri);
  if (found) return found;
  const known = SYSTEMS.map((crs) => crs.uri).join(', ');
  throw new DomainError('invalid_parameter', `${parameter}: must be one of ${known} (got ${quoted(uri)}).`);
}

/** A value as messages show it. */
export function quoted(text: string | undefined): string {
  return JSON.stringify((text ?? '').slice(0, 80).toWellFormed());
}

/** The members of a position that are not its height. */
const POSITION = /\[(-?\d[\d.e+-]*),(-?\d[\d.e+-]*)(?=[,\]])/gi;

/** Gives the text of a GeoJSON geometry in another system; undefined for the system in which geometries are stored. */
export function transformOf({ uri, fromLonLat }: Crs): ((geojson: string) => string) | undefined {
  if (uri === CRS84.uri) return undefined;
  return (geojson) =>
    geojson.replaceAll(POSITION, (_, lon, lat) => {
      const [first, second] = fromLonLat(Number(lon), Number(lat));
      return `[${first},${second}`;
    });
}

/** Degrees with the decimals that a projection keeps, so that a corner is where it was before it was projected. */
function withoutNoise(degrees: number): number {
  return Math.round(degrees * 1e9) / 1e9;
}

function millimetres(metres: number): number {
  return Math.round(metres * 1000) / 1000;
}
