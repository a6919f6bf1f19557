import { DOWNLOADS_BY_NAME, type DownloadName, fileNameOf } from '../../../src/areas/snapshot/download-names.ts';
import type { Manifest } from '../../../src/areas/snapshot/layout.ts';

/** Incremented when a member is removed or changes its meaning. */
const SCHEMA_VERSION = 1;

/**
 * Encodes the document of a release (UTF-8 JSON): its parts with their SHA-256. It is encoded only once, because these bytes are
 * signed.
 *
 * @returns undefined if the release is published without download files
 */
export function encodeReleaseDocument({ release, version, objects, downloads }: Manifest): Buffer | undefined {
  if (!downloads) return undefined;
  const { edition, created_at, codes, boundaries, rows } = downloads;
  const parts = objects.map(({ name, bytes, sha256 }) => ({ name, size_bytes: bytes, sha256 }));
  const files = parts.filter(({ name }) => DOWNLOADS_BY_NAME.has(name));
  const document = {
    schema_version: SCHEMA_VERSION,
    release,
    version,
    edition,
    created_at,
    codes,
    boundaries,
    files: files.map(({ name, ...facts }) => ({
      id: `${release}.${fileNameOf(name as DownloadName)}`,
      ...facts,
      rows: rows[name] ?? null,
    })),
    objects: parts.filter((part) => !files.includes(part)),
  };
  return Buffer.from(`${JSON.stringify(document, null, 2)}\n`);
}
