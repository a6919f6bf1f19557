import { type Answer, api, type Body, MASTER } from './api.ts';
import { filesOf } from './files.ts';

/**
 * PMTiles archives. `regions`: those of the drawn country, as geo:tiles makes them. `many`: all tiles of zooms 0 to 4 and
 * so many of zoom 9 that there are leaf directories; each has its place on the curve as `id`.
 */
const archives = await filesOf(['regions.pmtiles', 'many.pmtiles']);

export function archiveBytes(name: 'regions' | 'many'): Uint8Array<ArrayBuffer> {
  return archives[`${name}.pmtiles`].slice();
}

/** A slug that no other test uses. */
export function freshSlug(): string {
  return `test-${crypto.randomUUID().slice(0, 18)}`;
}

export function putArchive(
  slug: string,
  body: BodyInit | null,
  headers: Record<string, string> = MASTER,
): Promise<Answer> {
  return api(`/v1/admin/tiles/${slug}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/vnd.pmtiles', ...headers },
    body,
  });
}

/** Uploads an archive under a new slug and returns the archive as the API shows it. */
export async function newArchive(bytes: Uint8Array<ArrayBuffer>): Promise<Body> {
  const { status, body, text } = await putArchive(freshSlug(), bytes);
  if (status !== 200) throw new Error(`No archive was stored: ${text}`);
  return body.data;
}
