import type { SQL } from 'drizzle-orm';
import { type Database, sqlErrorOf } from '../../db/client.ts';
import { DomainError } from '../../errors.ts';
import type { Caller } from '../owners.ts';
import { type Quota, writeWithin } from './quota.ts';

/** The SQLSTATE of a foreign key that names a row which does not exist. */
const NO_SUCH_ROW = '23503';

/** How PostGIS, and the embedded one, begin their messages where they can't transform from a reference system. */
const NO_PROJECTION = /^(could not (form projection|parse proj)|cannot find srid|the geometry library has thrown)/i;

/**
 * The rows of a statement that writes datasets or features.
 *
 * @throws DomainError as `Database.rows`; `owner_not_found` where the owner does not exist, `invalid_geometry` where a geometry
 * can't be transformed, and `unsupported_srid` where no geometry of its reference system can be transformed
 */
export function writtenRows<Row extends object>(db: Database, statement: SQL): Promise<Row[]> {
  return explained(db.rows<Row>(statement));
}

/** The same for a statement that the quota of an owner limits: it also throws `quota_exceeded`. */
export async function rowsWithin<Row extends object>(
  db: Database,
  write: { caller: Caller; quota: Quota },
  statement: SQL,
): Promise<Row[]> {
  const [rows] = await explained(writeWithin(db, write, statement));
  return (rows ?? []) as Row[];
}

async function explained<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    const refusal = sqlErrorOf(error);
    if (refusal?.sqlState === NO_SUCH_ROW) {
      throw new DomainError('owner_not_found', 'user_id: there is no user with this id.', { cause: error });
    }
    // PROJ's errors have no SQLSTATE of their own, so they are recognized by their message.
    if (refusal?.message.startsWith('transform:')) {
      const message = 'A geometry lies outside of what the reference system given as srid is made for.';
      throw new DomainError('invalid_geometry', message, { cause: error });
    }
    if (refusal && NO_PROJECTION.test(refusal.message)) throw noTransformation(error);
    throw error;
  }
}

function noTransformation(cause: unknown): DomainError {
  const message =
    'srid: coordinates of this reference system can not be transformed to WGS 84 here. Send them in 4326.';
  return new DomainError('unsupported_srid', message, { cause });
}
