import { openAsBlob } from 'node:fs';

/** A running service and the token of its administrator. */
export interface Endpoint {
  /** Origin, without a slash at the end. */
  address: string;
  token: string;
}

/** Milliseconds. Storing an archive takes a while; a service that is silent for longer than this is gone. */
const PATIENCE_MS = 10 * 60_000;

/**
 * Asks a service which release it serves.
 *
 * @throws Error where the service doesn't answer or has no release
 */
export async function getRelease(endpoint: Endpoint): Promise<string> {
  const response = await ask(endpoint, '/v1/sources');
  const { data } = (await response.json()) as { data: { release: string } };
  return data.release;
}

/**
 * Asks a service whether it has an archive with this slug that was made from this release, and can read it.
 *
 * @throws Error where the service doesn't answer or refuses
 */
export async function hasArchive(endpoint: Endpoint, slug: string, releaseId: string): Promise<boolean> {
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
 * Uploads an archive as a stream from its file.
 *
 * @throws Error with the answer of the service where it refuses
 */
export async function uploadArchive(endpoint: Endpoint, slug: string, path: string): Promise<void> {
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
