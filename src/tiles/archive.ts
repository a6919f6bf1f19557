import type { VectorLayer } from '../db/columns.ts';

/** What an archive says of itself. */
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

/** A stored archive. */
export interface TileArchive extends ArchiveFacts {
  slug: string;
  /** The R2 object. One is never written twice, so that whatever is known of it by its key stays true. */
  objectKey: string;
  /** Without quotes. */
  etag: string;
  sizeBytes: number;
  /** RFC 3339, in UTC. */
  updatedAt: string;
}
