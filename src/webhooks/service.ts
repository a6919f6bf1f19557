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

/** Whose deliveries a URL receives, and the secrets that they are signed with. */
export interface Receiver {
  readonly source: WebhookSource;
  /** Never empty. There are several while a secret is changed. */
  readonly secrets: readonly string[];
}

const PROVIDERS = [
  { source: 'identity', name: 'IDENTITY_PROVIDER', secret: 'IDENTITY_WEBHOOK_SECRET' },
  { source: 'email', name: 'EMAIL_PROVIDER', secret: 'EMAIL_WEBHOOK_SECRET' },
] as const;

/**
 * The receiver of a provider.
 *
 * @param provider the last segment of the URL, such as `clerk`
 * @throws DomainError `route_not_found`, `webhook_secret_missing`
 */
export function receiverOf(config: Config, provider: string): Receiver {
  const found = PROVIDERS.find(({ name }) => config[name] === provider);
  if (!found) {
    throw new DomainError(
      'route_not_found',
      `Nothing is received from "${provider}". See /openapi.json for what there is.`,
    );
  }
  const secrets = config[found.secret];
  if (secrets.length === 0) {
    throw new DomainError('webhook_secret_missing', `${found.secret} is not set, so that nothing can be received.`);
  }
  return { source: found.source, secrets };
}

/**
 * Reads the event of a verified delivery, and records the delivery together with the change that the event makes. The keys of a
 * deleted user are then refused, and so are the user's sessions.
 *
 * @throws DomainError `counter_unavailable`, after which the provider must send the delivery again
 */
export async function receiveWebhook(
  ctx: ServiceContext,
  { source, delivery }: { source: WebhookSource; delivery: Delivery },
): Promise<void> {
  const { db, afterAnswer, requestId } = ctx;
  const event = readEvent(source, delivery.body, delivery.sentAt);
  const inserting = insertDelivery(db, { source, delivery, event, requestId });
  await changeAndNotify(ctx, inserting, (keys) =>
    Promise.all([forgetKeys(afterAnswer, keys), noteStateOfAccount(afterAnswer, event.state)]),
  );
  if (event.state?.kind === 'deleted_user') eraseNow(ctx, event.state);
}

/** Notes whether an account is deleted where sessions are checked without the database. Other states change nothing there. */
async function noteStateOfAccount(ctx: ServiceContext, state: State | null): Promise<void> {
  if (state?.kind !== 'user' && state?.kind !== 'deleted_user') return;
  const { changedAt, reportedAt } = state.timing;
  // Moments of RFC 3339 in UTC sort as texts do, with `infinity` behind them.
  const order = `${changedAt} ${reportedAt}`;
  await noteAccount(ctx, state.subject, { deleted: state.kind === 'deleted_user', order });
}
