import { z } from '@hono/zod-openapi';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { DomainError, type ErrorCode } from '../errors.ts';
import type { AppContext } from './context.ts';

/** The one table of statuses. */
const STATUS: Readonly<Record<ErrorCode, ContentfulStatusCode>> = {
  ambiguous_name: 400,
  area_abolished: 404,
  area_not_found: 404,
  authentication_required: 401,
  boundaries_not_loaded: 503,
  data_not_loaded: 503,
  database_timeout: 503,
  database_unavailable: 503,
  internal_error: 500,
  invalid_json: 400,
  invalid_token: 401,
  method_not_allowed: 405,
  missing_municity: 400,
  missing_province: 400,
  payload_too_large: 413,
  route_not_found: 404,
  unsupported_media_type: 415,
};

const errorBody = z
  .object({
    message: z.string().openapi({ example: 'No province has the PSGC code 0712345678.' }),
    code: z.string().openapi({ example: 'area_not_found' }),
    successors: z
      .array(z.object({ code: z.string(), href: z.string() }))
      .optional()
      .openapi({ description: 'With area_abolished: what took the place of the area' }),
    candidates: z
      .array(z.object({ code: z.string(), name: z.string() }))
      .optional()
      .openapi({ description: 'With ambiguous_name: what the name could mean' }),
  })
  .openapi('Error');

const validationBody = z
  .object({
    success: z.literal(false),
    error: z.object({
      name: z.literal('ZodError'),
      issues: z.array(
        z.object({ code: z.string(), path: z.array(z.union([z.string(), z.number()])), message: z.string() }),
      ),
    }),
  })
  .openapi('ValidationError');

const DESCRIPTIONS = {
  400: 'The request can not be understood: malformed, ambiguous, or a required filter is missing',
  401: 'Credentials are missing or not valid',
  404: 'There is no such thing',
  413: 'The body is too large',
  415: 'The body is not JSON',
  422: 'A parameter or the body is not valid; each issue names it, what was got and what would be right',
  500: 'Unexpected fault of the service',
  503: 'The data store does not answer, or no data is loaded',
} as const;

/** An OpenAPI header object. */
export function header(description: string) {
  return { description, schema: { type: 'string' as const } };
}

const REQUEST_ID = { 'X-Request-Id': header('Id of the request, for asking about it') };

const HEADERS: Partial<Record<keyof typeof DESCRIPTIONS, Record<string, ReturnType<typeof header>>>> = {
  401: { ...REQUEST_ID, 'WWW-Authenticate': header('The scheme: Bearer (RFC 6750)') },
  503: { ...REQUEST_ID, 'Retry-After': header('Seconds to wait before asking again') },
};

/** OpenAPI response objects for the error statuses that a route can give. */
export function errors(...statuses: (keyof typeof DESCRIPTIONS)[]) {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: DESCRIPTIONS[status],
        headers: HEADERS[status] ?? REQUEST_ID,
        content: { 'application/json': { schema: status === 422 ? z.union([validationBody, errorBody]) : errorBody } },
      },
    ]),
  );
}

/** Any thrown thing as a response. What is not meant for the caller is a bare 500; the log line has its cause. */
export function errorResponse(error: unknown, c: AppContext, headers: Record<string, string> = {}): Response {
  const fault = domainErrorOf(error);
  if (fault.code === 'authentication_required') c.header('WWW-Authenticate', 'Bearer');
  if (fault.code === 'invalid_token') c.header('WWW-Authenticate', 'Bearer error="invalid_token"');
  const status = STATUS[fault.code];
  if (status === 503) c.header('Retry-After', '5');
  c.header('Cache-Control', 'no-store');
  return c.json({ message: fault.message, code: fault.code, ...fault.facts }, status, headers);
}

function domainErrorOf(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  // What Hono's own body parsing and validation throw.
  if (error instanceof HTTPException) {
    if (error.status === 400) return new DomainError('invalid_json', 'The body is not valid JSON.');
    if (error.status === 413)
      return new DomainError('payload_too_large', 'The body is larger than this operation takes.');
    if (error.status === 415) {
      return new DomainError(
        'unsupported_media_type',
        'The body must be JSON: send the header "Content-Type: application/json".',
      );
    }
  }
  return new DomainError('internal_error', 'Something went wrong on our side. The request id will help us find it.');
}
