import type { Geometry, Position } from 'geojson';

/** WGS 84: the half axis in km, and the first eccentricity. */
const HALF_AXIS_KM = 6378.137;
const ECCENTRICITY = 0.0818191908426215;

const RADIANS = Math.PI / 180;

/**
 * The area of a geometry on WGS 84, km². Edges run straight in degrees, as RFC 7946 (3.1.1) says. What is no polygon has
 * none.
 */
export function areaOf(geometry: Geometry | null): number {
  switch (geometry?.type) {
    case 'Polygon':
      return polygonArea(geometry.coordinates);
    case 'MultiPolygon':
      return geometry.coordinates.reduce((sum, polygon) => sum + polygonArea(polygon), 0);
    case 'GeometryCollection':
      return geometry.geometries.reduce((sum, one) => sum + areaOf(one), 0);
    default:
      return 0;
  }
}

function polygonArea([outer = [], ...holes]: Position[][]): number {
  return Math.max(
    0,
    holes.reduce((sum, hole) => sum - ringArea(hole), ringArea(outer)),
  );
}

/** The area between a ring and the equator, whose parts beside the ring cancel out. */
function ringArea(ring: Position[]): number {
  let sum = 0;
  for (const [index, [lon = 0, lat = 0]] of ring.entries()) {
    const [nextLon = 0, nextLat = 0] = ring[(index + 1) % ring.length] ?? [];
    sum += (nextLon - lon) * RADIANS * (stripOf(lat) + stripOf(nextLat));
  }
  return Math.abs(sum * HALF_AXIS_KM ** 2) / 4;
}

/** The authalic function q of a latitude (J. P. Snyder, USGS Professional Paper 1395, formula 3-12). */
function stripOf(latitude: number): number {
  const sine = Math.sin(latitude * RADIANS);
  const across = ECCENTRICITY * sine;
  const ratio = Math.log((1 - across) / (1 + across)) / (2 * ECCENTRICITY);
  return (1 - ECCENTRICITY ** 2) * (sine / (1 - across ** 2) - ratio);
}
