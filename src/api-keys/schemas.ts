import { z } from '@hono/zod-openapi';
import { SCOPES, type Scope } from '../auth/scopes.ts';
import { BARRED } from '../control-characters.ts';
import { bodyText, byteCount, END_OF_TIME, email, idParam, moment } from '../http/schemas.ts';
import { DEFAULT_KEY_RPM } from '../rate-limits/limit.ts';

const MAX_NAME = 100;
const MAX_DESCRIPTION = 1000;
const MAX_RPM = 10_000;
const MAX_GRACE_SECONDS = 86_400;

const environment = z.enum(['live', 'test'], 'must be "live" or "test"');
const scope = z.enum(SCOPES as [Scope, ...Scope[]], `must be one of ${SCOPES.join(', ')}`);

/** What its owner says of a key when creating it, and an administrator can change later. */
export const keyFields = {
  name: bodyText({ max: MAX_NAME, barred: BARRED.inName }).openapi({
    description: 'Display name of the key',
    example: 'Flood map',
  }),
  description: bodyText({ max: MAX_DESCRIPTION, barred: BARRED.inDescription, optional: true })
    .nullish()
    .openapi({ description: 'Description for people', example: 'On the site of the disaster office' }),
  expires_at: z.iso
    .datetime({ offset: true, error: 'must be a moment such as 2027-01-31T12:00:00Z, or null' })
    .refine((text) => Date.parse(text) < END_OF_TIME, 'must be before the year 9999 ends in UTC, or null')
    .nullish()
    .openapi({ description: 'Time of expiry; null if it does not expire', example: '2027-12-31T00:00:00Z' }),
};

const rpmRule = `must be an integer from 1 to ${MAX_RPM}, or null for the default of ${DEFAULT_KEY_RPM}`;
const rate = (rule: string) => z.int(rule).min(1, rule).max(MAX_RPM, rule).nullish();

export const newKeySchema = z
  .strictObject({
    ...keyFields,
    scopes: z
      .array(scope)
      .max(SCOPES.length, `must have at most ${SCOPES.length} items`)
      .nullish()
      .openapi({
        description: 'Scopes of the key; null or empty: all but admin',
        example: ['read:boundaries'],
      }),
    rate_limit_rpm: rate(rpmRule).openapi({
      description: `Requests per minute; null: ${DEFAULT_KEY_RPM}`,
      example: 120,
    }),
    rate_limit_burst: rate(`must be an integer from 1 to ${MAX_RPM}, or null`).openapi({
      description: 'Reserved; stored without effect',
      example: 20,
    }),
    environment: environment
      .default('live')
      .openapi({ description: "Part of the key's text that tells test keys from live ones; both work alike" }),
    user_id: idParam('Owner of the key; only your own id is accepted').nullish(),
    user_email: email.nullish().openapi({
      description: 'Email address of the owner; only your own is accepted',
    }),
  })
  .openapi('ApiKeyInput', {
    example: { name: 'Flood map', scopes: ['read:boundaries'], rate_limit_rpm: 120 },
  });

export type NewKeyInput = z.output<typeof newKeySchema>;

export const rotationSchema = z
  .strictObject({
    grace_seconds: z
      .int(`must be an integer from 0 to ${MAX_GRACE_SECONDS}`)
      .min(0, `must be an integer from 0 to ${MAX_GRACE_SECONDS}`)
      .max(MAX_GRACE_SECONDS, `must be an integer from 0 to ${MAX_GRACE_SECONDS}`)
      .default(0)
      .openapi({ description: 'Seconds for which the old key keeps working; 0 revokes it at once', example: 3600 }),
  })
  .openapi('ApiKeyRotation', { example: { grace_seconds: 3600 } });

const members = {
  id: z.uuid().openapi({ example: '5b0f0a7e-54c6-4c1b-9d7a-0d8f6d6f2c11' }),
  name: z.string().openapi({ example: 'Flood map' }),
  description: z.string().nullable(),
  prefix: z.string().openapi({ description: 'The part of the key that identifies it', example: '7Hq2mZ0cVbXk' }),
  environment: z.enum(['live', 'test']),
  status: z.enum(['active', 'revoked', 'expired']),
  scopes: z.array(z.enum(SCOPES as [Scope, ...Scope[]])).nullable(),
  rate_limit_rpm: z.int().nullable(),
  rate_limit_burst: z.int().nullable(),
  expires_at: moment.nullable(),
  last_used_at: moment.nullable().openapi({ description: 'Accurate to about ten seconds' }),
  revoked_at: moment.nullable(),
  created_at: moment,
  updated_at: moment,
  user_id: z.uuid(),
  user_email: z.string().nullable(),
};

export const keySchema = z.object(members).openapi('ApiKey');

export type ApiKey = z.output<typeof keySchema>;

export const createdKeySchema = z
  .object({
    ...members,
    key: z.string().openapi({
      description: 'The secret key; shown only once',
      example: 'svc_sk_live_7Hq2mZ0cVbXk_…',
    }),
  })
  .openapi('CreatedApiKey');

const counted = { count: z.number() };

export const keyStatsParams = z.object({ key_id: idParam('Filter by one of your keys').optional() });

export const keyStatsSchema = z
  .object({
    total_keys: z.number(),
    total_requests: z.number().openapi({ description: 'Requests that were answered' }),
    avg_response_time: z.number().openapi({ description: 'Milliseconds' }),
    success_rate: z.number().openapi({ description: 'Requests with a status below 400, percent' }),
    error_rate: z.number().openapi({ description: 'Requests with a status of 400 or above, percent' }),
    requests_by_day: z
      .array(z.object({ date: z.iso.date(), ...counted, statuses: z.array(z.object({ status: z.int(), ...counted })) }))
      .optional(),
    requests_by_key: z
      .array(
        z.object({
          key_id: z.uuid(),
          name: z.string(),
          ...counted,
          failed: z.number().openapi({ description: 'Requests with a status of 400 or above' }),
        }),
      )
      .optional()
      .openapi({ description: 'All your keys, busiest first, even if the other figures are of one key' }),
    top_endpoints: z.array(z.object({ path: z.string().nullable(), ...counted })).optional(),
    failures: z
      .array(
        z.object({
          date: z.iso.date(),
          key_id: z.uuid(),
          path: z.string(),
          status: z.int(),
          code: z.string().openapi({
            description: 'Error code in the body; ZodError if the input did not match its schema',
            example: 'missing_province',
          }),
          ...counted,
        }),
      )
      .optional()
      .openapi({ description: 'Causes of failed requests: latest days first, the most frequent of each day' }),
    limits: z
      .object({
        requests_per_minute: z
          .object({ allowed: z.int(), used: z.int().nullable() })
          .openapi({ description: 'Requests of all your keys in the last minute; null if unknown' }),
        stored_bytes: z.object({ allowed: byteCount, used: byteCount }).openapi({ description: 'All your datasets' }),
      })
      .openapi({ description: 'Limits of your account, and their current use' }),
  })
  .openapi('ApiKeyStats', { description: 'The last thirty days, all your keys, days in UTC' });

/** The usage of a user's keys, and the limits of their account. */
export type AccountStats = z.output<typeof keyStatsSchema>;
