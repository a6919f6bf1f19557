import { errorOf, PsgcError } from '../../clients/typescript/src/errors.ts';
import { currentToken, freshToken } from './credentials.ts';

export { PsgcError };

/** The error of a request that got no answer, or not the whole of it. */
export function unanswered(message = 'The service can’t be reached.'): PsgcError {
  return new PsgcError({ code: 'network_error', message });
}

/** What a page shows where the service is not ready. Modules that need no elements leave it as it is. */
export const unavailable = { show: (): void => undefined };

interface RequestOptions {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Sent as JSON. */
  body?: object;
  /** The bearer token; by default that of the tab. */
  token?: string | undefined;
  signal?: AbortSignal;
  /** Whether it is sent as everybody may send it, without a token. */
  isAnonymous?: true;
}

/**
 * Sends a request to the service.
 *
 * @param path with its query, from the root
 * @throws PsgcError for every answer that is not a success, and if there is no answer
 */
export async function request(
  path: string,
  { method = 'GET', body, token, signal, isAnonymous }: RequestOptions = {},
): Promise<Response> {
  const bearer = isAnonymous ? undefined : (token ?? (await freshToken()));
  const headers = new Headers();
  if (bearer) headers.set('Authorization', `Bearer ${bearer}`);
  if (body) headers.set('Content-Type', 'application/json');
  let response: Response;
  try {
    response = await fetch(path, { method, headers, body: body ? JSON.stringify(body) : null, signal: signal ?? null });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw unanswered();
  }
  if (response.ok) return response;
  if (response.status === 503) unavailable.show();
  throw await errorOf(response);
}

/**
 * Sends a request and reads the JSON of its answer, which has the shape that the service documents.
 *
 * @throws PsgcError; what aborted the request, if its signal did
 */
export async function requestJson<T>(path: string, options?: RequestOptions): Promise<T> {
  const response = await request(path, options);
  return (response.json() as Promise<T>).catch((error) => {
    throw options?.signal?.aborted ? error : unanswered();
  });
}

/**
 * A sentence for the person in front of the page: what went wrong and what can be done about it.
 *
 * @param otherwise the sentence for anything that is no PsgcError
 */
export function sentenceFor(error: unknown, otherwise = 'Something went wrong on this page.'): string {
  if (!(error instanceof PsgcError)) return otherwise;
  const { message, retryAfter } = error;
  const wait = retryAfter === undefined ? 'a moment' : `${retryAfter} second${retryAfter === 1 ? '' : 's'}`;
  return needsSignIn(error)
    ? `Too many requests came from here without signing in: try again in ${wait}, or sign in to go on now.`
    : `${message} ${remedyFor(error, wait)}`.trim();
}

/** Whether an error is the limit of those who have not signed in. */
export function needsSignIn(error: unknown): boolean {
  return (error as Partial<PsgcError>).status === 429 && !currentToken();
}

/**
 * What a person can do about an error, in a sentence. It is empty if the message of the error is enough.
 *
 * @param wait after how long the service may be asked again
 */
function remedyFor({ status, code, message }: PsgcError, wait: string): string {
  // Most messages of the service say it themselves.
  const again = message.includes('Try again in') ? '' : `Try again in ${wait}.`;
  switch (status) {
    case undefined:
      return 'Check the connection, then try again.';
    case 401:
      return 'Enter a key that is valid.';
    case 403:
      return code === 'missing_scope' ? 'Enter a key with that scope, or one without scopes.' : '';
    case 429:
      return again;
    case 503:
      return /_not_loaded$|^setting_/.test(code) ? '' : again;
    default:
      return status >= 500 ? 'Try again; if it happens again, tell who runs this service.' : '';
  }
}
