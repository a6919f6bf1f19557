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
interface List {
  readonly fields: SQL;
  readonly from: SQL;
  /** Conditions that must all hold. Undefined ones are left out. */
  readonly where: readonly (SQL | undefined)[];
  readonly order: SQL;
  /** The greatest length of the list. Without it a table that only grows would be counted and paged through to its end. */
  readonly end?: number;
}

/** A page of a list and the length of the list, in one statement. */
export async function pageOf<Row>(
  db: Database,
  { fields, from, where, order, end }: List,
  { page, limit }: Paging,
): Promise<Listed<Row>> {
  const conditions = where.filter((condition) => condition !== undefined);
  const filter = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql.empty();
  const offset = (page - 1) * limit;
  const most = end === undefined ? limit : Math.max(0, Math.min(limit, end - offset));
  const counted = end === undefined ? sql`${from} ${filter}` : sql`(select from ${from} ${filter} limit ${end}) as r`;
  return db.row<Listed<Row>>(sql`select (select count(*)::int from ${counted}) as total,
      (select coalesce(json_agg(r), '[]') from (
        select ${fields} from ${from} ${filter} order by ${order} limit ${most} offset ${offset}::bigint
      ) as r) as rows`);
}

/** A condition, or undefined where there is no value to compare with. */
export function when<T>(value: T | undefined, condition: (value: T) => SQL): SQL | undefined {
  return value === undefined ? undefined : condition(value);
}
