import { type SQL, sql } from 'drizzle-orm';
import { areaShapes, features } from '../../db/schema/datasets.ts';
import { domainOf, WGS84 } from '../../geojson/domains.ts';
import type { NewFeature } from '../feature.ts';
import { bboxOfExtent, MAX_PROPERTY_NAMES, propertyNames } from './summaries.ts';

/** Decimals of transformed coordinates, in degrees: a tenth of a millimetre. */
const DECIMALS = 9;

/**
 * Common table expressions of features that are to be stored. `item` (ord, type, geojson, properties, source_id, shape_key,
 * geom, off, bytes) has a row for each, in WGS 84; `off` is its first misplaced position. `total` has one row that sums them up;
 * its column `off_earth` is the first position that is not on Earth, as JSON text of a `Misplaced`, and null where there is none.
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
      ${sql.param(newFeatures.map(({ id }) => id))}::text[],
      ${sql.param(newFeatures.map(({ shape }) => shape?.key ?? null))}::text[])
    with ordinality as given (type, geojson, properties, source_id, shape_key, ord)`;
  const read =
    srid === WGS84
      ? sql`read as materialized (
          select ord, type, properties, source_id, shape_key, geojson, st_geomfromgeojson(geojson) as shape, null::json as off
          from ${given}
        )`
      : transformed(given, srid);
  return sql`${read}, item as materialized (
      select ord, coalesce(s.type, read.type) as type, read.geojson, properties, source_id, shape_key,
        coalesce(s.geom, st_force2d(shape)) as geom, off,
        coalesce(octet_length(read.geojson), s.bytes, 0) + octet_length(properties) as bytes
      from read left join ${areaShapes} s on s.key = read.shape_key
    ), total as materialized (
      select count(*)::int as features, coalesce(sum(bytes), 0)::bigint as bytes,
        array(select count(*) filter (where item.type = t)::int from generate_series(0, 7) t left join item on true
          group by t order by t) as types,
        ${bboxOfExtent(sql`st_extent(geom)`)} as bbox, ${sql.param([...names])}::text[] as names,
        (array_agg(off::text order by ord) filter (where off is not null))[1] as off_earth
      from item
    )`;
}

/**
 * A common table expression `read`: the features in WGS 84, and the first misplaced position of each as `off`. A reference
 * system is valid in a part of the world only: PROJ takes a position beyond it for another one, as it takes the longitude 200
 * for -160. Such a position is recognised because it comes back from WGS 84 more than `near` away, which is 1e-5 of its largest
 * coordinate.
 */
function transformed(given: SQL, srid: number): SQL {
  const [west, south, east, north] = domainOf(srid) ?? [-Infinity, -Infinity, Infinity, Infinity];
  const within = (low: number, number: SQL, high: number) =>
    sql`${number} between ${String(low)}::float8 and ${String(high)}::float8`;
  // Each step is materialized, so that no shape is computed twice.
  return sql`placed as materialized (
      select ord, type, properties, source_id, shape_key, st_setsrid(st_geomfromgeojson(geojson), ${srid}::int) as placed
      from ${given}
    ), moved as materialized (
      select *, case when fits then st_transform(placed, 4326) end as shape,
        1e-5 * greatest(1, abs(st_xmin(placed)), abs(st_xmax(placed)), abs(st_ymin(placed)), abs(st_ymax(placed))) as near
      from (
        select *, placed is null or st_isempty(placed)
          or (${within(west, sql`st_xmin(placed)`, east)} and ${within(west, sql`st_xmax(placed)`, east)}
            and ${within(south, sql`st_ymin(placed)`, north)} and ${within(south, sql`st_ymax(placed)`, north)}) as fits
        from placed
      ) placed
    ), returned as materialized (
      select *, st_asgeojson(shape, ${DECIMALS}, 0) as geojson, st_transform(shape, ${srid}::int) as back from moved
    ), read as materialized (
      select ord, type, properties, source_id, shape_key, geojson, shape, case
          when placed is null or st_isempty(placed) then null
          when fits and ${SAME_CELLS} and ${ON_EARTH} then null
          else coalesce((
              select ${misplaced(sql`path`, sql`st_x(point)`, sql`st_y(point)`)}
              from rows from (st_dumppoints(placed), st_dumppoints(back)) as pair (path, point, back_path, back_point)
              where not case
                when fits then abs(st_x(point) - st_x(back_point)) <= near and abs(st_y(point) - st_y(back_point)) <= near
                else ${within(west, sql`st_x(point)`, east)} and ${within(south, sql`st_y(point)`, north)} end
              limit 1
            ), case when not coalesce(${ON_EARTH}, false) then ${misplaced(sql`null`, sql`null`, sql`null`)} end)
          end as off
      from returned
    )`;
}

function misplaced(path: SQL, x: SQL, y: SQL): SQL {
  return sql`json_build_object('feature', ord, 'path', ${path}, 'x', ${x}, 'y', ${y})`;
}

/**
 * Whether a shape and the one that came back have the same positions on a coarse grid: the quick answer for nearly all
 * shapes. The grid begins at no round number, because positions are often on one.
 */
const SAME_CELLS = sql.raw(
  `st_orderingequals(${['placed', 'back'].map((shape) => `st_snaptogrid(st_force2d(${shape}), 0.37 * near, 0.41 * near, near, near)`).join(', ')})`,
);

/** Whether a shape lies on Earth. Its text is searched too, because extents ignore coordinates that are no numbers. */
const ON_EARTH = sql`(st_xmin(shape) >= -180 and st_xmax(shape) <= 180 and st_ymin(shape) >= -90
  and st_ymax(shape) <= 90 and geojson !~* 'nan|inf')`;

/**
 * A common table expression `inserted`: stores the features of `item` (see `itemTables`) in their order.
 *
 * @param version a table whose only row has the `id` of their version; nothing is stored where it has no row
 */
export function insertItems(version: SQL): SQL {
  return sql`inserted as (
    insert into ${features} (version_id, type, geojson, properties, source_id, shape_key, bytes, geom)
    select version.id, item.type, item.geojson, item.properties, item.source_id, item.shape_key, item.bytes, item.geom
    from item, ${version} version order by item.ord
    returning *
  )`;
}
