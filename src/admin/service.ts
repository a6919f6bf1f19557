import { deleteAccount, restoreAccount, userNotFound } from '../account/deletion.ts';
import { eraseNow } from '../account/erasure.ts';
import { findKeyPrefix } from '../api-keys/repo/keys.ts';
import { type KeyWithNotices, noSuchKey, requireFutureEnd, withLimitNotice } from '../api-keys/service.ts';
import { servePublished } from '../areas/snapshot/housekeeping.ts';
import { snapshotsIn } from '../areas/snapshot/snapshots.ts';
import { changeKey, changeKeys } from '../auth/changed-keys.ts';
import type { ServiceContext } from '../context.ts';
import { lossesInWords } from '../db/release-loss.ts';
import type { ReleaseUse } from '../db/releases.ts';
import { DomainError } from '../errors.ts';
import { logFailure } from '../log.ts';
import { sendNotifications } from '../notify.ts';
import { updateAnyKey } from './repo/keys.ts';
import {
  analyzeActiveRelease,
  deleteReleaseRows,
  findReleaseLoss,
  findReleaseVersion,
  updateActiveRelease,
} from './repo/releases.ts';
import { countEverything } from './repo/stats.ts';
import { findUser, listActivePrefixes, updateUser } from './repo/users.ts';
import type { AdminUserDetail, KeyChange, Stats, UserChange } from './schemas.ts';

/** How much there is of everything, at one moment. */
export function getStats(ctx: ServiceContext): Promise<Stats> {
  return countEverything(ctx.db);
}

/** @throws DomainError `user_not_found` */
export async function getUser(ctx: ServiceContext, { id }: { id: string }): Promise<AdminUserDetail> {
  const user = await findUser(ctx.db, { id, graceDays: ctx.config.ERASURE_GRACE_DAYS });
  if (!user) throw userNotFound(id);
  return user;
}

/**
 * Makes a user an administrator or takes that away, or gives their account another limit, which is passed on to its keys.
 *
 * @throws DomainError `user_not_found`, also for a deleted user; `counter_unavailable` where the limit is changed
 */
export async function changeUser(
  ctx: ServiceContext,
  { id, change }: { id: string; change: UserChange },
): Promise<AdminUserDetail> {
  const update = () => updateUser(ctx.db, { id, change, actor: ctx.actor, graceDays: ctx.config.ERASURE_GRACE_DAYS });
  const keys = () => listActivePrefixes(ctx.db, id);
  const user = await (change.account_rpm === undefined ? update() : changeKeys(ctx, keys, update));
  if (!user) throw new DomainError('user_not_found', `There is no user with the id ${id}, or no longer.`);
  return user;
}

/**
 * Deletes a user. Where deleted accounts have no grace, everything of them is erased after the answer.
 *
 * @throws DomainError `user_not_found`, `counter_unavailable`
 */
export async function deleteUser(ctx: ServiceContext, { id }: { id: string }): Promise<AdminUserDetail> {
  const subject = await deleteAccount(ctx, { userId: id });
  const user = await getUser(ctx, { id });
  eraseNow(ctx, { subject });
  return user;
}

/**
 * Restores a deleted user.
 *
 * @throws DomainError `user_not_found`, `user_not_restorable`, `counter_unavailable`
 */
export async function restoreUser(ctx: ServiceContext, { id }: { id: string }): Promise<AdminUserDetail> {
  await restoreAccount(ctx, { userId: id });
  return getUser(ctx, { id });
}

/**
 * Changes a key of any user.
 *
 * @throws DomainError `api_key_not_found`, `expires_at_in_past`, `counter_unavailable`
 */
export async function changeAnyKey(
  ctx: ServiceContext,
  { id, change: given }: { id: string; change: KeyChange },
): Promise<KeyWithNotices> {
  const change = { ...given };
  if (given.name !== undefined) change.name = given.name.trim();
  if (given.expires_at) change.expires_at = requireFutureEnd(given.expires_at, ' To end a key now, revoke it.');
  const prefix = await findKeyPrefix(ctx.db, { owner: null, id });
  const changed =
    prefix === undefined
      ? undefined
      : await changeKey(ctx, prefix, () => updateAnyKey(ctx.db, { id, change, actor: ctx.actor }));
  if (!changed) throw noSuchKey(id);
  return withLimitNotice(ctx, changed.key, changed.accountRpm);
}

/**
 * Serves a release from now on.
 *
 * @returns the id of the release that was served until then: the same one where nothing changes, null for the first
 * @param input `force`: also where users lose boundaries, attributes or areas of the release that is served
 * @throws DomainError `release_loses_data`, `release_not_found`, `release_not_checked`; the release that is served then stays.
 * `storage_unavailable` where the bucket can't be written: the release is active then, and the same request
 * writes again.
 */
export async function activateRelease(
  ctx: ServiceContext,
  { id, force }: { id: string; force: boolean },
): Promise<string | null> {
  const { db, actor } = ctx;
  const loss = force ? undefined : await findReleaseLoss(db, id);
  if (loss) {
    const losses = lossesInWords(loss);
    throw new DomainError(
      'release_loses_data',
      `Release ${id} is not activated: users would lose ${losses.join('; ')}, which ${loss.active} gives them. To serve it nevertheless, send { "force": true }.`,
      { facts: { losses } },
    );
  }
  const outcome = await updateActiveRelease(db, { id, actor });
  if (!outcome) throw new DomainError('release_not_found', `There is no release ${id}.`);
  if (!outcome.checked) {
    throw new DomainError(
      'release_not_checked',
      `Release ${id} can't be activated: the checks of its load were never completed.`,
    );
  }
  await serveFromBucket(ctx, id);
  sendNotifications(ctx);
  ctx.waitUntil(
    analyzeActiveRelease(ctx.afterAnswer.db).catch((error) =>
      logFailure('release_not_analyzed', error, { release: id }),
    ),
  );
  return outcome.previous;
}

/**
 * Deletes a release from the database. Housekeeping deletes its snapshot then.
 *
 * @throws DomainError `release_not_found`; `release_in_use` where it is served, answers for its edition or is being read;
 * `storage_unavailable` where the bucket does not say what is served
 */
export async function deleteRelease(ctx: ServiceContext, { id }: { id: string }): Promise<void> {
  const { db, bucket, actor } = ctx;
  const snapshots = snapshotsIn(bucket);
  // What another instance has activated counts.
  snapshots.forget();
  const [version, pointed, editions] = await Promise.all([
    findReleaseVersion(db, id),
    snapshots.activeVersion(ctx),
    snapshots.editions(ctx),
  ]);
  if (version !== undefined) {
    if (version === pointed) throw releaseInUse(`Release ${id} is served. Activate another one first.`);
    const edition = Object.entries(editions).find(([, answering]) => answering.version === version)?.[0];
    if (edition !== undefined) throw releaseInUse(`Release ${id} answers for the edition ${edition}.`);
  }
  const outcome = await deleteReleaseRows(db, { id, actor });
  if (!outcome) throw new DomainError('release_not_found', `There is no release ${id}.`);
  if (outcome.use !== null) throw releaseInUse(`Release ${id} ${USES[outcome.use]}`);
}

/** Why a release can't be deleted, in the words of the error. */
const USES: Readonly<Record<ReleaseUse, string>> = {
  active: 'is served. Activate another one first.',
  newest: 'is the newest one of its edition, which would be gone with it.',
  read: 'is being read or deleted: it was served until a moment ago, or a command publishes it. Try again in a minute.',
};

function releaseInUse(message: string): DomainError {
  return new DomainError('release_in_use', message);
}

async function serveFromBucket(ctx: ServiceContext, id: string): Promise<void> {
  try {
    await servePublished(ctx);
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'storage_unavailable')) throw error;
    throw new DomainError(
      'storage_unavailable',
      `Release ${id} is active, but the bucket can not be told. What was served still is, at the latest until the coming night: send the request again.`,
      { cause: error.cause, retryAfter: 5 },
    );
  }
}
