import { DOWNLOADS_BY_NAME, type DownloadName, fileNameOf } from '../../../src/areas/snapshot/download-names.ts';
import type { Manifest } from '../../../src/areas/snapshot/layout.ts';

/** The version of the document's members, which grows where one of them changes its meaning or goes. */
const SCHEMA_VERSION = 1;

/**
 * The document of a release: what it consists of, with the hash of each part. Its bytes are signed, so they are made once.
 *
 * @returns undefined for what is published without files
 */
export function releaseDocument({ release, version, objects, downloads }: Manifest): Buffer | undefined {
  if (!downloads) return undefined;
  const { edition, created_at, codes, boundaries, rows } = downloads;
  const parts = objects.map(({ name, bytes, sha256 }) => ({ name, size_bytes: bytes, sha256 }));
  const files = parts.filter(({ name }) => DOWNLOADS_BY_NAME.has(name));
  const document = {
    schema_version: SCHEMA_VERSION,
    ...{ release, version, edition, created_at, codes, boundaries },
    files: files.map(({ name, ...facts }) => ({
      id: `${release}.${fileNameOf(name as DownloadName)}`,
      ...facts,
      rows: rows[name] ?? null,
    })),
    objects: parts.filter((part) => !files.includes(part)),
  };
  return Buffer.from(`${JSON.stringify(document, null, 2)}\n`);
}
