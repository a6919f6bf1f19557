type Position = [lon: number, lat: number];
/** A closed ring: its last position is the first one. */
export type Ring = Position[];
export type Polygon = { type: 'Polygon'; coordinates: Ring[] };
export type MultiPolygon = { type: 'MultiPolygon'; coordinates: Ring[][] };

/** Thrown for a geometry that can't become a boundary; the message says why. */
export class BadGeometry extends Error {
  override name = 'BadGeometry';
}

/** Degrees. All of the Philippines and some sea around it; what lies outside is no boundary of this country. */
const ENVELOPE = { west: 112, south: 4, east: 128, north: 22 } as const;

const DECIMALS = 1e6;

/**
 * Puts a geometry of a file into the form in which it is stored: a Polygon or MultiPolygon with six decimals and
 * without repeated positions, its rings closed, outer rings counter-clockwise and inner rings clockwise (RFC 7946,
 * 3.1.6). Rings with fewer than three corners are dropped, an outer one with its inner ones. PostGIS checks later whether
 * rings cross.
 * @returns the geometry, and in `closed` how many rings had to be closed; null where there is no geometry or nothing is
 *   left of it
 * @throws BadGeometry for other types, broken coordinates, and coordinates outside of `ENVELOPE`
 */
export function tidyGeometry(geometry: unknown): { geometry: Polygon | MultiPolygon; closed: number } | null {
  if (geometry === null || geometry === undefined) return null;
  const { type, coordinates } = geometry as { type?: unknown; coordinates?: unknown };
  if (type !== 'Polygon' && type !== 'MultiPolygon') throw new BadGeometry(`is a ${type}, not a polygon`);
  const polygons = type === 'Polygon' ? [coordinates] : coordinates;
  if (!Array.isArray(polygons)) throw new BadGeometry('has no coordinates');
  const state = { closed: 0 };
  const tidied = polygons.map((polygon) => tidyPolygon(polygon, state)).filter((polygon) => polygon !== null);
  const [only, ...others] = tidied;
  if (only === undefined) return null;
  return {
    geometry:
      others.length === 0 ? { type: 'Polygon', coordinates: only } : { type: 'MultiPolygon', coordinates: tidied },
    closed: state.closed,
  };
}

function tidyPolygon(polygon: unknown, state: { closed: number }): Ring[] | null {
  if (!Array.isArray(polygon)) throw new BadGeometry('has a polygon that is no list of rings');
  const rings: Ring[] = [];
  for (const [i, positions] of polygon.entries()) {
    const ring = tidyRing(positions, state);
    if (ring.length < 4) {
      if (i === 0) return null;
      continue;
    }
    // A ring without an area may be a figure of eight, which has an area once PostGIS has repaired it.
    const area = twiceSignedArea(ring);
    rings.push(area === 0 || area > 0 === (i === 0) ? ring : ring.reverse());
  }
  return rings.length === 0 ? null : rings;
}

function tidyRing(positions: unknown, state: { closed: number }): Ring {
  if (!Array.isArray(positions)) throw new BadGeometry('has a ring that is no list of positions');
  const ring: Ring = [];
  let last: Position | undefined;
  for (const position of positions) {
    const [x, y] = Array.isArray(position) ? position : [];
    if (!Number.isFinite(x) || !Number.isFinite(y)) {
      throw new BadGeometry(
        `has the position ${JSON.stringify(position) ?? position}, which is no longitude and latitude`,
      );
    }
    refuseOutside(x, y);
    const next: Position = [Math.round(x * DECIMALS) / DECIMALS, Math.round(y * DECIMALS) / DECIMALS];
    if (last && last[0] === next[0] && last[1] === next[1]) continue;
    ring.push(next);
    last = next;
  }
  const [first] = ring;
  if (first && last && (first[0] !== last[0] || first[1] !== last[1])) {
    state.closed++;
    ring.push([first[0], first[1]]);
  }
  return ring;
}

function refuseOutside(x: number, y: number): void {
  if (isInside(x, y)) return;
  const swapped = isInside(y, x);
  throw new BadGeometry(
    swapped
      ? `has the position ${x}, ${y}: latitude and longitude are swapped`
      : `has the position ${x}, ${y}, which is outside the Philippines: a wrong projection`,
  );
}

function isInside(x: number, y: number): boolean {
  return x >= ENVELOPE.west && x <= ENVELOPE.east && y >= ENVELOPE.south && y <= ENVELOPE.north;
}

/** Twice the area that a closed ring encloses, positive where it runs counter-clockwise. */
function twiceSignedArea(ring: Ring): number {
  const [origin] = ring;
  if (!origin) return 0;
  let area = 0;
  let [x, y] = [0, 0];
  // Positions are taken relative to the first one, because small differences keep all their digits.
  for (const position of ring) {
    const [nextX, nextY] = [position[0] - origin[0], position[1] - origin[1]];
    area += x * nextY - nextX * y;
    [x, y] = [nextX, nextY];
  }
  return area;
}

/** A geometry in whole microdegrees. */
interface Rings {
  /** Closed rings, longitudes and latitudes by turns. */
  rings: Int32Array[];
  /** Square microdegrees. */
  area: number;
}

/** The rings and the area of a geometry of six decimals. */
export function ringsOf({ type, coordinates }: Polygon | MultiPolygon): Rings {
  const polygons = type === 'Polygon' ? [coordinates] : coordinates;
  const rings: Int32Array[] = [];
  let area = 0;
  for (const polygon of polygons) {
    for (const [i, ring] of polygon.entries()) {
      const flat = new Int32Array(2 * ring.length);
      for (const [k, [x, y]] of ring.entries()) {
        flat[2 * k] = Math.round(x * DECIMALS);
        flat[2 * k + 1] = Math.round(y * DECIMALS);
      }
      rings.push(flat);
      area += ((i === 0 ? 1 : -1) * Math.abs(twiceSignedArea(ring)) * DECIMALS * DECIMALS) / 2;
    }
  }
  return { rings, area };
}
