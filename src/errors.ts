/** Every code that an error body can carry. Each has its status in `http/error-responses.ts`. */
export type ErrorCode =
  | 'ambiguous_name'
  | 'area_abolished'
  | 'area_not_found'
  | 'authentication_required'
  | 'boundaries_not_loaded'
  | 'data_not_loaded'
  | 'database_timeout'
  | 'database_unavailable'
  | 'internal_error'
  | 'invalid_json'
  | 'invalid_token'
  | 'method_not_allowed'
  | 'missing_municity'
  | 'missing_province'
  | 'payload_too_large'
  | 'route_not_found'
  | 'unsupported_media_type';

/**
 * Something a caller can understand and act on. The message names the parameter, what was got and what would be
 * right; `facts` are further members of the error body. Nothing internal belongs in either.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, facts: Readonly<Record<string, unknown>> = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.facts = facts;
  }
}
