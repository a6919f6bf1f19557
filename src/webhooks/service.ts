import type { Config } from '../env.ts';
import { DomainError } from '../errors.ts';
import type { WebhookSource } from './events.ts';

/** Who sends to an address, and the secrets that the deliveries are signed with. */
export interface Receiver {
  readonly source: WebhookSource;
  /** Never empty. */
  readonly secrets: readonly string[];
}

/**
 * The receiver of a provider, by the last segment of its address.
 *
 * @throws DomainError `route_not_found`, `webhook_secret_missing`
 */
export function receiverNamed(name: string, config: Config): Receiver {
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
