import { getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';

/** Up to how many rows are counted of a table that only grows. */
const MAX_COUNTED = 100_000;

/** The planner's estimate of how many rows a table has, as old as its last analysis; negative before the first. */
export function estimateOf(table: PgTable): SQL {
  return sql`(select reltuples::bigint from pg_class where oid = ${getTableName(table)}::regclass)`;
}

/**
 * How many rows a table has. Few rows are counted. For many the planner's estimate is taken, which is as old as the last
 * analysis of the table; before the first analysis the result is one more than is ever counted. The limit of the count
 * keeps the planner's cost low: a server compiles an expensive statement first (JIT), which takes seconds.
 */
export function roughly(table: PgTable): SQL {
  const estimate = estimateOf(table);
  return sql`case when ${estimate} > ${MAX_COUNTED} then ${estimate} else (
    select count(*) from (select from ${table} limit ${MAX_COUNTED + 1}) few) end`;
}
