import { z } from '@hono/zod-openapi';
import { EDITION_ID } from '../areas/edition-id.ts';
import { editionParams } from '../areas/params.ts';
import { RESOLUTIONS } from '../areas/store.ts';
import {
  DATA_TYPES,
  description,
  geometryType,
  MAX_SRID,
  name,
  SRID_RULE,
  status,
  TEXTS,
} from '../datasets/schemas.ts';
import { DomainError } from '../errors.ts';
import { WGS84 } from '../geojson/domains.ts';
import { isOn, SWITCHES } from '../http/params.ts';
import { bodyText, email, type TextRule, textSchema, uuidOf } from '../http/schemas.ts';
import { NAME_LEVELS } from '../names/source.ts';
import { encodingNamed } from './formats/encoding.ts';
import type { Part } from './multipart.ts';

const MAX_FIELD_BYTES = 64 * 1024;

const STORAGE = ['features_and_r2', 'r2_only'] as const;

export type FeatureStorage = (typeof STORAGE)[number];

const ON_INVALID = ['refuse', 'skip'] as const;

const PLACE_COLUMNS_RULE =
  'must be a JSON object of headings, such as {"province":"Lalawigan"}, whose members are region, province, municity, barangay, text, code and match';

const heading = z.string(PLACE_COLUMNS_RULE).max(200, 'must have headings of at most 200 characters').optional();

const placeColumns = z
  .string()
  .transform(parsed)
  .pipe(
    z.strictObject(
      {
        region: heading,
        province: heading,
        municity: heading,
        barangay: heading,
        text: heading,
        code: heading,
        match: heading,
      },
      PLACE_COLUMNS_RULE,
    ),
  );

const SWITCH_RULE = `must be one of ${SWITCHES.join(', ')}`;

/** An empty field counts as omitted, because browsers send empty form fields. */
const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

/** The fields of an upload besides the file. Each arrives as text. */
const fieldsSchema = z
  .object({
    name: optional(name),
    description: optional(description),
    data_type: optional(z.enum(DATA_TYPES, `must be one of ${DATA_TYPES.join(', ')}`)),
    srid: optional(
      z
        .string()
        .transform((text) => (text === 'null' ? String(WGS84) : text))
        .pipe(
          z
            .string()
            .regex(/^\d{1,6}$/, SRID_RULE)
            .transform(Number)
            .pipe(z.int().min(1, SRID_RULE).max(MAX_SRID, SRID_RULE)),
        ),
    ),
    layer: optional(name),
    encoding: optional(
      bodyText({ max: 64 })
        .transform(encodingNamed)
        .refine((label) => label !== undefined, 'must name an encoding, such as utf-8, windows-1252 or iso-8859-1'),
    ),
    place_columns: optional(placeColumns),
    level: optional(z.enum(NAME_LEVELS, `must be one of ${NAME_LEVELS.join(', ')}`)),
    edition: optional(editionParams.edition),
    resolution: optional(z.enum(RESOLUTIONS, `must be one of ${RESOLUTIONS.join(', ')}`)),
    geometry_type: optional(geometryType),
    status: optional(status),
    user_email: optional(email),
    dataset_id: optional(uuidOf('dataset')),
    feature_storage: optional(z.enum(STORAGE, `must be one of ${STORAGE.join(', ')}`)),
    materialize_features: optional(z.enum(SWITCHES, SWITCH_RULE)),
    on_invalid: optional(z.enum(ON_INVALID, `must be one of ${ON_INVALID.join(', ')}`)),
  })
  .transform(({ feature_storage, materialize_features, ...fields }) => ({
    ...fields,
    storage: feature_storage ?? storageOf(materialize_features),
  }))
  .superRefine(({ dataset_id, storage }, context) => {
    if (dataset_id === undefined || storage !== undefined) return;
    const message = `must be given with dataset_id: ${STORAGE.join(' or ')}`;
    context.addIssue({ code: 'custom', path: ['feature_storage'], message });
  });

export type UploadFields = z.output<typeof fieldsSchema>;

/** Thrown for form fields that don't match their schema, with the input. */
export class InvalidFields extends Error {
  override readonly name = 'InvalidFields';
  readonly refusal: ReturnType<typeof fieldsSchema.safeParse> & { success: false };
  readonly given: Readonly<Record<string, string>>;

  constructor(refusal: InvalidFields['refusal'], given: Readonly<Record<string, string>>) {
    super('The fields of the form are not valid');
    this.refusal = refusal;
    this.given = given;
  }
}

/** @throws InvalidFields */
export function parseFields(given: Readonly<Record<string, string>>): UploadFields {
  const result = fieldsSchema.safeParse(given);
  if (result.success) return result.data;
  throw new InvalidFields(result, given);
}

/**
 * The text of a field.
 *
 * @throws DomainError `invalid_multipart` if it is too long or not UTF-8
 */
export async function fieldText(part: Part): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let text = '';
  let bytes = 0;
  try {
    for await (const chunk of part.chunks) {
      bytes += chunk.length;
      if (bytes > MAX_FIELD_BYTES) {
        throw new DomainError('invalid_multipart', `${part.name}: must have at most ${MAX_FIELD_BYTES} bytes.`);
      }
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof DomainError || !(error instanceof TypeError)) throw error;
    throw new DomainError('invalid_multipart', `${part.name.slice(0, 64)}: must be UTF-8.`, { cause: error });
  }
}

/** The value of a JSON text; null if it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function storageOf(materialize: (typeof SWITCHES)[number] | undefined): FeatureStorage | undefined {
  if (materialize === undefined) return undefined;
  return isOn(materialize) ? 'features_and_r2' : 'r2_only';
}

const text = (what: string, example: string, rule?: TextRule) => ({
  type: 'string' as const,
  ...(rule && textOrNothing(rule)),
  description: what,
  example,
});

/** A text that may be empty, because an empty field counts as omitted. */
function textOrNothing(rule: TextRule) {
  const { maxLength, pattern } = textSchema(rule);
  return { maxLength, pattern: rule.optional ? pattern : `^$|${pattern}` };
}

/** One of some words, or nothing. */
const oneOf = (words: readonly string[], description: string) => ({
  type: 'string' as const,
  enum: [...words, ''],
  description,
});

/** A text of a format, or an empty one. Each alternative has its own type, which client generators need. */
const orEmpty = (format: string) => [
  { type: 'string' as const, format },
  { type: 'string' as const, const: '' },
];

/**
 * The form in the document, in which any field may be empty. It is written by hand, because the form is streamed and its
 * fields are checked above.
 */
export const formSchema = {
  type: 'object' as const,
  required: ['file'],
  dependentSchemas: {
    dataset_id: {
      anyOf: [
        { properties: { dataset_id: { const: '' } } },
        { required: ['feature_storage'], properties: { feature_storage: { enum: [...STORAGE] } } },
        { required: ['materialize_features'], properties: { materialize_features: { enum: [...SWITCHES] } } },
      ],
    },
  },
  properties: {
    file: { type: 'string' as const, format: 'binary', description: 'GeoJSON or another supported file' },
    name: text('Display name of the dataset. Default: the name of the file', 'Barangay health stations', TEXTS.name),
    description: text('Description for people', 'Where a midwife is present, June 2026', TEXTS.description),
    data_type: oneOf(DATA_TYPES, 'What kind of data it is. Default: vector'),
    srid: {
      type: ['integer', 'null'] as ('integer' | 'null')[],
      minimum: 1,
      maximum: MAX_SRID,
      description: `EPSG code of the reference system of the file, 1 to ${MAX_SRID}. Default: what the file says (shapefile, FlatGeobuf, GeoPackage), else 4326 (WGS 84, degrees)`,
      example: 4326,
    },
    layer: text(
      'Layer to read from a GeoPackage, an archive of shapefiles, a KML with several folders, or a workbook (a sheet)',
      'wells',
      TEXTS.name,
    ),
    encoding: text(
      'Encoding of a CSV, or of the table of a shapefile in place of what its .cpg says. Default: what a CSV seems to be in',
      'windows-1252',
      { max: 64 },
    ),
    place_columns: text(
      'For a CSV or a sheet whose rows name places: a JSON object with the headings of its columns. Its members are region, province, municity (cities and municipalities), barangay, text (addresses, or names with what they lie in) and code (PSGC codes); columns that it leaves out are recognized. Its member match names a column that says how the codes were found before (exact, likely, ambiguous, accepted, chosen), and psgc_match repeats that. Columns of coordinates are then properties. Default: places are read where a table has no coordinates',
      '{"province":"Lalawigan","municity":"Bayan"}',
      { max: 2000 },
    ),
    level: oneOf(
      NAME_LEVELS,
      'With places: the level of the areas. Default: that of the finest column that a row fills',
    ),
    edition: {
      ...text(
        'With places: the edition whose names, codes and areas they are, as GET /v1/editions lists them. Default: the one that is served',
        '2023-4q',
      ),
      pattern: `^$|${EDITION_ID.source}`,
    },
    resolution: oneOf(RESOLUTIONS, 'With places: the resolution of the boundaries. Default: simple'),
    geometry_type: text(
      'Default: what the features say, or with dataset_id what was said before',
      'POINT',
      TEXTS.geometryType,
    ),
    status: text("Any word. Default: ready, or with dataset_id the dataset's present word", 'ready', TEXTS.status),
    user_email: {
      ...text('Owner; only the master token may name another', 'maria@example.com'),
      anyOf: orEmpty('email'),
    },
    dataset_id: {
      ...text(
        'The dataset whose contents are replaced. Fields that are left out then keep their values, except srid',
        '6f1c9f0e-8a8e-4a52-9a38-3c1f2b8f2f10',
      ),
      anyOf: orEmpty('uuid'),
    },
    feature_storage: oneOf(
      STORAGE,
      'Whether to store the features besides the file. Required with dataset_id; otherwise the default is r2_only for shapefiles and features_and_r2 for all other formats',
    ),
    on_invalid: oneOf(
      ON_INVALID,
      'How to treat invalid rows or features of CSV, workbooks and GeoJSON. refuse (default): the upload fails and the error lists the first hundred; skip: they are left out and listed in meta.skipped',
    ),
    materialize_features: {
      type: 'string' as const,
      enum: [...SWITCHES, ''],
      deprecated: true,
      description: 'Alias of feature_storage, which takes precedence: true is features_and_r2, false is r2_only',
    },
  },
};

/** The older name of `feature_storage`, as a switch. */
export const MATERIALIZE = 'materialize_features';

export function isField(name: string): boolean {
  return Object.hasOwn(formSchema.properties, name);
}
