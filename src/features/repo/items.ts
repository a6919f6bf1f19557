import { type SQL, sql } from 'drizzle-orm';
import { features } from '../../db/schema/datasets.ts';
import { WGS84 } from '../../geojson/geometry.ts';
import type { NewFeature } from '../feature.ts';
import { bboxOfExtent, MAX_PROPERTY_NAMES, propertyNames } from './summaries.ts';

/** Decimals of transformed coordinates, in degrees: a tenth of a millimetre. */
const DECIMALS = 9;

/**
 * Two common table expressions of features that are to be stored. `item` (ord, type, geojson, properties, source_id,
 * geom, bytes) has a row for each, in WGS 84. `total` has one row that sums them up; its column `off_earth` is the
 * position, from 1, of the first feature whose transformed geometry is not on Earth or has a coordinate that is no
 * number, and null where there is none.
 *
 * @param srid the reference system of the geometries
 */
export function itemTables(newFeatures: readonly NewFeature[], srid: number): SQL {
  const names = new Set<string>();
  for (const feature of newFeatures) {
    for (const name of propertyNames(feature)) if (names.size <= MAX_PROPERTY_NAMES) names.add(name);
  }
  const given = sql`unnest(${sql.param(newFeatures.map(({ type }) => type))}::smallint[],
      ${sql.param(newFeatures.map(({ geometry }) => geometry))}::text[],
      ${sql.param(newFeatures.map(({ properties }) => properties))}::text[],
      ${sql.param(newFeatures.map(({ id }) => id))}::text[])
    with ordinality as given (type, geojson, properties, source_id, ord)`;
  const read =
    srid === WGS84
      ? sql`select ord, type, properties, source_id, geojson, st_geomfromgeojson(geojson) as shape from ${given}`
      : sql`select ord, type, properties, source_id, st_asgeojson(shape, ${DECIMALS}, 0) as geojson, shape from (
          select *, st_transform(st_setsrid(st_geomfromgeojson(geojson), ${srid}::int), 4326) as shape from ${given}
        ) transformed`;
  // Extents ignore coordinates that are no numbers, and heights. In the text only coordinates can be "nan" or "inf".
  const notFinite = srid === WGS84 ? sql`` : sql` or geojson ~* 'nan|inf'`;
  return sql`item as materialized (
      select ord, type, geojson, properties, source_id, st_force2d(shape) as geom,
        coalesce(octet_length(geojson), 0) + octet_length(properties) as bytes
      from (${read}) given
    ), total as materialized (
      select count(*)::int as features, coalesce(sum(bytes), 0)::bigint as bytes,
        array(select count(*) filter (where item.type = t)::int from generate_series(0, 7) t left join item on true
          group by t order by t) as types,
        ${bboxOfExtent(sql`st_extent(geom)`)} as bbox, ${sql.param([...names])}::text[] as names,
        min(ord) filter (where not st_isempty(geom) and not coalesce(st_xmin(geom) >= -180 and st_xmax(geom) <= 180
          and st_ymin(geom) >= -90 and st_ymax(geom) <= 90, false)${notFinite}) as off_earth
      from item
    )`;
}

/**
 * A common table expression `inserted`: stores the features of `item` (see `itemTables`) in their order.
 *
 * @param version a table whose only row has the `id` of their version; nothing is stored where it has no row
 */
export function insertItems(version: SQL): SQL {
  return sql`inserted as (
    insert into ${features} (version_id, type, geojson, properties, source_id, bytes, geom)
    select version.id, item.type, item.geojson, item.properties, item.source_id, item.bytes, item.geom
    from item, ${version} version order by item.ord
    returning *
  )`;
}
