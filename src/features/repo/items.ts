import { type SQL, sql } from 'drizzle-orm';
import type { NewFeature } from '../feature.ts';

/** Decimals of coordinates that were transformed: a tenth of a millimetre. */
const DECIMALS = 9;

/** How many names of properties are remembered: more are no table any more. */
export const MAX_PROPERTY_NAMES = 500;

/**
 * Tables with features that are to be stored: `item` (ord, type, geojson, properties, source_id, geom, bytes), in WGS
 * 84, and `total`, one row that sums them up. Where a transformed geometry is not on Earth, or has a coordinate that is
 * no number any more, `total.stray` is the place of the first one, from 1.
 *
 * @param srid the reference system that the geometries are in
 */
export function itemTables(features: readonly NewFeature[], srid: number): SQL {
  const names = new Set<string>();
  for (const feature of features) {
    for (const name of namesIn(feature)) if (names.size <= MAX_PROPERTY_NAMES) names.add(name);
  }
  const given = sql`unnest(${sql.param(features.map(({ type }) => type))}::smallint[],
      ${sql.param(features.map(({ geometry }) => geometry))}::text[],
      ${sql.param(features.map(({ properties }) => properties))}::text[],
      ${sql.param(features.map(({ id }) => id))}::text[])
    with ordinality as given (type, geojson, properties, source_id, ord)`;
  const read =
    srid === 4326
      ? sql`select ord, type, properties, source_id, geojson, st_geomfromgeojson(geojson) as shape from ${given}`
      : sql`select ord, type, properties, source_id, st_asgeojson(shape, ${DECIMALS}, 0) as geojson, shape from (
          select *, st_transform(st_setsrid(st_geomfromgeojson(geojson), ${srid}::int), 4326) as shape from ${given}
        ) transformed`;
  // Extents pass over what is no number, and have no height. In the text nothing but coordinates can say so.
  const lost = srid === 4326 ? sql`` : sql` or geojson ~* 'nan|inf'`;
  return sql`item as materialized (
      select ord, type, geojson, properties, source_id, st_force2d(shape) as geom,
        coalesce(octet_length(geojson), 0) + octet_length(properties) as bytes
      from (${read}) given
    ), total as materialized (
      select count(*)::int as features, coalesce(sum(bytes), 0)::bigint as bytes,
        array(select count(*) filter (where item.type = t)::int from generate_series(0, 7) t left join item on true
          group by t order by t) as types,
        ${boxOf(sql`st_extent(geom)`)} as bbox, ${sql.param([...names])}::text[] as names,
        min(ord) filter (where not st_isempty(geom) and not coalesce(st_xmin(geom) >= -180 and st_xmax(geom) <= 180
          and st_ymin(geom) >= -90 and st_ymax(geom) <= 90, false)${lost}) as stray
      from item
    )`;
}

/** Names of members of properties as a Feature has them: what is no object is the member `value` of one. */
export function namesIn({ properties, names }: Pick<NewFeature, 'properties' | 'names'>): readonly string[] {
  return properties.startsWith('{') || properties === 'null' ? names : ['value'];
}

/** An extent as an array of west, south, east, north; null where there is none. */
export function boxOf(extent: SQL): SQL {
  return sql`(select case when e is not null then array[st_xmin(e), st_ymin(e), st_xmax(e), st_ymax(e)] end
    from (select ${extent}::box3d as e) extent)`;
}

/** The smallest box around two, either of which may be null. */
export function unionOf(a: SQL, b: SQL): SQL {
  return sql`case when ${a} is null then ${b} when ${b} is null then ${a} else array[least((${a})[1], (${b})[1]),
    least((${a})[2], (${b})[2]), greatest((${a})[3], (${b})[3]), greatest((${a})[4], (${b})[4])] end`;
}

/** Names in the order of their appearance, each once, as many as are remembered and one more. */
export function namesOf(known: SQL, added: SQL): SQL {
  return sql`case when ${known} @> ${added} then ${known} else array(
    select name from unnest(${known} || ${added}) with ordinality as n (name, ord)
    group by name order by min(ord) limit ${MAX_PROPERTY_NAMES + 1}) end`;
}

/** Two arrays of counts, added up. */
export function sumOf(counts: SQL, added: SQL): SQL {
  return sql`array(select a + b from unnest(${counts}, ${added}) with ordinality as c (a, b, ord) order by ord)`;
}

/** Assignments that add `total` to the summary of a row of datasets or versions, known as `alias`. */
export function addTotal(alias: string): SQL {
  const column = (name: string) => sql.raw(`${alias}.${name}`);
  return sql`feature_count = ${column('feature_count')} + total.features,
    feature_bytes = ${column('feature_bytes')} + total.bytes,
    type_counts = ${sumOf(column('type_counts'), sql`total.types`)},
    bbox = ${unionOf(column('bbox'), sql`total.bbox`)},
    property_names = ${namesOf(column('property_names'), sql`total.names`)}`;
}
