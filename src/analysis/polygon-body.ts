import { z } from '@hono/zod-openapi';
import { DomainError } from '../errors.ts';
import { checkGeometry, GeometryFault, type Path, pathText } from '../geojson/geometry.ts';
import { Polygon } from './polygon.ts';
import type { Polygonal } from './rings.ts';

/** Max positions of a polygon. */
export const MAX_POLYGON = 5000;

const polygons = ['PolygonInput', 'MultiPolygonInput'].map((name) => ({ $ref: `#/components/schemas/${name}` }));

/** A polygon as clients send it, for the document only: `polygonOf` checks it, and says where it is wrong. */
export const polygonSchema = z.any().openapi({
  description: `A Polygon or MultiPolygon of RFC 7946, or a Feature with one, in WGS 84: at most ${MAX_POLYGON} positions, without rings that cross`,
  oneOf: [
    ...polygons,
    {
      title: 'Feature',
      type: 'object',
      required: ['type', 'geometry'],
      properties: { type: { type: 'string', const: 'Feature' }, geometry: { oneOf: polygons } },
    },
  ],
  example: {
    type: 'Polygon',
    coordinates: [
      [
        [123.85, 10.28],
        [123.95, 10.28],
        [123.95, 10.36],
        [123.85, 10.36],
        [123.85, 10.28],
      ],
    ],
  },
} as object);

/**
 * The polygon of the member `geometry` of a body.
 *
 * @throws DomainError `invalid_geometry` with the place of the fault
 */
export async function polygonOf(given: unknown): Promise<Polygon> {
  const isFeature = (given as { type?: unknown } | null)?.type === 'Feature';
  const path: Path = isFeature ? ['geometry', 'geometry'] : ['geometry'];
  try {
    return await Polygon.of(checked(isFeature ? (given as { geometry?: unknown }).geometry : given, path));
  } catch (error) {
    if (!(error instanceof GeometryFault)) throw error;
    // What a polygon is refused for is told by its place in the geometry.
    const place = error.path[0] === 'geometry' ? error.path : [...path, ...error.path];
    throw new DomainError('invalid_geometry', `${pathText(place)}: ${error.message}.`, { path: place });
  }
}

function checked(value: unknown, path: Path): Polygonal {
  checkGeometry(value, path, { isStrict: true });
  const geometry = value as Polygonal;
  if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') {
    const { type } = value as { type: string };
    throw new GeometryFault([...path, 'type'], `must be Polygon or MultiPolygon (got ${type})`);
  }
  const count = geometry.coordinates.flat(geometry.type === 'Polygon' ? 1 : 2).length;
  if (count > MAX_POLYGON) {
    throw new GeometryFault([...path, 'coordinates'], `must have at most ${MAX_POLYGON} positions (got ${count})`);
  }
  return geometry;
}
