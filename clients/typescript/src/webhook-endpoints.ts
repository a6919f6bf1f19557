import type { CallOptions } from './options.ts';
import { type Page, Pages } from './pages.ts';
import { segment, type Transport } from './transport.ts';
import type {
  CreatedWebhookEndpoint,
  FilterOf,
  NewWebhookEndpoint,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointPatch,
  WebhookSecretRotation,
} from './types.ts';

const PATH = '/v1/webhook-endpoints';

const pathOf = (id: string) => `${PATH}/${segment(id)}`;

/** The endpoints that get your account's events, by Standard Webhooks. Needs a session, or a key without scopes. */
export class WebhookEndpoints {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All endpoints of your account, oldest first, in one request. */
  list(options?: CallOptions): Promise<WebhookEndpoint[]> {
    return this.#transport.data({ path: PATH, options });
  }

  get(id: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#transport.data({ path: pathOf(id), options });
  }

  /** Creates an endpoint. Only this answer has its secret. */
  create(endpoint: NewWebhookEndpoint, options?: CallOptions): Promise<CreatedWebhookEndpoint> {
    return this.#transport.data({ path: PATH, method: 'POST', json: endpoint, options, creates: true });
  }

  update(id: string, change: WebhookEndpointPatch, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#transport.data({ path: pathOf(id), method: 'PATCH', json: change, options });
  }

  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#transport.json({ path: pathOf(id), method: 'DELETE', options });
  }

  /** Replaces the secret. Only this answer has the new one. During the grace time the old one signs too. */
  rotateSecret(
    id: string,
    rotation: WebhookSecretRotation = {},
    options?: CallOptions,
  ): Promise<CreatedWebhookEndpoint> {
    const path = `${pathOf(id)}/rotate-secret`;
    return this.#transport.data({ path, method: 'POST', json: rotation, options, creates: true });
  }

  /** Sends the event `endpoint.test`, once in ten seconds at most. The delivery is not sent yet. */
  test(id: string, options?: CallOptions): Promise<WebhookDelivery> {
    return this.#transport.data({ path: `${pathOf(id)}/test`, method: 'POST', options, acts: true });
  }

  /** The log of the last 30 days, newest first. */
  deliveries(
    id: string,
    filter: FilterOf<'list_webhook_deliveries'> = {},
    options?: CallOptions,
  ): Pages<WebhookDelivery> {
    const call = { path: `${pathOf(id)}/deliveries`, options };
    return new Pages((page) =>
      this.#transport.json<Page<WebhookDelivery>>({ ...call, query: { limit: 100, ...filter, page } }),
    );
  }

  /** Sends a delivery again, with the same id and body. It counts as ten requests. */
  replay(id: string, deliveryId: string, options?: CallOptions): Promise<WebhookDelivery> {
    const path = `${pathOf(id)}/deliveries/${segment(deliveryId)}/replay`;
    return this.#transport.data({ path, method: 'POST', options, acts: true });
  }
}
