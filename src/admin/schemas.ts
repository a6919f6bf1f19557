import { z } from '@hono/zod-openapi';
import { keyFields } from '../api-keys/schemas.ts';
import { datasetSchema } from '../datasets/schemas.ts';
import { textParam } from '../http/params.ts';
import { byteCount, moment } from '../http/schemas.ts';
import { DEFAULT_KEY_RPM } from '../rate-limits/limit.ts';

/** The most that an administrator can allow a key, requests per minute. Users choose from less. */
const MAX_RPM = 1_000_000;

/** The most that an administrator can allow all keys of an account together, requests per minute; also the most of ACCOUNT_RPM. */
const MAX_ACCOUNT_RPM = 1_000_000_000;

const userFields = {
  id: z.uuid(),
  subject: z.string().openapi({ description: "The identity provider's id" }),
  email: z.string().nullable(),
  email_status: z.enum(['bounced', 'complained']).nullable().openapi({
    description: 'Last state of the address that the email provider reported',
  }),
  email_status_at: moment.nullable(),
  name: z.string().nullable(),
  is_admin: z.boolean(),
  account_rpm: z.int().nullable().openapi({
    description: 'Requests per minute of all API keys together; null: the setting ACCOUNT_RPM',
    example: 6000,
  }),
  status: z.enum(['active', 'deleted', 'erased']).openapi({
    description:
      "Of an erased user only the identity provider's id remains, so that no late event creates the user again",
  }),
  deleted_at: moment.nullable(),
  erase_at: moment.nullable().openapi({
    description:
      'When a deleted account is erased. Until then it can be restored. Null if it is not deleted, or already erased',
  }),
  erased_at: moment.nullable(),
  created_at: moment,
  updated_at: moment,
};

export const userSchema = z.object(userFields).openapi('AdminUser');

export type AdminUser = z.output<typeof userSchema>;

export const userDetailSchema = z
  .object({
    ...userFields,
    api_keys: z.object({ total: z.int(), active: z.int() }),
    organizations: z.array(
      z.object({
        id: z.uuid(),
        external_id: z.string(),
        name: z.string().nullable(),
        slug: z.string().nullable(),
        role: z.string().nullable(),
      }),
    ),
  })
  .openapi('AdminUserDetail');

export type AdminUserDetail = z.output<typeof userDetailSchema>;

const accountRule = `must be an integer from 1 to ${MAX_ACCOUNT_RPM}, or null for the setting ACCOUNT_RPM`;

export const userChangeSchema = z
  .strictObject({
    is_admin: z
      .boolean('must be true or false')
      .optional()
      .openapi({ description: 'Whether the user is an administrator' }),
    account_rpm: z.int(accountRule).min(1, accountRule).max(MAX_ACCOUNT_RPM, accountRule).nullish().openapi({
      description: 'Requests per minute of all API keys together; null: the setting ACCOUNT_RPM',
      example: 6000,
    }),
  })
  .refine((change) => Object.keys(change).length > 0, 'must change something')
  .openapi('AdminUserChange', { minProperties: 1, example: { account_rpm: 6000 } });

export type UserChange = z.output<typeof userChangeSchema>;

const rpmRule = `must be an integer from 1 to ${MAX_RPM}, or null for the default of ${DEFAULT_KEY_RPM}`;
const burstRule = `must be an integer from 1 to ${MAX_RPM}, or null`;
const rate = (rule: string) => z.int(rule).min(1, rule).max(MAX_RPM, rule).nullish();

export const keyChangeSchema = z
  .strictObject({
    ...keyFields,
    name: keyFields.name.optional(),
    rate_limit_rpm: rate(rpmRule).openapi({
      description: `Requests per minute; null: the default of ${DEFAULT_KEY_RPM}`,
      example: 600,
    }),
    rate_limit_burst: rate(burstRule).openapi({ description: 'Reserved; stored without effect', example: 20 }),
  })
  .refine((change) => Object.keys(change).length > 0, 'must change something')
  .openapi('AdminApiKeyChange', { minProperties: 1, example: { rate_limit_rpm: 600 } });

export type KeyChange = z.output<typeof keyChangeSchema>;

export const adminDatasetSchema = datasetSchema.omit({ features: true }).openapi('AdminDataset');

export const auditSchema = z
  .object({
    id: z.int(),
    at: moment,
    request_id: z.string().nullable(),
    actor: z.object({
      kind: z.enum(['master', 'session', 'key', 'webhook', 'command']),
      user_id: z.uuid().nullable(),
      key_id: z.uuid().nullable(),
    }),
    action: z.string().openapi({ example: 'api_key.revoked' }),
    subject: z.object({ type: z.string().openapi({ example: 'api_key' }), id: z.string() }),
    details: z.record(z.string(), z.unknown()),
  })
  .openapi('AuditLog');

export type AuditEntry = z.output<typeof auditSchema>;

export const webhookEventSchema = z
  .object({
    id: z.int(),
    source: z.enum(['identity', 'email']),
    delivery_id: z.string(),
    type: z.string().nullable(),
    event_at: moment.nullable().openapi({ description: "By the sender's clock" }),
    received_at: moment,
    note: z.string().nullable().openapi({ description: 'Why it had no effect, if its type usually has one' }),
    bytes: byteCount,
    body_kept: z.boolean().openapi({
      description:
        'Whether the body is still stored. Bodies of types with an effect are kept for some time; ids are kept for ever',
    }),
  })
  .openapi('WebhookEvent');

export type ListedEvent = z.output<typeof webhookEventSchema>;

export const activationBody = z
  .object(
    {
      force: z.boolean('must be true or false').optional().openapi({
        default: false,
        description: 'Whether to activate it even where users lose boundaries, attributes or areas',
        example: true,
      }),
    },
    'must be a JSON object',
  )
  .openapi('Activation');

export const releaseId = textParam({ min: 1, description: 'Id of a release', example: '2026-3q-1' }).openapi({
  param: { name: 'id', in: 'path' },
});

export const releaseSchema = z
  .object({
    id: z.string(),
    edition: z.string(),
    status: z.enum(['active', 'inactive']),
    boundaries: z.enum(['none', 'display', 'full']).openapi({
      description: '`display`: only coarse ones to look at; `full`: also detailed ones, which say what lies where',
    }),
    counts: z.record(z.string(), z.number()).openapi({ description: 'Number of areas of each kind' }),
    checked_at: moment.nullable().openapi({ description: 'Null if its load was never completed' }),
    activated_at: moment.nullable(),
    created_at: moment,
  })
  .openapi('Release');

export type ListedRelease = z.output<typeof releaseSchema>;

export const activationSchema = z
  .object({ id: z.string(), status: z.literal('active'), previous: z.string().nullable() })
  .openapi('ReleaseActivation');

export const releaseDeletionSchema = z
  .object({ id: z.string(), status: z.literal('deleted') })
  .openapi('ReleaseDeletion');

const roughly = z.int().openapi({ description: 'Above 100,000, an estimate of the database' });

export const statsSchema = z
  .object({
    users: z.object({ active: z.int(), deleted: z.int(), admins: z.int() }),
    organizations: z.object({ active: z.int(), members: z.int() }),
    api_keys: z.object({ active: z.int(), revoked: z.int(), expired: z.int() }),
    datasets: z.object({ total: z.int(), public: z.int(), features: z.int(), bytes: byteCount }).openapi({
      description:
        'Features of all datasets, and bytes of their stored files, or of their features if there is no file',
    }),
    requests: z
      .object({ today: z.number(), last_30_days: z.number() })
      .openapi({ description: 'Requests with API keys, by days in UTC' }),
    webhook_events: z.object({ total: roughly, last_24_hours: z.int(), without_effect: z.int() }),
    audit_logs: z.object({ total: roughly }),
    releases: z.object({ total: z.int(), active: z.string().nullable() }),
  })
  .openapi('AdminStats');

export type Stats = z.output<typeof statsSchema>;
