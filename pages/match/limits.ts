/** Max rows that the page takes. */
export const MAX_ROWS = 100_000;

/** Rows that may be looked up without credentials, in all. */
export const FREE_ROWS = 1000;

/** Rows of a request without credentials. */
export const FREE_BATCH = 20;

/** Requests a minute without credentials. The service says how many in each answer. */
export const free = { requestsPerMinute: 30 };

/** Takes the limit of requests from the headers of an answer without credentials: `"free-tier";q=30;w=60`. */
export function noteLimit(headers: Headers | undefined): void {
  const [, requests] = /;q=(\d+);w=60\b/.exec(headers?.get('RateLimit-Policy') ?? '') ?? [];
  if (requests !== undefined) free.requestsPerMinute = Number(requests);
}
