import { type SQL, sql } from 'drizzle-orm';
import { type Database, sqlErrorOf } from '../../db/client.ts';
import { accountStorage } from '../../db/schema/datasets.ts';
import { DomainError } from '../../errors.ts';
import type { Caller } from '../owners.ts';

/** What an owner may store, and who hears what the caller stores then. */
export interface Quota {
  /** Bytes of all datasets of one owner, as `account_storage` counts them. The holder of the master token may exceed it. */
  readonly maxBytes: number;
  /** Called after a write with what the caller stores. */
  readonly note: (bytes: number) => void;
}

/** How a trigger says that a write would exceed the quota: its SQLSTATE, and its message. */
const EXCEEDED = 'QUOTA';
const USED = /^(\d+) of (\d+)/;

/** What an account stores: as a profile and, of datasets whose owner is known by address only, by its address. */
export function storedBytes({ userId, email }: Exclude<Caller, 'master'>): SQL {
  return sql`coalesce((select sum(bytes) from ${accountStorage} where owner in (${userId}, ${email})), 0)::float8`;
}

/** Assignments: for whom a version counts that no dataset shows any more, and how much, from the row `old` of its dataset. */
export function countedFor(caller: Caller, { version, old }: { version: SQL; old: SQL }): SQL {
  return sql`owner = ${caller === 'master' ? sql`${version}.owner` : caller.userId},
    file_bytes = coalesce(${old}.file_bytes, 0), feature_bytes = ${old}.feature_bytes, feature_count = ${old}.feature_count`;
}

/**
 * The results of statements that write datasets or features, all of them in one transaction. A trigger adds up what the
 * owners store, and ends the transaction where that becomes more than they may.
 *
 * @throws DomainError as `Database.atomic`, and `quota_exceeded`
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
    const [, ...results] = await db.atomic(setting, ...statements, ...after);
    const stored = isOpen ? undefined : results.pop()?.[0]?.bytes;
    if (typeof stored === 'number') quota.note(stored);
    return results;
  } catch (error) {
    const refusal = sqlErrorOf(error);
    if (refusal?.sqlState !== EXCEEDED) throw error;
    const [, used, allowed] = USED.exec(refusal.message) ?? [];
    throw quotaExceeded(Number(used), Number(allowed), error);
  }
}

export function quotaExceeded(used: number, allowed: number, cause?: unknown): DomainError {
  const message = `The account stores ${used} of at most ${allowed} bytes, and this would be more. Delete datasets or features first.`;
  return new DomainError('quota_exceeded', message, { facts: { used_bytes: used, allowed_bytes: allowed }, cause });
}
