const RADIANS = Math.PI / 180;

/** The WGS 84 ellipsoid: semi-major axis in kilometres, first eccentricity squared. */
const A = 6378.137;
const E2 = 0.00669437999014;

/**
 * Degrees of latitude that Simpson's rule goes over in one step. Its error is below 1e-11 of what lies west, which may be a million
 * times what lies in a narrow polygon.
 */
const STEP = 0.5;

/** Degrees of latitude that one value in the middle stands for, with the same error. */
const SHORT = 0.001;

/** Square kilometres of a square degree at the equator. */
const SQUARE = (A * RADIANS) ** 2 * (1 - E2);

/** The square kilometres that a square degree has at a latitude. */
function density(lat: number): number {
  const sin = Math.sin(lat * RADIANS);
  const square = sin * sin;
  const flattened = 1 - E2 * square;
  return (SQUARE * Math.sqrt(1 - square)) / (flattened * flattened);
}

/**
 * What lies between an edge and the meridian of zero, square kilometres: positive where the edge leads north and lies
 * east of it. The sum over the edges of a ring is the area in the ring, if it runs counterclockwise. Edges are straight in
 * longitudes and latitudes (RFC 7946, 3.1.1), and the area is exact on the ellipsoid but for rounding.
 */
export function areaWestOf(x1: number, y1: number, x2: number, y2: number): number {
  const rise = y2 - y1;
  if (rise < SHORT && rise > -SHORT) return ((rise * (x1 + x2)) / 2) * density((y1 + y2) / 2);
  const steps = Math.max(1, Math.ceil(Math.abs(y2 - y1) / STEP));
  let sum = 0;
  for (let i = 0; i < steps; i++) {
    const [from, to] = [i / steps, (i + 1) / steps];
    const [xa, ya] = [x1 + from * (x2 - x1), y1 + from * (y2 - y1)];
    const [xb, yb] = [x1 + to * (x2 - x1), y1 + to * (y2 - y1)];
    const [xm, ym] = [(xa + xb) / 2, (ya + yb) / 2];
    sum += ((yb - ya) / 6) * (xa * density(ya) + 4 * xm * density(ym) + xb * density(yb));
  }
  return sum;
}

/** Kilometres along a line, about. */
export function kilometres(x1: number, y1: number, x2: number, y2: number): number {
  return A * RADIANS * Math.hypot((x2 - x1) * Math.cos(((y1 + y2) / 2) * RADIANS), y2 - y1);
}
