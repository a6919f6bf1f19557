import { z } from '@hono/zod-openapi';
import { keySchema } from '../api-keys/schemas.ts';
import { datasetSchema } from '../datasets/schemas.ts';
import { geojsonFeatureSchema } from '../geojson/schemas.ts';
import { moment } from '../http/schemas.ts';

const members = {
  id: z.uuid(),
  subject: z.string().openapi({ description: "The identity provider's id" }),
  email: z.string().nullable(),
  former_emails: z.array(z.string()).openapi({ description: 'Former email addresses of the account' }),
  name: z.string().nullable(),
  is_admin: z.boolean(),
  account_rpm: z.int().nullable().openapi({
    description: 'Requests per minute of all API keys together, if an administrator has set a limit',
  }),
  api_keys: z.int().openapi({ description: 'Number of keys, including revoked and expired ones' }),
  datasets: z.int(),
  stored_bytes: z.number(),
  created_at: moment,
  updated_at: moment,
};

/** The account in its export, which has no settings of the service. */
const exportedSchema = z.object(members).openapi('ExportedAccount');

export const accountSchema = z
  .object({
    ...members,
    erasure_grace_days: z.int().openapi({
      description: 'Days after deletion during which the account can be restored, before everything is erased',
      example: 30,
    }),
  })
  .openapi('Account');

/** The members of a row that counts requests of a key by day, path and status. */
const requestCount = { key_id: z.uuid(), day: z.iso.date(), path: z.string(), status: z.int(), requests: z.number() };

export const exportSchema = z
  .object({
    account: exportedSchema,
    email_statuses: z.array(
      z.object({ email: z.string(), status: z.enum(['bounced', 'complained']), flagged_at: moment }),
    ),
    organizations: z.array(
      z.object({
        id: z.uuid(),
        external_id: z.string(),
        name: z.string().nullable(),
        slug: z.string().nullable(),
        role: z.string().nullable(),
        removed_at: moment.nullable(),
      }),
    ),
    api_keys: z.array(keySchema).openapi({ description: 'Without the secrets, which are not stored' }),
    usage: z.array(z.object({ ...requestCount, duration_ms: z.number() })),
    failures: z.array(z.object({ ...requestCount, code: z.string() })),
    audit_logs: z.array(
      z.object({
        id: z.int(),
        at: moment,
        request_id: z.string().nullable(),
        action: z.string(),
        subject_type: z.string(),
        subject_id: z.string(),
        details: z.record(z.string(), z.unknown()),
        actor_kind: z.string(),
        by_you: z.boolean(),
      }),
    ),
    webhook_events: z.array(
      z.object({ source: z.enum(['identity', 'email']), type: z.string().nullable(), received_at: moment }),
    ),
    webhook_endpoints: z.array(
      z.object({
        id: z.uuid(),
        url: z.string(),
        description: z.string().nullable(),
        events: z.array(z.string()),
        areas: z.array(z.string()),
        enabled: z.boolean(),
        disabled_reason: z.string().nullable(),
        failing_since: moment.nullable(),
        created_at: moment,
        updated_at: moment,
      }),
    ),
    webhook_deliveries: z.array(
      z.object({
        id: z.uuid(),
        endpoint_id: z.uuid(),
        type: z.string(),
        data: z.unknown().openapi({ type: 'object' }),
        attempts: z.int(),
        delivered_at: moment.nullable(),
        last_attempt_at: moment.nullable(),
        last_status: z.int().nullable(),
        last_error: z.string().nullable(),
        response_excerpt: z.string().nullable(),
        created_at: moment,
      }),
    ),
    datasets: z.array(
      datasetSchema.omit({ features: true }).extend({
        file: z
          .object({ name: z.string(), bytes: z.number(), href: z.string() })
          .nullable()
          .openapi({ description: 'The uploaded file, and where to download it' }),
        features: z.array(geojsonFeatureSchema),
      }),
    ),
  })
  .openapi('AccountExport');
