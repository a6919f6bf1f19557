import { createRoute, OpenAPIHono, type RouteConfig, type z } from '@hono/zod-openapi';
import { bodyLimit } from 'hono/body-limit';
import { authenticate } from '../auth/authenticate.ts';
import type { Access } from '../auth/principal.ts';
import type { AppContext, AppEnv } from './context.ts';
import { refuseInvalid } from './validation.ts';

export type Router = OpenAPIHono<AppEnv>;

export function createRouter(): Router {
  return new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid });
}

/** The largest JSON body that any operation reads into memory, bytes. */
const MAX_JSON_BYTES = 64 * 1024;

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

type Route = Omit<RouteConfig, 'security' | 'middleware'> & { operationId: string; access: Access };

const SECURITY: Readonly<Record<Access, { bearer: string[] }[] | [Record<never, never>, { bearer: string[] }]>> = {
  public: [],
  'free-tier': [{}, { bearer: [] }],
  authenticated: [{ bearer: [] }],
};

/**
 * Adds one operation: its route object, which says who may call it and every response it can give, and its handler.
 * Handlers answer with ready responses, so that text from the database passes through unparsed; that they keep to the
 * declared schemas is what the contract tests check.
 */
export function operation<const R extends Route>(
  router: Router,
  { access, ...route }: R,
  handler: (c: AppContext, input: Input<R>) => Response | Promise<Response>,
): void {
  const middleware = route.request?.body
    ? [authenticate(access), bodyLimit({ maxSize: MAX_JSON_BYTES })]
    : [authenticate(access)];
  const config = createRoute({ ...(route as RouteConfig), security: [...SECURITY[access]], middleware });
  const answer = (c: AppContext) => {
    // biome-ignore lint/suspicious/noExplicitAny: what was validated is typed by the route, which is generic here
    const valid = (target: string): any => c.req.valid(target as never);
    return handler(c, { params: valid('param'), query: valid('query'), body: valid('json') } as Input<R>);
  };
  router.openapi(config, answer as never);
}
