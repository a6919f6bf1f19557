/** One thing that is wrong with a request: where in the query or the body it is, and what would be right. */
export interface Issue {
  readonly code: string;
  readonly path: readonly (string | number)[];
  readonly message?: string;
}

/** What an error is made of. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/**
 * Whatever goes wrong with a request. Only an abort by the caller is thrown as the reason that the caller gave, and a mistake of
 * the program, such as a key with a line end in it, as the `TypeError` that it is; so is what the program's own functions throw.
 *
 * Codes of the service stand in its reference. Those of the client are `validation_failed` (422: `issues` say what),
 * `network_error`, `timeout`, `broken_answer` (an answer that breaks off) and `unexpected_answer` (one that is not of the service).
 */
export class PsgcError extends Error {
  override readonly name = 'PsgcError';
  /** A stable word for what went wrong, such as `area_not_found`. */
  readonly code: string;
  /** The status of the answer; undefined where there was none. */
  readonly status: number | undefined;
  /** What to quote when asking about a fault of the service. */
  readonly requestId: string | undefined;
  /** Seconds after which the service may be asked again, where it said so. */
  readonly retryAfter: number | undefined;
  /** The other members of the error, such as `candidates` of `ambiguous_name` and `successors` of `area_abolished`. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor({ code, message, status, requestId, retryAfter, details = {}, cause }: Failure) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
    this.details = details;
  }

  /** With `validation_failed`: what is wrong. */
  get issues(): readonly Issue[] {
    return Array.isArray(this.details.issues) ? this.details.issues : [];
  }
}

/** The error that an answer of the service tells of. */
export async function errorOf(response: Response): Promise<PsgcError> {
  const { status, headers } = response;
  const facts = {
    status,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfter: secondsOf(headers.get('Retry-After')),
  };
  const body: unknown = await response.json().catch(() => undefined);
  if (isObject(body) && typeof body.code === 'string') {
    const { code, message, ...details } = body;
    return new PsgcError({ ...facts, code, message: String(message), details });
  }
  if (isObject(body) && isObject(body.error) && Array.isArray(body.error.issues)) {
    const issues = body.error.issues as Issue[];
    const message = issues.map((issue) => issue.message ?? `${issue.path.join('.')}: ${issue.code}`).join('\n');
    return new PsgcError({ ...facts, code: 'validation_failed', message, details: { issues } });
  }
  return new PsgcError({ ...facts, code: 'unexpected_answer', message: `The service answered ${status}.` });
}

/** The seconds of a Retry-After (RFC 9110, 10.2.3), which is a number or a date. */
function secondsOf(value: string | null): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
