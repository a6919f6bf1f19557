import { z } from '@hono/zod-openapi';
import { DomainError } from '../errors.ts';
import { checkGeometry, GeometryFault, type Path, pathText } from '../geojson/geometry.ts';
import { Polygon } from './polygon.ts';
import type { Polygonal } from './rings.ts';

/** Max positions of a polygon. */
export const MAX_POLYGON_POSITIONS = 5000;

const polygons = ['PolygonInput', 'MultiPolygonInput'].map((name) => ({ $ref: `#/components/schemas/${name}` }));

/** A polygon as clients send it, for the document only: `drawnPolygon` checks it, and says where it is wrong. */
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

/** A geometry of which it is known that it has the form of a polygon, and not yet whether its rings cross. */
export interface DrawnPolygon {
  readonly geometry: Polygonal;
  /** Where it stands in the body. */
  readonly path: Path;
  readonly positions: number;
}

/**
 * Checks the form of a polygon in the member `geometry` of a body. Takes time linear in its positions.
 *
 * @throws DomainError `invalid_geometry` with the location of the fault
 */
export function drawnPolygon(given: unknown): DrawnPolygon {
  const isFeature = (given as { type?: unknown } | null)?.type === 'Feature';
  const path: Path = isFeature ? ['geometry', 'geometry'] : ['geometry'];
  const value = isFeature ? (given as { geometry?: unknown }).geometry : given;
  try {
    checkGeometry(value, path, { isStrict: true });
    const geometry = value as Polygonal;
    if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') {
      const { type } = value as { type: string };
      throw new GeometryFault([...path, 'type'], `must be Polygon or MultiPolygon (got ${type})`);
    }
    const positions = geometry.coordinates.flat(geometry.type === 'Polygon' ? 1 : 2).length;
    if (positions > MAX_POLYGON_POSITIONS) {
      throw new GeometryFault(
        [...path, 'coordinates'],
        `must have at most ${MAX_POLYGON_POSITIONS} positions (got ${positions})`,
      );
    }
    return { geometry, path, positions };
  } catch (error) {
    throw refused(error, path);
  }
}

/**
 * Checks that the rings do not cross, and prepares the polygon for the comparison with areas: up to 0.5 s of CPU time.
 *
 * @throws DomainError `invalid_geometry` with the location of the fault
 */
export async function polygonOf({ geometry, path }: DrawnPolygon): Promise<Polygon> {
  try {
    return await Polygon.of(geometry);
  } catch (error) {
    throw refused(error, path);
  }
}

function refused(error: unknown, path: Path): unknown {
  if (!(error instanceof GeometryFault)) return error;
  // A fault of `checkGeometry` has the whole path, one of `Polygon.of` the path within the geometry.
  const full = error.path[0] === 'geometry' ? error.path : [...path, ...error.path];
  return new DomainError('invalid_geometry', `${pathText(full)}: ${error.message}.`, { facts: { path: full } });
}
