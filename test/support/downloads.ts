import { brotliCompressSync } from 'node:zlib';
import { type DownloadKind, downloadName, fileNameOf } from '../../src/areas/snapshot/download-names.ts';
import {
  EDITIONS_KEY,
  type Manifest,
  manifestKey,
  objectKey,
  overviewName,
  RELEASE_DOCUMENT,
  RELEASE_SIGNATURE,
  type SnapshotName,
} from '../../src/areas/snapshot/layout.ts';
import { hexOf } from '../../src/hex.ts';
import { gzip } from './snapshot.ts';

/** When files of tests were made. */
export const CREATED = '2026-01-31T08:00:00.500Z';

interface StoredFile {
  id: string;
  bytes: Uint8Array<ArrayBuffer>;
  sha256: string;
  /** In the bucket. */
  key: string;
}

/** Bytes each of which is told from its neighbours. */
export const fileBytes = (size: number) => Uint8Array.from({ length: size }, (_, i) => (i * 7) % 251);

const NO_AREAS = { type: 'GeometryCollection', geometries: [] };

/** A map of no regions and provinces. */
export const OVERVIEW = JSON.stringify({
  type: 'Topology',
  arcs: [],
  objects: { regions: NO_AREAS, provinces: NO_AREAS, capitals: NO_AREAS },
});

/** A map of no cities and municipalities. */
export const MUNICITY_OVERVIEW = JSON.stringify({ type: 'Topology', arcs: [], objects: { municities: NO_AREAS } });

/** The maps as their objects are stored. */
async function overviewBodies(): Promise<[SnapshotName, Uint8Array<ArrayBuffer>][]> {
  const plain = Uint8Array.from(new TextEncoder().encode(OVERVIEW));
  return [
    [overviewName('overview'), plain],
    [overviewName('overview', 'br'), brotliCompressSync(plain)],
    [overviewName('overview', 'gzip'), await gzip(plain)],
    [overviewName('overview-municities'), Uint8Array.from(new TextEncoder().encode(MUNICITY_OVERVIEW))],
  ];
}

/** The text of a document of a release that consists of nothing. */
export function documentOf({ release, version }: Pick<Manifest, 'release' | 'version'>, edition: string): string {
  const facts = { schema_version: 1, release, version, edition, created_at: CREATED };
  const codes = { licence: 'acknowledge', attribution: 'PSA' };
  return `${JSON.stringify({ ...facts, codes, boundaries: null, files: [], objects: [] }, null, 2)}\n`;
}

interface PublishedOptions {
  readonly edition: string;
  readonly kinds: readonly DownloadKind[];
  readonly hasOverview?: boolean;
  readonly document?: { readonly text: string; readonly signature?: string };
}

/**
 * Publishes a release with files beside its other objects. What is in them matters to nobody who serves them; the first
 * says that it has 82 rows, the next 83, and so on.
 *
 * @param options `hasOverview`: it has a map too
 */
export async function publishFiles(
  bucket: R2Bucket,
  manifest: Manifest,
  { edition, kinds, hasOverview = false, document }: PublishedOptions,
): Promise<StoredFile[]> {
  const objects = [...manifest.objects];
  const files: StoredFile[] = [];
  const rows: Record<string, number> = {};
  const store = async (name: SnapshotName, bytes: Uint8Array<ArrayBuffer>) => {
    const sha256 = hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
    const key = objectKey(manifest.version, { name, sha256 });
    const { etag } = await bucket.put(key, bytes, { sha256 });
    objects.push({ name, bytes: bytes.length, sha256, etag });
    return { sha256, key };
  };
  if (document) {
    await store(RELEASE_DOCUMENT, Uint8Array.from(new TextEncoder().encode(document.text)));
    if (document.signature)
      await store(RELEASE_SIGNATURE, Uint8Array.from(new TextEncoder().encode(document.signature)));
  }
  if (hasOverview) for (const [name, bytes] of await overviewBodies()) await store(name, bytes);
  for (const [i, kind] of kinds.entries()) {
    const name = downloadName(kind);
    const bytes = kind.format.endsWith('.gz') ? await gzip(fileBytes(900)) : fileBytes(5000 + i);
    const { sha256, key } = await store(name, bytes);
    rows[name] = 82 + i;
    files.push({ id: `${manifest.release}.${fileNameOf(name)}`, bytes, sha256, key });
  }
  const downloads = {
    ...{ edition, created_at: CREATED, rows },
    codes: { licence: 'acknowledge', attribution: 'PSA' },
    boundaries: { licence: 'CC BY-IGO', attribution: '100 % "NAMRIA", Biñan' },
  };
  await bucket.put(manifestKey(manifest.version), JSON.stringify({ ...manifest, objects, downloads }));
  return files;
}

/** Says which versions answer for editions. */
export async function nameEditions(
  bucket: R2Bucket,
  editions: Record<string, Pick<Manifest, 'release' | 'version'>>,
): Promise<void> {
  await bucket.put(EDITIONS_KEY, JSON.stringify({ editions }));
}
