import { changeAndNotify, forgetKeys } from '../auth/changed-keys.ts';
import { noteAccount } from '../auth/deleted-accounts.ts';
import type { ServiceContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import { updateDeletedAccount, updateRestoredAccount } from './repo/deletion.ts';

/** Sorts behind the moments of all events of the provider. */
const LAST = 'infinity infinity';

/**
 * Deletes an account: its keys and sessions are refused from now on. When the grace has ended, everything of it is erased.
 * Deleting it again changes nothing.
 *
 * @returns the subject of its sessions, for `eraseNow`
 * @throws DomainError `user_not_found`, `counter_unavailable`
 */
export async function deleteAccount(ctx: ServiceContext, { userId }: { userId: string }): Promise<string> {
  const { db, actor, afterAnswer } = ctx;
  const account = await changeAndNotify(
    ctx,
    updateDeletedAccount(db, { userId, actor }),
    async (deleted) =>
      deleted &&
      Promise.all([
        forgetKeys(afterAnswer, deleted.prefixes),
        noteAccount(afterAnswer, deleted.subject, { deleted: true, order: LAST }),
      ]),
  );
  if (!account) throw userNotFound(userId);
  return account.subject;
}

/**
 * Restores a deleted account with everything but its keys, which stay revoked. An erased account begins anew, with nothing.
 *
 * @throws DomainError `user_not_found`, `user_not_restorable` where its erasure is due, `counter_unavailable`
 */
export async function restoreAccount(ctx: ServiceContext, { userId }: { userId: string }): Promise<void> {
  const { db, actor, config, afterAnswer } = ctx;
  const now = new Date().toISOString();
  const outcome = await changeAndNotify(
    ctx,
    updateRestoredAccount(db, { userId, graceDays: config.ERASURE_GRACE_DAYS, actor }),
    async (account) =>
      account?.isThere &&
      noteAccount(afterAnswer, account.subject, { deleted: false, order: `${now} ${now}`, isSet: true }),
  );
  if (!outcome) throw userNotFound(userId);
  if (!outcome.isThere) {
    throw new DomainError(
      'user_not_restorable',
      `The user with the id ${userId} was deleted more than ${config.ERASURE_GRACE_DAYS} days ago and is being erased. What is left of it can not be restored.`,
    );
  }
}

export function userNotFound(id: string): DomainError {
  return new DomainError('user_not_found', `There is no user with the id ${id}.`);
}
