import { z } from '@hono/zod-openapi';
import { BARRED } from '../control-characters.ts';
import { bodyText, changesOf, moment } from '../http/schemas.ts';
import { EVENT_TYPES } from './events.ts';

const MAX_URL = 2048;
const MAX_DESCRIPTION = 1000;
/** How many areas one endpoint may follow. */
const MAX_AREAS = 50;
/** Max and default time for which deliveries are also signed with the previous secret, seconds. */
export const GRACE_SECONDS = 86_400;

/** A PSGC code of ten digits, or of nine as older lists have them. */
const CODE = /^(\d{9}|\d{10})$/;

/** The service checks the rest of the rules (`faultOfAddress`). */
const url = z.string().max(MAX_URL, `must have at most ${MAX_URL} characters`).openapi({
  description: 'URL that receives events: https, a public host name, port 443 or 8443',
  example: 'https://example.com/hooks/psgc',
});
const description = bodyText({ max: MAX_DESCRIPTION, barred: BARRED.inDescription, optional: true })
  .nullish()
  .openapi({ description: 'Description for people', example: 'The register of clinics' });
const events = z
  .array(z.enum(EVENT_TYPES, `must be one of ${EVENT_TYPES.join(', ')}`))
  .min(1, 'must have at least one type of events')
  .max(EVENT_TYPES.length, `must have at most ${EVENT_TYPES.length} items`)
  .openapi({ description: 'Types of events to send', example: ['release.activated', 'area.changed'] });
const areas = z
  .array(z.string().regex(CODE, 'must be a PSGC code of nine or ten digits'))
  .max(MAX_AREAS, `must have at most ${MAX_AREAS} items`)
  .openapi({
    description:
      'PSGC codes: `area.changed` reports changes of these areas and of all areas that are or were in them; it requires at least one code',
    example: ['0702200000'],
  });
const enabled = z.boolean().openapi({ description: 'Whether events are sent' });

export const newEndpointSchema = z
  .strictObject({
    url,
    description,
    events,
    areas: areas.optional(),
    enabled: enabled.optional(),
  })
  .openapi('WebhookEndpointInput', {
    example: { url: 'https://example.com/hooks/psgc', events: ['area.changed'], areas: ['0702200000'] },
  });

export type NewEndpointInput = z.output<typeof newEndpointSchema>;

export const endpointPatchSchema = changesOf({
  url: url.optional(),
  description,
  events: events.optional(),
  areas: areas.optional(),
  enabled: enabled.optional(),
}).openapi('WebhookEndpointPatch', { example: { enabled: true } });

export type EndpointPatch = z.output<typeof endpointPatchSchema>;

const graceRule = `must be an integer from 0 to ${GRACE_SECONDS}`;

export const secretRotationSchema = z
  .strictObject({
    grace_seconds: z.int(graceRule).min(0, graceRule).max(GRACE_SECONDS, graceRule).default(GRACE_SECONDS).openapi({
      description: 'Seconds for which deliveries also have a signature of the old secret',
      example: 3600,
    }),
  })
  .openapi('WebhookSecretRotation', { example: { grace_seconds: 3600 } });

const endpointMembers = {
  id: z.uuid(),
  url: z.string(),
  description: z.string().nullable(),
  events: z.array(z.enum(EVENT_TYPES)),
  areas: z.array(z.string()),
  enabled: z.boolean(),
  disabled_reason: z.string().nullable().openapi({
    description: 'Why the service disabled it; null if it did not',
    example: 'It answered 410: it is gone.',
  }),
  failing_since: moment.nullable().openapi({
    description:
      'Time of the first failed delivery since one succeeded, the URL was changed or the endpoint was enabled; null if none failed since',
  }),
  created_at: moment,
  updated_at: moment,
};

export const endpointSchema = z.object(endpointMembers).openapi('WebhookEndpoint');

export type Endpoint = z.output<typeof endpointSchema>;

export const createdEndpointSchema = z
  .object({
    ...endpointMembers,
    secret: z.string().openapi({
      description: 'Secret that deliveries are signed with; shown only once',
      example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    }),
  })
  .openapi('CreatedWebhookEndpoint');

export const deliverySchema = z
  .object({
    id: z.uuid().openapi({ description: 'The `webhook-id` of every attempt' }),
    type: z.string().openapi({ example: 'dataset.processed' }),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.int().openapi({ description: 'Number of attempts since it was created or replayed' }),
    next_attempt_at: moment.nullable(),
    last_attempt_at: moment.nullable(),
    delivered_at: moment.nullable(),
    last_status: z.int().nullable().openapi({ description: 'Status of the last answer; null if there was none' }),
    last_error: z.string().nullable().openapi({ example: 'It answered 500.' }),
    response_excerpt: z.string().nullable().openapi({ description: 'The beginning of the last answer, as text' }),
    data: z.unknown().openapi({ type: 'object', description: 'The member `data` of what is sent' }),
    created_at: moment,
  })
  .openapi('WebhookDelivery');

export type Delivery = z.output<typeof deliverySchema>;
