import { z } from '@hono/zod-openapi';
import { ageOf, dayOf } from '../areas/edition-age.ts';
import { compareEditions, EDITION_ID } from '../areas/edition-id.ts';
import { codeParamOf, editionParams } from '../areas/params.ts';
import { hintOfCode } from '../areas/refusals.ts';
import { geographyResponses } from '../areas/representation.ts';
import type { AppContext, ServiceContext } from '../context.ts';
import { crc32 } from '../crc32.ts';
import { csvLine } from '../csv/cells.ts';
import { DomainError, unlessUnavailable } from '../errors.ts';
import { answer, envelope, envelopeAround, streamOf } from '../http/answers.ts';
import { revalidate, validatorOf } from '../http/conditional.ts';
import { CSV_TYPE } from '../http/csv-body.ts';
import { errors } from '../http/error-schemas.ts';
import { metaMembers, pageMeta, pageParams } from '../http/pagination.ts';
import { choiceParam } from '../http/params.ts';
import { startTexts, surround } from '../http/stream.ts';
import { NAME_LEVELS } from '../names/source.ts';
import { operation, Router } from '../operation.ts';
import { csvAnswer } from '../tables/answer.ts';
import { atomText, type Feed, feedOf, jsonFeed } from './feed.ts';
import { openHistory, type ServedHistory } from './open.ts';
import {
  CROSSWALK_COLUMNS,
  type CrosswalkRow,
  changeSchema,
  crosswalkRow,
  editionSchema,
  jsonFeedSchema,
  KINDS,
  kindCounts,
} from './schemas.ts';
import { listEditions, noticesOfCode, requireEditions } from './service.ts';

const FREE = { method: 'get', access: 'free-tier', identity: 'credential' } as const;

const editionOf = (about: string, example: string) => editionParams.edition.openapi({ description: about, example });
const wantedEdition = (about: string, example: string) =>
  editionParams.edition.unwrap().openapi({ type: 'string', pattern: EDITION_ID.source, description: about, example });
const kindParam = choiceParam(KINDS, 'Filter by kind').optional();
const withinParam = codeParamOf('0702200000')
  .optional()
  .openapi({ description: 'Filter by area: changes of the area with this code and of everything in it, now or then' });
/** Max areas of one list of changes, as many as a webhook endpoint may follow. */
const MAX_WITHIN = 50;

const WITHIN = new RegExp(`^\\d{1,15}(?:,\\d{1,15}){0,${MAX_WITHIN - 1}}$`);
const withinRule = `must be a PSGC code, or up to ${MAX_WITHIN} of them with commas between`;
const withinAnyParam = z
  .string(withinRule)
  .regex(WITHIN, withinRule)
  .optional()
  .openapi({
    description: `Filter by area: changes of the area with this code and of everything in it, now or then; or of up to ${MAX_WITHIN} areas, their codes separated by commas`,
    example: '0702200000',
  });
const levelParam = choiceParam(NAME_LEVELS, 'Filter by level').optional();

/** Route of the list of editions. */
export function editionRoutes(): Router {
  const router = new Router(['editions']);
  operation(router, {
    ...FREE,
    operationId: 'list_editions',
    path: '/',
    summary: 'List the editions of the PSGC',
    description: "Newest first. Every read of geography accepts an edition's id as `edition`.",
    responses: { ...geographyResponses('The editions', envelope(z.array(editionSchema))), ...errors(503) },
    handler: async (c, { ctx }) => {
      const { editions, release, state } = await listEditions(ctx);
      const now = Date.now();
      const data = editions.map((edition, i) => ({
        ...edition,
        ...ageOf({ id: edition.id, day: edition.published, newest: editions[0]?.id }, now),
        previous: editions[i + 1]?.id ?? null,
      }));
      return unchanged(c, ctx, { release, state, ageKey: dayOf(now) }) ?? answer(c, data);
    },
  });
  return router;
}

/** Routes of changes of areas between editions. */
export function changeRoutes(): Router {
  const router = new Router(['editions']);

  operation(router, {
    ...FREE,
    operationId: 'list_changes',
    path: '/',
    summary: 'List what changed between editions',
    description:
      'Oldest first, then by level from regions down, then by code. Without from and to: changes between all editions. If from is later than to, they are swapped.',
    request: {
      query: z.object({
        from: editionOf('The earlier edition', '2023-4q'),
        to: editionOf('The later edition', '2026-3q'),
        level: levelParam,
        kind: kindParam,
        code: codeParamOf('1830200000')
          .optional()
          .openapi({ description: 'Filter by code, before or after the change' }),
        within: withinAnyParam,
        ...pageParams,
      }),
    },
    responses: {
      ...geographyResponses(
        'A page of changes',
        envelope(z.array(changeSchema), { meta: z.object({ ...metaMembers, kinds: kindCounts }) }),
      ),
      ...errors(404, 422, 503),
    },
    handler: async (c, { ctx, query: { from, to, level, kind, code, within, page, limit } }) => {
      const served = await openHistory(ctx);
      requireEditions(served, { from, to });
      const [first, last] =
        from !== undefined && to !== undefined && compareEditions(from, to) > 0 ? [to, from] : [from, to];
      const notModified = unchangedHistory(c, ctx, served);
      if (notModified) return notModified;
      const filter = { from: first, to: last, level, kind, code, within: within?.split(',') };
      const { changes, kinds, total } = served.history.listChanges(filter, { page, limit });
      return answer(c, changes, { ...pageMeta(c.req.url, { total, page, limit }), kinds });
    },
  });

  feedRoute(router, {
    operationId: 'get_changes_atom',
    path: '/feed.atom',
    format: 'Atom (RFC 4287)',
    type: 'application/atom+xml',
    schema: z.string(),
    write: atomText,
  });
  feedRoute(router, {
    operationId: 'get_changes_json_feed',
    path: '/feed.json',
    format: 'JSON Feed 1.1',
    type: 'application/feed+json',
    schema: jsonFeedSchema,
    write: (feed) => JSON.stringify(jsonFeed(feed)),
  });

  operation(router, {
    ...FREE,
    operationId: 'get_changes_of_code',
    path: '/{code}',
    summary: 'The history of a code',
    description:
      'All changes of the area with a current or former code, in all editions and under all its codes, oldest first. An area that never changed has an empty list; if the requested code is an older one, a notice names its area.',
    request: { params: z.object({ code: codeParamOf('0630200000') }) },
    responses: {
      ...geographyResponses('Its changes', envelope(z.array(changeSchema))),
      ...errors(404, 422, 503),
    },
    handler: async (c, { ctx, params: { code } }) => {
      const served = await openHistory(ctx);
      const { history } = served;
      const changes = history.changesOf(code);
      const isOfArea = changes !== undefined;
      const notices = changes?.length
        ? undefined
        : await noticesOfCode(ctx, { code, isOfArea }).catch(unlessUnavailable);
      if (!isOfArea && !notices) requireKnown(served, code);
      return unchangedHistory(c, ctx, served) ?? answer(c, changes ?? [], notices && { notices });
    },
  });

  return router;
}

/** Adds the changes as a feed, which readers ask for again and again. */
function feedRoute(
  router: Router,
  given: {
    operationId: string;
    path: string;
    format: string;
    type: string;
    schema: z.ZodType;
    write: (feed: Feed) => string;
  },
): void {
  const { operationId, path, format, type, schema, write } = given;
  const declared = geographyResponses('The feed', schema);
  operation(router, {
    ...FREE,
    operationId,
    path,
    summary: `Changes as ${format}`,
    description:
      'For feed readers: one entry per edition with changes, newest first. `within` limits it to an area and everything in it. An entry lists at most 100 changes and links to all of them.',
    request: { query: z.object({ within: withinParam, level: levelParam, kind: kindParam }) },
    responses: {
      ...declared,
      200: { ...declared[200], content: { [type]: { schema } } },
      ...errors(404, 422, 503),
    },
    handler: async (c, { ctx, query }) => {
      const served = await openHistory(ctx);
      requireKnown(served, query.within);
      const notModified = unchangedHistory(c, ctx, served);
      if (notModified) return notModified;
      const feed = await feedOf(served.history, query, c.req.url);
      return c.body(write(feed), 200, { 'Content-Type': `${type}; charset=utf-8` });
    },
  });
}

/** @throws DomainError `area_not_found` if no edition has or had a code */
function requireKnown({ history }: Pick<ServedHistory, 'history'>, code: string | undefined): void {
  if (code === undefined || history.nameOfCode(code) !== undefined) return;
  const editions = history.editions.map(({ id }) => id).reverse();
  throw new DomainError(
    'area_not_found',
    `No area has or had the PSGC code ${code} in the editions there are: ${editions.join(', ')}.${hintOfCode(code)}`,
  );
}

/** Route of crosswalks between editions. */
export function crosswalkRoutes(): Router {
  const router = new Router(['editions']);
  operation(router, {
    ...FREE,
    operationId: 'get_crosswalk',
    path: '/',
    summary: 'The codes of one edition in another',
    description:
      'One row per pair of codes, with all codes of `from`: multiply a figure of `from_code` by a weight to get its part for `to_code`. Weights are shares of land area if boundaries measure it, and of residents if lists have them; `estimated` names weights that are not measured. Either edition may be the earlier one.',
    request: {
      query: z.object({
        from: wantedEdition('The edition of your codes', '2023-4q'),
        to: wantedEdition('The edition of the codes that you want', '2026-3q'),
        level: levelParam,
        format: choiceParam(['json', 'csv'] as const, 'Representation')
          .optional()
          .openapi({ default: 'json' }),
      }),
    },
    responses: crosswalkAnswers(),
    handler: async (c, { ctx, query: { from, to, level, format = 'json' } }) => {
      const served = await openHistory(ctx);
      requireEditions(served, { from, to });
      const notModified = unchangedHistory(c, ctx, served);
      if (notModified) return notModified;
      const rows = served.history.crosswalk(from, to, level === undefined ? NAME_LEVELS : [level]);
      const isCsv = format === 'csv';
      const texts = await startTexts(isCsv ? csvTexts(rows) : jsonTexts(c, rows));
      if (isCsv) c.header('Content-Disposition', `attachment; filename="crosswalk-${from}-${to}.csv"`);
      return c.body(streamOf(c, texts), 200, {
        'Content-Type': isCsv ? CSV_TYPE : 'application/json',
      });
    },
  });
  return router;
}

/** The declared responses of a crosswalk. */
function crosswalkAnswers() {
  const json = geographyResponses('The rows', envelope(z.array(crosswalkRow)));
  const content = {
    ...json[200].content,
    ...csvAnswer(
      `${CROSSWALK_COLUMNS.join()}\n0630200000,City of Bacolod,1830200000,City of Bacolod,recoded,1,1,code,\n`,
    ),
  };
  return { ...json, 200: { ...json[200], content }, ...errors(404, 422, 503) };
}

/** Rows per chunk of a response. */
const CHUNK = 2000;

function* chunksOf(rows: Iterable<CrosswalkRow>): Generator<CrosswalkRow[]> {
  let chunk: CrosswalkRow[] = [];
  for (const row of rows) {
    chunk.push(row);
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

async function* csvTexts(rows: Iterable<CrosswalkRow>): AsyncGenerator<string> {
  // Without a byte order mark Excel reads the file as Windows-1252, which breaks every name with an ñ.
  yield `\ufeff${csvLine(CROSSWALK_COLUMNS)}`;
  for (const chunk of chunksOf(rows)) {
    yield chunk
      .map((row) => csvLine(CROSSWALK_COLUMNS.map((column) => String(Reflect.get(row, column) ?? ''))))
      .join('');
  }
}

function jsonTexts(c: AppContext, rows: Iterable<CrosswalkRow>): AsyncGenerator<string> {
  const { head, tail } = envelopeAround(c);
  return surround(`${head}[`, jsonChunks(rows), `]${tail}`);
}

async function* jsonChunks(rows: Iterable<CrosswalkRow>): AsyncGenerator<string> {
  let separator = '';
  for (const chunk of chunksOf(rows)) {
    yield separator + chunk.map((row) => JSON.stringify(row)).join(',');
    separator = ',';
  }
}

const encoder = new TextEncoder();

/** `unchanged` for responses that depend on the history alone. */
function unchangedHistory(c: AppContext, ctx: ServiceContext, { release, version }: ServedHistory) {
  return unchanged(c, ctx, { release, state: version });
}

/**
 * Sets the headers of the release and of caching. Returns 304 if the caller has the response already.
 *
 * @param served `state`: changes with the response; `ageKey`: what the age that the response states depends on, if it states one
 */
function unchanged(
  c: AppContext,
  ctx: ServiceContext,
  { release, state, ageKey }: { release: string; state: string; ageKey?: string },
): Response | undefined {
  const version = `editions-${crc32(encoder.encode(state)).toString(16)}`;
  return revalidate(c, validatorOf(c, ctx.config, ageKey), { release, version, principal: ctx.principal });
}
