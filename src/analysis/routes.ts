import { z } from '@hono/zod-openapi';
import { editionParams } from '../areas/params.ts';
import { requireBoundaries } from '../areas/refusals.ts';
import { RELEASE_HEADER } from '../areas/representation.ts';
import { servedAreas } from '../areas/served-areas.ts';
import { contentsOf } from '../datasets/dataset.ts';
import { datasetParams } from '../datasets/schemas.ts';
import { getDataset } from '../datasets/service.ts';
import { enveloped, nameRelease, privateAnswer } from '../http/answers.ts';
import { errors } from '../http/error-schemas.ts';
import { notices } from '../http/notices.ts';
import { choiceParam } from '../http/params.ts';
import { NAME_LEVELS } from '../names/source.ts';
import { operation, Router } from '../operation.ts';
import { countRows } from '../rate-limits/rows.ts';
import { LAND_POPULATION, landPopulations } from './land-populations.ts';
import { countPoints, MAX_COUNTED, requireCountable } from './point-counts.ts';

const countsQuery = z.object({
  level: choiceParam(NAME_LEVELS, 'The level of the areas').optional().openapi({ default: 'province' }),
  ...editionParams,
});

const count = (description: string, example: number) => z.int().min(0).openapi({ description, example });

const areaCounts = z
  .array(
    z.object({
      code: z.string().max(10).openapi({ description: 'PSGC code, ten digits', example: '0702200000' }),
      name: z.string().openapi({ example: 'Cebu' }),
      population: z.int().nullable().openapi({ description: 'Residents in the newest census', example: 3_325_385 }),
      land_population: z.int().min(0).nullable().openapi({
        description: LAND_POPULATION,
        example: 5_151_274,
      }),
      count: count('Number of points in it', 12),
    }),
  )
  .openapi('AreaCounts');

const countsMeta = z
  .object({
    level: z.enum(NAME_LEVELS),
    counted: count('Points that lie in an area of the level', 40),
    outside: count('Points that lie in no area of the level', 1),
    others: count('Features that are no points: lines, polygons, multipoints, and those without a geometry', 0),
    notices,
  })
  .openapi('AreaCountsMeta');

/** Routes that ask geography about datasets. */
export function analysisRoutes(): Router {
  const router = new Router(['datasets']);

  operation(router, {
    operationId: 'count_dataset_points',
    method: 'get',
    path: '/{id}/counts',
    access: 'authenticated',
    scope: 'read:datasets',
    summary: 'Count the points of a dataset by area',
    description: `How many points of a dataset lie in each area of a level, by detailed boundaries, as reverse geocoding finds them: on a border the area with the lowest code. Points in a city that belongs to no province count for the province that the city lies in. A rate divides by \`land_population\`. Metro Manila has no provinces: its points are outside. Areas without points are left out. A hundred features count as one request, and a dataset as no more than the limit of a minute. It may have at most ${MAX_COUNTED} features.`,
    request: { params: datasetParams, query: countsQuery },
    responses: {
      200: {
        ...enveloped('The areas with points, in the order of their codes', areaCounts, countsMeta)[200],
        headers: RELEASE_HEADER,
      },
      ...errors(404, 422),
    },
    handler: async (c, { ctx, params: { id }, query: { level = 'province', edition } }) => {
      const contents = contentsOf(await getDataset(ctx, { id }));
      requireCountable(contents);
      const areas = await servedAreas(ctx, edition);
      const { release, value } = await areas.reverseGeocode([], { level, within: 0 });
      nameRelease(c, release);
      requireBoundaries(value.boundarySet);
      const fail = await countRows(c, contents.count);
      const counting = countPoints(ctx.db, areas, { contents, level });
      const { areas: found, outside, others } = await counting.catch(fail);
      const shown = found.map(({ area }) => area);
      const populations = await landPopulations(areas, shown).catch(fail);
      const data = found.map(({ area: { code, name, population }, count }) => ({
        code,
        name,
        population,
        land_population: populations.get(code) ?? null,
        count,
      }));
      const counted = data.reduce((sum, { count }) => sum + count, 0);
      return privateAnswer(c, data, { level, counted, outside, others });
    },
  });

  return router;
}
