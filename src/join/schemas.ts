import { z } from '@hono/zod-openapi';
import { editionParams } from '../areas/params.ts';
import { RESOLUTIONS } from '../areas/store.ts';
import { crosswalkRow, RELATIONS } from '../editions/schemas.ts';
import { envelope } from '../http/answers.ts';
import { choiceParam } from '../http/params.ts';
import { matchBody, matchedRow, matchMeta, matchQuery } from '../match/schemas.ts';
import { NAME_LEVELS } from '../names/source.ts';
import { ATTRIBUTES } from './attributes.ts';

const ATTRIBUTES_RULE = `must be of ${ATTRIBUTES.join(', ')}`;

const attributes = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => [...new Set([given].flat().flatMap((text) => text.split(',')))])
  .pipe(z.array(z.enum(ATTRIBUTES, ATTRIBUTES_RULE)))
  .openapi({
    type: 'array',
    items: { type: 'string', enum: ATTRIBUTES },
    description:
      'What to add of each area, as attributes=a&attributes=b or attributes=a,b. Densities are residents for each square kilometre, lat and lon the centroid in degrees (WGS 84)',
    example: ['population', 'income_class'],
    param: { name: 'attributes', in: 'query', style: 'form', explode: true },
  });

export const joinQuery = matchQuery.extend({
  from: editionParams.edition.openapi({
    description:
      'The edition whose codes and names the table has. Without it names and codes of any age are matched, and what was divided since is left undecided, but for rows that are nothing but a code',
    example: '2023-1q',
  }),
  attributes: attributes.optional(),
  resolution: choiceParam(RESOLUTIONS, 'The boundary that geometry_url is the address of')
    .optional()
    .openapi({ default: 'simple' }),
});

/** What stands in the query must not stand in the body, where it would be passed over. */
export const joinBody = z
  .strictObject(matchBody.shape, 'must be an object whose members are rows and level; all else stands in the query')
  .openapi('JoinRequest');

const named = z
  .object({
    code: z.string().max(10).openapi({ example: '0702200000' }),
    name: z.string().openapi({ example: 'Cebu' }),
  })
  .nullable();
const weight = (of: string) =>
  z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .openapi({ description: `Share of its ${of}` });

/** Which weights of an area nothing measures. */
const estimated = crosswalkRow.shape.estimated;

const part = z
  .object({
    code: z.string().max(10).nullable().openapi({ description: 'PSGC code', example: '0702205000' }),
    level: z.enum(NAME_LEVELS).nullable(),
    name: z.string().nullable().openapi({ example: 'Argao' }),
    relation: z.enum(RELATIONS).openapi({
      description: 'What of the place of the row this is. `none`: nothing is known of what took its place',
    }),
    weight_area: weight('land'),
    weight_population: weight('residents'),
    estimated,
    region: named,
    province: named,
    host_province: named.openapi({ description: 'The province that it lies in without belonging to it' }),
    municity: named,
    submunicipality: named,
    attributes: z.record(z.string(), z.union([z.string(), z.number()]).nullable()).openapi({
      description: 'Those that were asked for; null where nothing is known',
      example: { population: 78_187 },
    }),
    geometry_url: z
      .string()
      .nullable()
      .openapi({ description: 'The address of its boundary as GeoJSON; null without one' }),
  })
  .openapi('JoinedArea');

const joinedRow = z
  .object({
    ...matchedRow.shape,
    former: z.string().nullable().openapi({
      description: 'The last edition that has the code, where the row has nothing but a code of the past',
      example: null,
    }),
    areas: z.array(part).openapi({
      description:
        'The areas that the place of the row became, or the one that it is. Empty unless the row is exact or likely. Weights of one row add up to 1',
    }),
  })
  .openapi('JoinedRow');

export const joinAnswer = envelope(z.array(joinedRow), { meta: matchMeta });
