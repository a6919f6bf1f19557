import type { Geometry, Position } from 'geojson';
import type { Box } from '../places.ts';

/** A picture of a part of the world in Web Mercator. */
export interface Frame {
  /** The part that is in the picture for certain. It is in its middle. */
  readonly box: Box;
  readonly width: number;
  readonly height: number;
}

/** What is drawn of a geometry: the data of a path of lines and rings, and the positions of its points. */
export interface Shape {
  readonly path: string;
  readonly isArea: boolean;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** How far positions of a line are apart at least, in units of the picture. Nobody sees more. */
const STEP = 0.35;

const MAX_LATITUDE = 85;

/** The latitude as Web Mercator draws it, in degrees of the equator, to the south. */
function southing(latitude: number): number {
  const bounded = Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude));
  return (-180 / Math.PI) * Math.asinh(Math.tan((bounded * Math.PI) / 180));
}

/** Makes positions in a picture of positions in degrees. */
export function projectionOf({ box: [west, south, east, north], width, height }: Frame) {
  const [top, bottom] = [southing(north), southing(south)];
  const scale = Math.min(width / Math.max(east - west, 1e-6), height / Math.max(bottom - top, 1e-6));
  const [middleX, middleY] = [(west + east) / 2, (top + bottom) / 2];
  return ([lon = 0, lat = 0]: Position): [x: number, y: number] => [
    width / 2 + (lon - middleX) * scale,
    height / 2 + (southing(lat) - middleY) * scale,
  ];
}

/**
 * What a picture shows of a geometry. Positions that lie closer together than can be seen are left out.
 *
 * @returns undefined if all of it lies outside of the picture
 */
export function shapeOf(geometry: Geometry | null, frame: Frame): Shape | undefined {
  const project = projectionOf(frame);
  const parts: string[] = [];
  const points: [number, number][] = [];
  let isArea = false;
  const isNear = ([x, y]: readonly [number, number]) =>
    x >= -20 && y >= -20 && x <= frame.width + 20 && y <= frame.height + 20;
  const line = (positions: Position[], isRing: boolean) => {
    const projected = positions.map(project);
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const [x, y] of projected) {
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
    }
    const isOutside = right < 0 || left > frame.width || bottom < 0 || top > frame.height;
    if (isOutside) return;
    let last: readonly [number, number] | undefined;
    const kept = projected.filter((position, index) => {
      const isFar = !last || Math.abs(position[0] - last[0]) >= STEP || Math.abs(position[1] - last[1]) >= STEP;
      if (!isFar && index < projected.length - 1) return false;
      last = position;
      return true;
    });
    // A ring of two positions has no inside.
    if (kept.length < (isRing ? 3 : 2)) return;
    parts.push(`M${kept.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}${isRing ? 'Z' : ''}`);
  };
  const point = (position: Position) => {
    const projected = project(position);
    if (isNear(projected)) points.push(projected);
  };
  const walk = (one: Geometry): void => {
    switch (one.type) {
      case 'Point':
        point(one.coordinates);
        break;
      case 'MultiPoint':
        for (const position of one.coordinates) point(position);
        break;
      case 'LineString':
        line(one.coordinates, false);
        break;
      case 'MultiLineString':
        for (const part of one.coordinates) line(part, false);
        break;
      case 'Polygon':
      case 'MultiPolygon':
        isArea = true;
        for (const polygon of one.type === 'Polygon' ? [one.coordinates] : one.coordinates)
          for (const ring of polygon) line(ring, true);
        break;
      case 'GeometryCollection':
        for (const part of one.geometries) walk(part);
    }
  };
  if (geometry) walk(geometry);
  return parts.length > 0 || points.length > 0 ? { path: parts.join(''), isArea, points } : undefined;
}
