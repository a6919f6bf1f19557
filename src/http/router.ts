import { createRoute, OpenAPIHono, type RouteConfig, type z } from '@hono/zod-openapi';
import { bodyLimit } from 'hono/body-limit';
import { admit, authenticate } from '../auth/authenticate.ts';
import type { Access } from '../auth/principal.ts';
import type { Scope } from '../auth/scopes.ts';
import { enforceLimit } from '../rate-limits/enforce.ts';
import type { AppContext, AppEnv } from './context.ts';
import { errors, LIMIT_HEADERS } from './error-responses.ts';
import { refuseInvalid } from './validation.ts';

export type Router = OpenAPIHono<AppEnv>;

export function createRouter(): Router {
  return new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid });
}

/** The largest body that an operation reads into memory unless it says otherwise, bytes. */
const MAX_BODY_BYTES = 64 * 1024;

type Schema = z.ZodType;
type Output<T> = T extends Schema ? z.output<T> : undefined;
type RequestOf<R> = R extends { request: infer Q } ? Q : Record<never, never>;
type BodyOf<Q> = Q extends { body: { content: { 'application/json': { schema: infer S } } } } ? S : undefined;

/** What a handler gets of the request: checked against the schemas of its route. */
export interface Input<R> {
  readonly params: Output<RequestOf<R> extends { params: infer P } ? P : undefined>;
  readonly query: Output<RequestOf<R> extends { query: infer S } ? S : undefined>;
  readonly body: Output<BodyOf<RequestOf<R>>>;
}

type Route = Omit<RouteConfig, 'security' | 'middleware'> & {
  operationId: string;
  access: Access;
  /** What an API key needs for it; nothing where every key may. */
  scope?: Scope;
  /** The largest body that it reads into memory, bytes; `streamed` where it reads none into memory and counts itself. */
  maxBody?: number | 'streamed';
};

/** Who may call an operation, in the words of OpenAPI: the scopes of a bearer are named beside the scheme (3.1). */
function securityOf(access: Access, scope: Scope | undefined): Record<string, string[]>[] {
  const bearer = { bearer: scope === undefined ? [] : [scope] };
  if (access === 'public') return [];
  return access === 'free-tier' ? [{}, bearer] : [bearer];
}

/** What the middleware can answer in place of the handler. */
function refusalsOf(access: Access, scope: Scope | undefined): (401 | 403 | 429 | 500 | 503)[] {
  if (access === 'public') return [500];
  const open = scope === undefined && access !== 'user' && access !== 'owner';
  return open ? [401, 429, 500, 503] : [401, 403, 429, 500, 503];
}

/** Responses with the headers that tell a caller what is left of their limit, where there is one. */
function limited(access: Access, responses: Route['responses']): Route['responses'] {
  if (access === 'public') return responses;
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      { ...response, headers: { ...LIMIT_HEADERS, ...('headers' in response ? response.headers : {}) } },
    ]),
  );
}

/**
 * Adds one operation: its route object, which says who may call it and every response it can give, and its handler.
 * Handlers answer with ready responses, so that text from the database passes through unparsed; that they keep to the
 * declared schemas is what the contract tests check.
 */
export function operation<const R extends Route>(
  router: Router,
  { access, scope, maxBody = MAX_BODY_BYTES, ...route }: R,
  handler: (c: AppContext, input: Input<R>) => Response | Promise<Response>,
): void {
  const needed = access === 'admin' ? 'admin' : scope;
  const middleware = [
    ...(access === 'public' ? [authenticate(access)] : [authenticate(access), enforceLimit(), admit(access, scope)]),
    ...(route.request?.body && maxBody !== 'streamed' ? [bodyLimit({ maxSize: maxBody })] : []),
  ];
  const refusals = refusalsOf(access, needed);
  const config = createRoute({
    ...(route as RouteConfig),
    security: securityOf(access, needed),
    middleware,
    responses: { ...limited(access, route.responses), ...errors(...refusals) },
  });
  const answer = (c: AppContext) => {
    // biome-ignore lint/suspicious/noExplicitAny: what was validated is typed by the route, which is generic here
    const valid = (target: string): any => c.req.valid(target as never);
    return handler(c, { params: valid('param'), query: valid('query'), body: valid('json') } as Input<R>);
  };
  router.openapi(config, answer as never);
}
