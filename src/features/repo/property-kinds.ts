import { sql } from 'drizzle-orm';
import { MAX_LENGTH, NO_NUMBER_WORDS } from '../../csv/numbers.ts';
import type { Database } from '../../db/client.ts';
import { features } from '../../db/schema/datasets.ts';
import { PROPERTIES } from './pages.ts';

/**
 * What the values of a property are, as bits that are added: an integer of up to 15 digits, one of up to 18, a longer one;
 * another number; a boolean; a string; an object or array. Null is none of them. A string that says something has one more: it
 * is a number as people type it, whose integer has up to 15 digits; it has 9 or 10 digits, as codes of the PSGC have; or it is
 * another. One that is blank, or says that there is no number, has none.
 */
export const KINDS = {
  integer: 1,
  longInteger: 2,
  hugeInteger: 4,
  decimal: 8,
  boolean: 16,
  string: 32,
  nested: 64,
  numeral: 128,
  code: 256,
  words: 512,
} as const;

/** The texts in JSON that `numberOf` of `src/csv/numbers.ts` takes for numbers, but for those with an exponent or a percent sign. */
const NUMERAL =
  '^"\\s*((₱|PHP|Php)\\s*)?[-\u2212]?((0|[1-9]\\d{0,14}|[1-9]\\d{0,2}(,\\d{3}){1,4})(\\.\\d+)?|(0|[1-9]\\d*),(\\d{1,2}|\\d{4,})|0,\\d+)\\s*"$';

/** The texts in JSON for which `saysNoNumber` is true. */
const NO_NUMBER = `^"\\s*${NO_NUMBER_WORDS.source.slice(1, -1)}\\s*"$`;

/** What is found in features: all bits of each property that has a value, the types of geometries, and heights. */
export interface FeatureKinds {
  readonly properties: ReadonlyMap<string, number>;
  /** The index of each type in `GEOMETRY_TYPES` that a geometry has. */
  readonly geometryTypes: ReadonlySet<number>;
  readonly hasHeights: boolean;
}

/** How many features a statement reads, and how much text of theirs. */
interface Portion {
  readonly features: number;
  /** Bytes of all of them, unless the first has more. */
  readonly bytes: number;
  /** Features whose properties have more bytes are left out; undefined: none is. */
  readonly mostOfOne?: number;
}

const READ: Portion = { features: 10_000, bytes: 4 * 1024 * 1024 };

/** A sample is small, because somebody asks for it in one request that anybody may make. */
const SAMPLE: Portion = { features: 1000, bytes: 256 * 1024, mostOfOne: 64 * 1024 };

interface Row {
  readonly kinds: Record<string, number>;
  readonly types: number[] | null;
  readonly heights: boolean | null;
  readonly seq: string | null;
}

/**
 * Reads all features of a version once, some thousands in a statement, for what a table needs to know before its first row.
 *
 * @param withProperties whether the properties are read, which takes most of the time
 */
export async function readFeatureKinds(
  db: Database,
  { versionId, withProperties }: { versionId: string; withProperties: boolean },
): Promise<FeatureKinds> {
  const properties = new Map<string, number>();
  const geometryTypes = new Set<number>();
  let hasHeights = false;
  for (let seq: string | null = '0'; seq !== null; ) {
    const row: Row | undefined = await readSome(db, { versionId, withProperties, seq }, READ);
    db.deadline.partDone();
    for (const [name, bits] of Object.entries(row?.kinds ?? {})) {
      properties.set(name, (properties.get(name) ?? 0) | bits);
    }
    for (const type of row?.types ?? []) geometryTypes.add(type);
    hasHeights ||= row?.heights ?? false;
    seq = row?.seq ?? null;
  }
  return { properties, geometryTypes, hasHeights };
}

/** The kinds of the properties of some of the first features of a version. */
export async function sampleFeatureKinds(db: Database, versionId: string): Promise<Pick<FeatureKinds, 'properties'>> {
  const row = await readSome(db, { versionId, withProperties: true, seq: '0' }, SAMPLE);
  return { properties: new Map(Object.entries(row?.kinds ?? {})) };
}

async function readSome(
  db: Database,
  { versionId, withProperties, seq }: { versionId: string; withProperties: boolean; seq: string },
  { features: most, bytes, mostOfOne }: Portion,
): Promise<Row | undefined> {
  // All positions of a geometry have as many numbers as its first, which stands between the innermost brackets.
  const isFew = mostOfOne === undefined ? sql`` : sql`and octet_length(f.properties) <= ${mostOfOne}`;
  // A sample reads no geometry.
  const heights =
    mostOfOne === undefined
      ? sql`(select bool_or(substring(geojson from '\\[(-?\\d[^][]*)\\]') ~ ',.*,') from f)`
      : sql`null::boolean`;
  const size = mostOfOne === undefined ? sql`bytes` : sql`octet_length(properties)`;
  const [row] = await db.rows<Row>(sql`with picked as (
        select f.* from ${features} f where f.version_id = ${versionId} and f.seq > ${seq}::bigint ${isFew}
        order by f.seq limit ${most}
      ), sized as (
        select *, sum(${size}) over (order by seq) - ${size} as before from picked
      ), f as materialized (select * from sized where before = 0 or before + ${size} < ${bytes}),
      member as (
        select m.key as name, json_typeof(m.value) as type, m.value::text as value
        from f, json_each(case when ${withProperties}::boolean and f.properties <> 'null' then (${PROPERTIES})::json
          else '{}' end) m
      ), kind as (
        select name, bit_or(case type
            when 'number' then case
              when value ~ '^-?\\d{1,15}$' then ${KINDS.integer}::int when value ~ '^-?\\d{1,18}$' then ${KINDS.longInteger}::int
              when value ~ '^-?\\d+$' then ${KINDS.hugeInteger}::int else ${KINDS.decimal}::int end
            when 'boolean' then ${KINDS.boolean}::int
            when 'string' then ${KINDS.string}::int | case
              when value ~ '^"\\s*[1-9]\\d{8,9}\\s*"$' then ${KINDS.code}::int
              when char_length(value) > ${MAX_LENGTH + 2}::int then ${KINDS.words}::int
              when value ~ ${NUMERAL} then ${KINDS.numeral}::int
              when value ~* ${NO_NUMBER} then 0 else ${KINDS.words}::int end
            else ${KINDS.nested}::int end) as bits
        from member where type <> 'null' group by name
      )
      select (select coalesce(json_object_agg(name, bits), '{}') from kind) as kinds,
        (select array_agg(distinct type) from f where type > 0) as types,
        ${heights} as heights,
        (select max(seq)::text from f) as seq`);
  return row;
}
