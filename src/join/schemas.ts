import { z } from '@hono/zod-openapi';
import { editionParams } from '../areas/params.ts';
import { RESOLUTIONS } from '../areas/store.ts';
import { crosswalkRow, RELATIONS, weight } from '../editions/schemas.ts';
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
      'Attributes of each area to add, as attributes=a&attributes=b or attributes=a,b. Densities are residents per square kilometre; lat and lon are the centroid in degrees (WGS 84)',
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
  resolution: choiceParam(RESOLUTIONS, 'Resolution of the boundary that geometry_url leads to')
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

/** Which weights of an area nothing measures. */
const estimated = crosswalkRow.shape.estimated;

const part = z
  .object({
    code: z.string().max(10).nullable().openapi({ description: 'PSGC code', example: '0702205000' }),
    level: z.enum(NAME_LEVELS).nullable(),
    name: z.string().nullable().openapi({ example: 'Argao' }),
    relation: z.enum(RELATIONS).openapi({
      description: 'Relation of the area to the place of the row. `none`: no successor is known',
    }),
    weight_area: weight('Share of its land'),
    weight_population: weight('Share of its residents'),
    estimated,
    region: named,
    province: named,
    host_province: named.openapi({ description: 'The province that it lies in but does not belong to' }),
    municity: named,
    submunicipality: named,
    attributes: z.record(z.string(), z.union([z.string(), z.number()]).nullable()).openapi({
      description: 'The requested attributes; null if unknown',
      example: { population: 78_187 },
    }),
    geometry_url: z.string().nullable().openapi({ description: 'URL of its boundary as GeoJSON; null if it has none' }),
  })
  .openapi('JoinedArea');

const joinedRow = z
  .object({
    ...matchedRow.shape,
    former: z.string().nullable().openapi({
      description: 'The last edition with this code, if the row is nothing but an old code',
      example: null,
    }),
    areas: z.array(part).openapi({
      description:
        'The areas that the place of the row became, or the one that it is. Empty unless the row is exact or likely. Weights of one row add up to 1',
    }),
  })
  .openapi('JoinedRow');

export const joinAnswer = envelope(z.array(joinedRow), { meta: matchMeta });
