import { z } from '@hono/zod-openapi';
import { TWO_LETTERS } from '../control-characters.ts';
import { choiceParam, numberParam, textParam } from '../http/params.ts';
import { EDITION_ID } from './edition-id.ts';
import { nameKey } from './names.ts';
import { type Parent, type Point, RESOLUTIONS, SORTS } from './store.ts';

const DIGITS = /^\d{1,15}$/;
const DIGITS_RULE = 'must be a PSGC code: 1 to 15 digits';

/** A PSGC code in a path or query. */
export function codeParamOf(example: string) {
  return z.string(DIGITS_RULE).regex(DIGITS, DIGITS_RULE).openapi({
    description: 'PSGC code, preferably ten digits; old codes lead to the area that they named',
    example,
  });
}

/** A PSGC code of any level. The example in the document is a province's. */
export const codeParam = codeParamOf('0702200000');

/** Max codes of each parameter that is a list of codes. */
const MAX_CODES = 100;

/** A list of codes in a query: repeated, separated by commas, or both. */
function codesParam(name: string, { description, example }: { description: string; example: string[] }) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((given) => [given].flat().flatMap((text) => text.split(',')))
    .pipe(z.array(codeParam).max(MAX_CODES, `must be at most ${MAX_CODES} codes`))
    .optional()
    .openapi({
      type: 'array',
      items: { type: 'string', pattern: DIGITS.source },
      maxItems: MAX_CODES,
      description,
      example,
      param: { name, in: 'query', style: 'form', explode: true },
    });
}

/** The codes of a list's areas, under both names that programs use for a repeated parameter. */
export const codesParams = {
  codes: codesParam('codes', {
    description:
      'Codes, as codes=a&codes=b, codes[]=a&codes[]=b or codes=a,b. meta.notices names those that no area of the level has; a FeatureCollection has no place for that',
    example: ['0700000000', '1300000000'],
  }),
  'codes[]': codesParam('codes[]', { description: 'The same as codes', example: ['0700000000'] }),
};

const FORMATS = ['json', 'geojson'] as const;

const EDITION_RULE = 'must be an edition such as 2023-4q; GET /v1/editions lists them';

/** The edition that a read of geography is answered from. */
export const editionParams = {
  edition: z
    .string(EDITION_RULE)
    .regex(EDITION_ID, EDITION_RULE)
    .transform((edition) => edition.toLowerCase())
    .optional()
    .openapi({
      type: 'string',
      pattern: EDITION_ID.source,
      description: 'Edition of the PSGC; default: the served one. See GET /v1/editions',
      example: '2026-3q',
    }),
};

/** How areas are represented, and with which boundaries. */
export const representationParams = {
  format: choiceParam(FORMATS, 'Representation; geojson needs authentication').optional(),
  output: choiceParam(FORMATS, 'Alias of format, which takes precedence')
    .optional()
    .openapi({ param: { deprecated: true } }),
  geometry: choiceParam(
    RESOLUTIONS,
    'Boundary to include; needs authentication. With geojson the default is simple. detailed is the finest that is loaded, which is coarse where boundaries of /v1/sources is display',
  ).optional(),
};

/** How a list is sorted. */
export const orderParams = {
  sort: choiceParam(SORTS, 'Sort key; areas without a value come last').optional().openapi({ default: 'code' }),
  order: choiceParam(['asc', 'desc'] as const, 'Ascending or descending')
    .optional()
    .openapi({ default: 'asc' }),
};

/** The description and the rule of a latitude, in queries and bodies. */
export const LAT = {
  about: { description: 'Latitude, degrees (WGS 84)', example: 10.3167 },
  rule: 'must be a latitude from -90 to 90 degrees; are latitude and longitude swapped?',
};

/** The description and the rule of a longitude, in queries and bodies. */
export const LON = {
  about: { description: 'Longitude, degrees (WGS 84)', example: 123.8907 },
  rule: 'must be a longitude from -180 to 180 degrees',
};

const lonParam = (about: { description: string; example: number }) =>
  numberParam({ min: -180, max: 180, rule: LON.rule, ...about }).optional();

/** The parameters of a point. A query that has them is refined with `NEEDS_LON`. */
export const pointParams = {
  lat: numberParam({ min: -90, max: 90, rule: LAT.rule, ...LAT.about }),
  lon: lonParam(LON.about).openapi({ param: { 'x-required-unless': 'lng' } }),
  lng: lonParam({ ...LON.about, description: 'Alias of lon, which takes precedence' }),
};

type PointQuery = { [Name in keyof typeof pointParams]?: number | undefined };

/** The arguments for `refine` of a query with `pointParams`: one of the two names of the longitude must be given. */
export const NEEDS_LON = [
  ({ lon, lng }: PointQuery) => lon !== undefined || lng !== undefined,
  { path: ['lon'], message: 'must be given' },
] as [(query: PointQuery) => boolean, { path: string[]; message: string }];

/** The point of a query that was refined with `NEEDS_LON`. */
export function pointOf({ lat, lon, lng }: PointQuery & { lat: number }): Point {
  return { lat, lon: (lon ?? lng) as number };
}

/** A parent by code or exact name in one parameter. */
export function parentOf(codeOrName: string): Parent {
  return DIGITS.test(codeOrName) ? { code: codeOrName } : { name: codeOrName };
}

/** A parent by a parameter for its code, which takes precedence, and one for its name. */
export function parentFrom(code: string | undefined, name: string | undefined): Parent | undefined {
  if (code !== undefined) return { code };
  return name === undefined ? undefined : { name };
}

export const regionParam = textParam({
  min: 1,
  description: 'Region, by code or exact name',
  example: 'Central Visayas',
});

/** The text of a search by name. */
export function searchText({ description, example }: { description: string; example: string }) {
  return textParam({ min: 2, description, example })
    .refine((text) => nameKey(text).length >= 2, 'must have at least 2 letters or digits')
    .openapi({ minLength: 2, pattern: TWO_LETTERS });
}

/**
 * The body of a batch search.
 *
 * @param field the member that has the codes, whose name differs between levels
 * @param max max codes
 */
export function batchBody(field: 'ids' | 'codes', max: number, examples: readonly string[]) {
  const rule = `must be an array of 1 to ${max} PSGC codes`;
  const codes = z
    .array(codeParam, rule)
    .min(1, rule)
    .max(max, rule)
    .openapi({ description: 'PSGC codes', example: [...examples] });
  return z.object(
    {
      [field]: codes,
      geometry: choiceParam(RESOLUTIONS, 'Boundary to include').optional().openapi({ default: 'simple' }),
      format: choiceParam(FORMATS, 'Representation').optional().openapi({ default: 'json' }),
      output: choiceParam(FORMATS, 'Alias of format, which takes precedence')
        .optional()
        .openapi({ param: { deprecated: true } }),
    },
    'must be a JSON object',
  );
}
