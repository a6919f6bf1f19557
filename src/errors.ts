/** Every code that an error body can carry, and its HTTP status. */
export const STATUS = {
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
  not_acceptable: 406,
  ogc_session_expired: 401,
  ogc_session_not_for_collection: 403,
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
} as const;

export type ErrorCode = keyof typeof STATUS;

/**
 * Something a caller can understand and act on. The message names the parameter, what was got and what would be
 * right; `facts` are further members of the error body. Nothing internal belongs in either.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly facts: Readonly<Record<string, unknown>>;
  /** `Retry-After` in seconds. Undefined: 5 for a 503 that passes by itself, otherwise no header. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: ErrorOptions & { readonly facts?: Readonly<Record<string, unknown>>; readonly retryAfter?: number } = {},
  ) {
    super(message, options);
    this.code = code;
    this.facts = options.facts ?? {};
    this.retryAfter = options.retryAfter;
  }
}

/** Undefined in place of what can be done without, where a caller would be refused. Other errors are thrown on. */
export function unlessUnavailable(error: unknown): undefined {
  if (!(error instanceof DomainError)) throw error;
}
