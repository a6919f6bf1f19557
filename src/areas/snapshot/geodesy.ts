import type { Point } from '../store.ts';

const RADIANS = Math.PI / 180;

/** The WGS 84 ellipsoid: semi-major axis in metres, flattening, semi-minor axis. */
const A = 6_378_137;
const F = 1 / 298.257223563;
const B = A * (1 - F);

/**
 * Metres between two points on the WGS 84 ellipsoid, to a tenth of a millimetre for points up to some hundred
 * kilometres apart. Not for antipodes.
 *
 * Source: T. Vincenty, Direct and inverse solutions of geodesics on the ellipsoid, Survey Review 23 (176), 1975.
 */
export function metresBetween(p: Point, q: Point): number {
  const difference = (q.lon - p.lon) * RADIANS;
  const [sin1, cos1] = reduced(p.lat);
  const [sin2, cos2] = reduced(q.lat);
  let lambda = difference;
  for (let round = 0; round < 100; round++) {
    const sinLambda = Math.sin(lambda);
    const cosLambda = Math.cos(lambda);
    const sinSigma = Math.hypot(cos2 * sinLambda, cos1 * sin2 - sin1 * cos2 * cosLambda);
    if (sinSigma === 0) return 0;
    const cosSigma = sin1 * sin2 + cos1 * cos2 * cosLambda;
    const sigma = Math.atan2(sinSigma, cosSigma);
    const sinAlpha = (cos1 * cos2 * sinLambda) / sinSigma;
    const cos2Alpha = 1 - sinAlpha ** 2;
    // On the equator there is no such angle, and what it is multiplied with is zero.
    const cos2SigmaM = cos2Alpha === 0 ? 0 : cosSigma - (2 * sin1 * sin2) / cos2Alpha;
    const square = 2 * cos2SigmaM ** 2 - 1;
    const c = (F / 16) * cos2Alpha * (4 + F * (4 - 3 * cos2Alpha));
    const before = lambda;
    lambda = difference + (1 - c) * F * sinAlpha * (sigma + c * sinSigma * (cos2SigmaM + c * cosSigma * square));
    if (Math.abs(lambda - before) > 1e-13) continue;

    const u2 = cos2Alpha * ((A / B) ** 2 - 1);
    const a = 1 + (u2 / 16384) * (4096 + u2 * (u2 * (320 - 175 * u2) - 768));
    const b = (u2 / 1024) * (256 + u2 * (u2 * (74 - 47 * u2) - 128));
    const inner = cosSigma * square - (b / 6) * cos2SigmaM * (4 * sinSigma ** 2 - 3) * (4 * cos2SigmaM ** 2 - 3);
    return B * a * (sigma - b * sinSigma * (cos2SigmaM + (b / 4) * inner));
  }
  return Number.NaN;
}

/** Sine and cosine of the reduced latitude. */
function reduced(lat: number): [number, number] {
  const tan = (1 - F) * Math.tan(lat * RADIANS);
  const cos = 1 / Math.hypot(1, tan);
  return [tan * cos, cos];
}

/** Metres that a degree of longitude and one of latitude have on the ellipsoid at a latitude. */
export function metresPerDegree(lat: number): { lon: number; lat: number } {
  const e2 = F * (2 - F);
  const w = 1 - e2 * Math.sin(lat * RADIANS) ** 2;
  return {
    lon: (RADIANS * A * Math.cos(lat * RADIANS)) / Math.sqrt(w),
    lat: (RADIANS * A * (1 - e2)) / w ** 1.5,
  };
}
