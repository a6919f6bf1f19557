import { type SQL, sql } from 'drizzle-orm';
import { atomic, type Database, sqlErrorOf } from '../../db/client.ts';
import { accountStorage } from '../../db/schema/datasets.ts';
import { DomainError } from '../../errors.ts';
import type { Caller } from '../owners.ts';

/** What an owner may store, and who hears what the caller stores then. */
export interface Quota {
  /** Bytes of all datasets of one owner, as `account_storage` counts them. The holder of the master token may exceed it. */
  readonly maxBytes: number;
  /** Is called after a write with what the caller stores. */
  readonly note: (bytes: number) => void;
}

/** How a trigger says that a write would exceed the quota: its SQLSTATE, and its message. */
const EXCEEDED = 'QUOTA';
const USED = /^(\d+) of (\d+)/;

/** What an account stores: as a profile and, of datasets whose owner is known by address only, by its address. */
function storedBytes({ userId, email }: Exclude<Caller, 'master'>): SQL {
  return sql`coalesce((select sum(bytes) from ${accountStorage} where owner in (${userId}, ${email})), 0)::float8`;
}

/**
 * The results of statements that write datasets or features, all of them in one transaction. A trigger adds up what the
 * owners store, and ends the transaction where that becomes more than they may.
 *
 * @throws DomainError as `atomic`, and `quota_exceeded`
 */
export async function writeWithin(
  db: Database,
  { caller, quota }: { caller: Caller; quota: Quota },
  ...statements: SQL[]
): Promise<Record<string, unknown>[][]> {
  const isOpen = caller === 'master';
  const setting = sql`select set_config('account.max_bytes', ${isOpen ? '' : String(quota.maxBytes)}, true)`;
  const after = isOpen ? [] : [sql`select ${storedBytes(caller)} as bytes`];
  try {
    const [, ...results] = await atomic(db, setting, ...statements, ...after);
    const stored = isOpen ? undefined : results.pop()?.[0]?.bytes;
    if (typeof stored === 'number') quota.note(stored);
    return results;
  } catch (error) {
    const refusal = sqlErrorOf(error);
    if (refusal?.sqlState !== EXCEEDED) throw error;
    const [, used, allowed] = (USED.exec(refusal.message) ?? []).map(Number);
    throw new DomainError(
      'quota_exceeded',
      `The account stores ${used} of at most ${allowed} bytes, and this would be more. Delete datasets or features first.`,
      { used_bytes: used, allowed_bytes: allowed },
      { cause: error },
    );
  }
}
