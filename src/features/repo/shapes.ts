import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
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
  const recent = sql`used_at >= now() - interval '1 hour'`;
  // Rows are locked in one order, so that uploads don't wait for one another in a circle. One that is being deleted is none.
  return db.rows<StoredShape>(sql`with stale as (
        select key from ${areaShapes} where ${wanted} and not (${recent}) order by key for no key update
      ), noted as (
        update ${areaShapes} set used_at = now() where key in (select key from stale) returning key, bytes
      )
      select key, bytes from ${areaShapes} where ${wanted} and ${recent} union all select key, bytes from noted`);
}

/**
 * Deletes some thousands of the boundaries that no feature has and no upload needed for a day. One that is locked is in
 * use.
 */
export async function deleteUnusedShapes(db: Database): Promise<void> {
  const isUnused = (shape: SQL) => sql`${shape}.used_at < now() - make_interval(hours => ${UNUSED_HOURS})
    and not exists (select from ${features} f where f.shape_key = ${shape}.key)`;
  await db.rows(sql`delete from ${areaShapes} s where ${isUnused(sql`s`)} and key in (select key from ${areaShapes} v
      where ${isUnused(sql`v`)} limit ${MAX_DELETED} for update skip locked)`);
}

/** Stores boundaries. One that somebody else has stored in the meantime stays. */
export async function insertShapes(db: Database, shapes: readonly AreaShape[]): Promise<void> {
  const types = shapes.map(({ geometry }) => {
    const [, type] = /^\{"type":"(\w+)"/.exec(geometry) ?? [];
    return (GEOMETRY_TYPES as readonly string[]).indexOf(type ?? '');
  });
  await db.rows(sql`insert into ${areaShapes} (key, type, geojson, bytes, geom)
      select key, type, geojson, octet_length(geojson), st_envelope(st_geomfromgeojson(geojson))
      from unnest(${sql.param(shapes.map(({ key }) => key))}::text[], ${sql.param(types)}::smallint[],
        ${sql.param(shapes.map(({ geometry }) => geometry))}::text[]) as given (key, type, geojson)
      on conflict (key) do nothing returning 1`);
}
