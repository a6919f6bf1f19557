import { createRoute, OpenAPIHono, type RouteConfig, type z } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { baseRoutePath } from 'hono/route';
import { mergePath } from 'hono/utils/url';
import { admit, authenticate } from './auth/authenticate.ts';
import { hashOf } from './auth/key-token.ts';
import { type Access, type Identity, nameOf, type Principal } from './auth/principal.ts';
import type { Scope } from './auth/scopes.ts';
import { type AppContext, type AppEnv, type RequestKey, type ServiceContext, serviceContext } from './context.ts';
import { DomainError } from './errors.ts';
import { STORAGE_QUOTA, storageQuota } from './http/answers.ts';
import { isCsv } from './http/csv-body.ts';
import { errors, header, LIMIT_HEADERS } from './http/error-schemas.ts';
import { idempotencyKeyHeader } from './http/idempotency-key.ts';
import { jsonBody } from './http/json-body.ts';
import { type Members, noteUnknownMembers, noteUnknownParameters, type Taken } from './http/notices.ts';
import { CachingRouter } from './http/router.ts';
import { refuseInvalid } from './http/validation.ts';
import { enforceLimit } from './rate-limits/enforce.ts';
import { linkSessionLimit } from './rate-limits/limit.ts';

/** A router, and the tags that its operations have in the document. */
export class Router extends OpenAPIHono<AppEnv> {
  readonly tags: string[];

  constructor(tags: string[] = [], defaultHook: Router['defaultHook'] = refuseInvalid) {
    super({ defaultHook, router: new CachingRouter() });
    this.tags = tags;
  }
}

/** Default of the largest body that an operation reads into memory, bytes. */
const MAX_BODY_BYTES = 64 * 1024;

type Schema = z.ZodType;
type Output<T> = T extends Schema ? z.output<T> : undefined;
type RequestSchemas = NonNullable<RouteConfig['request']>;
type BodyOf<Q> = Q extends { body: { content: { 'application/json': { schema: infer S } } } } ? S : undefined;

/**
 * What a handler gets besides Hono's context: the context of services, and the request as its schemas `Q` and the middleware `H`
 * for its headers have checked it.
 */
export interface Input<Q, H = undefined> {
  readonly ctx: ServiceContext;
  readonly params: Output<Q extends { params: infer P } ? P : undefined>;
  readonly query: Output<Q extends { query: infer S } ? S : undefined>;
  readonly body: Output<BodyOf<Q>>;
  readonly headers: H extends MiddlewareHandler<infer _, string, { out: { header: infer O } }> ? O : undefined;
}

interface Route<Q extends RequestSchemas = RequestSchemas, H = MiddlewareHandler>
  extends Omit<RouteConfig, 'security' | 'middleware' | 'request' | 'tags'> {
  operationId: string;
  request?: Q;
  access: Access;
  /** What an API key needs for it; nothing where every key may. */
  scope?: Scope;
  /** What it has to know of its caller. Default: the account. */
  identity?: Identity;
  /**
   * Gives the answer where it is cached by the URL alone. It is asked once the caller was admitted, and before anything of
   * the request is validated.
   */
  cached?: (c: AppContext, ctx: ServiceContext) => Promise<Response | undefined>;
  /** Requests of callers without credentials that are not counted: to count them would cost more than to answer them. */
  isUncounted?: (c: AppContext) => boolean;
  /** Its handler says what a request counts as, before the work: see `countFile`. */
  isWeighed?: true;
  /** The largest JSON body that it reads into memory, bytes. */
  maxBody?: number;
  /** The same of callers without credentials, where it is less. */
  maxFreeBody?: number;
  /** The handler reads the body by itself and sets its limit. */
  rawBody?: true;
  /** Validates headers that the document has no parameters for: see @hono/zod-validator. */
  headers?: H;
  /** The record that may be sent back as the body: its members are named to nobody, though they change nothing. */
  record?: z.ZodObject;
  /** It takes a table as `text/csv` too, which its handler reads by itself: see `isCsv`. */
  takesCsv?: true;
  /** It creates something, once for each Idempotency-Key: its service is a call of `once`. */
  creates?: true;
  /** A parameter that takes the place of the bearer. */
  queryCredential?: QueryCredential;
  handler(c: AppContext, input: Input<Q, H>): Response | Promise<Response>;
}

/**
 * A parameter of the query that lets whoever has the URL call an operation without a bearer.
 */
export interface QueryCredential {
  /** Its name among the document's security schemes. */
  readonly scheme: string;
  /**
   * Checks the parameter, where the request has it.
   *
   * @returns the account that it is of, where it names one; undefined where the request has none
   * @throws DomainError if it has one that is not valid for what is asked
   */
  verify(c: AppContext): Promise<{ readonly subject?: string | undefined } | undefined>;
  /** Whether calls with it count as those of a caller without credentials. Default: they are not counted. */
  readonly isCounted?: true;
  /** How many calls with it a network may make in a minute, see `linkSessionLimit`; undefined: they are not counted by themselves. */
  readonly perMinute?: number;
}

/** Who may call an operation, in the words of OpenAPI: the scopes of a bearer are named beside the scheme (3.1). */
function securityOf(
  access: Access,
  scope: Scope | undefined,
  query: QueryCredential | undefined,
): Record<string, string[]>[] {
  const bearer = { bearer: scope === undefined ? [] : [scope] };
  if (access === 'public') return [];
  const free = access === 'free-tier' ? [{}] : [];
  return [...free, bearer, ...(query ? [{ [query.scheme]: [] }] : [])];
}

/**
 * Notes which operation answers, by its id and its path in the document: more than one pattern may match a request. Notes too which
 * parameters of the query it does not have.
 */
function named({ path, operationId }: Pick<Route, 'path' | 'operationId'>, taken: Taken): MiddlewareHandler<AppEnv> {
  // A router is mounted once, so the path is the same for every request.
  let route: string | undefined;
  return (c, next) => {
    route ??= mergePath(baseRoutePath(c), path);
    c.set('route', route);
    c.set('operation', operationId);
    noteUnknownParameters(c, taken);
    return next();
  };
}

/**
 * Verifies the credential in the query before the bearer is checked. With the first, no bearer is needed and the other
 * checks are left out; but a bearer that is sent must be valid all the same.
 */
function queryOrBearer(
  credential: QueryCredential,
  bearer: MiddlewareHandler,
  checks: readonly MiddlewareHandler[],
): MiddlewareHandler[] {
  const verify: MiddlewareHandler<AppEnv> = async (c, next) => {
    const verified = await credential.verify(c);
    c.set('hasQueryCredential', verified !== undefined);
    c.set('sessionAccount', verified?.subject);
    await next();
  };
  const { perMinute } = credential;
  const anonymous: MiddlewareHandler = authenticate('free-tier');
  const limited: MiddlewareHandler<AppEnv> = (c, next) =>
    anonymous(c, async () => {
      const limit = c.get('limit');
      if (perMinute !== undefined && limit && c.get('principal').kind === 'anonymous') {
        c.set('limit', linkSessionLimit(limit, { account: c.get('sessionAccount'), perMinute }));
      }
      await next();
    });
  const unlessVerified =
    (needed: MiddlewareHandler, otherwise?: MiddlewareHandler): MiddlewareHandler =>
    (c, next) =>
      c.var.hasQueryCredential ? (otherwise?.(c, next) ?? next()) : needed(c, next);
  const isCounted = credential.isCounted || perMinute !== undefined;
  const counted = isCounted ? checks : checks.map((check) => unlessVerified(check));
  return [verify, unlessVerified(bearer, limited), ...counted];
}

/**
 * The pattern of a path whose parameter ends before its segment does: `/{slug}.json` is in a document what the router
 * calls `/:slug{[^/]+\.json}`, with the ending in the parameter's value. Other paths stay as they are.
 */
function routedPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}\.(\w+)/g, ':$1{[^/]+\\.$2}');
}

type Refusal = 401 | 403 | 404 | 409 | 412 | 414 | 422 | 429 | 500 | 503;

/** What the middleware can answer in place of the handler. */
function refusalsOf(access: Access, scope: Scope | undefined, creates: boolean): Refusal[] {
  if (access === 'public') return [414, 500];
  const open = scope === undefined && !['user', 'session', 'owner'].includes(access);
  return [401, ...(open ? [] : [403 as const]), ...(creates ? CREATION_REFUSALS : []), 414, 429, 500, 503];
}

/** What an Idempotency-Key can be refused with, and 404 where that which was made with it is gone. */
const CREATION_REFUSALS = [404, 409, 422] as const;

const CREATION_HEADERS = {
  'Idempotent-Replayed': header('true where an earlier request with the same Idempotency-Key made what is answered'),
};

/**
 * The Idempotency-Key of a request. Its scope is the caller and the operation: the same key of another caller, or for
 * another operation, has nothing to do with it.
 */
async function requestKeyOf(
  c: AppContext,
  { operationId, rawBody, principal }: { operationId: string; rawBody: true | undefined; principal: Principal },
): Promise<RequestKey | undefined> {
  const { 'Idempotency-Key': text } = c.req.valid('header' as never) as z.output<typeof idempotencyKeyHeader>;
  if (text === undefined) return undefined;
  return {
    id: await hashOf(`${nameOf(principal)}\n${operationId}\n${text}`),
    text,
    fingerprint: rawBody ? null : await hashOf(`${c.req.path}\n${await c.req.text()}`),
  };
}

/** What services get of a request. */
function contextOf(c: AppContext, requestKey?: RequestKey): ServiceContext {
  return serviceContext({
    config: c.get('config'),
    env: c.env,
    principal: c.get('principal'),
    requestKey,
    requestId: c.get('requestId'),
    deadline: c.get('deadline'),
    waitUntil: c.executionCtx.waitUntil.bind(c.executionCtx),
    noteAreas: (store) => c.set('areas', store),
    noteStored: (used) => c.header(STORAGE_QUOTA, storageQuota(used, c.get('config').ACCOUNT_MAX_BYTES)),
  });
}

/** The body of a request as it was sent. Without a type it is empty. */
async function sentBody(c: AppContext): Promise<unknown> {
  return c.req.header('Content-Type') === undefined ? {} : c.req.json();
}

/** The members of an object by its schema, or of the items of an array. */
function membersOf(schema: Schema | undefined): Members {
  // Not by class: the bundle has only those that are made.
  const {
    type,
    in: input,
    innerType,
    element,
    shape,
    catchall,
  } = (schema?.def ?? {}) as {
    readonly type?: string;
    readonly shape?: Readonly<Record<string, Schema>>;
  } & { readonly [inner in 'in' | 'innerType' | 'element' | 'catchall']?: Schema };
  const inner = input ?? innerType ?? element;
  if (inner) return membersOf(inner);
  if (type !== 'object' || !shape || catchall) return undefined;
  return membersOfShape(shape);
}

function membersOfShape(shape: Readonly<Record<string, unknown>>): Members {
  return Object.fromEntries(Object.entries(shape).map(([name, member]) => [name, membersOf(member as Schema)]));
}

/** Who may call operations that change something by any method but GET. */
const MANAGES: ReadonlySet<Access> = new Set<Access>(['user', 'session', 'owner', 'admin']);

const WRITES: readonly string[] = ['patch', 'put', 'delete'];

/**
 * Refuses a change of one version of something: what can be changed has no entity tag, so none matches (RFC 9110, 13.1.1),
 * and its moment of change is not compared.
 */
const refuseConditions: MiddlewareHandler<AppEnv> = async (c, next) => {
  for (const [name, remedy] of [
    ['If-Match', 'must be left out or be *'],
    ['If-Unmodified-Since', 'must be left out'],
  ] as const) {
    const given = c.req.header(name);
    if (given === undefined || (name === 'If-Match' && given.trim() === '*')) continue;
    const got = JSON.stringify(given.slice(0, 60));
    const message = `${name}: ${remedy} (got ${got}): what this request changes has no entity tag, and its date is not compared.`;
    throw new DomainError('precondition_failed', message);
  }
  await next();
};

/** The error of a write whose outcome is unknown: it may have taken effect, which the message says. */
function uncertain(error: unknown, { creates, hasKey }: { creates: boolean; hasKey: boolean }): unknown {
  if (!(error instanceof DomainError) || !/^database_(timeout|unavailable)$/.test(error.code)) return error;
  const next = !creates
    ? 'read what there is, or send it again, which does no more'
    : hasKey
      ? 'send it again with the same Idempotency-Key, which is answered with what was made'
      : 'look whether it is there before you send it again, and send an Idempotency-Key, with which that is safe';
  const message = `${error.message} Whether it took effect is not known: ${next}.`;
  return new DomainError(error.code, message, { facts: error.facts, cause: error.cause });
}

function limitBody(maxBytes: number, maxFreeBytes: number): MiddlewareHandler<AppEnv> {
  const [authenticated, anonymous] = [maxBytes, maxFreeBytes].map((maxSize) => bodyLimit({ maxSize })) as [
    MiddlewareHandler,
    MiddlewareHandler,
  ];
  return (c, next) => (c.get('principal').kind === 'anonymous' ? anonymous : authenticated)(c, next);
}

/** Enforces the limits of callers, but for requests without credentials that are not counted. */
function limitUnless(isUncounted: NonNullable<Route['isUncounted']>): MiddlewareHandler<AppEnv> {
  const enforce: MiddlewareHandler = enforceLimit();
  return (c, next) => (c.get('principal').kind === 'anonymous' && isUncounted(c) ? next() : enforce(c, next));
}

/** Answers from the cache, before anything is validated. */
function answerCached(find: NonNullable<Route['cached']>): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const found = await find(c, contextOf(c));
    c.set('cached', found !== undefined);
    return found ?? next();
  };
}

/** Responses with the headers for what is left of the caller's limit, where there is one. */
function limited(access: Access, responses: Route['responses'], others: object): Route['responses'] {
  if (access === 'public') return responses;
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      { ...response, headers: { ...LIMIT_HEADERS, ...others, ...('headers' in response ? response.headers : {}) } },
    ]),
  );
}

/**
 * Adds one operation: its route object says who may call it and every response it can give, and ends with its handler.
 * Handlers answer with ready responses, so that text from the database passes through unparsed; the contract
 * tests check that they keep to the declared schemas.
 */
export function operation<
  const Q extends RequestSchemas = Record<never, never>,
  // biome-ignore lint/suspicious/noExplicitAny: what it validates is the output of its schema
  H extends MiddlewareHandler<any, string, { out: { header: any } }> | undefined = undefined,
>(
  router: Router,
  {
    access,
    scope,
    identity,
    queryCredential,
    rawBody,
    headers,
    record,
    takesCsv,
    creates,
    cached,
    isUncounted,
    isWeighed,
    maxBody = MAX_BODY_BYTES,
    maxFreeBody = maxBody,
    handler,
    ...route
  }: Route<Q, H>,
): void {
  const needed = access === 'admin' ? 'admin' : scope;
  const limit = isUncounted ? limitUnless(isUncounted) : enforceLimit({ isWeighed });
  const checks = access === 'public' ? [] : [limit, admit(access, scope)];
  const json = route.request?.body?.content['application/json'];
  const isRequired = route.request?.body?.required !== false;
  const schema = json && 'schema' in json ? (json.schema as Schema) : undefined;
  const jsonSchema = takesCsv ? schema : undefined;
  const members = record && { ...membersOfShape(record.shape), ...membersOfShape((schema as z.ZodObject).shape) };
  const taken: Taken = {
    query: route.request?.query ? membersOf(route.request.query as Schema) : {},
    body: members ?? membersOf(schema),
  };
  const unlessCsv = (read: MiddlewareHandler): MiddlewareHandler =>
    takesCsv ? (c, next) => (isCsv(c) ? next() : read(c, next)) : read;
  const isPut = WRITES.includes(route.method);
  const changes = isPut || (route.method === 'post' && (needed?.startsWith('write:') || MANAGES.has(access)));
  const bearer = authenticate(access, identity);
  const middleware = [
    named(route, taken),
    ...(queryCredential ? queryOrBearer(queryCredential, bearer, checks) : [bearer, ...checks]),
    ...(cached ? [answerCached(cached)] : []),
    ...(headers ? [headers] : []),
    ...(changes ? [refuseConditions] : []),
    ...(json && !rawBody
      ? [limitBody(maxBody, maxFreeBody), jsonBody(takesCsv && ', or that of a table, "text/csv"', { isRequired })].map(
          unlessCsv,
        )
      : []),
  ];
  const refusals = [...refusalsOf(access, needed, creates === true), ...(changes ? [412 as const] : [])];
  const described = {
    operationId: route.operationId,
    tags: router.tags,
    ...(route as RouteConfig),
    ...(creates ? { request: { ...route.request, headers: idempotencyKeyHeader } } : {}),
    security: securityOf(access, needed, queryCredential),
    responses: { ...limited(access, route.responses, creates ? CREATION_HEADERS : {}), ...errors(...refusals) },
  };
  const config = createRoute({ ...described, middleware });
  const isWrite = creates === true || isPut;
  const answer = async (c: AppContext) => {
    // biome-ignore lint/suspicious/noExplicitAny: what was validated is typed by the route, which is generic here
    const valid = (target: string): any => c.req.valid(target as never);
    const principal = c.get('principal');
    const { operationId } = route;
    const requestKey = creates && (await requestKeyOf(c, { operationId, rawBody, principal }));
    const ctx = contextOf(c, requestKey);
    const [params, query, body] = [valid('param'), valid('query'), valid('json')];
    const input = { ctx, params, query, body, headers: headers && valid('header') };
    if (jsonSchema && !isCsv(c)) {
      // The library validates every body of an operation with one schema, so one of several types is validated here.
      const data = await sentBody(c);
      const parsed = jsonSchema.safeParse(data);
      if (!parsed.success) return refuseInvalid({ ...parsed, data, target: 'json' } as never, c) as Response;
      input.body = parsed.data;
    }
    if (input.body !== undefined) noteUnknownMembers(c, await sentBody(c), taken);
    let response: Response;
    try {
      response = await handler(c, input as Input<Q, H>);
    } catch (error) {
      throw isWrite ? uncertain(error, { creates: creates === true, hasKey: requestKey !== undefined }) : error;
    }
    if (requestKey?.isRepeated) response.headers.set('Idempotent-Replayed', 'true');
    return response;
  };
  const path = routedPath(route.path);
  if (path === route.path && !takesCsv) {
    router.openapi(config, answer as never);
    return;
  }
  router.openAPIRegistry.registerPath(described);
  const request = takesCsv ? { ...config.request, body: undefined } : config.request;
  router.openapi({ ...config, request, path, hide: true } as never, answer as never);
}
