import { z } from '@hono/zod-openapi';
import { hintOfZero } from '../areas/lookup.ts';
import { codeParamOf, EDITION, editionParams } from '../areas/params.ts';
import type { LoadedEdition } from '../areas/postgis/releases.ts';
import { success } from '../areas/representation.ts';
import { loadedEditions, requireEdition } from '../areas/served-areas.ts';
import type { AppContext, ServiceContext } from '../context.ts';
import { crc32 } from '../crc32.ts';
import { csvLine } from '../csv/cells.ts';
import { DomainError } from '../errors.ts';
import { answer, envelope, envelopeAround, nameRelease, streamOf } from '../http/answers.ts';
import { setCaching, validatorOf } from '../http/conditional.ts';
import { CSV_TYPE } from '../http/csv-body.ts';
import { errors } from '../http/error-schemas.ts';
import { metaMembers, pageMeta, pageParams } from '../http/pagination.ts';
import { choiceParam } from '../http/params.ts';
import { startTexts, surround } from '../http/stream.ts';
import { createRouter, operation, type Router } from '../operation.ts';
import { csvAnswer } from '../tables/answer.ts';
import { type CrosswalkInput, crosswalkPages, findChanges, findHistory, findPair } from './repo.ts';
import { CROSSWALK_COLUMNS, changeSchema, crosswalkRow, editionSchema, KINDS, kindCounts, LEVELS } from './schemas.ts';

const FREE = { method: 'get', access: 'free-tier', identity: 'credential' } as const;

const editionOf = (about: string, example: string) => editionParams.edition.openapi({ description: about, example });
const wantedEdition = (about: string, example: string) =>
  editionParams.edition.unwrap().openapi({ type: 'string', pattern: EDITION.source, description: about, example });
const levelParam = choiceParam(LEVELS, 'Only areas of this level').optional();

/** The editions that are loaded. */
export function editionRoutes(): Router {
  const router = createRouter();
  operation(
    router,
    {
      ...FREE,
      operationId: 'list_editions',
      path: '/',
      tags: ['editions'],
      summary: 'List the editions of the PSGC that are loaded',
      description: 'Newest first. Every read of geography takes the id of one as `edition`.',
      responses: { ...success('The editions', envelope(z.array(editionSchema))) },
    },
    async (c, { ctx }) => {
      const loaded = await loadedEditions(ctx);
      const data = loaded.map(({ version: _, changed: __, ...edition }, i) => ({
        ...edition,
        previous: loaded[i + 1]?.id ?? null,
      }));
      return unchanged(c, ctx, loaded) ?? answer(c, data);
    },
  );
  return router;
}

/** What happened to areas between editions. */
export function changeRoutes(): Router {
  const router = createRouter();

  operation(
    router,
    {
      ...FREE,
      operationId: 'list_changes',
      path: '/',
      tags: ['editions'],
      summary: 'List what changed between editions',
      description:
        'The oldest first, then by level from regions down and by code. Without from and to, between all editions.',
      request: {
        query: z.object({
          from: editionOf('The edition before', '2023-4q'),
          to: editionOf('The edition after', '2025-2q'),
          level: levelParam,
          kind: choiceParam(KINDS, 'Only changes of this kind').optional(),
          code: codeParamOf('1830200000')
            .optional()
            .openapi({ description: 'Only changes with this code, before or after' }),
          ...pageParams,
        }),
      },
      responses: {
        ...success(
          'A page of changes',
          envelope(z.array(changeSchema), { meta: z.object({ ...metaMembers, kinds: kindCounts }) }),
        ),
        ...errors(404, 422),
      },
    },
    async (c, { ctx, query: { from, to, level, kind, code, page, limit } }) => {
      const loaded = await loadedEditions(ctx);
      if (from !== undefined) requireEdition(loaded, from, 'from');
      if (to !== undefined) requireEdition(loaded, to, 'to');
      const [first, last] = from !== undefined && to !== undefined && from > to ? [to, from] : [from, to];
      const held = unchanged(c, ctx, loaded);
      if (held) return held;
      const filter = { from: first, to: last, level, kind, code };
      const { changes, kinds, total } = await findChanges(ctx.db, filter, { page, limit });
      return answer(c, changes, { ...pageMeta(c.req.url, { total, page, limit }), kinds });
    },
  );

  operation(
    router,
    {
      ...FREE,
      operationId: 'get_changes_of_code',
      path: '/{code}',
      tags: ['editions'],
      summary: 'The history of a code',
      description:
        'Everything that happened to the area with a current or former code, over all editions that are loaded and under all codes that it had, the oldest first. An area that never changed has an empty list.',
      request: { params: z.object({ code: codeParamOf('0630200000') }) },
      responses: { ...success('Its changes', envelope(z.array(changeSchema))), ...errors(404, 422) },
    },
    async (c, { ctx, params: { code } }) => {
      const loaded = await loadedEditions(ctx);
      const changes = await findHistory(ctx.db, code);
      if (!changes) {
        const editions = loaded.map(({ id }) => id).join(', ') || 'none';
        throw new DomainError(
          'area_not_found',
          `No area has or had the PSGC code ${code} in the editions there are: ${editions}.${hintOfZero(code)}`,
        );
      }
      return unchanged(c, ctx, loaded) ?? answer(c, changes);
    },
  );

  return router;
}

/** The codes of one edition in another. */
export function crosswalkRoutes(): Router {
  const router = createRouter();
  operation(
    router,
    {
      ...FREE,
      operationId: 'get_crosswalk',
      path: '/',
      tags: ['editions'],
      summary: 'The codes of one edition in another',
      description:
        'One row for each pair of codes, with all codes of `from`: multiply what you know of `from_code` by a weight to get what of it belongs to `to_code`. Weights are shares of land where both editions have boundaries, and of residents where their lists have them; `estimated` names those that are not measured. Editions may be given in either order of time.',
      request: {
        query: z.object({
          from: wantedEdition('The edition whose codes you have', '2023-4q'),
          to: wantedEdition('The edition whose codes you want', '2025-2q'),
          level: levelParam,
          format: choiceParam(['json', 'csv'] as const, 'Representation')
            .optional()
            .openapi({ default: 'json' }),
        }),
      },
      responses: crosswalkAnswers(),
    },
    async (c, { ctx, query: { from, to, level, format = 'json' } }) => {
      const loaded = await loadedEditions(ctx);
      const [fromRelease, toRelease] = [
        requireEdition(loaded, from, 'from').release,
        requireEdition(loaded, to, 'to').release,
      ];
      const pair = from === to ? undefined : await findPair(ctx.db, { from, to });
      if (from !== to && !pair) {
        const message = `The editions ${from} and ${to} were not compared. That is done when a release of either is loaded.`;
        throw new DomainError('crosswalk_not_found', message);
      }
      const held = unchanged(c, ctx, loaded);
      if (held) return held;
      const levels = level === undefined ? ['region', 'province', 'municity', 'submunicipality', 'barangay'] : [level];
      const input = {
        from,
        to,
        fromRelease: pair?.from_release ?? fromRelease,
        toRelease: pair?.to_release ?? toRelease,
        levels,
      };
      const isCsv = format === 'csv';
      const texts = await startTexts(isCsv ? csvTexts(ctx, input) : jsonTexts(ctx, input));
      if (isCsv) c.header('Content-Disposition', `attachment; filename="crosswalk-${from}-${to}.csv"`);
      return c.body(streamOf(c, texts), 200, {
        'Content-Type': isCsv ? CSV_TYPE : 'application/json',
      });
    },
  );
  return router;
}

/** The declared answers of a crosswalk. */
function crosswalkAnswers() {
  const json = success('The rows', envelope(z.array(crosswalkRow)));
  const content = {
    ...json[200].content,
    ...csvAnswer(
      `${CROSSWALK_COLUMNS.join()}\n0630200000,City of Bacolod,1830200000,City of Bacolod,recoded,1,1,code,\n`,
    ),
  };
  return { ...json, 200: { ...json[200], content }, ...errors(404, 422) };
}

async function* csvTexts({ db }: ServiceContext, input: CrosswalkInput): AsyncGenerator<string> {
  // Excel takes a file for Windows-1252 without a byte order mark, and then breaks every name with an ñ.
  yield `\ufeff${csvLine(CROSSWALK_COLUMNS)}`;
  for await (const rows of crosswalkPages(db, input)) {
    yield rows
      .map((row) => csvLine(CROSSWALK_COLUMNS.map((column) => String(Reflect.get(row, column) ?? ''))))
      .join('');
  }
}

function jsonTexts({ db }: ServiceContext, input: CrosswalkInput): AsyncGenerator<string> {
  const { head, tail } = envelopeAround();
  return surround(`${head}[`, jsonPages(db, input), `]${tail}`);
}

async function* jsonPages(db: ServiceContext['db'], input: CrosswalkInput): AsyncGenerator<string> {
  let separator = '';
  for await (const rows of crosswalkPages(db, input)) {
    yield separator + rows.map((row) => JSON.stringify(row)).join(',');
    separator = ',';
  }
}

const encoder = new TextEncoder();

/**
 * Says which release is served, and what caches need to know: the answer changes when a release is loaded or activated.
 * Gives 304 where the caller has it.
 */
function unchanged(c: AppContext, ctx: ServiceContext, loaded: readonly LoadedEdition[]): Response | undefined {
  const active = loaded.find((edition) => edition.active);
  if (active) nameRelease(c, active.release);
  const state = loaded.map(({ version, active: isActive, changed }) => `${version} ${isActive} ${changed}`).join();
  const version = `editions-${crc32(encoder.encode(state)).toString(16)}`;
  const validator = validatorOf(c, ctx.config);
  setCaching(c, validator.etag(version), ctx.principal);
  return validator.matches(version) ? c.body(null, 304) : undefined;
}
