import { z } from '@hono/zod-openapi';
import { codeParamOf, editionParams, searchText } from '../areas/params.ts';
import type { Point } from '../areas/store.ts';
import { integerParam, textParam } from '../http/params.ts';
import { NAME_LEVELS } from '../names/source.ts';
import { DEFAULT_HITS, DEFAULT_SUGGESTIONS } from './service.ts';

const levelRule = `must be one of ${NAME_LEVELS.join(', ')}`;

/** Levels in a query: repeated, separated by commas, or both. */
const levels = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => [...new Set([given].flat().flatMap((text) => text.split(',')))])
  .pipe(z.array(z.enum(NAME_LEVELS, levelRule)));

const levelParam = levels.optional().openapi({
  type: 'array',
  items: { type: 'string', enum: [...NAME_LEVELS] },
  minItems: 1,
  description: 'Levels to search, as level=a&level=b or level=a,b; default all',
  example: ['municity', 'barangay'],
  param: { name: 'level', in: 'query', style: 'form', explode: true },
});

export const searchParams = z.object({
  q: searchText({
    description: 'A name, a name followed by its ancestors, or a PSGC code. Only the first 200 characters count',
    example: 'San Juan, Metro Manila',
  }),
  level: levelParam,
  parent: codeParamOf('1300000000')
    .optional()
    .openapi({ description: 'PSGC code of an area that must contain the results, of any level; old codes too' }),
  limit: integerParam({ min: 1, max: 100, description: 'Maximum number of hits', example: 5 })
    .optional()
    .openapi({ default: DEFAULT_HITS }),
  ...editionParams,
});

const POSITION = /^(-?\d{1,2}(?:\.\d{1,15})?),(-?\d{1,3}(?:\.\d{1,15})?)$/;
const NEAR_RULE = 'must be a latitude and a longitude with a comma between them, such as 14.5547,121.0244';

/** `latitude,longitude` in degrees. */
const near = z
  .string(NEAR_RULE)
  .regex(POSITION, NEAR_RULE)
  .transform((text): Point => {
    const [lat = 0, lon = 0] = text.split(',').map(Number);
    return { lat, lon };
  })
  .refine(({ lat, lon }) => Math.abs(lat) <= 90 && Math.abs(lon) <= 180, NEAR_RULE)
  .optional();

export const suggestParams = z.object({
  q: textParam({
    min: 1,
    description:
      'The text so far: a name or its start, alone or followed by ancestors. Only the first 100 characters count',
    example: 'san isidro, cai',
  }),
  level: levelParam,
  within: codeParamOf('0405800000')
    .optional()
    .openapi({ description: 'PSGC code of an area that must contain the results, of any level; old codes too' }),
  near: near.openapi({
    type: 'string',
    pattern: POSITION.source,
    description: 'Position of the caller as latitude,longitude. Among equally good names, those nearby come first',
    example: '14.5786,121.1222',
  }),
  limit: integerParam({ min: 1, max: 20, description: 'Maximum number of suggestions', example: 5 })
    .optional()
    .openapi({ default: DEFAULT_SUGGESTIONS }),
  ...editionParams,
});

const level = z.enum(NAME_LEVELS);
const code = z.string().max(10).openapi({ description: 'PSGC code, ten digits', example: '1381400000' });

const name = z.string().max(256);

const typeMember = z
  .string()
  .max(20)
  .nullable()
  .openapi({ description: 'City, Municipality or SGU; null at other levels' });

const ancestors = z.array(z.object({ code, level, name })).openapi({
  description: 'Ancestors, from the region down. For an independent city, with the province that it lies in',
});

const HIT_MATCHES = ['exact', 'alias', 'prefix', 'word', 'contains', 'fuzzy'] as const;

const hitSchema = z
  .object({
    code,
    level,
    name,
    type: typeMember,
    score: z.number().min(0).max(1).openapi({ description: 'Similarity, 0 to 1; 1 if every letter is the same' }),
    match: z.enum(HIT_MATCHES).openapi({
      description:
        'exact: the name, in any spelling of case and accents; alias: another or a former name; prefix, word, contains: the text is at the start of the name, at the start of one of its words, or anywhere in it; fuzzy: a few letters differ',
    }),
    matched_name: name.openapi({ description: 'The name or alias that matched' }),
    ancestors,
  })
  .openapi('SearchHit', {
    example: {
      code: '1381400000',
      level: 'municity',
      name: 'City of San Juan',
      type: 'City',
      score: 1,
      match: 'exact',
      matched_name: 'City of San Juan',
      ancestors: [{ code: '1300000000', level: 'region', name: 'National Capital Region (NCR)' }],
    },
  });

export const hitsSchema = z.array(hitSchema);

const suggestionSchema = z
  .object({
    code,
    level,
    name,
    type: typeMember,
    label: z.string().max(1100).openapi({
      description:
        'The name as the line of an address: with its city or municipality, and its province or else its region',
    }),
    highlights: z.array(z.array(z.int().min(0)).length(2)).openapi({
      description: 'Parts of the label that match the text: start and end, in UTF-16 code units, end exclusive',
    }),
    match: z.enum(HIT_MATCHES).openapi({
      description:
        'exact: a whole name, alone or followed by names of ancestors; prefix, word: the text is at the start of the name or of one of its words; alias: at the start of another or a former name; contains, fuzzy: nothing starts with the text, and this is similar',
    }),
    matched_name: name.openapi({ description: 'The name or alias that matched' }),
    ancestors,
  })
  .openapi('Suggestion', {
    example: {
      code: '0405805015',
      level: 'barangay',
      name: 'San Isidro',
      type: null,
      label: 'San Isidro, Cainta, Rizal',
      highlights: [
        [0, 3],
        [4, 10],
        [12, 15],
      ],
      match: 'exact',
      matched_name: 'San Isidro',
      ancestors: [
        { code: '0400000000', level: 'region', name: 'Region IV-A (CALABARZON)' },
        { code: '0405800000', level: 'province', name: 'Rizal' },
        { code: '0405805000', level: 'municity', name: 'Cainta' },
      ],
    },
  });

/** The areas of a ZIP code. */
export const postalCodeSchema = z
  .object({
    zip_code: z.string().length(4),
    areas: z.array(
      z.object({
        code,
        level: z.enum(['municity', 'submunicipality']),
        name,
        type: typeMember,
        label: z.string().max(1100).openapi({ description: 'The name as the line of an address' }),
        ancestors,
      }),
    ),
  })
  .openapi('PostalCode', {
    example: {
      zip_code: '1605',
      areas: [
        {
          code: '1381200000',
          level: 'municity',
          name: 'City of Pasig',
          type: 'City',
          label: 'Pasig City, Metro Manila',
          ancestors: [{ code: '1300000000', level: 'region', name: 'National Capital Region (NCR)' }],
        },
      ],
    },
  });

export const suggestionsSchema = z.array(suggestionSchema);
