import { sql } from 'drizzle-orm';
import { type Database, rowsOf } from '../../db/client.ts';
import { areaShapes } from '../../db/schema/datasets.ts';
import { GEOMETRY_TYPES } from '../../geojson/geometry.ts';
import type { StoredShape } from '../feature.ts';

/** A boundary that is to be stored. */
export interface AreaShape {
  readonly key: string;
  /** An RFC 7946 geometry object as JSON text, in WGS 84. */
  readonly geometry: string;
}

/** Of some keys, those that have a stored boundary. */
export function findShapes(db: Database, keys: readonly string[]): Promise<StoredShape[]> {
  return rowsOf<StoredShape>(db, sql`select key, bytes from ${areaShapes} where key = any(${sql.param(keys)}::text[])`);
}

/** Stores boundaries. One that somebody else has stored in the meantime stays. */
export async function insertShapes(db: Database, shapes: readonly AreaShape[]): Promise<void> {
  const types = shapes.map(({ geometry }) => {
    const [, type] = /^\{"type":"(\w+)"/.exec(geometry) ?? [];
    return (GEOMETRY_TYPES as readonly string[]).indexOf(type ?? '');
  });
  await rowsOf(
    db,
    sql`insert into ${areaShapes} (key, type, geojson, bytes, geom)
      select key, type, geojson, octet_length(geojson), st_envelope(st_geomfromgeojson(geojson))
      from unnest(${sql.param(shapes.map(({ key }) => key))}::text[], ${sql.param(types)}::smallint[],
        ${sql.param(shapes.map(({ geometry }) => geometry))}::text[]) as given (key, type, geojson)
      on conflict (key) do nothing returning 1`,
  );
}
