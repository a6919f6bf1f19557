import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { AppContext, AppEnv } from './context.ts';
import { describeError, writeLine } from './log.ts';
import { credentialOf, measure } from './request-metrics.ts';

/** Writes one line per request, with the cause of a failure where there is one. */
export function requestLog(): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const started = Date.now();
    await next();
    const duration = Date.now() - started;
    const unmeasured = measure(c, duration);
    const uncounted = c.get('uncounted');
    const status = c.res.status;
    writeLine(status >= 500 ? 'error' : 'info', started, {
      request_id: c.get('requestId'),
      ...clientRequestId(c),
      method: c.req.method,
      path: c.req.path,
      route: c.get('route') ?? routePath(c, -1),
      status,
      duration_ms: duration,
      principal: credentialOf(c),
      release: c.get('release') ?? null,
      areas: c.get('areas'),
      ...(uncounted === undefined ? {} : { uncounted: describeError(uncounted) }),
      ...(unmeasured === undefined ? {} : { unmeasured: describeError(unmeasured) }),
      ...(c.error ? { error: describeError(c.error) } : {}),
    });
  };
}

/** The form of an id that a caller may give a request, to find it in both logs. It is only logged. */
const CLIENT_REQUEST_ID = /^[\w=-]{1,255}$/;

function clientRequestId(c: AppContext): { client_request_id?: string } {
  const id = c.req.header('X-Request-Id');
  return id !== undefined && CLIENT_REQUEST_ID.test(id) ? { client_request_id: id } : {};
}
