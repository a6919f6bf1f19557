import { bodyLimit } from 'hono/body-limit';
import type { ContentfulStatusCode, StatusCode } from 'hono/utils/http-status';
import type { AppContext } from '../context.ts';
import { Router } from '../operation.ts';
import { type Entry, serviceFor } from './ask.ts';
import { rebindingOf } from './local-names.ts';
import { readMessages } from './messages.ts';

/** The largest body, bytes: a list of places to match, with room for long addresses. */
const MAX_BODY = 256 * 1024;

/** Codes of JSON-RPC, and the one that servers may choose. https://www.jsonrpc.org/specification#error_object */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const REFUSED = -32_000;

/**
 * The Model Context Protocol, over Streamable HTTP without sessions: https://modelcontextprotocol.io. It is not in the
 * OpenAPI document, because it is a single URL. Its tools call the operations of the service, which count each
 * request and check the caller's credentials.
 *
 * @param entry the service's entry point
 */
export function mcpRoutes(entry: Entry): Router {
  const router = new Router();
  const limit = bodyLimit({
    maxSize: MAX_BODY,
    onError: (c) => refusal(c as AppContext, 413, REFUSED, `The body must have at most ${MAX_BODY} bytes.`),
  });

  router.post('/', limit, async (c) => {
    const rebinding = rebindingOf(new URL(c.req.url), c.req.header('Origin'));
    if (rebinding !== undefined) return refusal(c, 403, REFUSED, rebinding);
    let body: unknown;
    try {
      body = JSON.parse(await c.req.text());
    } catch {
      return refusal(c, 400, PARSE_ERROR, 'The body must be JSON, and is not or broke off.');
    }
    const read = readMessages(body);
    if ('fault' in read) return refusal(c, 400, INVALID_REQUEST, read.fault);
    if (read.message === undefined) return c.body(null, 202);
    let refused: Response | undefined;
    const service = serviceFor(c, entry, (response) => {
      refused = response;
    });
    const { serve } = await import('./serve.ts');
    const answered = await serve(c.req.raw, read.message, service);
    const { body: answer, status, headers } = refused ?? answered;
    c.header('Cache-Control', 'no-store');
    for (const name of ['Content-Type', 'WWW-Authenticate']) c.header(name, headers.get(name) ?? undefined);
    return answer === null ? c.body(null, status as StatusCode) : c.body(answer, status as ContentfulStatusCode);
  });

  return router;
}

function refusal(c: AppContext, status: 400 | 403 | 413, code: number, message: string): Response {
  const headers = { 'Cache-Control': 'no-store' };
  return c.json({ jsonrpc: '2.0', error: { code, message }, id: null }, status, headers);
}
