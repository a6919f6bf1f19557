import type { Geometry } from '../geojson/geometry.ts';

/** The numbers that well-known binary (OGC 06-103r4) and FlatGeobuf have for types of geometry. */
export const SHAPE_TYPES = {
  Point: 1,
  LineString: 2,
  Polygon: 3,
  MultiPoint: 4,
  MultiLineString: 5,
  MultiPolygon: 6,
  GeometryCollection: 7,
} as const;

type ShapeName = keyof typeof SHAPE_TYPES;

/** A geometry with its coordinates in as few arrays as possible. */
export interface Shape {
  readonly type: ShapeName;
  /** How many numbers a position has. */
  readonly dimensions: 2 | 3;
  /**
   * Degrees: longitude, latitude, optional height, longitude, and so on. One array for a point, points or a line;
   * several for lines or rings. Empty if the geometry has parts.
   */
  readonly runs: readonly Float64Array[];
  /** The polygons of a MultiPolygon, and the members of a collection. */
  readonly parts: readonly Shape[];
}

/** west, south, east, north */
export type Box = readonly [number, number, number, number];

export function shapeOf({ type, coordinates, geometries }: Geometry): Shape {
  const name = type as ShapeName;
  switch (name) {
    case 'GeometryCollection':
      return withParts(name, geometries?.map(shapeOf) ?? []);
    case 'MultiPolygon':
      return withParts(
        name,
        (coordinates as unknown[]).map((polygon) => shapeOf({ type: 'Polygon', coordinates: polygon })),
      );
    case 'Polygon':
    case 'MultiLineString':
      return ofRuns(name, coordinates as number[][][]);
    case 'Point':
      return ofRuns(name, [[coordinates as number[]]]);
    default:
      return ofRuns(name, [coordinates as number[][]]);
  }
}

/** The shape of a Polygon or MultiPolygon. A Polygon becomes a MultiPolygon of one, so that a layer has one type. */
export function multiPolygonOf(geometry: Geometry): Shape {
  const shape = shapeOf(geometry);
  return shape.type === 'Polygon' ? withParts('MultiPolygon', [shape]) : shape;
}

function withParts(type: ShapeName, parts: readonly Shape[]): Shape {
  return { type, dimensions: parts.some(({ dimensions }) => dimensions === 3) ? 3 : 2, runs: [], parts };
}

function ofRuns(type: ShapeName, lines: readonly number[][][]): Shape {
  const dimensions = lines[0]?.[0]?.length === 3 ? 3 : 2;
  const runs = lines.map((positions) => {
    const run = new Float64Array(dimensions * positions.length);
    let at = 0;
    for (const position of positions) {
      for (let i = 0; i < dimensions; i += 1) run[at + i] = position[i] as number;
      at += dimensions;
    }
    return run;
  });
  return { type, dimensions, runs, parts: [] };
}

/** The box around a shape; null where it has no position. */
export function boxOf(shape: Shape): Box | null {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  widen(box, shape);
  return box[0] <= box[2] ? box : null;
}

function widen(box: [number, number, number, number], { runs, parts, dimensions }: Shape): void {
  for (const run of runs) widenBy(box, run, dimensions);
  for (const part of parts) widen(box, part);
}

/** Widens a box by positions, which stand in a row with so many numbers each. */
export function widenBy(box: [number, number, number, number], run: ArrayLike<number>, dimensions: number): void {
  for (let i = 0; i < run.length; i += dimensions) {
    const [x, y] = [run[i] as number, run[i + 1] as number];
    if (x < box[0]) box[0] = x;
    if (y < box[1]) box[1] = y;
    if (x > box[2]) box[2] = x;
    if (y > box[3]) box[3] = y;
  }
}

/** The box around several boxes. */
export function unionOf(boxes: readonly Box[]): Box {
  const sides = (side: 0 | 1 | 2 | 3, pick: (a: number, b: number) => number, start: number) =>
    boxes.reduce((found, box) => pick(found, box[side]), start);
  return [
    sides(0, Math.min, Infinity),
    sides(1, Math.min, Infinity),
    sides(2, Math.max, -Infinity),
    sides(3, Math.max, -Infinity),
  ];
}
