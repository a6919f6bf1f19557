import { env } from 'cloudflare:workers';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { type Answer, api, type Body, get, MASTER } from './api.ts';

const { IDENTITY_WEBHOOK_SECRET, EMAIL_WEBHOOK_SECRET } = env as unknown as Record<string, string>;

export const IDENTITY_SECRET = IDENTITY_WEBHOOK_SECRET as string;
/** The email provider's new secret, and the old one that it replaces. */
export const EMAIL_SECRETS = (EMAIL_WEBHOOK_SECRET as string).split(',');

/** An id as the identity provider makes them. */
export const newId = (kind: string) => `${kind}_${crypto.randomUUID().slice(0, 13)}`;

/** A moment so many minutes after the beginning of 2026, milliseconds since the epoch. */
export const minutes = (n: number) => Date.UTC(2026, 0, 1) + n * 60_000;

/** The recorded delivery with an id. */
export async function recorded(id: string): Promise<Body> {
  const { body } = await get(`/v1/admin/webhook-events?delivery_id=${id}`, MASTER);
  expect(body.meta.total).toBe(1);
  return body.data[0];
}

export interface Sending {
  id?: string;
  /** Seconds since the epoch. */
  timestamp?: number;
  secret?: string;
  family?: 'svix' | 'webhook';
}

export function newDeliveryId(): string {
  return `msg_${crypto.randomUUID().replaceAll('-', '')}`;
}

/** The headers of a delivery, signed. */
export function signed(
  body: string,
  {
    id = newDeliveryId(),
    timestamp = Math.floor(Date.now() / 1000),
    secret = IDENTITY_SECRET,
    family = 'svix',
  }: Sending = {},
): Record<string, string> {
  return {
    [`${family}-id`]: id,
    [`${family}-timestamp`]: String(timestamp),
    [`${family}-signature`]: new Webhook(secret).sign(id, new Date(timestamp * 1000), body),
  };
}

/** Sends an event as the identity provider does. */
export function fromIdentity(event: unknown, sending: Sending = {}, ask = api): Promise<Answer> {
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  return deliver('clerk', body, signed(body, sending), ask);
}

/** Sends an event as the email provider does. */
export function fromEmail(event: unknown, sending: Sending = {}): Promise<Answer> {
  const body = JSON.stringify(event);
  return deliver('resend', body, signed(body, { secret: EMAIL_SECRETS[0] as string, ...sending }));
}

export function deliver(
  provider: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
  ask = api,
): Promise<Answer> {
  return ask(`/v1/webhooks/${provider}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  });
}

interface UserFacts {
  id: string;
  email?: string | null;
  verified?: boolean;
  name?: string;
  /** Milliseconds since the epoch. */
  updatedAt?: number;
  sentAt?: number;
}

/** A `user.created` or `user.updated`, of the shape that Clerk documents, with members that nobody here reads. */
export function userEvent(
  type: 'user.created' | 'user.updated',
  { id, email = null, verified = true, name = 'Maria Santos', updatedAt = Date.now(), sentAt = updatedAt }: UserFacts,
) {
  const [first_name, ...rest] = name.split(' ');
  return {
    type,
    object: 'event',
    instance_id: 'ins_123',
    timestamp: sentAt,
    event_attributes: { http_request: { client_ip: '192.0.2.1', user_agent: 'Mozilla/5.0' } },
    data: {
      id,
      object: 'user',
      first_name,
      last_name: rest.join(' ') || null,
      username: null,
      primary_email_address_id: email === null ? null : 'idn_primary',
      email_addresses: [
        {
          id: 'idn_other',
          object: 'email_address',
          email_address: 'other@example.org',
          verification: { status: 'verified', strategy: 'ticket' },
          linked_to: [],
        },
        ...(email === null
          ? []
          : [
              {
                id: 'idn_primary',
                object: 'email_address',
                email_address: email,
                verification: verified ? { status: 'verified', strategy: 'email_code' } : null,
                linked_to: [],
              },
            ]),
      ],
      external_accounts: [],
      public_metadata: {},
      created_at: 1654012591514,
      updated_at: updatedAt,
    },
  };
}

export function userDeleted(id: string, at = Date.now()) {
  return { type: 'user.deleted', object: 'event', timestamp: at, data: { id, object: 'user', deleted: true } };
}
