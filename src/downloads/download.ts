import type { DownloadFormat, DownloadKind } from '../areas/snapshot/download-names.ts';

/** The media type of each format. Compressed files are sent as they are, without Content-Encoding. */
export const MEDIA_TYPES: Readonly<Record<DownloadFormat, string>> = {
  csv: 'text/csv',
  'csv.gz': 'application/gzip',
  'ndjson.gz': 'application/gzip',
  'geojson.gz': 'application/gzip',
  fgb: 'application/vnd.flatgeobuf',
  parquet: 'application/vnd.apache.parquet',
  topojson: 'application/json',
  gpkg: 'application/geopackage+sqlite3',
};

/** A stored object of a published release. */
export interface StoredFile {
  readonly release: string;
  readonly bytes: number;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
  /** RFC 3339, in UTC. */
  readonly createdAt: string;
  /** Its key and entity tag in the bucket. */
  readonly object: { readonly key: string; readonly etag: string };
}

/** A file of a published release. */
export interface Download extends DownloadKind, StoredFile {
  /** `2026-3q-1.barangays.detailed.parquet`, which is also the name to save it under. */
  readonly id: string;
  readonly edition: string;
  /** Rows, or features. */
  readonly rows: number;
  readonly licence: string;
  readonly attribution: string;
}
