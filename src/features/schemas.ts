import { z } from '@hono/zod-openapi';
import { unstorableParsed } from '../geojson/json.ts';
import { geojsonFeatureSchema, geometrySchema, newGeometrySchema } from '../geojson/schemas.ts';
import { metaSchema } from '../http/pagination.ts';
import { choiceParam, DECIMAL, integerParam } from '../http/params.ts';
import { changesOf, moment, uuidOf } from '../http/schemas.ts';
import { type Bbox, MAX_NAME_LENGTH } from './feature.ts';
import { refuseLongNames } from './new-feature.ts';

/** How numbers in a JSON body are kept, for descriptions. */
export const NUMBERS =
  'Numbers keep all their digits. Programs that read numbers as IEEE 754 doubles, JavaScript among them, round those beyond 2^53 or with more than 15 digits: write such numbers as strings where these programs read them (RFC 7493, 2.2)';

/**
 * Any JSON value that can be stored and given back.
 *
 * @param max how long it may be as JSON text, characters
 */
export function anyJson(max = Number.POSITIVE_INFINITY) {
  return z
    .any()
    .superRefine((value, context) => {
      const fault = unstorableParsed(value);
      if (fault) context.addIssue({ code: 'custom', message: fault });
      else if (max < Number.POSITIVE_INFINITY && (JSON.stringify(value) ?? '').length > max) {
        context.addIssue({ code: 'custom', message: `must have at most ${max} characters as JSON` });
      }
    })
    .openapi({
      description: `Any JSON value. ${NUMBERS}`,
      type: ['object', 'array', 'string', 'number', 'boolean', 'null'],
    });
}

const POINT = { type: 'Point', coordinates: [123.6082, 9.8794] };

/** A feature as a client sends it. */
export const FEATURE_EXAMPLE = {
  geom: POINT,
  properties: { name: 'Argao Central School', barangay: 'Poblacion', families: 120 },
};

const geometry = z.union([newGeometrySchema, z.null()]).optional().openapi({
  description:
    'RFC 7946 geometry, longitude before latitude, in degrees, unless it is a feature of a new dataset that names another srid; either as geom or as geometry. Null: the feature has none',
  example: POINT,
});

const properties = anyJson()
  .superRefine(refuseLongNames)
  .optional()
  .openapi({
    description: `Any JSON value; an object has names of at most 256 characters. ${NUMBERS}`,
    example: FEATURE_EXAMPLE.properties,
    propertyNames: { maxLength: MAX_NAME_LENGTH },
  } as object);

/** The members of a feature that a client sends. The geometry is checked by `newFeature`, which says where it is wrong. */
const featureMembers = { geom: geometry, geometry, properties };

/** The id of a dataset in examples. */
export const DATASET_ID = '6f1c9f0e-8a8e-4a52-9a38-3c1f2b8f2f10';

const datasetId = uuidOf('dataset').openapi({
  description: 'The dataset that the feature belongs to',
  example: DATASET_ID,
});

/**
 * Requires exactly one of the two names of the geometry. Null stands for a feature without a geometry (RFC 7946, 3.2); it
 * is ignored where the other name has a geometry.
 */
function requireOneGeometry(given: { geom?: unknown; geometry?: unknown }, context: z.RefinementCtx): void {
  const values = [given.geom, given.geometry].filter((value) => value !== undefined);
  if (values.length === 1 || values.filter((value) => value !== null).length === 1) return;
  const message =
    values.length === 0
      ? 'must have either geom or geometry, and not neither'
      : values[0] === null
        ? 'must be left out where geometry is null too: one null says that the feature has no geometry'
        : 'must have either geom or geometry, and not both';
  context.addIssue({ code: 'custom', message, path: ['geom'] });
}

/** The same for the document. */
const EITHER_NAME = [
  { title: 'with geom', required: ['geom'], properties: { geometry: { type: 'null' as const } } },
  { title: 'with geometry', required: ['geometry'], properties: { geom: { type: 'null' as const } } },
];
const NEITHER_NAME = {
  title: 'without',
  not: { anyOf: ['geom', 'geometry'].map((name) => ({ required: [name], properties: { [name]: {} } })) },
};

/** A feature of a new dataset. */
export const inlineFeatureSchema = z
  .object(featureMembers)
  .superRefine(requireOneGeometry)
  .openapi({ oneOf: EITHER_NAME });

export const newFeatureSchema = z
  .object({ dataset_id: datasetId, ...featureMembers })
  .superRefine(requireOneGeometry)
  .openapi('FeatureInput', { oneOf: EITHER_NAME, example: { dataset_id: DATASET_ID, ...FEATURE_EXAMPLE } });

export const featurePatchSchema = changesOf({ dataset_id: datasetId.optional(), ...featureMembers })
  .superRefine((given, context) => {
    if (given.geom !== undefined || given.geometry !== undefined) requireOneGeometry(given, context);
  })
  .openapi('FeaturePatch', {
    oneOf: [...EITHER_NAME, NEITHER_NAME],
    example: { properties: { ...FEATURE_EXAMPLE.properties, families: 150 } },
  });

export type NewFeatureInput = z.output<typeof newFeatureSchema>;
export type FeaturePatch = z.output<typeof featurePatchSchema>;

export const featureSchema = z
  .object({
    id: z.uuid(),
    dataset_id: z.uuid(),
    geom: z.union([geometrySchema, z.null()]),
    properties: z.any(),
    created_at: moment,
    updated_at: moment,
  })
  .openapi('Feature');

/** A list of features as GeoJSON. */
export const listedCollectionSchema = z
  .object({
    type: z.literal('FeatureCollection'),
    features: z.array(geojsonFeatureSchema),
    meta: metaSchema.openapi({ description: 'Position of the page in its list; a foreign member (RFC 7946, 6.1)' }),
  })
  .openapi('FeatureListGeoJson');

const BBOX_RULE =
  'must be four numbers: west,south,east,north in degrees, south not above north, west above east across 180°';
const LONGITUDE = { type: 'number' as const, minimum: -180, maximum: 180 };
const LATITUDE = { type: 'number' as const, minimum: -90, maximum: 90 };

const bboxParam = z
  .string(BBOX_RULE)
  .transform((text, context): Bbox => {
    const numbers = text.split(',').map((part) => (DECIMAL.test(part) ? Number(part) : Number.NaN));
    const [west = 0, south = 0, east = 0, north = 0] = numbers;
    const good =
      numbers.length === 4 &&
      [west, east].every((degrees) => Math.abs(degrees) <= 180) &&
      [south, north].every((degrees) => Math.abs(degrees) <= 90) &&
      south <= north;
    if (!good) context.addIssue({ code: 'custom', message: BBOX_RULE });
    return [west, south, east, north];
  })
  .openapi({
    type: 'array',
    items: { type: 'number' },
    prefixItems: [LONGITUDE, LATITUDE, LONGITUDE, LATITUDE],
    minItems: 4,
    maxItems: 4,
    description:
      'Filter by bounding box: west,south,east,north in degrees. Boxes are compared in single precision, about a metre',
    example: [120.9, 14.4, 121.2, 14.8],
    param: { name: 'bbox', in: 'query', style: 'form', explode: false },
  } as object);

export const featureListParams = z.object({
  page: integerParam({
    min: 1,
    max: 1_000_000,
    description: 'Page number, from 1; without page and limit: all',
    example: 1,
  }).optional(),
  limit: integerParam({
    min: 1,
    max: 1000,
    description: 'Features per page; 100 where only page is given',
    example: 100,
  }).optional(),
  bbox: bboxParam.optional(),
  format: choiceParam(['json', 'geojson'], 'Representation').optional(),
});

const featureId = uuidOf('feature');

/** Whether a text can be the id of a feature: those are UUIDs. */
export function isFeatureId(text: string): boolean {
  return featureId.safeParse(text).success;
}

export type FeatureListInput = z.output<typeof featureListParams>;
