import type { SQL } from 'drizzle-orm';
import { type Database, refusalOf, rowsOf } from '../../db/client.ts';
import { DomainError } from '../../errors.ts';

/** What a foreign key says when the row that it names is not there. */
const NO_SUCH_ROW = '23503';

/**
 * The rows of a statement that writes.
 *
 * @throws DomainError as `rowsOf`, `owner_not_found` where the owner does not exist, and `invalid_geometry` where a
 * geometry can't be transformed
 */
export async function written<Row extends object>(db: Database, statement: SQL): Promise<Row[]> {
  try {
    return await rowsOf<Row>(db, statement);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal?.sqlState === NO_SUCH_ROW) {
      throw new DomainError('owner_not_found', 'user_id: there is no user with this id.', {}, { cause: error });
    }
    // PROJ's complaints have no SQLSTATE of their own.
    if (refusal?.message.startsWith('transform:')) {
      const message = 'A geometry lies outside of what the reference system given as srid is made for.';
      throw new DomainError('invalid_geometry', message, {}, { cause: error });
    }
    throw error;
  }
}
