/** A request that was refused, or got no answer. */
class RequestFailed extends Error {
  /** HTTP status; 0 if there was no answer. */
  readonly status: number;
  /** Seconds to wait before the next try, if the service names them. */
  readonly retryAfter: number | undefined;

  constructor(status: number, retryAfter?: number) {
    super(`The service answered with status ${status}.`);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/**
 * Sends a request without credentials. This page is framed by other sites, so it never reads the token of a tab.
 *
 * @throws RequestFailed
 */
export async function ask(path: string): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: 'omit' });
  } catch {
    throw new RequestFailed(0);
  }
  if (response.ok) return response;
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  throw new RequestFailed(response.status, Number.isFinite(retryAfter) ? retryAfter : undefined);
}

const GONE = {
  dataset: 'This dataset is not for everyone, or is no longer there.',
  place: 'There is no such place in the current edition.',
} as const;

/** A sentence that says what went wrong, and whether another try may succeed. */
export function refusalOf(
  error: unknown,
  what: 'dataset' | 'place' = 'dataset',
): { sentence: string; mayRetry: boolean } {
  const { status, retryAfter } = error instanceof RequestFailed ? error : new RequestFailed(0);
  switch (status) {
    case 401:
      return { sentence: 'This dataset is too large to be shown here.', mayRetry: false };
    case 404:
    case 422:
      return { sentence: GONE[what], mayRetry: false };
    case 429: {
      const wait = retryAfter === undefined ? 'a moment' : `${retryAfter} second${retryAfter === 1 ? '' : 's'}`;
      return { sentence: `Many maps were opened from your network. Try again in ${wait}.`, mayRetry: true };
    }
    default:
      return { sentence: 'The map can’t be reached at the moment.', mayRetry: true };
  }
}
