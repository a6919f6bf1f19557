import type { ServiceContext } from '../context.ts';
import { fullBudget, type PurgeBudget } from '../datasets/purge.ts';
import { deleteDatasetsOf } from '../datasets/repo/writes.ts';
import { sweepVersions } from '../datasets/sweep.ts';
import type { Actor } from '../db/audit.ts';
import { logFailure } from '../log.ts';
import {
  adoptDatasets,
  deleteAddresses,
  deleteAllBodies,
  deleteEmailBodies,
  deleteEndpoints,
  deleteKeys,
  erasePerson,
  findPerson,
  listDueAccounts,
  readBodies,
} from './repo/erasure.ts';

/** How many accounts one run erases at most. */
const MAX_ACCOUNTS = 50;

/**
 * Erases deleted accounts whose grace has ended, the longest deleted ones first. Each part can be done again, and what says
 * that there is something left is erased last: a run that breaks off is continued by the next one.
 *
 * @param input `now`: the moment by which the grace is measured; `subject`: only the account of this subject
 * @throws Error if accounts could not be erased; the log has the causes
 */
export async function eraseAccounts(
  ctx: Pick<ServiceContext, 'db' | 'bucket' | 'config' | 'requestId'>,
  { now, subject }: { now: Date; subject?: string },
): Promise<void> {
  const ahead = Math.max(0, (now.getTime() - Date.now()) / 1000);
  const due = { graceDays: ctx.config.ERASURE_GRACE_DAYS, ahead, subject, limit: MAX_ACCOUNTS };
  const budget = fullBudget();
  let failed = 0;
  // Until then nobody knows which bodies mention a person.
  if (!(await repeated(budget, () => readBodies(ctx.db)))) return;
  for (const userId of await listDueAccounts(ctx.db, due)) {
    if (budget.batches === 0) break;
    try {
      await eraseAccount(ctx, { userId, budget });
    } catch (error) {
      logFailure('account_not_erased', error, { user_id: userId });
      failed += 1;
    }
  }
  if (failed > 0) throw new Error(`Accounts could not be erased: ${failed}`);
}

/** Erases one account as far as the budget allows. */
async function eraseAccount(
  ctx: Pick<ServiceContext, 'db' | 'bucket' | 'requestId'>,
  { userId, budget }: { userId: string; budget: PurgeBudget },
): Promise<void> {
  const { db, requestId } = ctx;
  const actor: Actor = { kind: 'master', userId: null, keyId: null, requestId };
  const person = await findPerson(db, userId);
  if (!person) return;
  await adoptDatasets(db, person);
  const steps = [
    async () => {
      const more = await deleteDatasetsOf(db, { userId, actor });
      // It deletes the file of a version before the row that names it.
      await sweepVersions(ctx, { now: new Date(), owner: userId, budget, retiredMinutes: 0 });
      return more;
    },
    () => deleteKeys(db, person),
    () => deleteEndpoints(db, person),
    // The further addresses are known from bodies of the identity provider, so these are deleted last.
    () => deleteEmailBodies(db, person),
    () => deleteAddresses(db, person),
    () => deleteAllBodies(db, person),
  ];
  for (const step of steps) if (!(await repeated(budget, step))) return;
  await erasePerson(db, { ...person, actor });
}

/** Repeats a step while there may be more to do. @returns whether the budget was enough */
async function repeated(budget: PurgeBudget, step: () => Promise<boolean>): Promise<boolean> {
  for (let more = true; more; ) {
    if (budget.batches === 0) return false;
    budget.batches -= 1;
    more = await step();
  }
  return true;
}

/** Erases the account of a subject after the answer, where deleted accounts have no grace. Where it fails, the job does it later. */
export function eraseNow(ctx: ServiceContext, { subject }: { subject: string }): void {
  if (ctx.config.ERASURE_GRACE_DAYS > 0) return;
  // The causes are in the log.
  ctx.waitUntil(eraseAccounts(ctx.afterAnswer, { now: new Date(), subject }).catch(() => undefined));
}
