import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { DomainError, type ErrorCode, STATUS } from '../errors.ts';
import { STORAGE_QUOTA, storageQuota } from './answers.ts';

/**
 * The response for anything that was thrown. An error that is no DomainError becomes a 500 without details. Its cause is only in
 * the log.
 */
export function errorResponse(error: unknown, c: Context, headers: Record<string, string> = {}): Response {
  const answered = domainErrorOf(error);
  c.set('errorCode', answered.code);
  // They are set on the context, where they replace what a handler has set before it failed.
  for (const [name, value] of Object.entries({ ...headersOf(answered), ...headers })) c.header(name, value);
  for (const name of REPRESENTATION_HEADERS) c.header(name, undefined);
  return c.json(bodyOf(answered), STATUS[answered.code]);
}

/** Headers that describe a representation (RFC 9110, 8), and are wrong for the error that is sent instead of it. */
const REPRESENTATION_HEADERS = ['Content-Encoding', 'Content-Location', 'ETag', 'Last-Modified'];

/** The code of the error that was answered; `ZodError` if the input did not fit its schema, undefined without an error. */
export function errorCodeOf(c: Context): string | undefined {
  return c.get('errorCode') ?? (c.res.status === 422 ? 'ZodError' : undefined);
}

/**
 * The response for an error that replaces another response.
 *
 * @param headers the headers of the replaced response that remain
 */
export function replacementResponse(error: DomainError, headers: Headers): Response {
  for (const [name, value] of Object.entries(headersOf(error))) headers.set(name, value);
  return Response.json(bodyOf(error), { status: STATUS[error.code], headers });
}

function bodyOf({ message, code, facts }: DomainError) {
  return { message, code, ...facts };
}

/** Challenges of status 401 (RFC 9110, 11.6.1). Codes that are not listed ask for a valid bearer token (RFC 6750). */
const CHALLENGES: Partial<Record<ErrorCode, string>> = {
  authentication_required: 'Bearer',
  invalid_signature: 'Webhook-Signature',
};

/** Codes of status 503 that last until an operator loads boundaries or sets a setting. A new service loads its first data by itself. */
const LASTING: ReadonlySet<ErrorCode> = new Set(['boundaries_not_loaded', 'setting_missing']);

function headersOf({ code, facts, retryAfter }: DomainError): Record<string, string> {
  const headers: Record<string, string> = { 'Cache-Control': 'no-store' };
  const status = STATUS[code];
  const isTemporary = status === 503 && !LASTING.has(code);
  if (isTemporary || retryAfter !== undefined) headers['Retry-After'] = String(retryAfter ?? 5);
  if (code === 'quota_exceeded') {
    headers[STORAGE_QUOTA] = storageQuota(facts.used_bytes as number, facts.allowed_bytes as number);
  }
  if (status === 401) headers['WWW-Authenticate'] = CHALLENGES[code] ?? 'Bearer error="invalid_token"';
  if (code === 'missing_scope') {
    headers['WWW-Authenticate'] = `Bearer error="insufficient_scope", scope="${facts.scope}"`;
  }
  return headers;
}

function domainErrorOf(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  // Hono's body parsing and validation throw these.
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
