import { sql } from 'drizzle-orm';
import { type Database, rowsOf } from '../../db/client.ts';
import { areaShapes, features } from '../../db/schema/datasets.ts';
import { GEOMETRY_TYPES } from '../../geojson/geometry.ts';
import type { StoredShape } from '../feature.ts';

/** A boundary that is to be stored. */
export interface AreaShape {
  readonly key: string;
  /** An RFC 7946 geometry object as JSON text, in WGS 84. */
  readonly geometry: string;
}

/** Hours after which a boundary that no feature has is deleted: longer than any upload that found it takes. */
const UNUSED_HOURS = 24;
/** Max boundaries that one run deletes. */
const MAX_DELETED = 5000;

/** Of some keys, those that have a stored boundary, which is not deleted in the next hours then. */
export function findShapes(db: Database, keys: readonly string[]): Promise<StoredShape[]> {
  const wanted = sql`key = any(${sql.param(keys)}::text[])`;
  // A row that is locked is noted by somebody else. Waiting for it could be a deadlock.
  return rowsOf<StoredShape>(
    db,
    sql`with noted as (
        update ${areaShapes} set used_at = now() where key in (select key from ${areaShapes}
          where ${wanted} and used_at < now() - interval '1 hour' for no key update skip locked)
      )
      select key, bytes from ${areaShapes} where ${wanted}`,
  );
}

/** Deletes some thousands of the boundaries that no feature has any more. */
export async function deleteUnusedShapes(db: Database): Promise<void> {
  await rowsOf(
    db,
    sql`delete from ${areaShapes} where key in (select key from ${areaShapes} s
      where used_at < now() - make_interval(hours => ${UNUSED_HOURS})
        and not exists (select from ${features} f where f.shape_key = s.key) limit ${MAX_DELETED})`,
  );
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
