import { z } from '@hono/zod-openapi';
import type { AppContext } from '../context.ts';
import { answerText, envelope, envelopeAround } from '../http/answers.ts';
import { errors } from '../http/error-schemas.ts';
import type { Notice } from '../http/notices.ts';
import { choiceParam } from '../http/params.ts';
import { operation, Router } from '../operation.ts';
import { answerRead } from './answer-read.ts';
import { cachedText, cachedTextOrDocument } from './cached-answers.ts';
import type { Frame } from './documents.ts';
import { NEIGHBOR_EXAMPLES } from './examples.ts';
import { LEVELS, type LevelRules } from './levels.ts';
import { boundaryNoticesOf } from './notices.ts';
import { codeParamOf, editionParams, representationParams } from './params.ts';
import { COLLECTION, featureOf, hierarchyOf, recordOf, requestedAs, singleOf, withGeometry } from './records.ts';
import { requireBoundaries, requireCurrentCode } from './refusals.ts';
import { GEOGRAPHY, geographyResponses, representationOf } from './representation.ts';
import { collections, hierarchy, records, singleFeatures, singles } from './schemas.ts';
import { servedAreas } from './served-areas.ts';
import { type Area, type Level, type Lookup, RESOLUTIONS } from './store.ts';

/** One area of a level, by any code that it has or had, and the areas around it. */
export function singleAreaRoutes(rules: LevelRules): Router {
  const router = new Router([rules.plural]);
  addSingle(router, rules);
  addHierarchy(router, rules);
  addNeighbors(router, rules);
  return router;
}

function addSingle(router: Router, rules: LevelRules): void {
  const { level, noun, nested } = rules;
  const choices = nested ? ([...RESOLUTIONS, 'true'] as const) : RESOLUTIONS;
  const about = nested ? `; true adds the boundaries of its ${LEVELS[nested].nouns} as "geojson"` : '';
  operation(router, {
    operationId: `get_${level}`,
    method: 'get',
    path: '/{id}',
    access: 'free-tier',
    ...GEOGRAPHY,
    cached: cachedTextOrDocument,
    summary: `Get a ${noun}`,
    description: `The ${noun} that a current or former code names. Content-Location has its address by the current code.`,
    request: {
      params: z.object({ id: codeParamOf(rules.examples[0]) }),
      query: z.object({
        ...representationParams,
        ...editionParams,
        geometry: choiceParam(choices, `Boundary to include; needs authentication${about}`).optional(),
      }),
    },
    responses: {
      ...geographyResponses(
        `The ${noun}, or a Feature`,
        envelope(singles[level], nested && { geojson: z.union([collections[nested], z.null()]).optional() }),
        singleFeatures[level],
      ),
      ...errors(404, 422),
    },
    handler: async (c, { ctx, params, query }) => {
      const representation = representationOf(c, ctx, query);
      const children = nested && query.geometry === 'true' && !representation.geojson ? nested : undefined;
      const resolution = children ? 'simple' : representation.resolution;
      const areas = await servedAreas(ctx, query.edition);
      return answerRead(c, ctx, {
        areas,
        resolution,
        read: (knownVersions) =>
          areas.find(level, params.id, { resolution, relation: children && 'children', knownVersions }),
        locate: (found) => currentPath(rules, { id: params.id, found, edition: query.edition }),
        produce: (found) => {
          const area = areaIn(found);
          const record = { ...singleOf(level, area, found), ...requestedAs(params.id, area) };
          if (!resolution) return answerText(c, record);
          const notices = children ? undefined : boundaryNoticesOf(area, found.boundarySet);
          const frame = frameOf(c, record, { geojson: representation.geojson, children, notices });
          return { level: children ?? level, shown: children ? found.related : [area], frame };
        },
      });
    },
  });
}

/** The texts around the boundary of one area, or around those of its children. */
function frameOf(
  c: AppContext,
  record: ReturnType<typeof singleOf>,
  {
    geojson,
    children,
    notices,
  }: { geojson: boolean; children: Level | undefined; notices: readonly Notice[] | undefined },
): Frame {
  if (geojson) return { type: 'application/geo+json', head: '', item: (area) => featureOf(area, record), tail: '' };
  const { head, tail } = envelopeAround(c, notices && { notices });
  if (!children) return { type: 'application/json', head, item: () => withGeometry(record), tail };
  return {
    type: 'application/json',
    head: `${head}${JSON.stringify(record)},"geojson":${COLLECTION.head}`,
    item: (child) => featureOf(child, recordOf(children, child)),
    tail: COLLECTION.tail + tail,
  };
}

function addHierarchy(router: Router, rules: LevelRules): void {
  const { level, noun } = rules;
  operation(router, {
    operationId: `get_${level}_hierarchy`,
    method: 'get',
    path: '/{id}/hierarchy',
    access: 'free-tier',
    ...GEOGRAPHY,
    cached: cachedText,
    summary: `Get a ${noun} with all its ancestors`,
    description: 'An ancestor that it does not have is null, such as the province of a city that belongs to none.',
    request: { params: z.object({ id: codeParamOf(rules.examples[0]) }), query: z.object(editionParams) },
    responses: {
      ...geographyResponses(`The ${noun} and its ancestors`, envelope(hierarchy)),
      ...errors(404, 422),
    },
    handler: async (c, { ctx, params, query }) => {
      const areas = await servedAreas(ctx, query.edition);
      return answerRead(c, ctx, {
        areas,
        read: (knownVersions) => areas.find(level, params.id, { relation: 'ancestors', knownVersions }),
        locate: (found) => currentPath(rules, { id: params.id, found, edition: query.edition, rest: '/hierarchy' }),
        produce: (found) => answerText(c, hierarchyOf(areaIn(found), found.related)),
      });
    },
  });
}

function addNeighbors(router: Router, rules: LevelRules): void {
  const { level, noun, nouns } = rules;
  const { of, neighbor } = NEIGHBOR_EXAMPLES[level];
  operation(router, {
    operationId: `list_${level}_neighbors`,
    method: 'get',
    path: '/{id}/neighbors',
    access: 'free-tier',
    ...GEOGRAPHY,
    cached: cachedText,
    summary: `List the ${nouns} that touch a ${noun}`,
    description: 'Areas of the same level that share a border or a point of it, by detailed boundaries.',
    request: { params: z.object({ id: codeParamOf(of) }), query: z.object(editionParams) },
    responses: {
      ...geographyResponses(
        `The ${nouns} that touch it, in the order of their codes`,
        envelope(z.array(records[level]).openapi({ example: [neighbor] })),
      ),
      ...errors(404, 422),
    },
    handler: async (c, { ctx, params, query }) => {
      const areas = await servedAreas(ctx, query.edition);
      return answerRead(c, ctx, {
        areas,
        read: (knownVersions) => areas.find(level, params.id, { relation: 'neighbors', knownVersions }),
        locate: (found) => currentPath(rules, { id: params.id, found, edition: query.edition, rest: '/neighbors' }),
        check: ({ boundarySet }) => requireBoundaries(boundarySet, query.edition),
        produce: (found) => {
          const records = found.related.map((area) => recordOf(level, area));
          const notices = boundaryNoticesOf(areaIn(found), found.boundarySet, 'id');
          return answerText(c, records, notices && { notices });
        },
      });
    },
  });
}

/** The area of a lookup, after `locate` has refused codes without one. */
function areaIn({ area }: Lookup): Area {
  if (!area) throw new Error('A current code has an area');
  return area;
}

/**
 * The path by the current code, where the area was requested by a former one, with the `rest` of the path after the code.
 *
 * @throws DomainError if no area has the code
 */
function currentPath(
  { level, plural }: LevelRules,
  { id, found, edition, rest = '' }: { id: string; found: Lookup; edition: string | undefined; rest?: string },
): string | undefined {
  const code = requireCurrentCode(level, id, found, edition);
  return code === id ? undefined : `/v1/${plural}/${code}${rest}`;
}
