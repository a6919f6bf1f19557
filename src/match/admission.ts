import type { z } from '@hono/zod-openapi';
import { GEOGRAPHY, RELEASE_HEADER } from '../areas/representation.ts';
import { requireIdentity } from '../auth/authenticate.ts';
import type { AppContext, ServiceContext } from '../context.ts';
import { isCsv } from '../http/csv-body.ts';
import { errors } from '../http/error-schemas.ts';
import { csvAnswer, csvBody, TABLE_HEADERS } from '../tables/answer.ts';
import { refuseColumns } from '../tables/columns.ts';
import { FREE_ROWS, MAX_BODY, MAX_FREE_BODY } from './schemas.ts';

/** A list in JSON, or a table, that is worked on row by row. */
interface AskedList {
  /** What is done, as the subject of a sentence: `Matching`. */
  readonly doing: string;
  /** What a row is, in the plural: `rows`. */
  readonly nouns: string;
  /** How many rows a list in JSON has; that of a table nobody knows. */
  readonly count: number;
  /** Headings that the query names, which only a table has. */
  readonly named: { readonly [field in string]?: string | undefined };
}

/** What operations have in common that take a list in JSON, or a table. */
export const LIST = {
  method: 'post',
  path: '/',
  access: 'free-tier',
  ...GEOGRAPHY,
  takesCsv: true,
  maxBody: MAX_BODY,
  maxFreeBody: MAX_FREE_BODY,
} as const;

/** Their request. @param example a table */
export const listRequest = <Query extends z.ZodObject, Body extends z.ZodType>(
  query: Query,
  schema: Body,
  example: string,
) => ({
  query,
  body: { required: true, content: { 'application/json': { schema }, ...csvBody(example) } },
});

/** Their responses. @param example a table */
export const listResponses = (description: string, schema: z.ZodType, example: string) => ({
  200: {
    description,
    headers: { ...RELEASE_HEADER, ...TABLE_HEADERS },
    content: { 'application/json': { schema }, ...csvAnswer(example) },
  },
  ...errors(400, 404, 413, 415, 422),
});

/**
 * Refuses tables and long lists without credentials, and names of columns beside a list in JSON.
 *
 * @throws DomainError `authentication_required`, `columns_not_recognized`
 */
export function admitList(
  c: AppContext,
  { principal }: ServiceContext,
  { doing, nouns, count, named }: AskedList,
): void {
  if (isCsv(c)) {
    requireIdentity(principal, `${doing} a table`);
    return;
  }
  refuseColumns(named);
  if (count > FREE_ROWS) requireIdentity(principal, `${doing} more than ${FREE_ROWS} ${nouns} (got ${count})`);
}
