import { z } from '@hono/zod-openapi';
import { LEVELS as RULES } from '../../areas/levels.ts';
import { SORTS, SUB_MUNICIPALITY } from '../../areas/store.ts';
import {
  continuation,
  continued,
  cursorArgument,
  fitTokens,
  pageFrom,
  releaseInfo,
  releaseInfoOf,
} from '../answers.ts';
import { Refusal } from '../ask.ts';
import { choice, code, edition, int, LEVELS, LEVELS_ABOUT, text, tool } from '../tool.ts';

/** Arguments that every level has. */
const OF_ALL = ['level', 'limit', 'cursor', 'sort', 'order', 'edition'];

const MAX_POPULATION = 2_147_483_647;

interface Record {
  readonly code: string;
  readonly name: string;
  readonly type?: string | null;
  readonly city_class?: string | null;
  readonly population: number | null;
}

export const listPlaces = tool({
  name: 'list_places',
  title: 'List places',
  description: `Lists the places of a level in the order of their codes: all regions, the provinces of a region, the cities and municipalities of a province or region, the barangays of a city or municipality. Municities need province_code, province or region; barangays also take municity_code or municity. Metro Manila (region "1300000000") has no provinces: list its cities by region. To find one place by name use search_places.`,
  input: z.strictObject({
    level: choice(LEVELS).describe(`What to list; ${LEVELS_ABOUT}`),
    region: text().optional().describe('Code or exact name of the region'),
    province_code: code.optional().describe('PSGC code of the province'),
    province: text().optional().describe('Exact name of the province'),
    municity_code: code.optional().describe('PSGC code of the city, municipality or sub-municipality'),
    municity: text().optional().describe('Exact name of the city or municipality'),
    scope: choice(['geographic', 'admin']).optional().describe('admin: without cities that only lie in the province'),
    name: text().optional().describe('Beginning of the name'),
    search: text().optional().describe('Part of the name of a region'),
    type: choice(['City', 'Municipality', 'SGU', SUB_MUNICIPALITY])
      .optional()
      .describe('SubMun: the sub-municipalities of Manila, which are listed for no other type'),
    city_class: choice(['HUC', 'ICC', 'CC']).optional().describe('Highly urbanized, independent component, component'),
    income_class: text().optional().describe('Income classification, such as "1st"'),
    island_group: choice(['luzon', 'visayas', 'mindanao']).optional(),
    population_min: int(0, MAX_POPULATION).optional(),
    population_max: int(0, MAX_POPULATION).optional(),
    sort: choice(SORTS).optional(),
    order: choice(['asc', 'desc']).optional(),
    limit: int(1, 100).optional().describe('Most places to answer, 50 without it'),
    cursor: cursorArgument,
    edition,
  }),
  output: z.object({
    level: z.string(),
    total: z.number().int().describe('How many there are'),
    places: z.array(
      z.object({
        code: z.string(),
        name: z.string(),
        type: z.string().optional(),
        city_class: z.string().optional(),
        population: z.number().int().optional().describe('Residents by the newest census'),
      }),
    ),
    ...continued,
    ...releaseInfo,
  }),
  async call({ ask }, { level, cursor: start = 0, limit = 50, ...filter }) {
    requireParamsOf(level, filter);
    const { plural } = RULES[level];
    const { skipped, ...page } = pageFrom(start, limit);
    const reply = await ask({ path: `/v1/${plural}`, query: { ...filter, ...page } });
    const found = (reply.data as Record[]).slice(skipped);
    const { total = 0 } = reply.meta;
    return fitTokens(found, (shown) => ({
      level,
      total,
      places: shown.map(({ code: id, name, type, city_class, population }) => ({
        code: id,
        name,
        ...(type ? { type } : {}),
        ...(city_class ? { city_class } : {}),
        ...(population === null ? {} : { population }),
      })),
      ...continuation(start + shown.length, total),
      ...releaseInfoOf(reply),
    }));
  },
});

/** @throws Refusal if the list of the level does not have one of the filters */
function requireParamsOf(level: (typeof LEVELS)[number], filter: object): void {
  const params = Object.keys(RULES[level].list.params);
  const others = Object.entries(filter).flatMap(([name, value]) =>
    value === undefined || params.includes(name) || OF_ALL.includes(name) ? [] : [name],
  );
  if (others.length === 0) return;
  const possible = params.filter((name) => name in listPlaces.input.shape).join(', ');
  const message = `${others.join(', ')}: not possible with the level ${level}, whose list takes ${possible}`;
  throw new Refusal(422, 'invalid_arguments', message);
}
