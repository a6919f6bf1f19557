import { heldToken } from './credentials.ts';

/** What the service says when it refuses, or that it was not reached. */
export class Refusal extends Error {
  /** HTTP status; 0 where nothing answered. */
  readonly status: number;
  /** The service's code, such as `rate_limit_exceeded`. */
  readonly code: string;
  /** Seconds to wait before the next try, where the service says so. */
  readonly retryAfter: number | undefined;
  /** The whole body. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Record<string, unknown>, retryAfter?: number) {
    super(typeof body.message === 'string' ? body.message : `The service answered with status ${status}.`);
    this.status = status;
    this.code = typeof body.code === 'string' ? body.code : '';
    this.retryAfter = retryAfter;
    this.body = body;
  }
}

interface Question {
  method?: 'GET' | 'POST' | 'DELETE';
  /** Sent as JSON. */
  body?: object;
  /** The bearer to ask with; by default the one that the tab holds. */
  token?: string | undefined;
  signal?: AbortSignal;
}

/**
 * Asks the service.
 * @param path with its query, from the root
 * @throws Refusal for every answer that is no success, and where there was none
 */
export async function ask(path: string, { method = 'GET', body, token, signal }: Question = {}): Promise<Response> {
  const bearer = token ?? heldToken();
  const headers = new Headers();
  if (bearer) headers.set('Authorization', `Bearer ${bearer}`);
  if (body) headers.set('Content-Type', 'application/json');
  let response: Response;
  try {
    response = await fetch(path, { method, headers, body: body ? JSON.stringify(body) : null, signal: signal ?? null });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refusal(0, { message: 'The service can’t be reached.' });
  }
  if (response.ok) return response;
  const said: unknown = await response.json().catch(() => ({}));
  const wait = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const facts = typeof said === 'object' && said !== null ? (said as Record<string, unknown>) : {};
  throw new Refusal(response.status, facts, Number.isFinite(wait) ? wait : undefined);
}

/** The answer to a question, as JSON of the shape that the service documents. */
export async function askJson<T>(path: string, question?: Question): Promise<T> {
  const response = await ask(path, question);
  return (await response.json()) as T;
}

/** What a person can do about a refusal, in a sentence; empty where its own message says it all. */
export function remedyFor({ status, code, retryAfter }: Refusal): string {
  const wait = retryAfter === undefined ? 'a moment' : `${retryAfter} second${retryAfter === 1 ? '' : 's'}`;
  switch (status) {
    case 0:
      return 'Check the connection, then try again.';
    case 401:
      return 'Enter a key that is valid.';
    case 403:
      return code === 'missing_scope' ? 'Enter a key with that scope, or one without scopes.' : '';
    case 429:
      return `Try again in ${wait}.${heldToken() ? '' : ' With a key you may ask more often.'}`;
    case 503:
      return code === 'boundaries_not_loaded' ? '' : `Try again in ${wait}.`;
    default:
      return status >= 500 ? 'Try again; if it happens again, tell who runs this service.' : '';
  }
}
