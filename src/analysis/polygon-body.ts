import { z } from '@hono/zod-openapi';
import { checkGeometry, GeometryFault, type Path } from '../geojson/geometry.ts';
import { Polygon } from './polygon.ts';
import type { Polygonal } from './rings.ts';

/** Max positions of a polygon. */
export const MAX_POLYGON_POSITIONS = 5000;

const polygons = ['PolygonInput', 'MultiPolygonInput'].map((name) => ({ $ref: `#/components/schemas/${name}` }));

/** A polygon as clients send it, for the document only: `parsePolygon` checks it, and says where it is wrong. */
export const polygonSchema = z.any().openapi({
  description: `A Polygon or MultiPolygon of RFC 7946, or a Feature with one, in WGS 84: at most ${MAX_POLYGON_POSITIONS} positions, without rings that cross`,
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

/** A polygon of valid form whose rings may still cross. */
export interface ParsedPolygon {
  readonly geometry: Polygonal;
  /** Where it stands in the body. */
  readonly path: Path;
  readonly positions: number;
}

/**
 * Checks the form of a polygon in the member `geometry` of a body. Takes time linear in its positions.
 *
 * @throws GeometryFault with the location in the body
 */
export async function parsePolygon(given: unknown): Promise<ParsedPolygon> {
  const isFeature = (given as { type?: unknown } | null)?.type === 'Feature';
  const path: Path = isFeature ? ['geometry', 'geometry'] : ['geometry'];
  const value = isFeature ? (given as { geometry?: unknown }).geometry : given;
  checkGeometry(value, path, { isStrict: true });
  const geometry = value as Polygonal;
  if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') {
    const { type } = value as { type: string };
    throw new GeometryFault([...path, 'type'], `must be Polygon or MultiPolygon (got ${type})`);
  }
  const positions = geometry.coordinates.flat(geometry.type === 'Polygon' ? 1 : 2).length;
  if (positions > MAX_POLYGON_POSITIONS) {
    const rule = `must have at most ${MAX_POLYGON_POSITIONS} positions (got ${positions})`;
    throw new GeometryFault([...path, 'coordinates'], rule);
  }
  return { geometry, path, positions };
}

/**
 * Checks that the rings do not cross, and prepares the polygon for the comparison with areas: up to 0.5 s of CPU time.
 *
 * @throws GeometryFault with the location in the body
 */
export async function polygonOf({ geometry, path }: ParsedPolygon): Promise<Polygon> {
  try {
    return await Polygon.of(geometry);
  } catch (error) {
    throw error instanceof GeometryFault ? new GeometryFault([...path, ...error.path], error.message) : error;
  }
}
