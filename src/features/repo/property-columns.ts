import { type SQL, sql } from 'drizzle-orm';
import type { SqlColumns } from '../../cql2/sql.ts';
import { areaShapes } from '../../db/schema/datasets.ts';
import type { Geometry } from '../../geojson/geometry.ts';

const TYPES = { string: 'text', number: 'numeric', boolean: 'boolean' } as const;

/**
 * What conditions compare, of a row `f` of features with its properties as `j.members`: members, where they are of the type
 * that is compared.
 */
export const propertyColumns: SqlColumns = {
  valueOf: (name, type) => {
    const value = member(name);
    return sql`case when jsonb_typeof(${value}) = ${type} then (${value} #>> '{}')::${sql.raw(TYPES[type])} end`;
  },
  isNull: (name) =>
    name === 'geometry' ? sql`f.geom is null` : sql`coalesce(jsonb_typeof(${member(name)}), 'null') = 'null'`,
  intersects: (geometry) => {
    // What crosses itself is no valid polygon, on which the comparison may fail.
    const given = sql`st_makevalid(st_geomfromgeojson(${JSON.stringify(geometry satisfies Geometry)}::text))`;
    // The geometry of a feature that is an area is the box of its boundary, which is read only where the box does not decide.
    return sql`(f.geom && ${given} and (st_coveredby(f.geom, ${given}) or st_intersects(case when f.shape_key is null
      then f.geom else (select st_geomfromgeojson(geojson) from ${areaShapes} where key = f.shape_key) end, ${given})))`;
  },
};

function member(name: string): SQL {
  return sql`(j.members -> ${name}::text)`;
}
