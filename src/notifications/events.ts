/** The types of events that an endpoint can subscribe to. */
export const EVENT_TYPES = ['release.activated', 'area.changed', 'dataset.processed'] as const;

/** The type of test deliveries. */
export const TEST_TYPE = 'endpoint.test';
