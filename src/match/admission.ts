import { requireIdentity } from '../auth/authenticate.ts';
import type { AppContext, ServiceContext } from '../context.ts';
import { isCsv } from '../http/csv-body.ts';
import { refuseColumns } from '../tables/columns.ts';
import { FREE_ROWS } from './schemas.ts';

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
