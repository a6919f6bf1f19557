import { z } from '@hono/zod-openapi';

/** Rows of a table or features that can't be stored: how many, how many can, and the first hundred. */
export const invalidRows = z
  .object({
    count: z.number().int().min(1),
    valid: z.number().int().openapi({ description: 'How many can be stored' }),
    rows: z.array(
      z.object({
        place: z.string().nullable().openapi({ example: 'line 7' }),
        column: z.string().nullable().openapi({ example: 'lat' }),
        value: z.string().nullable().openapi({ example: 'n/a' }),
        message: z.string().openapi({ example: 'lat must be a number (got "n/a")' }),
      }),
    ),
  })
  .openapi('InvalidRows', { description: 'The rows or features of a file that are not valid' });

/** A row of a table of places whose place is clearly the best, and not the only one. */
export const likelyRow = z.object({
  place: z.string().openapi({ example: 'line 7' }),
  column: z.string().openapi({ example: 'Lalawigan' }),
  value: z.string().openapi({ example: 'Boholl' }),
  code: z.string().openapi({ example: '0701200000' }),
  name: z.string().nullable().openapi({ example: 'Bohol' }),
  notes: z.array(z.string()).openapi({ description: 'What of the row was passed over' }),
});

const errorBody = z
  .object({
    message: z.string().openapi({ example: 'No province has the PSGC code 0712345678.' }),
    code: z.string().openapi({ example: 'area_not_found' }),
    successors: z
      .array(z.object({ code: z.string(), href: z.string() }))
      .optional()
      .openapi({ description: 'With area_abolished: what took the place of the area' }),
    path: z
      .array(z.union([z.string(), z.number()]))
      .optional()
      .openapi({
        description:
          'With invalid_geometry: where the fault is in what was sent, or in the geometry alone where that is no JSON',
      }),
    scope: z.string().optional().openapi({ description: 'With missing_scope: the scope that the key lacks' }),
    used_bytes: z.number().optional().openapi({ description: 'With quota_exceeded: what the account stores' }),
    allowed_bytes: z.number().optional().openapi({ description: 'With quota_exceeded: what it may store' }),
    headings: z
      .array(z.string())
      .optional()
      .openapi({ description: 'With columns_not_recognized: the headings of the table' }),
    invalid_rows: invalidRows.optional(),
    likely_rows: z
      .object({ count: z.number().int(), rows: z.array(likelyRow) })
      .optional()
      .openapi({
        description:
          'With invalid_rows of a table of places: the rows that would be stored by what they are most like, and the first hundred of them',
      }),
    layers: z
      .array(z.string())
      .optional()
      .openapi({ description: 'With invalid_file: the layers of a file that has several, of which none was named' }),
    line: z.number().int().optional().openapi({ description: 'With invalid_csv: where the fault is, from 1' }),
    losses: z.array(z.string()).optional().openapi({ description: 'With release_loses_data: what users would lose' }),
    editions: z.array(z.string()).optional().openapi({ description: 'With edition_not_found: the editions there are' }),
    downloads: z
      .array(z.string())
      .optional()
      .openapi({ description: 'With download_not_found: the files of the newest release' }),
    down: z
      .array(z.string())
      .optional()
      .openapi({ description: 'Where it is not ready: the parts that do not answer', example: ['database'] }),
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
  403: 'The credentials are good, but not for this',
  404: 'Not found',
  409: 'Another request with the same Idempotency-Key is under way',
  411: 'The body has no Content-Length',
  412: 'The caller means another version (If-Match, If-Unmodified-Since)',
  413: 'The body is too large, or the account would store too much',
  414: 'The address is too long',
  415: 'The body is of another type',
  416: 'The range lies outside; Content-Range has the size',
  422: 'A parameter or the body is not valid; each issue names it, what was got and what would be right',
  429: 'Too many requests; the body says when to try again',
  500: 'Unexpected fault of the service',
  503: 'The data store does not answer, or no data is loaded',
} as const;

/** An OpenAPI header object. */
export function header(description: string) {
  return { description, schema: { type: 'string' as const } };
}

const REQUEST_ID = { 'X-Request-Id': header('Id of the request, for asking about it') };

/** Headers of every answer to a caller who has a limit (draft-ietf-httpapi-ratelimit-headers-10). */
export const LIMIT_HEADERS = {
  'RateLimit-Policy': header(
    'How many requests may be made in how many seconds: with the key, and with all of the account',
  ),
  RateLimit: header('How many may still be made, and in how many seconds the next one comes free'),
};

const HEADERS: Partial<Record<keyof typeof DESCRIPTIONS, Record<string, ReturnType<typeof header>>>> = {
  401: { ...REQUEST_ID, 'WWW-Authenticate': header('The scheme: Bearer (RFC 6750)') },
  409: { ...REQUEST_ID, 'Retry-After': header('Seconds to wait before asking again') },
  416: { ...REQUEST_ID, 'Content-Range': header('The size: bytes */size') },
  429: { ...REQUEST_ID, ...LIMIT_HEADERS, 'Retry-After': header('Seconds until a request may be made again') },
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
