import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { DomainError, type ErrorCode } from '../errors.ts';
import { STORAGE_QUOTA, storageQuota } from './answers.ts';

/** The status of every code. */
export const STATUS: Readonly<Record<ErrorCode, ContentfulStatusCode>> = {
  account_deleted: 401,
  address_too_long: 414,
  admin_only: 403,
  ambiguous_name: 400,
  api_key_exceeds_maker: 422,
  api_key_expired: 401,
  api_key_not_active: 422,
  api_key_not_found: 404,
  api_key_replaced: 422,
  api_key_revoked: 401,
  area_abolished: 404,
  area_not_found: 404,
  authentication_required: 401,
  boundaries_not_loaded: 503,
  collection_not_found: 404,
  columns_not_recognized: 422,
  confirmation_mismatch: 422,
  counter_unavailable: 503,
  data_not_loaded: 503,
  database_timeout: 503,
  database_unavailable: 503,
  dataset_changed: 409,
  dataset_not_found: 404,
  download_not_found: 404,
  download_session_expired: 401,
  download_session_not_for_file: 403,
  edition_not_found: 404,
  expires_at_in_past: 422,
  export_not_possible: 422,
  extract_too_large: 422,
  feature_not_found: 404,
  file_missing: 400,
  file_not_found: 404,
  file_too_large: 413,
  forbidden: 403,
  idempotency_key_in_use: 409,
  idempotency_key_reused: 422,
  identity_provider_unavailable: 503,
  internal_error: 500,
  invalid_api_key: 401,
  invalid_archive: 422,
  invalid_authorization_header: 401,
  invalid_csv: 422,
  invalid_download_session: 401,
  invalid_file: 422,
  invalid_geometry: 422,
  invalid_json: 400,
  invalid_multipart: 400,
  invalid_ogc_session: 401,
  invalid_parameter: 400,
  invalid_signature: 401,
  invalid_snapshot: 422,
  invalid_tile_session: 401,
  invalid_token: 401,
  length_required: 411,
  method_not_allowed: 405,
  missing_areas: 422,
  missing_municity: 400,
  missing_province: 400,
  missing_scope: 403,
  ogc_session_expired: 401,
  ogc_session_not_for_collection: 403,
  not_acceptable: 406,
  overview_not_found: 404,
  owner_not_allowed: 422,
  owner_not_found: 422,
  payload_too_large: 413,
  postal_code_not_found: 404,
  precondition_failed: 412,
  quota_exceeded: 413,
  range_not_satisfiable: 416,
  rate_limit_exceeded: 429,
  release_in_use: 409,
  release_loses_data: 409,
  release_not_checked: 422,
  release_not_found: 404,
  resource_not_found: 404,
  route_not_found: 404,
  scope_not_held: 403,
  service_restarting: 503,
  session_expired: 401,
  session_required: 403,
  setting_missing: 503,
  signature_not_found: 404,
  snapshot_not_found: 404,
  srid_fixed: 422,
  storage_ref_fixed: 422,
  storage_unavailable: 503,
  tile_archive_not_found: 404,
  tile_not_found: 404,
  tile_session_expired: 401,
  tile_session_not_for_slug: 403,
  too_many_api_keys: 422,
  too_many_areas: 422,
  too_many_features: 422,
  too_many_headers: 431,
  too_many_uploads: 429,
  too_many_webhook_endpoints: 422,
  unscoped_key_required: 403,
  unsupported_auth_scheme: 401,
  unsupported_file_type: 422,
  unsupported_media_type: 415,
  unsupported_srid: 422,
  user_not_found: 404,
  user_not_restorable: 409,
  user_required: 403,
  webhook_delivery_not_found: 404,
  webhook_endpoint_disabled: 409,
  webhook_endpoint_not_found: 404,
  webhook_secret_missing: 500,
  webhook_url_not_allowed: 422,
};

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

function headersOf({ code, facts, retryAfter }: DomainError): Record<string, string> {
  const headers: Record<string, string> = { 'Cache-Control': 'no-store' };
  const status = STATUS[code];
  // Boundaries are missing until an operator loads them.
  const isTemporary = status === 503 && code !== 'boundaries_not_loaded';
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
