import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { AppContext, AppEnv } from './context.ts';
import { DomainError } from './errors.ts';

/** One structured line per request, with the cause of a failure where there is one. */
export function requestLog(): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const started = Date.now();
    await next();
    const status = c.res.status;
    const line = {
      level: status >= 500 ? 'error' : 'info',
      time: new Date(started).toISOString(),
      request_id: c.var.requestId,
      ...clientRequestId(c),
      method: c.req.method,
      path: c.req.path,
      route: c.var.route ?? routePath(c, -1),
      status,
      duration_ms: Date.now() - started,
      principal: c.var.principal?.kind ?? null,
      release: c.var.release ?? null,
      ...(c.var.uncounted === undefined ? {} : { uncounted: describe(c.var.uncounted) }),
      ...(c.error ? { error: describe(c.error) } : {}),
    };
    console[line.level === 'error' ? 'error' : 'log'](JSON.stringify(line));
  };
}

/** What a caller may call a request, for who looks for it in both logs: nothing else is known by it. */
const CLIENT_REQUEST_ID = /^[\w=-]{1,255}$/;

function clientRequestId(c: AppContext): { client_request_id?: string } {
  const id = c.req.header('X-Request-Id');
  return id !== undefined && CLIENT_REQUEST_ID.test(id) ? { client_request_id: id } : {};
}

/** One line for a body that broke off after its request was logged. */
export function logBrokenOff(c: AppContext, error: unknown): void {
  const { requestId, release } = c.var;
  const line = { level: 'error', time: new Date().toISOString(), request_id: requestId, path: c.req.path, release };
  console.error(JSON.stringify({ ...line, error: describe(error) }));
}

/** One line for something that failed where no request waits for it. */
export function logFailure(what: string, error: unknown, facts: Readonly<Record<string, unknown>>): void {
  const line = { level: 'error', time: new Date().toISOString(), what, ...facts, error: describe(error) };
  console.error(JSON.stringify(line));
}

/** One line for work that nobody has asked for and that was done. */
export function logWork(what: string, facts: Readonly<Record<string, unknown>>): void {
  console.log(JSON.stringify({ level: 'info', time: new Date().toISOString(), what, ...facts }));
}

const MAX_CAUSES = 5;

/** What a message of the database's client repeats: values of a statement, which no log is to hold. */
const VALUES = /\nparams: .*/s;

/** An error and its causes. Messages of the database's client repeat statements, so they are cut. */
function describe(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause ?? (error as { sourceError?: unknown }).sourceError;
  const message = error.message.replace(VALUES, '').slice(0, 300);
  return {
    name: error.name,
    ...('code' in error ? { code: error.code } : {}),
    message,
    ...(error instanceof DomainError || depth > 0 ? {} : { stack: error.stack?.replace(error.message, () => message) }),
    ...(cause === undefined || depth === MAX_CAUSES ? {} : { cause: describe(cause, depth + 1) }),
  };
}
