import { z } from '@hono/zod-openapi';
import type { AppContext } from '../context.ts';
import { PRIVATE } from '../http/answers.ts';
import { pageResponse, wantsPage } from '../http/pages.ts';
import { type Input, operation, type Router } from '../operation.ts';
import { commonParams, propertyParams } from './parameters.ts';
import { ogcSession, sessionIn } from './sessions.ts';

/** Who may ask what, of the operations of OGC API. They are in a document of their own: see `api-document.ts`. */
const KINDS = {
  /** What this build alone decides. */
  fixed: { access: 'public' },
  /** What collections of areas say of themselves. */
  described: { access: 'free-tier', identity: 'credential', queryCredential: ogcSession('any') },
  /** The list of collections, which has those of the caller. */
  listed: { access: 'free-tier', queryCredential: ogcSession('any') },
  areas: {
    access: 'free-tier',
    identity: 'credential',
    scope: 'read:boundaries',
    queryCredential: ogcSession('areas'),
  },
  tiles: {
    access: 'authenticated',
    identity: 'credential',
    scope: 'read:boundaries',
    queryCredential: ogcSession('areas'),
  },
  dataset: { access: 'free-tier', scope: 'read:datasets', queryCredential: ogcSession('any') },
} as const;

type Shape = z.ZodRawShape;
type Nothing = Readonly<Record<never, z.ZodType>>;

interface OgcOperation<Params extends Shape, Query extends Shape> {
  readonly id: string;
  readonly kind: keyof typeof KINDS;
  readonly path: string;
  readonly params?: Params;
  /** Throws where there can be no such collection, before there is a page for people. */
  readonly check?: (params: z.output<z.ZodObject<Params>>) => void;
  /** The parameters besides those of every operation. */
  readonly query?: Query;
  /** Its handler looks at the others by itself: they are names of properties. */
  readonly takesProperties?: true;
  /** Its handler says what a request counts as. */
  readonly isWeighed?: true;
  /** It has no page for people. */
  readonly hasNoPage?: true;
  handler(c: AppContext, input: OgcInput<Params, Query>): Response | Promise<Response>;
}

interface OgcInput<Params extends Shape, Query extends Shape> extends Pick<Input<unknown>, 'ctx'> {
  readonly params: z.output<z.ZodObject<Params>>;
  readonly query: z.output<z.ZodObject<Query & typeof commonParams>> & { readonly [property: string]: unknown };
}

/**
 * Adds an operation of OGC API. Before its handler, parameters that it does not have are refused, the session in the URL
 * is checked, and people get a page.
 */
export function ogcOperation<const Params extends Shape = Nothing, const Query extends Shape = Nothing>(
  router: Router,
  { id, kind, path, params, query, check, takesProperties, isWeighed, hasNoPage, handler }: OgcOperation<Params, Query>,
): void {
  const known = { ...commonParams, ...query };
  const request = { query: z.looseObject(known), ...(params && { params: z.object(params) }) };
  const described = { operationId: id, method: 'get', path, hide: true, responses: {}, request } as const;
  const route = { ...KINDS[kind], ...described, ...(isWeighed && { isWeighed }) };
  operation(router, {
    ...route,
    handler: async (c, input) => {
      const request = input as unknown as OgcInput<Params, Query>;
      if (!takesProperties) propertyParams(c, known, []);
      // A tool learns with the first answer that its session has expired, and not first from the features.
      if (kind === 'fixed') await sessionIn(c);
      check?.(request.params);
      return (hasNoPage ? undefined : await pageOf(c, request.query.f as string | undefined)) ?? handler(c, request);
    },
  });
}

/** The page of a URL, for people. */
async function pageOf(c: AppContext, f: string | undefined): Promise<Response | undefined> {
  c.header('Vary', 'Accept', { append: true });
  if (f === undefined ? !wantsPage(c) : f !== 'html') return undefined;
  const page = await pageResponse(c, c.env.ASSETS, 'ogc');
  if (c.req.query('session') !== undefined) page.headers.set('Cache-Control', PRIVATE['Cache-Control']);
  return page;
}

/** A document that is the same for everybody. Only the links in it have the session of the URL. */
export function documentAnswer(c: AppContext, document: object, type: string): Response {
  const audience = c.req.query('session') === undefined ? 'public' : 'private';
  const headers = { 'Content-Type': type, 'Cache-Control': `${audience}, max-age=300` };
  return c.body(JSON.stringify(document), 200, headers);
}

/** A document that only its caller may see. */
export function privateDocument(c: AppContext, document: object, type: string): Response {
  return c.body(JSON.stringify(document), 200, { ...PRIVATE, 'Content-Type': type });
}
