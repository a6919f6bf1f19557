import type { Geometry, Position } from 'geojson';
import type { Box } from '../places.ts';

/** The extent of a geometry; undefined if it has no position. */
export function extentOf(geometry: Geometry | null | undefined): Box | undefined {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  const add = (part: Position | Position[] | Position[][] | Position[][][]): void => {
    const [x, y] = part;
    if (typeof x === 'number' && typeof y === 'number') {
      west = Math.min(west, x);
      south = Math.min(south, y);
      east = Math.max(east, x);
      north = Math.max(north, y);
    } else for (const inner of part) if (typeof inner !== 'number') add(inner);
  };
  const walk = (one: Geometry | null | undefined): void => {
    if (one?.type === 'GeometryCollection') one.geometries.forEach(walk);
    else if (one) add(one.coordinates);
  };
  walk(geometry);
  return west <= east ? [west, south, east, north] : undefined;
}
