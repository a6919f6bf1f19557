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
}

/** A page of a list and how long the list is, in one statement. */
export async function pageOf<Row>(
  db: Database,
  { fields, from, where, order }: List,
  { page, limit }: Page,
): Promise<Listed<Row>> {
  const conditions = where.filter((condition) => condition !== undefined);
  const filter = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql.empty();
  const [row] = await rowsOf<Listed<Row>>(
    db,
    sql`select (select count(*)::int from ${from} ${filter}) as total,
      (select coalesce(json_agg(r), '[]') from (
        select ${fields} from ${from} ${filter} order by ${order} limit ${limit} offset ${(page - 1) * limit}::bigint
      ) as r) as rows`,
  );
  if (!row) throw new Error('A count has one row');
  return row;
}

/** A condition where there is something to compare with. */
export function when<T>(value: T | undefined, condition: (value: T) => SQL): SQL | undefined {
  return value === undefined ? undefined : condition(value);
}
