import { type SQL, sql } from 'drizzle-orm';
import type { NewProperties } from '../feature.ts';

// Datasets and their versions have a summary of their features: counts, sizes, types, extent and names of properties
// (see the columns of `db/schema/datasets.ts`). These fragments keep it true in the statements that write features.

/** How many names of properties make a table. A dataset with more is exported with one column for all properties. */
export const MAX_PROPERTY_NAMES = 500;

/**
 * The names of properties as a GeoJSON Feature shows them. Properties that are not an object become the member `value`
 * of one.
 */
export function propertyNames({ properties, names }: NewProperties): readonly string[] {
  return properties.startsWith('{') || properties === 'null' ? names : ['value'];
}

/** An extent as an array of west, south, east, north; null where there is none. */
export function bboxOfExtent(extent: SQL): SQL {
  return sql`(select case when e is not null then array[st_xmin(e), st_ymin(e), st_xmax(e), st_ymax(e)] end
    from (select ${extent}::box3d as e) extent)`;
}

/** The smallest box around two boxes, either of which may be null. */
export function bboxUnion(a: SQL, b: SQL): SQL {
  return sql`case when ${a} is null then ${b} when ${b} is null then ${a} else array[least((${a})[1], (${b})[1]),
    least((${a})[2], (${b})[2]), greatest((${a})[3], (${b})[3]), greatest((${a})[4], (${b})[4])] end`;
}

/**
 * The names of two arrays, each once and in the order of their appearance. No more are kept than one above
 * `MAX_PROPERTY_NAMES`, which shows that there are too many.
 */
export function mergedNames(known: SQL, added: SQL): SQL {
  return sql`case when ${known} @> ${added} then ${known} else array(
    select name from unnest(${known} || ${added}) with ordinality as n (name, ord)
    group by name order by min(ord) limit ${MAX_PROPERTY_NAMES + 1}) end`;
}

/** The sums of two arrays of counts, item by item. */
export function summedCounts(counts: SQL, added: SQL): SQL {
  return sql`array(select a + b from unnest(${counts}, ${added}) with ordinality as c (a, b, ord) order by ord)`;
}

/** Assignments that add the row `total` (see `itemTables`) to the summary of a row of datasets or versions. */
export function addTotal(alias: string): SQL {
  const column = (name: string) => sql.raw(`${alias}.${name}`);
  return sql`feature_count = ${column('feature_count')} + total.features,
    feature_bytes = ${column('feature_bytes')} + total.bytes,
    type_counts = ${summedCounts(column('type_counts'), sql`total.types`)},
    bbox = ${bboxUnion(column('bbox'), sql`total.bbox`)},
    property_names = ${mergedNames(column('property_names'), sql`total.names`)}`;
}
