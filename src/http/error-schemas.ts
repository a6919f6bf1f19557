import { z } from '@hono/zod-openapi';

/** Rows of a table or features that can't be stored: how many, how many can, and the first hundred. */
export const invalidRows = z
  .object({
    count: z.number().int().min(1),
    valid: z.number().int().openapi({ description: 'Rows that can be stored' }),
    rows: z.array(
      z.object({
        place: z.string().nullable().openapi({ example: 'line 7' }),
        column: z
          .string()
          .nullable()
          .openapi({ description: 'The column of a table, or the member of a feature', example: 'lat' }),
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
  notes: z.array(z.string()).openapi({ description: 'Parts of the row that were ignored' }),
});

const errorBody = z
  .object({
    message: z.string().openapi({ example: 'No province has the PSGC code 0712345678.' }),
    code: z.string().openapi({ example: 'area_not_found' }),
    successors: z
      .array(z.object({ code: z.string(), href: z.string() }))
      .optional()
      .openapi({ description: 'For area_abolished: the successors of the area' }),
    path: z
      .array(z.union([z.string(), z.number()]))
      .optional()
      .openapi({
        description:
          'For invalid_geometry: the location of the fault in the input, or in the geometry alone if the input is not JSON',
      }),
    scope: z.string().optional().openapi({ description: 'For missing_scope: the scope that the key lacks' }),
    used_bytes: z.number().optional().openapi({ description: 'For quota_exceeded: bytes that the account stores' }),
    allowed_bytes: z
      .number()
      .optional()
      .openapi({ description: 'For quota_exceeded: bytes that the account may store' }),
    headings: z
      .array(z.string())
      .optional()
      .openapi({ description: 'For columns_not_recognized: the headings of the table' }),
    invalid_rows: invalidRows.optional(),
    likely_rows: z
      .object({ count: z.number().int(), rows: z.array(likelyRow) })
      .optional()
      .openapi({
        description:
          'For invalid_rows of a table of places: the rows that would be stored with their most likely match, and the first hundred of them',
      }),
    layers: z
      .array(z.string())
      .optional()
      .openapi({ description: 'For invalid_file: the layers of the file, if it has several and none was named' }),
    line: z
      .number()
      .int()
      .optional()
      .openapi({ description: 'For invalid_csv: the location of the fault, counted from 1' }),
    losses: z.array(z.string()).optional().openapi({ description: 'For release_loses_data: what users would lose' }),
    editions: z.array(z.string()).optional().openapi({ description: 'For edition_not_found: the available editions' }),
    nearest: z
      .array(z.string())
      .optional()
      .openapi({ description: 'For postal_code_not_found: the nearest known ZIP codes', example: ['1605'] }),
    downloads: z
      .array(z.string())
      .optional()
      .openapi({ description: 'For download_not_found: the files of the newest release' }),
    down: z
      .array(z.string())
      .optional()
      .openapi({ description: 'If it is not ready: the parts that do not respond', example: ['database'] }),
    candidates: z
      .array(z.object({ code: z.string(), name: z.string() }))
      .optional()
      .openapi({ description: 'For ambiguous_name: the candidates' }),
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
  400: 'The request is malformed or ambiguous, or a required filter is missing',
  401: 'Credentials are missing or invalid',
  403: 'The credentials are valid but do not allow this',
  404: 'Not found',
  409: 'Another request with the same Idempotency-Key is under way',
  411: 'The body has no Content-Length',
  412: 'The caller requires another version (If-Match, If-Unmodified-Since)',
  413: 'The body is too large, or the account would exceed its storage',
  414: 'The URL is too long',
  415: 'The media type of the body is not supported',
  416: 'The range is not satisfiable; Content-Range has the size',
  422: 'A parameter or the body is not valid; each issue names it, what was received and what is expected',
  429: 'Too many requests; the body says when to try again',
  500: 'Unexpected error of the service',
  503: 'The data store does not respond, or no data is loaded',
} as const;

/** An OpenAPI header object. */
export function header(description: string) {
  return { description, schema: { type: 'string' as const } };
}

const REQUEST_ID = { 'X-Request-Id': header('Id of the request; quote it in questions about the request') };

/** Headers of every answer to a caller who has a limit (draft-ietf-httpapi-ratelimit-headers-10). */
export const LIMIT_HEADERS = {
  'RateLimit-Policy': header('Requests that may be made per window: with the key, and with all keys of the account'),
  RateLimit: header('Requests that are left, and seconds until the next one is free'),
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
