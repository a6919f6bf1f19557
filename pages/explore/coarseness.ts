import type { Geometry, Position } from 'geojson';

/** Areas whose borders have longer sides than this on average are drawn as coarsely as the coarse map, kilometres. */
const COARSE_KM = 0.8;

const KM_OF_DEGREE = 111.3;

/** Whether areas are drawn as coarsely as the coarse map of the country. Of what is no area, nothing is said. */
export function areCoarse(geometries: readonly (Geometry | null)[]): boolean {
  const rings = geometries.flatMap(outerRings);
  const sides = rings.reduce((sum, ring) => sum + ring.length - 1, 0);
  return sides > 0 && rings.reduce((sum, ring) => sum + lengthOf(ring), 0) / sides > COARSE_KM;
}

function outerRings(geometry: Geometry | null): Position[][] {
  if (geometry?.type === 'Polygon') return geometry.coordinates.slice(0, 1);
  return geometry?.type === 'MultiPolygon' ? geometry.coordinates.flatMap((rings) => rings.slice(0, 1)) : [];
}

/** Kilometres, as exactly as it matters in these latitudes. */
function lengthOf(ring: readonly Position[]): number {
  return ring.slice(1).reduce((sum, [lon = 0, lat = 0], index) => {
    const [west = 0, south = 0] = ring[index] ?? [];
    return sum + Math.hypot((lon - west) * Math.cos((lat * Math.PI) / 180), lat - south) * KM_OF_DEGREE;
  }, 0);
}
