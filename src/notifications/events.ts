/** The types of events that an endpoint can subscribe to. */
export const EVENT_TYPES = ['release.activated', 'area.changed', 'dataset.processed'] as const;

type EventType = (typeof EVENT_TYPES)[number];

/** The type of test deliveries. */
export const TEST_TYPE = 'endpoint.test';

/** An endpoint as its owner sees it. Moments are RFC 3339 texts in UTC. */
export interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly EventType[];
  readonly areas: readonly string[];
  readonly enabled: boolean;
  readonly disabled_reason: string | null;
  readonly failing_since: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The fields of an endpoint that its owner sets. */
export type EndpointFields = Pick<Endpoint, 'url' | 'description' | 'events' | 'areas' | 'enabled'>;

/** An event that is sent to an endpoint. Moments are RFC 3339 texts in UTC. */
export interface Delivery {
  readonly id: string;
  readonly type: string;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly next_attempt_at: string | null;
  readonly last_attempt_at: string | null;
  readonly delivered_at: string | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly response_excerpt: string | null;
  readonly data: unknown;
  readonly created_at: string;
}
