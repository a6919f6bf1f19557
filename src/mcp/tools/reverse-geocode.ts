import { z } from '@hono/zod-openapi';
import { NAME_LEVELS } from '../../names/source.ts';
import { releaseInfo, releaseInfoOf } from '../answers.ts';
import { choice, edition, int, NAME_LEVELS_ABOUT, type PlaceRef, placeRef, tool } from '../tool.ts';

/** The members of a place that are areas, in the order of the answer. */
const PLACE_LEVELS = ['region', 'province', 'host_province', 'municity', 'submunicipality', 'barangay'] as const;

type Place = { [level in (typeof PLACE_LEVELS)[number]]: PlaceRef | null } & {
  readonly match: string | null;
  readonly distance_m: number | null;
};

const degrees = (max: number, example: string) => {
  const rule = `must be a number of degrees from -${max} to ${max}, such as ${example}`;
  return z.number(rule).min(-max, rule).max(max, rule);
};

export const reverseGeocode = tool({
  name: 'reverse_geocode',
  title: 'Find the areas at a point',
  description:
    'The region, province, city or municipality, and barangay at a point, by detailed boundaries. Needs credentials. With within, a point off the coast is given the nearest area within so many metres.',
  input: z.strictObject({
    lat: degrees(90, '10.3167').describe('Latitude, degrees (WGS 84)'),
    lon: degrees(180, '123.8907').describe('Longitude, degrees (WGS 84)'),
    level: choice(NAME_LEVELS)
      .optional()
      .describe(`The finest level to answer, barangay without it; ${NAME_LEVELS_ABOUT}`),
    within: int(0, 15_000).optional().describe('Radius in which to look for the nearest area, metres'),
    edition,
  }),
  output: z.object({
    match: z.string().nullable().describe('contains, nearest, or null where nothing is there'),
    distance_m: z.number().nullable(),
    places: z
      .array(placeRef)
      .describe('What lies there, from the region down; a host_province has the place without governing it'),
    ...releaseInfo,
  }),
  async call({ ask }, query) {
    const reply = await ask({ path: '/v1/geocode/reverse', query });
    const place = reply.data as Place;
    return {
      match: place.match,
      distance_m: place.distance_m,
      places: PLACE_LEVELS.flatMap((level) => {
        const area = place[level];
        return area ? [{ code: area.code, level, name: area.name }] : [];
      }),
      ...releaseInfoOf(reply),
    };
  },
});
