import { z } from '@hono/zod-openapi';
import { GEOMETRY_TYPES } from './geometry.ts';

const types = GEOMETRY_TYPES.slice(1) as [string, ...string[]];

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
