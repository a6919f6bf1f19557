import { type SQL, sql } from 'drizzle-orm';
import { features } from '../../db/schema/datasets.ts';

/**
 * A table `inserted` of features that were made of `item` (see `itemTables`), in their order, in the version that a
 * table holds; none where it holds none.
 */
export function insertItems(version: SQL): SQL {
  return sql`inserted as (
    insert into ${features} (version_id, type, geojson, properties, source_id, bytes, geom)
    select version.id, item.type, item.geojson, item.properties, item.source_id, item.bytes, item.geom
    from item, ${version} version order by item.ord
    returning *
  )`;
}
