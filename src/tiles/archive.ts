import type { VectorLayer } from '../db/columns.ts';

/** The media type of a PMTiles archive. */
export const ARCHIVE_TYPE = 'application/vnd.pmtiles';

/** What an archive says about itself, in its header and its metadata. */
export interface ArchiveFacts {
  name: string;
  description: string | null;
  attribution: string | null;
  minzoom: number;
  maxzoom: number;
  /** west, south, east, north */
  bounds: [number, number, number, number];
  /** longitude, latitude, zoom */
  center: [number, number, number];
  vectorLayers: VectorLayer[];
  /** The data release that it was made from. */
  releaseId: string | null;
}

export interface TileArchive extends ArchiveFacts {
  slug: string;
  /** The R2 object. An object is never rewritten, so anything cached by its key stays valid. */
  objectKey: string;
  /** Without quotes. */
  etag: string;
  sizeBytes: number;
  /** RFC 3339, in UTC. */
  updatedAt: string;
}

/** The position of a tile in the pyramid: zoom, column, row. */
export interface TileCoordinates {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** The version of an archive in the URLs of its tiles. Equal bytes have equal versions. */
export function versionOf({ etag }: Pick<TileArchive, 'etag'>): string {
  return etag.slice(0, 12);
}
