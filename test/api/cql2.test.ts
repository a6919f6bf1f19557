import { type SQL, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { Random } from '../../scripts/bench/names/random.ts';
import type { Expression, ScalarType } from '../../src/cql2/expression.ts';
import { parseCql2Json } from '../../src/cql2/json.ts';
import { predicateOf, type RowColumns } from '../../src/cql2/predicate.ts';
import { conditionOf, type SqlColumns } from '../../src/cql2/sql.ts';
import { parseCql2Text } from '../../src/cql2/text.ts';
import type { Geometry } from '../../src/geojson/geometry.ts';
import { filterSource, HARD_TEXTS, INSTANTS, QUERYABLES } from '../support/filters.ts';
import { database } from '../support/sql.ts';

interface Row {
  readonly row: number;
  readonly name: string | null;
  readonly region: string | null;
  readonly population: number | null;
  readonly rank: number | null;
  readonly coastal: boolean | null;
  /** A point. */
  readonly at: readonly [number, number] | null;
  readonly free: string | number | boolean | null;
}

const random = new Random(7);
const TEXTS = [
  '',
  'Cebu',
  'CEBU',
  'cebu',
  'Las Piñas',
  'las pinas',
  'a%b',
  'a_b',
  'axb',
  "Sto. Niño's",
  ...HARD_TEXTS,
  ...INSTANTS,
];
const orNull = <T>(value: T): T | null => (random.chance(0.2) ? null : value);
const ROWS: readonly Row[] = Array.from({ length: 160 }, (_, row) => ({
  row,
  name: orNull(random.pick(TEXTS)),
  region: orNull(random.pick(TEXTS)),
  population: orNull(random.pick([-1.5, 0, 0.1, 1, 2, 3, 1e6])),
  rank: orNull(random.below(4)),
  coastal: orNull(random.chance(0.5)),
  at: orNull([random.below(5), random.below(5)] as const),
  free: orNull(random.pick<string | number | boolean>([...TEXTS, 0, 1, 0.1, true])),
}));

const MEMORY: RowColumns = {
  valueOf: (name) => (row) => {
    const { at, ...properties } = ROWS[row] as Row;
    return name === 'geometry' ? at && true : properties[name as keyof typeof properties];
  },
  intersects: (geometry) => (row) => {
    const at = ROWS[row]?.at;
    return at ? isOn(at, geometry) : null;
  },
};

/** Whether a point lies on a geometry. The lines and rings of these filters meet no point of a row but on upright edges. */
function isOn([x, y]: readonly [number, number], { type, coordinates }: Geometry): boolean {
  const positions = (type === 'Polygon' ? (coordinates as number[][][])[0] : coordinates) as [number, number][];
  if (type === 'Point') return isOn([x, y], { type: 'MultiPoint', coordinates: [coordinates] });
  if (type === 'MultiPoint') return positions.some(([lon, lat]) => lon === x && lat === y);
  const edges = positions.slice(1).map((to, i) => [positions[i] as [number, number], to] as const);
  const isBetween = (value: number, a: number, b: number) => value >= Math.min(a, b) && value <= Math.max(a, b);
  const crossOf = ([x1, y1]: number[], [x2, y2]: number[]) =>
    ((x2 as number) - (x1 as number)) * (y - (y1 as number)) - ((y2 as number) - (y1 as number)) * (x - (x1 as number));
  const touches = edges.some(([a, b]) => crossOf(a, b) === 0 && isBetween(x, a[0], b[0]) && isBetween(y, a[1], b[1]));
  const crossed = edges.filter(
    ([[x1, y1], [x2, y2]]) => y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1,
  );
  return touches || (type === 'Polygon' && crossed.length % 2 === 1);
}

const FREE: Readonly<Record<ScalarType, SQL>> = {
  string: sql`case when jsonb_typeof(free) = 'string' then free #>> '{}' end`,
  number: sql`case when jsonb_typeof(free) = 'number' then (free #>> '{}')::double precision end`,
  boolean: sql`case when jsonb_typeof(free) = 'boolean' then (free #>> '{}')::boolean end`,
};
const STORED: SqlColumns = {
  valueOf: (name, type) => (name === 'free' ? sql`(${FREE[type]})` : sql.identifier(name).getSQL()),
  isNull: (name) => sql`${sql.identifier(name === 'geometry' ? 'geom' : name)} is null`,
  intersects: (geometry) =>
    sql`st_intersects(geom, st_makevalid(st_geomfromgeojson(${JSON.stringify(geometry)}::text)))`,
};

/** The rows that pass each filter, by the database: one statement for all. */
async function stored(expressions: readonly Expression[]): Promise<number[][]> {
  const rows = sql`
    select *, st_setsrid(st_makepoint((at ->> 0)::float8, (at ->> 1)::float8), 4326) as geom
    from jsonb_to_recordset(${JSON.stringify(ROWS)}::jsonb)
      as r(row int, name text, region text, population float8, rank int, coastal boolean, at jsonb, free jsonb)`;
  const passing = expressions.map(
    (expression, i) => sql`select ${i}::int as filter, row from rows where ${conditionOf(expression, STORED)}`,
  );
  const found = await database.execute<{ filter: number; row: number }>(
    sql`with rows as materialized (${rows}) ${sql.join(passing, sql` union all `)} order by filter, row`,
  );
  const lists: number[][] = expressions.map(() => []);
  for (const { filter, row } of found.rows) lists[filter]?.push(row);
  return lists;
}

const inMemory = (expression: Expression) => {
  const passes = predicateOf(expression, MEMORY);
  return ROWS.map(({ row }) => row).filter(passes);
};

describe('the predicate and the condition of a filter let the same rows pass', () => {
  it.each(Array.from({ length: 20 }, (_, seed) => seed))('%i', async (seed) => {
    const next = filterSource(seed, true);
    const filters = Array.from({ length: 25 }, next);
    const expressions = filters.map(({ text }) => parseCql2Text(text, QUERYABLES));
    const lists = await stored(expressions);
    filters.forEach(({ text, json }, i) => {
      expect(inMemory(expressions[i] as Expression), text).toEqual(lists[i]);
      expect(parseCql2Json(JSON.stringify(json), QUERYABLES), text).toEqual(expressions[i]);
    });
    // Some rows pass and some do not, or nothing would be compared.
    expect(new Set(lists.map(({ length }) => length)).size).toBeGreaterThan(8);
  });
});

it('gives the values of a filter to the database as parameters only', async () => {
  const texts = ["'; drop table areas; --", '$1', '\\', '%', '{}'];
  const expressions = texts.map((text) => parseCql2Json(JSON.stringify({ op: '=', args: [text, text] }), QUERYABLES));
  expect(await stored(expressions)).toEqual(texts.map(() => ROWS.map(({ row }) => row)));
});

it('takes the largest filters', async () => {
  const wide = `${Array(99).fill('rank=1').join(' OR ')} OR rank IN (${Array(1000).fill('1')})`;
  const deep = `${'NOT '.repeat(23)}rank=1`;
  const expressions = [wide, deep].map((text) => parseCql2Text(text, QUERYABLES));
  const is = (test: (rank: number) => boolean) =>
    ROWS.filter(({ rank }) => rank !== null && test(rank)).map(({ row }) => row);
  expect(await stored(expressions)).toEqual([is((rank) => rank === 1), is((rank) => rank !== 1)]);
  expect(expressions.map(inMemory)).toEqual([is((rank) => rank === 1), is((rank) => rank !== 1)]);
});
