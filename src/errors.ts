/** Every code that an error body can carry. Each has its status in `http/error-responses.ts`. */
export type ErrorCode =
  | 'account_deleted'
  | 'address_too_long'
  | 'admin_only'
  | 'ambiguous_name'
  | 'api_key_exceeds_maker'
  | 'api_key_expired'
  | 'api_key_not_active'
  | 'api_key_not_found'
  | 'api_key_replaced'
  | 'api_key_revoked'
  | 'area_abolished'
  | 'area_not_found'
  | 'authentication_required'
  | 'boundaries_not_loaded'
  | 'collection_not_found'
  | 'columns_not_recognized'
  | 'confirmation_mismatch'
  | 'counter_unavailable'
  | 'data_not_loaded'
  | 'database_timeout'
  | 'database_unavailable'
  | 'dataset_changed'
  | 'dataset_not_found'
  | 'download_not_found'
  | 'download_session_expired'
  | 'download_session_not_for_file'
  | 'edition_not_found'
  | 'expires_at_in_past'
  | 'export_not_possible'
  | 'extract_too_large'
  | 'feature_not_found'
  | 'file_missing'
  | 'file_not_found'
  | 'file_too_large'
  | 'forbidden'
  | 'idempotency_key_in_use'
  | 'idempotency_key_reused'
  | 'identity_provider_unavailable'
  | 'internal_error'
  | 'invalid_api_key'
  | 'invalid_archive'
  | 'invalid_authorization_header'
  | 'invalid_csv'
  | 'invalid_download_session'
  | 'invalid_file'
  | 'invalid_geometry'
  | 'invalid_json'
  | 'invalid_multipart'
  | 'invalid_ogc_session'
  | 'invalid_parameter'
  | 'invalid_signature'
  | 'invalid_snapshot'
  | 'invalid_tile_session'
  | 'invalid_token'
  | 'length_required'
  | 'method_not_allowed'
  | 'missing_areas'
  | 'missing_municity'
  | 'missing_province'
  | 'missing_scope'
  | 'ogc_session_expired'
  | 'ogc_session_not_for_collection'
  | 'not_acceptable'
  | 'overview_not_found'
  | 'owner_not_allowed'
  | 'owner_not_found'
  | 'payload_too_large'
  | 'postal_code_not_found'
  | 'precondition_failed'
  | 'quota_exceeded'
  | 'range_not_satisfiable'
  | 'rate_limit_exceeded'
  | 'release_in_use'
  | 'release_loses_data'
  | 'release_not_checked'
  | 'release_not_found'
  | 'resource_not_found'
  | 'route_not_found'
  | 'scope_not_held'
  | 'service_restarting'
  | 'session_expired'
  | 'session_required'
  | 'setting_missing'
  | 'signature_not_found'
  | 'snapshot_not_found'
  | 'srid_fixed'
  | 'storage_ref_fixed'
  | 'storage_unavailable'
  | 'tile_archive_not_found'
  | 'tile_not_found'
  | 'tile_session_expired'
  | 'tile_session_not_for_slug'
  | 'too_many_api_keys'
  | 'too_many_areas'
  | 'too_many_features'
  | 'too_many_headers'
  | 'too_many_uploads'
  | 'too_many_webhook_endpoints'
  | 'unscoped_key_required'
  | 'unsupported_auth_scheme'
  | 'unsupported_file_type'
  | 'unsupported_media_type'
  | 'unsupported_srid'
  | 'user_not_found'
  | 'user_not_restorable'
  | 'user_required'
  | 'webhook_delivery_not_found'
  | 'webhook_endpoint_disabled'
  | 'webhook_endpoint_not_found'
  | 'webhook_secret_missing'
  | 'webhook_url_not_allowed';

/**
 * Something a caller can understand and act on. The message names the parameter, what was got and what would be
 * right; `facts` are further members of the error body. Nothing internal belongs in either.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly facts: Readonly<Record<string, unknown>>;
  /** When another attempt may end otherwise, seconds; undefined where nobody can tell. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    facts: Readonly<Record<string, unknown>> = {},
    options: ErrorOptions & { readonly retryAfter?: number } = {},
  ) {
    super(message, options);
    this.retryAfter = options.retryAfter;
    this.code = code;
    this.facts = facts;
  }
}
