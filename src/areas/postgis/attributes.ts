import { type SQL, sql } from 'drizzle-orm';
import type { SqlColumns } from '../../cql2/sql.ts';
import type { Geometry } from '../../geojson/geometry.ts';
import type { AttributeName } from '../attributes.ts';
import { ISLAND_GROUPS, iso31662Of, PCODE_DIGITS } from '../identifiers.ts';
import { SUB_MUNICIPALITY, type Where } from '../store.ts';

/** The attributes that are no column of `a`. */
const COMPUTED: Partial<Record<AttributeName, SQL>> = {
  type: sql`case a.level when 'submunicipality' then ${SUB_MUNICIPALITY} else a.type end`,
  iso_3166_2: sql`${JSON.stringify(isoCodes())}::jsonb ->> (a.level || ' ' ||
    case a.level when 'region' then left(a.code, 2) else substr(a.code, 3, 3) end)`,
  island_group: sql`${JSON.stringify(islandGroups())}::jsonb ->> left(a.code, 2)`,
  pcode: sql`'PH' || left(case when a.code like '19999%' then '19099' || substr(a.code, 6) else a.code end,
    (${JSON.stringify(PCODE_DIGITS)}::jsonb ->> a.level::text)::int)`,
};

/** What conditions compare, of a row `a` of areas. */
export function attributeColumns(meeting: Where['meeting']): SqlColumns {
  const value = (name: string) => COMPUTED[name as AttributeName] ?? sql.raw(`a.${name}`);
  return {
    valueOf: value,
    isNull: (name) => (name === 'geometry' ? sql`a.bbox is null` : sql`(${value(name)}) is null`),
    // NULL where there is no boundary.
    intersects: (geometry: Geometry) =>
      sql`((a.bbox is not null or null) and a.code = any(${sql.param([...(meeting.get(geometry) ?? [])])}::text[]))`,
  };
}

/** ISO 3166-2 by level and the digits of the code that name the area. */
function isoCodes(): Record<string, string> {
  const digits = (length: number) => Array.from({ length: 10 ** length }, (_, i) => String(i).padStart(length, '0'));
  const codes = [
    ...digits(2).map((part) => [`region ${part}`, iso31662Of({ level: 'region', code: `${part}00000000` })]),
    ...digits(3).map((part) => [`province ${part}`, iso31662Of({ level: 'province', code: `01${part}00000` })]),
  ];
  return Object.fromEntries(codes.filter(([, iso]) => iso !== null));
}

function islandGroups(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(ISLAND_GROUPS).flatMap(([group, regions]) => regions.map((region) => [region, group])),
  );
}
