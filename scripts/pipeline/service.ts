import { setTimeout as sleep } from 'node:timers/promises';

/** A running service and its master token. */
export interface Endpoint {
  /** Origin, without a slash at the end. */
  address: string;
  masterToken: string;
}

/**
 * The service that a command works for: the one at a URL, or the one that runs on this machine.
 *
 * @param to URL; without it the service that `npm run dev` runs
 * @throws Error if there is no service, or its master token is not known
 */
export function endpointOf(
  to: string | undefined,
  running: { readonly address: string; readonly masterToken: string } | undefined,
): Endpoint {
  const address = (to ?? running?.address)?.replace(/\/+$/, '');
  if (address === undefined) throw new Error('No service runs here: start `npm run dev`, or give --to.');
  const masterToken = address === running?.address ? running.masterToken : process.env.MASTER_TOKEN;
  if (!masterToken) throw new Error(`Set MASTER_TOKEN to the master token of ${address}.`);
  return { address, masterToken };
}

/** Max time of a request with all its attempts, milliseconds. Storing an archive or a snapshot takes minutes. */
const TIMEOUT_MS = 10 * 60_000;

/**
 * Asks a service which release it serves.
 *
 * @throws Error if the service doesn't answer or has no release
 */
export async function getRelease(endpoint: Endpoint): Promise<string> {
  const response = await ask(endpoint, '/v1/sources');
  const { data } = (await response.json()) as { data: { release: string } };
  return data.release;
}

/** Transient error codes with status 503, as on a machine that is busy with a load. */
const TRANSIENT = /"code":"(storage_unavailable|database_unavailable|database_timeout)"/;

/** Max attempts of a request. */
const MAX_ATTEMPTS = 5;

/**
 * Sends a request to a service, and sends it again after the service's Retry-After while the service is busy. The body must
 * be repeatable.
 *
 * @throws Error if the service doesn't answer, or answers with another status than those expected
 */
export async function ask(
  { address, masterToken }: Endpoint,
  path: string,
  { headers, ...init }: RequestInit & { headers?: Record<string, string> } = {},
  statuses: readonly number[] = [200],
): Promise<Response> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const authorization = { Authorization: `Bearer ${masterToken}` };
  for (let attempt = 1; ; attempt += 1) {
    let response: Response;
    try {
      response = await fetch(`${address}${path}`, { ...init, headers: { ...headers, ...authorization }, signal });
    } catch (error) {
      const { cause, message } = error as Error;
      throw new Error(`${address} can't be reached: ${cause instanceof Error ? cause.message : message}`);
    }
    if (statuses.includes(response.status)) return response;
    const text = (await response.text()).slice(0, 500);
    if (attempt === MAX_ATTEMPTS || response.status !== 503 || !TRANSIENT.test(text)) {
      throw new Error(`${address}${path} answers with status ${response.status}: ${text}`);
    }
    await sleep(1000 * Number(response.headers.get('Retry-After') ?? 1));
  }
}
