import { z } from '@hono/zod-openapi';
import { GEOMETRY_TYPES } from './geometry.ts';

const types = GEOMETRY_TYPES.slice(1) as [string, ...string[]];

type OpenApi = Parameters<z.ZodType['openapi']>[1];

interface ArrayRule {
  readonly type: string | string[];
  readonly items: object;
  readonly minItems?: number;
  readonly maxItems?: number;
}

const arrayOf = (items: object, minItems?: number): ArrayRule => ({
  type: 'array',
  items,
  ...(minItems === undefined ? {} : { minItems }),
});
const POSITION = { ...arrayOf({ type: 'number' }, 2), maxItems: 3 };
const lengths = (minItems: number, maxItems: number) => ({ minItems, maxItems });
/** Four numbers, or six. */
const BOX = {
  ...arrayOf({ type: 'number' }),
  type: ['array', 'null'],
  ...lengths(4, 6),
  not: { type: 'array', ...lengths(5, 5) },
};
const LINE = arrayOf(POSITION, 2);

/** Also allows an empty array. A single array type, because client generators can't tell array types apart. */
const orEmpty = ({ minItems = 0, ...coordinates }: ArrayRule) => ({ ...coordinates, not: lengths(1, minItems - 1) });

const POLYGON = arrayOf(orEmpty(arrayOf(POSITION, 4)));

/** The coordinates of each type. A list without any is a geometry that is null (RFC 7946, 3.1). Empty parts are left out. */
const COORDINATES = {
  Point: POSITION,
  MultiPoint: arrayOf(orEmpty(POSITION)),
  LineString: LINE,
  MultiLineString: arrayOf(orEmpty(LINE)),
  Polygon: POLYGON,
  MultiPolygon: arrayOf(POLYGON),
};

/** A geometry of one type, without the member of the others. */
const shape = (type: string, member: string, content: object, other: string) => ({
  title: type,
  type: 'object',
  required: ['type', member],
  properties: { type: { type: 'string', const: type }, [member]: content, bbox: BOX, crs: { type: 'null' } },
  not: { required: [other], properties: { [other]: {} } },
});

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/**
 * Geometries of each type as clients send them, by their names in the document. Each has a name, because client
 * generators can't handle recursion through an unnamed schema.
 */
export const NEW_GEOMETRIES: Readonly<Record<string, object>> = Object.fromEntries([
  ...Object.entries(COORDINATES).map(([type, content]) => [
    `${type}Input`,
    shape(type, 'coordinates', content, 'geometries'),
  ]),
  [
    'GeometryCollectionInput',
    shape('GeometryCollection', 'geometries', arrayOf(reference('GeometryInput')), 'coordinates'),
  ],
]);

/**
 * An RFC 7946 geometry as clients send it, for the document only. `checkGeometry` validates, including rules beyond a
 * schema, and names the location of a fault.
 */
export const newGeometrySchema = z.any().openapi('GeometryInput', {
  description:
    'RFC 7946 geometry. All its positions have two numbers, or all have three; rings end where they begin; collections are nested at most 8 deep, the geometries in the innermost one counted',
  oneOf: Object.keys(NEW_GEOMETRIES).map(reference),
} as OpenApi);

/** An RFC 7946 geometry as answers show it. */
export const geometrySchema = z
  .object({ type: z.enum(types), coordinates: z.array(z.any()).optional(), geometries: z.array(z.any()).optional() })
  .catchall(z.any())
  .openapi('Geometry', { description: 'RFC 7946 geometry in WGS 84' });

export const geojsonFeatureSchema = z
  .object({
    type: z.literal('Feature'),
    id: z.union([z.string(), z.number()]).optional(),
    geometry: z.union([geometrySchema, z.null()]),
    properties: z.union([z.record(z.string(), z.any()), z.null()]),
  })
  .openapi('GeoJsonFeature');

export const featureCollectionSchema = z
  .object({ type: z.literal('FeatureCollection'), features: z.array(geojsonFeatureSchema) })
  .openapi('GeoJsonFeatureCollection');
