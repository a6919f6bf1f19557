import type { Geometry, Position } from 'geojson';
import { extentOf } from './extent.ts';

/**
 * A geometry whose lines and rings run on beyond 180° where they cross the antimeridian. They should be cut there (RFC 7946,
 * 3.1.9), but files from elsewhere jump to the other side of the world, and a map would draw them all around it.
 */
export function unwrapped(geometry: Geometry): Geometry {
  switch (geometry.type) {
    case 'LineString':
      return { ...geometry, coordinates: lineOf(geometry.coordinates) };
    case 'MultiLineString':
      return { ...geometry, coordinates: geometry.coordinates.map(lineOf) };
    case 'Polygon':
      return { ...geometry, coordinates: polygonOf(geometry.coordinates) };
    case 'MultiPolygon':
      return { ...geometry, coordinates: geometry.coordinates.map(polygonOf) };
    case 'GeometryCollection':
      return { ...geometry, geometries: geometry.geometries.map(unwrapped) };
    default:
      return geometry;
  }
}

/** The line itself where it crosses nothing. */
function lineOf(line: Position[]): Position[] {
  let turn = 0;
  const turns = line.map(([lon = 0], index) => {
    const [before = lon] = line[index - 1] ?? [];
    if (Math.abs(lon - before) > 180) turn += lon < before ? 360 : -360;
    return turn;
  });
  if (turns.every((one) => one === 0)) return line;
  const other = line.map((position, index) => moved(position, turns[index] ?? 0));
  // An edge from -180° to 180° goes around the world if nothing else has a width.
  const [west, , east] = boxOf(other);
  return west === east ? line : other;
}

function polygonOf(rings: Position[][]): Position[][] {
  const [first = [], ...holes] = rings;
  const outer = isWideBox(first) ? first : lineOf(first);
  // A ring around a pole comes back elsewhere.
  if (outer === first || outer[0]?.[0] !== outer.at(-1)?.[0]) return rings;
  const middle = middleOf(outer);
  const inside = (hole: Position[]) => {
    const ring = lineOf(hole);
    const turn = 360 * Math.round((middle - middleOf(ring)) / 360);
    return ring.map((position) => moved(position, turn));
  };
  return [outer, ...holes.map(inside)];
}

/**
 * Whether a ring is a box that is wider than half of the world, and not a narrow one over the antimeridian. An outline runs
 * counterclockwise (RFC 7946, 3.1.6), and one that jumps over the antimeridian seems to run clockwise.
 */
function isWideBox(ring: Position[]): boolean {
  if (ring.length > 5) return false;
  const area = ring.slice(1).reduce((sum, [lon = 0, lat = 0], index) => {
    const [lonBefore = 0, latBefore = 0] = ring[index] ?? [];
    return sum + lonBefore * lat - lon * latBefore;
  }, 0);
  return area > 0;
}

function moved([lon = 0, ...others]: Position, degrees: number): Position {
  return [lon + degrees, ...others];
}

function middleOf(line: Position[]): number {
  const [west, , east] = boxOf(line);
  return (west + east) / 2;
}

function boxOf(line: Position[]) {
  return extentOf({ type: 'LineString', coordinates: line }) ?? [0, 0, 0, 0];
}
