import { z } from '@hono/zod-openapi';
import { envelope, envelopedText, nameRelease, PRIVATE } from '../http/answers.ts';
import { isCsv } from '../http/csv-body.ts';
import { errors } from '../http/error-schemas.ts';
import { choiceParam, integerParam } from '../http/params.ts';
import { NAME_LEVELS } from '../names/source.ts';
import { operation, Router } from '../operation.ts';
import { csvAnswer, csvBody, TABLE_HEADERS, tableAnswer } from '../tables/answer.ts';
import { refuseColumns } from '../tables/columns.ts';
import { answerRead } from './answer-read.ts';
import { cachedText } from './cached-answers.ts';
import { geojsonText, jsonText } from './documents.ts';
import { POINT_TABLE } from './examples.ts';
import { placeNoticesOf } from './notices.ts';
import { editionParams, LAT, LON, NEEDS_LON, pointOf, pointParams, representationParams } from './params.ts';
import { placeFeature, placeText } from './place-records.ts';
import { pointTable, pointTableQuery } from './point-tables.ts';
import { requireBoundaries } from './refusals.ts';
import { GEOGRAPHY, geographyResponses, RELEASE_HEADER, representationOf } from './representation.ts';
import { placeFeatureSchema, placeSchema } from './schemas.ts';
import { servedAreas } from './served-areas.ts';
import type { Location } from './store.ts';

/** How far from a point the nearest area may be looked for, metres. */
const MAX_WITHIN = 15_000;

const MAX_POINTS = 100;

const EXAMPLE_POINTS = [
  { lat: 10.3167, lon: 123.8907 },
  { lat: 14.5906, lon: 120.9799 },
];

const ABOUT =
  'By detailed boundaries, each level by its own. On a border the area with the lowest code answers. Some points lie in no area of the level: off the coast, or in a gap between boundaries. `within` gives them the nearest area within so many metres. It gives none where parts of the area around the point have no boundary, because the point may lie in one of these.';

/** A number of a body. One that is too large for a double is infinite, and not a coordinate that was mistyped. */
function finite(rule: string) {
  const wrong = { number: 'must be a finite number', string: 'must be a number, not text' } as const;
  return z.number({ error: ({ input }) => wrong[typeof input as keyof typeof wrong] ?? rule });
}

/** Reverse geocoding: what lies at a point. */
export function placeRoutes(): Router {
  const router = new Router(['geocode']);

  operation(router, {
    operationId: 'reverse_geocode',
    method: 'get',
    path: '/reverse',
    access: 'authenticated',
    ...GEOGRAPHY,
    cached: cachedText,
    summary: 'Find the areas at a point',
    description: ABOUT,
    request: {
      query: z
        .object({
          ...pointParams,
          level: choiceParam(NAME_LEVELS, 'Finest level of the answer').optional().openapi({ default: 'barangay' }),
          within: integerParam({
            min: 0,
            max: MAX_WITHIN,
            description: 'Radius in which to look for the nearest area, metres',
            example: 500,
          })
            .optional()
            .openapi({ default: 0 }),
          ...representationParams,
          ...editionParams,
        })
        .refine(...NEEDS_LON),
    },
    responses: {
      ...geographyResponses(
        'The areas at the point, or a Feature with the boundary of the finest one',
        envelope(placeSchema),
        placeFeatureSchema,
      ),
      ...errors(404, 422),
    },
    handler: async (c, { ctx, query }) => {
      const { geojson, resolution } = representationOf(c, ctx, query);
      const point = pointOf(query);
      const areas = await servedAreas(ctx, query.edition);
      const { level = 'barangay', within = 0 } = query;
      return answerRead(c, ctx, {
        areas,
        read: (knownVersions) => areas.reverseGeocode([point], { level, within, resolution, knownVersions }),
        check: ({ boundarySet }) => requireBoundaries(boundarySet, query.edition),
        produce: ({ locations }) => {
          const location = locationAt(locations, 0);
          if (geojson) return geojsonText(c, placeFeature(point, location));
          const notices = placeNoticesOf(level, location);
          const text = envelopedText(c, placeText(point, location, resolution !== undefined), notices && { notices });
          return resolution === undefined ? text : jsonText(c, text);
        },
      });
    },
  });

  operation(router, {
    operationId: 'reverse_geocode_many',
    method: 'post',
    path: '/reverse',
    access: 'authenticated',
    ...GEOGRAPHY,
    takesCsv: true,
    summary: 'Find the areas at many points',
    description: `${ABOUT}\n\nThe answers are in the order of the points. A table as \`text/csv\` may have any number of rows, and the answer is streamed. It has the columns that were sent, then the code and the name at each level, \`match\` and \`distance_m\`, and the code and the name of the sub-municipality.\n\n\`match\` says how each row was found: \`contains\`, \`nearest\`, \`none\` (no area is found), \`empty\` (the row has no position), or \`invalid: \` with the reason, such as \`invalid: lat and lon are swapped\`. Columns are known by their headings (lat, lon), or named in the query; \`X-Columns\` says which were read.\n\nA hundred rows count as one request; a table that is longer than the limit of the key is answered at the pace of the limit.`,
    request: {
      query: pointTableQuery(NAME_LEVELS, MAX_WITHIN).extend(editionParams),
      body: {
        required: true,
        content: {
          'application/json': {
            schema: z.object(
              {
                points: z
                  .array(
                    z.object(
                      {
                        lat: finite(LAT.rule).min(-90, LAT.rule).max(90, LAT.rule).openapi(LAT.about),
                        lon: finite(LON.rule).min(-180, LON.rule).max(180, LON.rule).openapi(LON.about),
                      },
                      'must be an object with lat and lon',
                    ),
                    `must be an array of 1 to ${MAX_POINTS} points`,
                  )
                  .min(1, `must be an array of 1 to ${MAX_POINTS} points`)
                  .max(MAX_POINTS, `must be an array of 1 to ${MAX_POINTS} points`)
                  .openapi({ description: 'Points in degrees (WGS 84)', example: EXAMPLE_POINTS }),
                level: z
                  .enum(NAME_LEVELS, `must be one of ${NAME_LEVELS.join(', ')}`)
                  .optional()
                  .openapi({ default: 'barangay', description: 'Finest level of the answer' }),
                within: z
                  .number(`must be an integer from 0 to ${MAX_WITHIN}`)
                  .int(`must be an integer from 0 to ${MAX_WITHIN}`)
                  .min(0, `must be an integer from 0 to ${MAX_WITHIN}`)
                  .max(MAX_WITHIN, `must be an integer from 0 to ${MAX_WITHIN}`)
                  .optional()
                  .openapi({
                    default: 0,
                    description: 'Radius in which to look for the nearest area, metres',
                    example: 500,
                  }),
              },
              'must be a JSON object',
            ),
          },
          ...csvBody('site,lat,lon\nFort San Pedro,10.2924,123.9057\n'),
        },
      },
    },
    responses: {
      200: {
        description: 'The areas at each point',
        headers: { ...RELEASE_HEADER, ...TABLE_HEADERS },
        content: {
          'application/json': { schema: envelope(z.array(placeSchema).max(MAX_POINTS)) },
          ...csvAnswer(POINT_TABLE),
        },
      },
      ...errors(400, 404, 413, 415, 422),
    },
    handler: async (c, { ctx, body, query }) => {
      if (isCsv(c)) {
        const { level = 'barangay', within = 0, edition, ...named } = query;
        const areas = await servedAreas(ctx, edition);
        const { release, value } = await areas.reverseGeocode([], { level, within });
        nameRelease(c, release);
        requireBoundaries(value.boundarySet, edition);
        return tableAnswer(c, (headings) => pointTable(areas, headings, { named, options: { level, within } }));
      }
      const { points, level = 'barangay', within = 0, edition, ...named } = { ...query, ...body };
      refuseColumns(named);
      const areas = await servedAreas(ctx, edition);
      const { release, value } = await areas.reverseGeocode(points, { level, within });
      nameRelease(c, release);
      requireBoundaries(value.boundarySet, edition);
      c.header('Cache-Control', PRIVATE['Cache-Control']);
      const places = points.map((point, i) => placeText(point, locationAt(value.locations, i), false));
      return jsonText(c, envelopedText(c, `[${places.join(',')}]`));
    },
  });

  return router;
}

function locationAt(locations: readonly Location[], index: number): Location {
  const location = locations[index];
  if (!location) throw new Error('A point was requested and none was answered');
  return location;
}
