import { eraseNow } from '../account/erasure.ts';
import { changeAndNotify, forgetKeys } from '../auth/changed-keys.ts';
import { noteAccount } from '../auth/deleted-accounts.ts';
import type { ServiceContext } from '../context.ts';
import type { Config } from '../env.ts';
import { DomainError } from '../errors.ts';
import type { State } from '../profiles/states.ts';
import { readEvent, type WebhookSource } from './events.ts';
import { insertDelivery } from './repo.ts';
import type { Delivery } from './signature.ts';

/** Who sends to a URL, and the secrets that the deliveries are signed with. */
export interface Receiver {
  readonly source: WebhookSource;
  /** Never empty. */
  readonly secrets: readonly string[];
}

/**
 * The receiver of a provider, by the last segment of its URL.
 *
 * @throws DomainError `route_not_found`, `webhook_secret_missing`
 */
export function receiverOf(config: Config, name: string): Receiver {
  const [source, secrets, variable] =
    name === config.IDENTITY_PROVIDER
      ? (['identity', config.IDENTITY_WEBHOOK_SECRET, 'IDENTITY_WEBHOOK_SECRET'] as const)
      : name === config.EMAIL_PROVIDER
        ? (['email', config.EMAIL_WEBHOOK_SECRET, 'EMAIL_WEBHOOK_SECRET'] as const)
        : [];
  if (source === undefined) {
    throw new DomainError(
      'route_not_found',
      `Nothing is received from "${name}". See /openapi.json for what there is.`,
    );
  }
  if (secrets.length === 0) {
    throw new DomainError('webhook_secret_missing', `${variable} is not set, so that nothing can be received.`);
  }
  return { source, secrets };
}

/**
 * Reads the event of a verified delivery, and records both with what the event changes.
 *
 * @throws DomainError `counter_unavailable`, after which the delivery must come again
 */
export async function receiveWebhook(
  ctx: ServiceContext,
  { source, delivery }: { source: WebhookSource; delivery: Delivery },
): Promise<void> {
  const { db, afterAnswer, requestId } = ctx;
  const event = readEvent(source, delivery.body, delivery.sentAt);
  const inserting = insertDelivery(db, { source, delivery, event, requestId });
  await changeAndNotify(ctx, inserting, (keys) =>
    Promise.all([forgetKeys(afterAnswer, keys), noteUser(afterAnswer, event.state)]),
  );
  if (event.state?.kind === 'deleted_user') eraseNow(ctx, event.state);
}

/** Notes whether an account is deleted, for the check of sessions that does without the database. */
async function noteUser(ctx: ServiceContext, state: State | null): Promise<void> {
  if (state?.kind !== 'user' && state?.kind !== 'deleted_user') return;
  const { changedAt, reportedAt } = state.timing;
  // Moments of RFC 3339 in UTC sort as texts do, with `infinity` behind them.
  const order = `${changedAt} ${reportedAt}`;
  await noteAccount(ctx, state.subject, { deleted: state.kind === 'deleted_user', order });
}
