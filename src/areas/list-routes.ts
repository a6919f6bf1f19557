import { z } from '@hono/zod-openapi';
import { answerText, envelope, envelopeAround, nameRelease, PRIVATE } from '../http/answers.ts';
import { errors, header } from '../http/error-schemas.ts';
import { metaSchema, pageMeta, pageParams } from '../http/pagination.ts';
import { integerParam } from '../http/params.ts';
import { operation, Router } from '../operation.ts';
import { answerRead } from './answer-read.ts';
import { cachedText } from './cached-answers.ts';
import { collectionFrame, documentOf, recordFrame } from './documents.ts';
import type { LevelRules } from './levels.ts';
import { codesNoticesOf, listBoundaryNoticesOf, noticesOf } from './notices.ts';
import { batchBody, editionParams, orderParams, representationParams, searchText } from './params.ts';
import { recordOf, requestedAs } from './records.ts';
import { requireOneMunicity } from './refusals.ts';
import { GEOGRAPHY, geographyResponses, RELEASE_HEADER, representationOf } from './representation.ts';
import { collections, records } from './schemas.ts';
import { servedAreas } from './served-areas.ts';
import { hasCollection } from './snapshot/layout.ts';
import type { Area, AreaFilter, AreaList, AreaStore, Level, Resolution } from './store.ts';
import { storedCollection } from './stored-collection.ts';

/** Routes for many areas of a level: by filter, by name, by codes. */
export function areaListRoutes(rules: LevelRules): Router {
  const router = new Router([rules.plural]);
  addSearch(router, rules);
  addBatch(router, rules);
  addList(router, rules);
  return router;
}

const RANGES_NOTE =
  '\n\nThe collection of all answers one range of bytes with 206: of the bytes that are not compressed, unless If-Range has the ETag of a compressed answer.';

/**
 * The declared 206 answer of a list, with the types of its 200 answer. Other types would become a second result type of the
 * list in generated clients.
 */
const partialAnswerOf = <Content>({ 200: { content } }: { 200: { content: Content } }) => ({
  206: {
    description: 'With format=geojson: the requested byte range of the collection, which is not JSON by itself',
    headers: { 'Accept-Ranges': header('bytes'), 'Content-Range': header('Range and total size in bytes') },
    content,
  },
});

function addList(router: Router, rules: LevelRules): void {
  const { level, plural, nouns, list } = rules;
  const isStored = hasCollection(level);
  const whole = geographyResponses(
    `A page of ${nouns}, or a FeatureCollection`,
    envelope(z.array(records[level]), { meta: metaSchema }),
    collections[level],
  );
  operation(router, {
    operationId: `list_${plural}`,
    method: 'get',
    path: '/',
    access: 'free-tier',
    ...GEOGRAPHY,
    cached: cachedText,
    summary: `List ${nouns}`,
    description: `A page of ${nouns} in the order of their codes unless sort says otherwise; with format=geojson, all that match as a FeatureCollection.${list.required ? ` ${list.required}` : ''}${isStored ? RANGES_NOTE : ''}`,
    request: {
      query: z.object({ ...pageParams, ...list.params, ...orderParams, ...representationParams, ...editionParams }),
    },
    responses: {
      ...whole,
      ...(isStored ? partialAnswerOf(whole) : {}),
      ...errors(...(list.required ? [400 as const] : []), 404, ...(isStored ? [416 as const] : []), 422),
    },
    handler: async (c, { ctx, query }) => {
      const { page, limit } = query;
      const { geojson, resolution } = representationOf(c, ctx, query);
      const filter = list.filter(query);
      const areas = await servedAreas(ctx, query.edition);
      const order = { by: query.sort ?? 'code', descending: query.order === 'desc' } as const;
      const isByCode = order.by === 'code' && !order.descending;
      const isWholeLevel = geojson && isByCode && isUnfiltered(filter);
      const stored = isWholeLevel && (await storedCollection(c, ctx, { areas, level, resolution }));
      if (stored) return stored;

      const options = { resolution, order, page: geojson ? undefined : { page, limit } };
      return answerRead(c, ctx, {
        areas,
        resolution,
        hasLinks: !geojson,
        read: (knownVersions) => areas.list(level, filter, { ...options, knownVersions }),
        check: ({ candidates }) => requireOneMunicity(filter.municity, candidates),
        produce: async (found) => {
          const { areas: shown, total } = found;
          // A FeatureCollection has no place for notices.
          if (geojson) return { level, shown, frame: collectionFrame(level) };
          const notices = await listNotices(areas, { level, query, filter, found, resolution });
          const meta = { ...pageMeta(c.req.url, { total, page, limit }), ...(notices && { notices }) };
          if (!resolution) {
            const records = shown.map((area) => recordOf(level, area));
            return answerText(c, records, meta);
          }
          const { head, tail } = envelopeAround(c, meta);
          return { level, shown, frame: recordFrame(level, { head: `${head}[`, tail: `]${tail}` }) };
        },
      });
    },
  });
}

interface ListedAreas {
  readonly level: Level;
  readonly query: Readonly<Record<string, unknown>>;
  readonly filter: AreaFilter;
  readonly found: AreaList;
  readonly resolution: Resolution | undefined;
}

/** Notices of why a list is empty, which of its codes have no area, and which areas have no boundary. */
async function listNotices(areas: AreaStore, { level, query, filter, found, resolution }: ListedAreas) {
  const { codes = [] } = filter;
  const [parents, missingCodes] = await Promise.all([
    found.areas.length === 0 ? noticesOf(areas, query) : undefined,
    found.total < codes.length ? codesNoticesOf(areas, level, codes) : undefined,
  ]);
  const boundaries = resolution ? listBoundaryNoticesOf(found.areas, found.boundarySet) : undefined;
  const notices = [...(boundaries ?? []), ...(parents ?? []), ...(missingCodes ?? [])];
  return notices.length > 0 ? notices : undefined;
}

function isUnfiltered({ regions = [], ...others }: AreaFilter): boolean {
  return regions.length === 0 && Object.values(others).every((condition) => condition === undefined);
}

const SEARCH_EXAMPLES = {
  region: 'visayas',
  province: 'negros',
  municity: 'paranaque',
  barangay: 'capitol',
} as const satisfies Record<Level, string>;

function addSearch(router: Router, { level, plural, nouns, search }: LevelRules): void {
  const limit = integerParam({ min: 1, max: 100, description: 'Maximum number of records', example: 5 });
  // The parameter is nullable. In a query an empty value and `null` stand for the default.
  const unset = z.literal(['', 'null']).transform(() => 20);
  operation(router, {
    operationId: `search_${plural}`,
    method: 'get',
    path: '/search',
    access: 'free-tier',
    ...GEOGRAPHY,
    cached: cachedText,
    summary: `Search ${nouns} by name`,
    description:
      'Ignores accents and case; matches present and former names, with or without "City". Exact matches come first, then matches at the start of the name, at the start of a word, and anywhere, each by population, present names before former ones. If there is room left, other results of `GET /v1/search` follow: other spellings, short names, names with their ancestors, and near misses.',
    request: {
      query: z.object({
        q: searchText({ description: 'Text to look for', example: SEARCH_EXAMPLES[level] }),
        limit: z
          .union([unset, limit], 'must be an integer from 1 to 100')
          .optional()
          .openapi({
            type: ['integer', 'null'],
            minimum: 1,
            maximum: 100,
            default: 20,
            description: 'Maximum number of records',
            example: 5,
          }),
        ...search.params,
        ...editionParams,
      }),
    },
    responses: {
      ...geographyResponses(`Matching ${nouns}, best first`, envelope(z.array(records[level]))),
      ...errors(404, 422),
    },
    handler: async (c, { ctx, query }) => {
      const areas = await servedAreas(ctx, query.edition);
      const options = { filter: search.filter(query), limit: query.limit ?? 20 };
      return answerRead(c, ctx, {
        areas,
        read: (knownVersions) => areas.search(level, query.q, { ...options, knownVersions }),
        produce: async (found) => {
          const notices = found.length === 0 ? await noticesOf(areas, query) : undefined;
          const records = found.map((area) => recordOf(level, area));
          return answerText(c, records, notices && { notices });
        },
      });
    },
  });
}

function addBatch(router: Router, { level, plural, nouns, batch, examples }: LevelRules): void {
  operation(router, {
    operationId: `find_${plural}`,
    method: 'post',
    path: '/search',
    access: 'authenticated',
    ...GEOGRAPHY,
    summary: `Get ${nouns} by their codes`,
    description:
      'In the requested order, each record once. X-Missing-Codes lists codes without a record, and X-Abolished-Codes lists those of abolished areas with their successors. A record that was requested by an old code has that code in requested_code. X-Repeated-Codes lists further codes of the same record.',
    request: {
      query: z.object(editionParams),
      body: {
        required: true,
        content: { 'application/json': { schema: batchBody(batch.field, batch.max, examples) } },
      },
    },
    responses: {
      200: {
        description: `The ${nouns}, or a FeatureCollection`,
        headers: {
          ...RELEASE_HEADER,
          'X-Abolished-Codes': header(
            'Codes of abolished areas among these, each with its known successors: old=new+new, separated by commas',
          ),
          'X-Repeated-Codes': header(
            'Requested codes whose record is already in the answer: requested=current, separated by commas',
          ),
          'X-Missing-Codes': header(
            'Codes without a record, separated by commas. A list that is too long for a header ends after a whole code, with "..." in place of the others',
          ),
        },
        content: {
          'application/json': { schema: z.array(records[level]) },
          'application/geo+json': { schema: collections[level] },
        },
      },
      ...errors(400, 404, 413, 415, 422),
    },
    handler: async (c, { ctx, body, query: { edition } }) => {
      const { geojson, resolution = 'simple' } = representationOf(c, ctx, body);
      const areas = await servedAreas(ctx, edition);
      const { release, value } = await areas.findMany(level, body[batch.field] as string[], { resolution });
      nameRelease(c, release);
      c.header('Cache-Control', PRIVATE['Cache-Control']);
      if (value.missing.length > 0) c.header('X-Missing-Codes', codeHeader(value.missing));
      if (value.abolished.length > 0) {
        const moves = value.abolished.map(({ code, successors }) => `${code}=${successors.join('+')}`);
        c.header('X-Abolished-Codes', codeHeader(moves));
      }
      const requestedCodes = new Map(value.areas.map((area, i) => [area.code, value.requested[i] ?? []]));
      const repeated = [...requestedCodes].flatMap(([code, codes]) =>
        codes.slice(1).map((other) => `${other}=${code}`),
      );
      if (repeated.length > 0) c.header('X-Repeated-Codes', codeHeader(repeated));
      const record = (area: Area) => ({
        ...recordOf(level, area),
        ...requestedAs(requestedCodes.get(area.code)?.[0] ?? area.code, area),
      });
      const frame = geojson ? collectionFrame(level, record) : recordFrame(level, { head: '[', tail: ']' }, record);
      const set = { release, level, resolution };
      return documentOf(c, value.areas, { frame, read: (slices) => areas.boundaries(set, slices) });
    },
  });
}

/** Characters. Clients refuse headers of 16 kB; a thousand codes of ten digits take 11 kB. */
const MAX_HEADER_LENGTH = 12_000;

/** Codes as a header value. A list that is too long ends after a whole code, with `...` in place of the others. */
function codeHeader(codes: readonly string[]): string {
  const text = codes.join(',');
  if (text.length <= MAX_HEADER_LENGTH) return text;
  return `${text.slice(0, text.lastIndexOf(',', MAX_HEADER_LENGTH))},...`;
}
