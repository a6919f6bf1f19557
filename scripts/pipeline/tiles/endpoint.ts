import { openAsBlob } from 'node:fs';
import { ask, type Endpoint } from '../service.ts';

/**
 * Asks a service whether it has an archive with this slug that was made from this release, and can read it.
 *
 * @throws Error if the service doesn't answer or refuses
 */
export async function hasArchive(endpoint: Endpoint, slug: string, releaseId: string): Promise<boolean> {
  const response = await ask(endpoint, '/v1/tiles');
  const { data } = (await response.json()) as { data: { slug: string; data_release: string | null }[] };
  if (!data.some((archive) => archive.slug === slug && archive.data_release === releaseId)) return false;
  const { status } = await ask(
    endpoint,
    `/v1/tiles/pmtiles/${slug}`,
    { headers: { Range: 'bytes=0-126' } },
    [206, 503],
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
