import type { Context, Env, Hono, MiddlewareHandler } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { DomainError } from '../errors.ts';
import { errorResponse } from './error-responses.ts';

/**
 * Answers 405 where the path exists and the method does not. For a path without parameters this is decided first, before
 * a pattern can take its last word for a parameter: `GET /regions/search` is not the region with the code `search`. For
 * other paths it is decided after no route has answered.
 */
export function refuseMethods<E extends Env>(app: Hono<E>): MiddlewareHandler[] {
  // They are collected on the first request, when every route has been added, and kept.
  let methodsOf: Map<string, Set<string>> | undefined;
  const literal: MiddlewareHandler = (c, next) => {
    methodsOf ??= literalPaths(app);
    const methods = methodsOf.get(c.req.path);
    return methods && !methods.has(c.req.method) ? Promise.resolve(refusal(c, [...methods])) : next();
  };
  return [literal, methodNotAllowed({ app, onMethodNotAllowed: refusal })];
}

/** The methods of each path that has no parameters. */
function literalPaths<E extends Env>(app: Hono<E>): Map<string, Set<string>> {
  const methodsOf = new Map<string, Set<string>>();
  for (const { path, method } of app.routes) {
    // These are middleware, not operations.
    if (method === 'ALL' || /[:*]/.test(path)) continue;
    const methods = methodsOf.get(path) ?? new Set();
    methods.add(method);
    if (method === 'GET') methods.add('HEAD');
    methodsOf.set(path, methods);
  }
  return methodsOf;
}

function refusal(c: Context, methods: readonly string[]): Response {
  const allowed = [...methods, 'OPTIONS'].join(', ');
  const error = new DomainError('method_not_allowed', `${c.req.method} is not possible here. Possible: ${allowed}.`);
  return errorResponse(error, c, { Allow: allowed });
}
