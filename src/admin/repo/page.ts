import { type SQL, sql } from 'drizzle-orm';
import { type Database, rowsOf } from '../../db/client.ts';

/** Which page of a list. */
export interface Page {
  readonly page: number;
  readonly limit: number;
}

export interface Listed<Row> {
  readonly rows: Row[];
  readonly total: number;
}

/** What a list is of: the clauses of a query. */
interface List {
  readonly fields: SQL;
  readonly from: SQL;
  /** Each holds; undefined ones are left out. */
  readonly where: readonly (SQL | undefined)[];
  readonly order: SQL;
  /** Where the list ends, however much there is: a table that only grows is neither counted nor leafed through whole. */
  readonly end?: number;
}

/** A page of a list and how long the list is, in one statement. */
export async function pageOf<Row>(
  db: Database,
  { fields, from, where, order, end }: List,
  { page, limit }: Page,
): Promise<Listed<Row>> {
  const conditions = where.filter((condition) => condition !== undefined);
  const filter = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql.empty();
  const offset = (page - 1) * limit;
  const most = end === undefined ? limit : Math.max(0, Math.min(limit, end - offset));
  const counted = end === undefined ? sql`${from} ${filter}` : sql`(select from ${from} ${filter} limit ${end}) as r`;
  const [row] = await rowsOf<Listed<Row>>(
    db,
    sql`select (select count(*)::int from ${counted}) as total,
      (select coalesce(json_agg(r), '[]') from (
        select ${fields} from ${from} ${filter} order by ${order} limit ${most} offset ${offset}::bigint
      ) as r) as rows`,
  );
  if (!row) throw new Error('A count has one row');
  return row;
}

/** A condition where there is something to compare with. */
export function when<T>(value: T | undefined, condition: (value: T) => SQL): SQL | undefined {
  return value === undefined ? undefined : condition(value);
}
