import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';

/** Which page of a list. */
export interface Paging {
  readonly page: number;
  readonly limit: number;
}

export interface Listed<Row> {
  readonly rows: Row[];
  readonly total: number;
}

/** A list as the clauses of its query. */
interface List<Query> {
  readonly fields: SQL;
  readonly from: SQL;
  /** By the parameters of the list: the condition that holds for what is listed where the parameter is given. */
  readonly where?: { readonly [Name in keyof Query]?: (value: Exclude<Query[Name], undefined>) => SQL };
  readonly order: SQL;
  /** The greatest length of the list. Without it a table that only grows would be counted and paged through to its end. */
  readonly end?: number;
}

/** A page of a list and the length of the list, in one statement. */
export async function pageOf<Row, Query extends Paging>(
  db: Database,
  query: Query,
  { fields, from, where = {}, order, end }: List<Query>,
): Promise<Listed<Row>> {
  const { page, limit } = query;
  const conditions = (Object.keys(where) as (keyof Query)[]).flatMap((name) => {
    const value = query[name];
    return value === undefined ? [] : (where[name]?.(value as Exclude<Query[keyof Query], undefined>) ?? []);
  });
  const filter = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql.empty();
  const offset = (page - 1) * limit;
  const most = end === undefined ? limit : Math.max(0, Math.min(limit, end - offset));
  const counted = end === undefined ? sql`${from} ${filter}` : sql`(select from ${from} ${filter} limit ${end}) as r`;
  return db.row<Listed<Row>>(sql`select (select count(*)::int from ${counted}) as total,
      (select coalesce(json_agg(r), '[]') from (
        select ${fields} from ${from} ${filter} order by ${order} limit ${most} offset ${offset}::bigint
      ) as r) as rows`);
}
