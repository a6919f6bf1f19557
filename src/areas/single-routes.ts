import { z } from '@hono/zod-openapi';
import type { AppContext } from '../context.ts';
import { errors } from '../http/error-responses.ts';
import { choiceParam } from '../http/params.ts';
import { operation, type Router } from '../operation.ts';
import { answer, type Frame, listing, representationOf, type StoreOf, success } from './answers.ts';
import { LEVELS, type LevelRules } from './levels.ts';
import { currentCode, requireBoundaries } from './lookup.ts';
import { codeOf, RESOLUTIONS, representationParams } from './params.ts';
import { keepingOf, type ReadSlices } from './portions.ts';
import { COLLECTION, featureOf, hierarchyOf, recordOf, singleOf, withGeometry } from './records.ts';
import { collections, hierarchy, records, singleFeatures, singles } from './schemas.ts';
import type { Area, Level, Lookup } from './store.ts';

/** One area of a level, by any code that it has or had, and the areas around it. */
export function addSingleRoutes(router: Router, rules: LevelRules, areasOf: StoreOf): void {
  addSingle(router, rules, areasOf);
  addHierarchy(router, rules, areasOf);
  addNeighbors(router, rules, areasOf);
}

function addSingle(router: Router, rules: LevelRules, areasOf: StoreOf): void {
  const { level, plural, noun, nested } = rules;
  const choices = nested ? ([...RESOLUTIONS, 'true'] as const) : RESOLUTIONS;
  const about = nested ? `; true adds the boundaries of its ${LEVELS[nested].nouns} as "geojson"` : '';
  operation(
    router,
    {
      operationId: `get_${level}`,
      method: 'get',
      path: '/{id}',
      access: 'free-tier',
      scope: 'read:boundaries',
      tags: [plural],
      summary: `Get a ${noun}`,
      description: `The ${noun} that a current or former code names. Content-Location has its address by the current code.`,
      request: {
        params: z.object({ id: codeOf(rules.examples[0]) }),
        query: z.object({
          ...representationParams,
          geometry: choiceParam(choices, `Boundary to include; needs authentication${about}`).optional(),
        }),
      },
      responses: {
        ...success(
          `The ${noun}, or a Feature`,
          z.object({
            data: singles[level],
            ...(nested ? { geojson: z.union([collections[nested], z.null()]).optional() } : {}),
            error: z.null(),
          }),
          singleFeatures[level],
        ),
        ...errors(404, 422),
      },
    },
    (c, { params, query }) => {
      const wanted = representationOf(c, query);
      const children = nested && query.geometry === 'true' && !wanted.geojson ? nested : undefined;
      const options = {
        resolution: children ? ('simple' as const) : wanted.resolution,
        kin: children ? ('children' as const) : undefined,
      };
      const store = areasOf(c);
      /** The areas whose boundaries the answer has. */
      const shownOf = ({ area, kin }: Lookup) => (children ? kin : [area as Area]);
      return answer(c, store, {
        read: (held) => store.find(level, params.id, { ...options, held }),
        make: (found, release) => {
          const area = found.area as Area;
          const record = singleOf(level, area, found);
          if (!options.resolution) return c.json({ data: record, error: null });
          const { resolution } = options;
          const read: ReadSlices = (slices) => store.boundaries(release, children ?? level, resolution, slices);
          return listing(c, shownOf(found), frameOf(record, { geojson: wanted.geojson, children }), read);
        },
        check: (found) => located(c, rules, params.id, currentCode(level, params.id, found)),
        keep: options.resolution ? (found) => keepingOf(shownOf(found)) : undefined,
      });
    },
  );
}

/** What stands around the boundary of one area, or around those of its children. */
function frameOf(
  record: ReturnType<typeof singleOf>,
  { geojson, children }: { geojson: boolean; children: Level | undefined },
): Frame {
  if (geojson) return { type: 'application/geo+json', head: '', item: (area) => featureOf(area, record), tail: '' };
  const end = ',"error":null}';
  if (!children) return { type: 'application/json', head: '{"data":', item: () => withGeometry(record), tail: end };
  return {
    type: 'application/json',
    head: `{"data":${JSON.stringify(record)},"geojson":${COLLECTION.head}`,
    item: (child) => featureOf(child, recordOf(children, child)),
    tail: COLLECTION.tail + end,
  };
}

function addHierarchy(router: Router, rules: LevelRules, areasOf: StoreOf): void {
  const { level, plural, noun } = rules;
  operation(
    router,
    {
      operationId: `get_${level}_hierarchy`,
      method: 'get',
      path: '/{id}/hierarchy',
      access: 'free-tier',
      scope: 'read:boundaries',
      tags: [plural],
      summary: `Get a ${noun} with all its ancestors`,
      request: { params: z.object({ id: codeOf(rules.examples[0]) }) },
      responses: {
        ...success(`The ${noun} and its ancestors`, z.object({ data: hierarchy, error: z.null() })),
        ...errors(404, 422),
      },
    },
    (c, { params }) => {
      const store = areasOf(c);
      return answer(c, store, {
        read: (held) => store.find(level, params.id, { kin: 'ancestors', held }),
        make: ({ area, kin }) => c.json({ data: hierarchyOf(area as Area, kin), error: null }),
        check: (found) => located(c, rules, params.id, currentCode(level, params.id, found), '/hierarchy'),
      });
    },
  );
}

function addNeighbors(router: Router, rules: LevelRules, areasOf: StoreOf): void {
  const { level, plural, noun, nouns } = rules;
  operation(
    router,
    {
      operationId: `list_${level}_neighbors`,
      method: 'get',
      path: '/{id}/neighbors',
      access: 'free-tier',
      scope: 'read:boundaries',
      tags: [plural],
      summary: `List the ${nouns} that touch a ${noun}`,
      request: { params: z.object({ id: codeOf(rules.examples[0]) }) },
      responses: {
        ...success(
          `The ${nouns} that touch it, in the order of their codes`,
          z.object({ data: z.array(records[level]), error: z.null() }),
        ),
        ...errors(404, 422),
      },
    },
    (c, { params }) => {
      const store = areasOf(c);
      return answer(c, store, {
        read: (held) => store.find(level, params.id, { kin: 'neighbors', held }),
        make: ({ kin }) => c.json({ data: kin.map((area) => recordOf(level, area)), error: null }),
        check: (found) => {
          located(c, rules, params.id, currentCode(level, params.id, found), '/neighbors');
          requireBoundaries(found.boundarySet);
        },
      });
    },
  );
}

/** Says where an area that was asked for by a former code is now. */
function located(c: AppContext, { plural }: LevelRules, asked: string, code: string, rest = ''): void {
  if (asked !== code) c.header('Content-Location', `/v1/${plural}/${code}${rest}${new URL(c.req.url).search}`);
}
