import { inject } from 'vitest';
import { type Answer, api, type Body, MASTER } from './api.ts';

export function archiveBytes(name: 'regions' | 'many'): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(inject('tileArchives')[name]), (character) => character.charCodeAt(0));
}

/** A slug that no other test has. */
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

/** Uploads an archive under a slug of its own; gives its record. */
export async function newArchive(bytes: Uint8Array<ArrayBuffer>): Promise<Body> {
  const { status, body, text } = await putArchive(freshSlug(), bytes);
  if (status !== 200) throw new Error(`No archive was stored: ${text}`);
  return body.data;
}
