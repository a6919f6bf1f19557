import type { Feature, FeatureCollection, Geometry, Position } from 'geojson';

// TopoJSON: areas are rings of arcs, and neighbours share the arcs of their border.
// https://github.com/topojson/topojson-specification

interface Shared<Type extends string, Arcs> {
  readonly type: Type;
  readonly arcs: Arcs;
}

type Shape =
  | Shared<'Polygon', readonly (readonly number[])[]>
  | Shared<'MultiPolygon', readonly (readonly (readonly number[])[])[]>
  | { readonly type: 'Point'; readonly coordinates: readonly [number, number] };

/** A quantized topology of polygons and points. */
export interface Topology {
  readonly transform: { readonly scale: readonly [number, number]; readonly translate: readonly [number, number] };
  readonly objects: Readonly<
    Record<string, { readonly geometries: readonly (Shape & { readonly properties: Record<string, unknown> })[] }>
  >;
  readonly arcs: readonly (readonly (readonly [number, number])[])[];
}

/** The objects of a topology as GeoJSON. Positions that two areas share are the same in both. */
export function unfold({ transform, objects, arcs }: Topology): Record<string, FeatureCollection> {
  const { scale, translate } = transform;
  const positionOf = (x: number, y: number): Position => [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  const lines = arcs.map((arc) => {
    let [x, y] = [0, 0];
    // Each step of an arc is relative to the one before.
    return arc.map(([dx, dy]) => {
      x += dx;
      y += dy;
      return positionOf(x, y);
    });
  });
  const ring = (indices: readonly number[]): Position[] =>
    indices.flatMap((index, i) => {
      // The complement of an index is that of the arc backwards.
      const line = index < 0 ? lines[~index]?.toReversed() : lines[index];
      return (line ?? []).slice(i === 0 ? 0 : 1);
    });
  const geometryOf = (shape: Shape): Geometry => {
    if (shape.type === 'Point') return { type: 'Point', coordinates: positionOf(...shape.coordinates) };
    if (shape.type === 'Polygon') return { type: 'Polygon', coordinates: shape.arcs.map(ring) };
    return { type: 'MultiPolygon', coordinates: shape.arcs.map((polygon) => polygon.map(ring)) };
  };
  return Object.fromEntries(
    Object.entries(objects).map(([name, { geometries }]) => {
      const features = geometries.map(
        (shape): Feature => ({ type: 'Feature', properties: shape.properties, geometry: geometryOf(shape) }),
      );
      return [name, { type: 'FeatureCollection', features }];
    }),
  );
}
