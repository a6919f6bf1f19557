import { bigint, doublePrecision, jsonb, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { momentColumn, type VectorLayer } from '../columns.ts';

/** The PMTiles archives that are served, and where each is stored. An object of the bucket is written once only. */
export const tileArchives = pgTable('tile_archives', {
  /** Its name in URLs. */
  slug: text().primaryKey(),
  /** The R2 object. Every upload makes another one. */
  objectKey: text('object_key').notNull(),
  /** The object's entity tag, without quotes. */
  etag: text().notNull(),
  sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
  name: text().notNull(),
  description: text(),
  attribution: text(),
  minzoom: smallint().notNull(),
  maxzoom: smallint().notNull(),
  /** west, south, east, north */
  bounds: doublePrecision().array().notNull(),
  /** longitude, latitude, zoom */
  center: doublePrecision().array().notNull(),
  vectorLayers: jsonb('vector_layers').$type<VectorLayer[]>().notNull(),
  /** The data release that it was made from; null where it was not. A release can be deleted while its tiles are served. */
  releaseId: text('release_id'),
  updatedAt: momentColumn('updated_at').notNull().defaultNow(),
});
