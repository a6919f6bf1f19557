import { openAsBlob } from 'node:fs';

/** A running service and the token of its administrator. */
export interface Endpoint {
  /** Origin, without a slash at the end. */
  address: string;
  token: string;
}

/** Archives take a while to be stored; a service that says nothing for so long has gone, milliseconds. */
const PATIENCE_MS = 10 * 60_000;

/**
 * The release that a service answers from.
 *
 * @throws Error where the service doesn't answer, or has none
 */
export async function releaseOf(endpoint: Endpoint): Promise<string> {
  const response = await ask(endpoint, '/v1/sources');
  const { data } = (await response.json()) as { data: { release: string } };
  return data.release;
}

/**
 * Whether a service has the archive of a slug, made from a release, and can read it.
 *
 * @throws Error where the service doesn't answer, or refuses to
 */
export async function serves(endpoint: Endpoint, slug: string, releaseId: string): Promise<boolean> {
  const response = await ask(endpoint, '/v1/tiles');
  const { data } = (await response.json()) as { data: { slug: string; data_release: string | null }[] };
  if (!data.some((archive) => archive.slug === slug && archive.data_release === releaseId)) return false;
  const { status } = await ask(
    endpoint,
    `/v1/tiles/pmtiles/${slug}`,
    { headers: { Range: 'bytes=0-126' } },
    [206, 500],
  );
  return status === 206;
}

/**
 * Puts an archive in place, streaming it from its file.
 *
 * @throws Error saying what the service said
 */
export async function upload(endpoint: Endpoint, slug: string, path: string): Promise<void> {
  const body = await openAsBlob(path, { type: 'application/vnd.pmtiles' });
  await ask(endpoint, `/v1/admin/tiles/${slug}`, { method: 'PUT', body });
}

async function ask(
  { address, token }: Endpoint,
  path: string,
  { headers, ...init }: RequestInit & { headers?: Record<string, string> } = {},
  statuses: readonly number[] = [200],
): Promise<Response> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const authorization = { Authorization: `Bearer ${token}` };
  let response: Response;
  try {
    response = await fetch(`${address}${path}`, { ...init, headers: { ...headers, ...authorization }, signal });
  } catch (error) {
    const { cause, message } = error as Error;
    throw new Error(`${address} can't be reached: ${cause instanceof Error ? cause.message : message}`);
  }
  if (statuses.includes(response.status)) return response;
  const said = (await response.text()).slice(0, 500);
  throw new Error(`${address}${path} answers with status ${response.status}: ${said}`);
}
