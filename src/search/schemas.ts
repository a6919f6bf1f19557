import { z } from '@hono/zod-openapi';
import { codeParamOf, editionParams, searchText } from '../areas/params.ts';
import { integerParam } from '../http/params.ts';
import { NAME_LEVELS } from '../names/source.ts';
import { DEFAULT_HITS } from './service.ts';

const levelRule = `must be one of ${NAME_LEVELS.join(', ')}`;

/** Levels in a query: repeated, separated by commas, or both. */
const levels = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => [...new Set([given].flat().flatMap((text) => text.split(',')))])
  .pipe(z.array(z.enum(NAME_LEVELS, levelRule)));

export const searchParams = z.object({
  q: searchText({
    description:
      'A name as people write it, a name with what it lies in behind it, or a PSGC code. The first 200 characters count',
    example: 'San Juan, Metro Manila',
  }),
  level: levels.optional().openapi({
    type: 'array',
    items: { type: 'string', enum: [...NAME_LEVELS] },
    minItems: 1,
    description: 'Levels to search, as level=a&level=b or level=a,b; all without it',
    example: ['municity', 'barangay'],
    param: { name: 'level', in: 'query', style: 'form', explode: true },
  }),
  parent: codeParamOf('1300000000')
    .optional()
    .openapi({ description: 'PSGC code of an area that everything has to lie in, of any level; old codes too' }),
  limit: integerParam({ min: 1, max: 100, description: 'Most hits to answer', example: 5 })
    .optional()
    .openapi({ default: DEFAULT_HITS }),
  ...editionParams,
});

const level = z.enum(NAME_LEVELS);
const code = z.string().max(10).openapi({ description: 'PSGC code, ten digits', example: '1381400000' });

const hitSchema = z
  .object({
    code,
    level,
    name: z.string().max(256),
    type: z.string().max(20).nullable().openapi({ description: 'City, Municipality or SGU; null at other levels' }),
    score: z.number().min(0).max(1).openapi({ description: 'How well it fits: 1 where every letter is the same' }),
    match: z.enum(['exact', 'alias', 'prefix', 'word', 'contains', 'fuzzy']).openapi({
      description:
        'exact: the name, however it is written; alias: another name or a former one; prefix, word, contains: the text is at the beginning of the name or of a word of it, or anywhere in it; fuzzy: a few letters differ',
    }),
    matched_name: z.string().max(256).openapi({ description: 'The name or alias that was found' }),
    ancestors: z.array(z.object({ code, level, name: z.string().max(256) })).openapi({
      description:
        'What it lies in, from the region down. In place of a province that a city does not belong to, the one that it lies in',
    }),
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
