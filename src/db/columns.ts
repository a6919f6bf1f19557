import { type SQL, sql } from 'drizzle-orm';
import { customType, timestamp } from 'drizzle-orm/pg-core';

// The types of columns that several tables have, how they are read, and the shapes of JSON columns.

/** A column of moments, to the microsecond. */
export const momentColumn = (name: string) => timestamp(name, { withTimezone: true });

/** A moment as RFC 3339 text in UTC, to the millisecond. */
export function iso(moment: SQL): SQL {
  return sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Columns of a row that are moments, as `iso` gives them, under their own names. */
export function moments(row: string, columns: readonly string[]): SQL {
  const all = columns.map((column) => sql`${iso(sql.raw(`${row}.${column}`))} as ${sql.raw(column)}`);
  return sql.join(all, sql`, `);
}

/**
 * A column of two-dimensional PostGIS geometries in WGS 84, for questions of where things are. Answers are made of the
 * GeoJSON text in the column beside it, and never from this one.
 */
export const geometry = customType<{ data: string }>({
  dataType: () => 'geometry(Geometry, 4326)',
});

/** Who made a part of a release and under which terms. */
export interface DataSource {
  part: 'codes' | 'boundaries';
  name: string;
  edition: string;
  publisher: string;
  url: string;
  licence: string;
  attribution: string;
  note: string | null;
}

/** A layer of a vector tileset, in the words of TileJSON 3.0. */
export interface VectorLayer {
  id: string;
  description?: string | undefined;
  minzoom?: number | undefined;
  maxzoom?: number | undefined;
  /** The names of attributes, with a description each. */
  fields: Record<string, string>;
}
