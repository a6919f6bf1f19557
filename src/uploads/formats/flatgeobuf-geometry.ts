import type { Geometry } from '../../geojson/geometry.ts';
import { GEOMETRY, TYPES } from '../../layer-files/flatgeobuf-schema.ts';
import type { Table } from './flatbuffer.ts';
import { FileFault } from './format.ts';
import { Positions } from './positions.ts';

/** Max nesting of collections; stops at endless nesting in a damaged file. */
const MAX_NESTING = 16;

/**
 * The GeoJSON geometry of a feature, not checked yet; null if it has none. Measures are left out, and heights unless
 * all positions have one.
 *
 * @param declared type of all features by the header; 0 if each has its own
 * @throws FileFault for curves and surfaces and for more than a geometry may have; RangeError where it is damaged
 */
export function geometryOfTable(table: Table | undefined, declared: number): Geometry | null {
  if (!table) return null;
  const positions = new Positions();
  const geometry = geometryOf(table, declared, { positions, depth: 0 });
  positions.dropPartialHeights();
  return geometry;
}

interface Reading {
  readonly positions: Positions;
  readonly depth: number;
}

function geometryOf(table: Table, declared: number, { positions, depth }: Reading): Geometry {
  if (depth > MAX_NESTING) throw new FileFault(`must not be nested deeper than ${MAX_NESTING} levels`);
  positions.countPart();
  const type = declared === TYPES.unknown ? table.byte(GEOMETRY.type) : declared;
  const inner = { positions, depth: depth + 1 };
  switch (type) {
    case TYPES.Point: {
      const [coordinates = []] = positionsOf(table, positions);
      // An empty point has no numbers, or NaN.
      return { type: 'Point', coordinates: coordinates.some(Number.isNaN) ? [] : coordinates };
    }
    case TYPES.LineString:
      return { type: 'LineString', coordinates: positionsOf(table, positions) };
    case TYPES.MultiPoint:
      return { type: 'MultiPoint', coordinates: positionsOf(table, positions) };
    case TYPES.Polygon:
      return { type: 'Polygon', coordinates: linesOf(table, positions) };
    case TYPES.MultiLineString:
      return { type: 'MultiLineString', coordinates: linesOf(table, positions) };
    case TYPES.MultiPolygon: {
      const polygons = Array.from(table.tables(GEOMETRY.parts), (part) => geometryOf(part, TYPES.Polygon, inner));
      return { type: 'MultiPolygon', coordinates: polygons.map(({ coordinates }) => coordinates) };
    }
    case TYPES.GeometryCollection: {
      const parts = table.tables(GEOMETRY.parts);
      return { type: 'GeometryCollection', geometries: Array.from(parts, (part) => geometryOf(part, 0, inner)) };
    }
    default:
      throw new FileFault(`a geometry of type ${type} can not be read: curves and surfaces have no place in GeoJSON`);
  }
}

function positionsOf(table: Table, positions: Positions): number[][] {
  const { view } = table;
  const plane = table.vector(GEOMETRY.xy, 8);
  if (!plane) return [];
  const count = Math.floor(plane.length / 2);
  positions.requireRoomFor(count);
  const heights = table.vector(GEOMETRY.z, 8);
  const found: number[][] = [];
  for (let i = 0; i < count; i += 1) {
    const at = plane.at + 16 * i;
    const height = heights && i < heights.length ? view.getFloat64(heights.at + 8 * i, true) : undefined;
    found.push(positions.add(view.getFloat64(at, true), view.getFloat64(at + 8, true), height));
  }
  return found;
}

/** Splits the positions into lines or rings at the table's ends; one without ends. */
function linesOf(table: Table, positions: Positions): number[][][] {
  const all = positionsOf(table, positions);
  const ends = table.vector(GEOMETRY.ends, 4);
  if (!ends || ends.length === 0) return all.length === 0 ? [] : [all];
  const lines: number[][][] = [];
  let start = 0;
  for (let i = 0; i < ends.length; i += 1) {
    const end = table.view.getUint32(ends.at + 4 * i, true);
    if (end < start || end > all.length) throw new RangeError('An end is out of the positions');
    positions.countPart();
    lines.push(all.slice(start, end));
    start = end;
  }
  if (start < all.length) throw new RangeError('Positions are in no line');
  return lines;
}
