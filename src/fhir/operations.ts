import { z } from '@hono/zod-openapi';
import { GEOGRAPHY } from '../areas/representation.ts';
import type { AppContext, ServiceContext } from '../context.ts';
import { crc32 } from '../crc32.ts';
import { DomainError } from '../errors.ts';
import { streamOf } from '../http/answers.ts';
import { revalidate, validatorOf } from '../http/conditional.ts';
import { startTexts } from '../http/stream.ts';
import { operation, type Router } from '../operation.ts';
import { quoted } from './given.ts';
import { FHIR_TYPE } from './outcomes.ts';
import { openTerminology, type Terminology } from './terminology.ts';

/** Who may ask: as for all areas without boundaries. The operations are in a document of their own, `/fhir/metadata`. */
const FREE = { access: 'free-tier', ...GEOGRAPHY } as const;

interface Asked {
  readonly id: string;
  readonly method?: 'get' | 'post';
  readonly path: string;
  readonly hasId?: boolean;
  /** It counts by what it answers with: see `countCodes`. */
  readonly isWeighed?: true | undefined;
  /** Its answer says when it was made, so that its entity tag is weak. */
  readonly isDated?: true | undefined;
}

/** Adds an operation over the code system. What it answers to GET changes with the data and the URL alone. */
export function fhirOperation(
  router: Router,
  { id, method = 'get', path, hasId = false, isWeighed, isDated }: Asked,
  answer: (c: AppContext, terms: Terminology, id: string) => object | AsyncGenerator<string> | Promise<object>,
): void {
  const request = { query: z.looseObject({}), ...(hasId && { params: z.object({ id: z.string() }) }) };
  const described = { operationId: id, method, path, hide: true, responses: {}, request } as const;
  const route = {
    ...FREE,
    ...described,
    ...(method === 'post' && { rawBody: true as const }),
    ...(isWeighed && { isWeighed }),
  };
  operation(router, {
    ...route,
    handler: async (c, { ctx }) => {
      requireJson(c);
      const terms = await openTerminology(ctx);
      const unchanged = method === 'get' ? cached(c, ctx, { terms, isDated }) : undefined;
      if (unchanged) return unchanged;
      const made = await answer(c, terms, c.req.param('id') ?? '');
      if (method === 'post') c.header('Cache-Control', 'no-store');
      c.header('Content-Type', FHIR_TYPE);
      if (!(Symbol.asyncIterator in made)) return c.body(JSON.stringify(made));
      return c.body(streamOf(c, await startTexts(made as AsyncGenerator<string>)));
    },
  });
}

const encoder = new TextEncoder();

function cached(
  c: AppContext,
  ctx: ServiceContext,
  { terms: { release, state }, isDated }: { terms: Terminology; isDated: true | undefined },
): Response | undefined {
  c.header('Vary', 'Accept', { append: true });
  const sets = JSON.stringify(ctx.config.FHIR_VALUE_SETS);
  const version = `fhir-${crc32(encoder.encode(state + sets)).toString(16)}`;
  const strong = validatorOf(c, ctx.config);
  const validator = isDated ? { ...strong, etag: (of: string) => `W/${strong.etag(of)}` } : strong;
  return revalidate(c, validator, { release, version, principal: ctx.principal });
}

const JSON_FORMATS = /^(?:json|(?:application|text)\/(?:fhir\+)?json)\s*(?:;|$)/i;
const JSON_ACCEPTED =
  /^\s*(?:\*\/\*|application\/\*|(?:application|text)\/(?:fhir\+)?json)\s*(?:;(?!\s*q=0(?:\.0*)?\s*$)|$)/i;

/**
 * @param given `_format`, where it is not of the URL
 * @throws DomainError `not_acceptable` where a client takes no JSON
 */
export function requireJson(c: AppContext, given = c.req.query('_format')): void {
  // A plus sign in a URL is a space.
  const format = given?.replaceAll(' ', '+');
  const accept = c.req.header('Accept') || undefined;
  const isTaken =
    format !== undefined
      ? JSON_FORMATS.test(format)
      : (accept?.split(',').some((it) => JSON_ACCEPTED.test(it)) ?? true);
  if (isTaken) return;
  const got = format === undefined ? `Accept: ${accept}` : `_format=${format}`;
  throw new DomainError('not_acceptable', `FHIR is answered as application/fhir+json only (got ${quoted(got)}).`);
}
