import { z } from '@hono/zod-openapi';
import { keySchema } from '../api-keys/schemas.ts';
import { datasetSchema } from '../datasets/schemas.ts';
import { geojsonFeatureSchema } from '../geojson/schemas.ts';
import { enveloped, privateAnswer, privateStream } from '../http/answers.ts';
import { errors, header } from '../http/error-schemas.ts';
import { moment, uuidOf } from '../http/schemas.ts';
import { operation, Router } from '../operation.ts';
import { exportTexts } from './export.ts';
import { deleteOwnAccount, getAccount } from './service.ts';

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

const exportedSchema = z.object(members).openapi('ExportedAccount');
const accountSchema = z
  .object({
    ...members,
    erasure_grace_days: z.int().openapi({
      description: 'Days after deletion during which the account can be restored, before everything is erased',
      example: 30,
    }),
  })
  .openapi('Account');

const used = { key_id: z.uuid(), day: z.iso.date(), path: z.string(), status: z.int(), requests: z.number() };

const exportSchema = z
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
    usage: z.array(z.object({ ...used, duration_ms: z.number() })),
    failures: z.array(z.object({ ...used, code: z.string() })),
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

/** What people do with their own account. */
export function accountRoutes(): Router {
  const router = new Router(['account']);

  operation(router, {
    operationId: 'get_account',
    method: 'get',
    path: '/',
    access: 'user',
    summary: 'Your account',
    description: 'The profile of your account, and how much it stores.',
    responses: { ...enveloped('The account', accountSchema), ...errors(404) },
    handler: async (c, { ctx }) =>
      privateAnswer(c, { ...(await getAccount(ctx)), erasure_grace_days: ctx.config.ERASURE_GRACE_DAYS }),
  });

  operation(router, {
    operationId: 'export_account',
    method: 'get',
    path: '/export',
    access: 'user',
    summary: 'Export all of your data',
    description:
      'One JSON object with everything that the service stores about you: the account, usage, the audit log of your actions and your account, keys and webhook endpoints without their secrets, deliveries to these, and datasets with their features. Files are listed with their download paths. If a dataset is deleted meanwhile, the answer breaks off.',
    responses: {
      200: {
        description: 'All your data',
        headers: { 'Content-Disposition': header('File name to save it under') },
        content: { 'application/json': { schema: exportSchema } },
      },
      ...errors(404),
    },
    handler: async (c, { ctx }) => {
      const account = await getAccount(ctx);
      return privateStream(c, exportTexts(ctx, { account }), {
        'Content-Type': 'application/json',
        'Content-Disposition': 'attachment; filename="account.json"',
      });
    },
  });

  operation(router, {
    operationId: 'delete_account',
    method: 'delete',
    path: '/',
    access: 'session',
    summary: 'Delete your account',
    description:
      'From now on, keys and sessions are refused and datasets are hidden. After the grace period that the account names, everything is erased; until then an administrator can restore it. Only a session may do this: an API key gets 403 `session_required`.',
    request: {
      query: z.object({
        confirm: uuidOf('account').openapi({
          description: 'The id of the account, as `GET /v1/account` gives it: any other is 422 `confirmation_mismatch`',
          example: '5b0f0a7e-54c6-4c1b-9d7a-0d8f6d6f2c11',
        }),
      }),
    },
    responses: {
      ...enveloped('The account is deleted', z.object({ id: z.uuid(), erase_at: moment })),
      ...errors(404, 422),
    },
    handler: async (c, { ctx, query: { confirm } }) => {
      const eraseAt = await deleteOwnAccount(ctx, { confirm });
      return privateAnswer(c, { id: confirm, erase_at: eraseAt.toISOString() });
    },
  });

  return router;
}
