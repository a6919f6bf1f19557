import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { joinBytes } from '../../src/bytes.ts';
import { type Answer, api, get } from './api.ts';
import { bucket } from './bucket.ts';
import { point } from './datasets.ts';
import type { Headers } from './people.ts';
import { database } from './sql.ts';

type Content = string | Uint8Array;

/** The GeoJSON of a point that is told by its number. */
export const feature = (i: number, more: object = {}) => ({
  type: 'Feature',
  id: `f${i}`,
  geometry: point(120 + i / 1000, 10),
  properties: { i, name: `Ñ ${i}` },
  ...more,
});

/** A file of that many points. */
export const collection = (count: number) =>
  JSON.stringify({ type: 'FeatureCollection', features: Array.from({ length: count }, (_, i) => feature(i)) });

export const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Fields of a form in their order; `file` is the file. */
export type Field = [name: string, value: string] | ['file', name: string, content: Content];

const encode = (content: Content) => (typeof content === 'string' ? new TextEncoder().encode(content) : content);

/** A multipart body of fields in exactly this order. */
export function formOf(fields: readonly Field[], boundary = 'boundary-of-the-test'): Uint8Array {
  const pieces = fields.flatMap(([name, value, content]) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${content === undefined ? '' : `; filename="${value}"\r\nContent-Type: application/octet-stream`}\r\n\r\n`,
    content ?? value,
    '\r\n',
  ]);
  return joinBytes([...pieces, `--${boundary}--\r\n`].map(encode));
}

export function sendForm(owner: Headers, body: BodyInit, boundary = 'boundary-of-the-test'): Promise<Answer> {
  const headers = { ...owner, 'Content-Type': `multipart/form-data; boundary=${boundary}` };
  return api('/v1/datasets/upload', { method: 'POST', headers, body });
}

/** Uploads a file with fields before it. */
export function upload(
  owner: Headers,
  fileName: string,
  content: Content,
  fields: Record<string, string> = {},
): Promise<Answer> {
  return sendForm(owner, formOf([...Object.entries(fields), ['file', fileName, content]]));
}

/** The bytes of a stored file. */
export async function fileOf(owner: Headers, id: string): Promise<Uint8Array> {
  return (await get(`/v1/datasets/${id}/file`, owner)).bytes;
}

/**
 * Waits until no files are stored beyond those that datasets show or have shown, but for the given ones: those of
 * uploads under way, of other tests too, come and go.
 */
export async function leavesNoFiles(before: string[]): Promise<void> {
  await expect.poll(async () => (await unpublishedFiles()).filter((key) => !before.includes(key))).toEqual([]);
}

/** Keys of stored files that no dataset shows or has shown. */
export async function unpublishedFiles(): Promise<string[]> {
  const { objects } = await bucket.list({ prefix: 'datasets/' });
  const { rows } = await database.execute(sql`select storage_key from dataset_versions where state <> 'staged'`);
  const keys = new Set(rows.map(({ storage_key: key }) => key));
  return objects.map(({ key }) => key).filter((key) => !keys.has(key));
}
