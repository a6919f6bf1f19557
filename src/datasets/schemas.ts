import { z } from '@hono/zod-openapi';
import {
  anyJson,
  DATASET_ID,
  FEATURE_EXAMPLE,
  featureSchema,
  inlineFeatureSchema,
  NUMBERS,
} from '../features/schemas.ts';
import { metaMembers, pageParams } from '../http/pagination.ts';
import { choiceParam, isOn, SWITCHES } from '../http/params.ts';
import { bodyText, changesOf, email, idParam, idParams, moment, type TextRule } from '../http/schemas.ts';

/** Who may read a dataset besides its owner: nobody, whoever has credentials, or whoever asks. */
const VISIBILITIES = ['private', 'accounts', 'everyone'] as const;

/** Which datasets a list has. */
export const LISTED = ['public', 'private', 'all', 'mine', 'accounts', 'everyone'] as const;

const MAX_METADATA = 64 * 1024;
/** How many features a body may have: as many as one statement stores well within its deadline. */
const MAX_INLINE_FEATURES = 5000;
export const MAX_SRID = 998_999;
export const SRID_RULE = `must be the number of a reference system, 1 to ${MAX_SRID}`;

export const DATA_TYPES = ['vector', 'raster', 'data'] as const;
const dataType = z.enum(DATA_TYPES, `must be one of ${DATA_TYPES.join(', ')}`);
const srid = z.int(SRID_RULE).min(1, SRID_RULE).max(MAX_SRID, SRID_RULE);

/** What text of datasets may be, in bodies and in the form of an upload. */
export const TEXTS = {
  name: { max: 256 },
  description: { max: 10_000, optional: true },
  geometryType: { max: 64 },
  status: { max: 64 },
} as const satisfies Record<string, TextRule>;

export const name = bodyText(TEXTS.name);
export const description = bodyText(TEXTS.description);
export const geometryType = bodyText(TEXTS.geometryType);
export const status = bodyText(TEXTS.status);

const NAME_EXAMPLE = 'Evacuation centres of Argao';
const DESCRIPTION_EXAMPLE = 'Schools and covered courts that open before a typhoon';

const named = name.openapi({ description: 'Display name', example: NAME_EXAMPLE });

export const datasetParams = idParams('dataset', DATASET_ID);

/** The members of a body but the name and the features. */
const members = {
  user_id: idParam('Owner; only the master token may name another').nullish(),
  user_email: email.nullish().openapi({ description: "Owner's address; only the master token may name another" }),
  description: description.nullish().openapi({ description: 'Description for people', example: DESCRIPTION_EXAMPLE }),
  is_public: z.boolean('must be true or false').optional().openapi({
    description: 'Whether others may read it: true turns private into accounts, false means private; default false',
  }),
  visibility: z
    .enum(VISIBILITIES, `must be one of ${VISIBILITIES.join(', ')}`)
    .optional()
    .openapi({
      description:
        'Who may read it. private: its owner; accounts: everybody with an account; everyone: also callers without a key, and any site may embed it. Default: as is_public says. If a change has both, the one that differs from before counts, this one first',
    }),
  data_type: dataType.optional().openapi({ description: 'What kind of data it is; default vector' }),
  srid: srid.optional().openapi({
    description: 'EPSG code of the reference system of the features in this body; default 4326 (WGS 84, degrees)',
    example: 4326,
  }),
  geometry_type: geometryType.nullish().openapi({ description: 'Null: derived from the features', example: 'POINT' }),
  status: status.optional().openapi({
    description:
      'Any word. Default: ready, or draft without features; a draft becomes ready with its first features or its file',
    example: 'ready',
  }),
  metadata: anyJson(MAX_METADATA)
    .optional()
    .openapi({
      description: `Any JSON value, at most ${MAX_METADATA} characters. A text \`map_style\` of an object is how the map draws the dataset: the query of an address of \`/explore\`, such as \`color=cases&method=natural\`. ${NUMBERS}`,
      example: { surveyed_by: 'Municipal disaster office' },
    }),
  storage_ref: bodyText({ max: 1024, optional: true }).nullish().openapi({
    description:
      'Location of its file. The service sets it when a file is stored; afterwards only an upload changes it',
    example: null,
  }),
};

export const newDatasetSchema = z
  .object({
    name: named,
    ...members,
    features: z
      .array(inlineFeatureSchema, 'must be an array of features')
      .max(
        MAX_INLINE_FEATURES,
        `must have at most ${MAX_INLINE_FEATURES} features; upload a file of more to /v1/datasets/upload`,
      )
      .optional()
      .openapi({ description: 'Initial features: either all are stored or none' }),
  })
  .openapi('DatasetInput', { example: { name: NAME_EXAMPLE, features: [FEATURE_EXAMPLE] } });

const NO_FEATURES =
  'must be left out or empty: features are changed by /v1/features, or replaced by an upload with dataset_id';

export const datasetPatchSchema = changesOf({
  name: named.optional(),
  ...members,
  features: z.array(z.any(), NO_FEATURES).max(0, NO_FEATURES).nullish().openapi({
    description:
      'Nothing, as in a record that was got without its features. They are changed by /v1/features, or replaced by an upload with dataset_id',
    example: [],
  }),
}).openapi('DatasetPatch', { example: { description: DESCRIPTION_EXAMPLE, visibility: 'everyone' } });

export type NewDatasetInput = z.output<typeof newDatasetSchema>;
export type DatasetPatch = z.output<typeof datasetPatchSchema>;

export const datasetSchema = z
  .object({
    id: z.uuid(),
    user_id: z.uuid().nullable(),
    user_email: z.string().nullable().openapi({
      description: 'Email address of the owner; null for other callers, except administrators who filter by it',
    }),
    name: z.string().openapi({ example: NAME_EXAMPLE }),
    description: z.string().nullable().openapi({ example: DESCRIPTION_EXAMPLE }),
    is_public: z.boolean().openapi({ description: 'Whether visibility is accounts or everyone' }),
    visibility: z.enum(VISIBILITIES).openapi({ description: 'Who may read it besides its owner' }),
    visibility_chosen: z.boolean().openapi({
      description: 'False for a dataset that was public before `everyone` existed, until its visibility is set',
      example: true,
    }),
    data_type: dataType,
    srid: z.int().openapi({ description: 'EPSG code of the input; features are stored in WGS 84', example: 4326 }),
    geometry_type: z.string().nullable().openapi({ example: 'POINT' }),
    status: z.string().openapi({ example: 'ready' }),
    metadata: z.any(),
    storage_ref: z.string().nullable(),
    feature_count: z.int().openapi({ example: 23 }),
    bbox: z
      .array(z.number())
      .nullable()
      .openapi({
        description: 'West, south, east, north in degrees (WGS 84)',
        minItems: 4,
        maxItems: 4,
        example: [123.51, 9.81, 123.63, 9.93],
      }),
    size_bytes: z.number().openapi({ description: 'Size of the stored file, or of the features if there is none' }),
    stored_bytes: z
      .number()
      .openapi({ description: 'What it counts in the storage quota of its owner', example: 11_904 }),
    created_at: moment,
    updated_at: moment,
    features: z.array(featureSchema).openapi({ description: 'Empty unless requested' }),
  })
  .openapi('Dataset');

/** A dataset without its features. */
export type Dataset = Omit<z.output<typeof datasetSchema>, 'features'>;

const debugSchema = z
  .object({
    principal: z.string(),
    user_id: z.string().nullable(),
    visibility: z.string(),
    filters: z.record(z.string(), z.any()),
  })
  .openapi('DatasetListDebug');

export const datasetMetaSchema = z.object({ ...metaMembers, debug: debugSchema.optional() }).openapi('DatasetListMeta');

const switchParam = (what: string) =>
  choiceParam(SWITCHES, what)
    .optional()
    .transform((text) => text !== undefined && isOn(text));

export const includeFeatures = switchParam('Whether to include the features of each dataset');

export const datasetListParams = z.object({
  ...pageParams,
  includeFeatures,
  user_email: email.optional().openapi({ description: 'Filter by owner; administrators only' }),
  visibility: choiceParam(
    LISTED,
    'Which of the datasets that you may read; public: those with visibility accounts or everyone',
  ).optional(),
  debug: switchParam('Whether meta describes how the list was scoped'),
});

export type DatasetListInput = z.output<typeof datasetListParams>;
