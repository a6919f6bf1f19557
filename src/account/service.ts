import { requireUser, type ServiceContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import { deleteAccount, userNotFound } from './deletion.ts';
import { eraseNow } from './erasure.ts';
import { type Account, findAccount } from './repo/export.ts';

/** @throws DomainError `user_not_found` where the account was erased since the request began */
export async function getAccount(ctx: ServiceContext): Promise<Account> {
  const user = requireUser(ctx);
  const account = await findAccount(ctx.db, user);
  if (!account) throw userNotFound(user.userId);
  return account;
}

/**
 * Deletes the account of whoever asks.
 *
 * @param input `confirm`: the id of the account, so that no request deletes an account by mistake
 * @returns when it is erased; until then it can be restored
 * @throws DomainError `confirmation_mismatch`, `counter_unavailable`
 */
export async function deleteOwnAccount(ctx: ServiceContext, { confirm }: { confirm: string }): Promise<Date> {
  const userId = requireUser(ctx).userId;
  if (confirm !== userId) {
    const message = `confirm: must be the id of the account, as GET /v1/account gives it (got ${confirm}).`;
    throw new DomainError('confirmation_mismatch', message);
  }
  const subject = await deleteAccount(ctx, { userId });
  eraseNow(ctx, { subject });
  return new Date(Date.now() + ctx.config.ERASURE_GRACE_DAYS * 24 * 60 * 60 * 1000);
}
