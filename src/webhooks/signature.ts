import { z } from '@hono/zod-openapi';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

/** A delivery whose signature is good. */
export interface Delivery {
  /** The sender's id, the same when it is sent again. */
  readonly id: string;
  /** When this attempt was sent. */
  readonly sentAt: Date;
  /** Length of the body. */
  readonly bytes: number;
  readonly body: string;
}

/** How far the timestamp of a delivery may be from our clock, seconds. The library has the same limit. */
export const TOLERANCE_SECONDS = 300;

// The library reads only the digits that a timestamp begins with, and only what stands between the first two commas of a
// signature, so texts that were not signed would pass as well. With a dot in an id, part of the id could pass for the
// timestamp, because the signed text is `id.timestamp.body`.
const ID = /^[\x21-\x2d\x2f-\x7e]{1,255}$/;
const TIMESTAMP = /^[1-9]\d{0,11}$/;
const SIGNATURE = /^v\d+[a-z]*,[A-Za-z0-9+/]+={0,2}$/;
const MAX_SIGNATURES = 10;

const signedWith = z.object({
  id: z.string().regex(ID),
  /** Seconds since the epoch. */
  timestamp: z
    .string()
    .regex(TIMESTAMP)
    .refine((text) => Math.abs(Math.floor(Date.now() / 1000) - Number(text)) <= TOLERANCE_SECONDS),
  signature: z.string().refine((text) => {
    const signatures = text.split(' ');
    return signatures.length <= MAX_SIGNATURES && signatures.every((one) => SIGNATURE.test(one));
  }),
});

/** The headers that a delivery is signed with. */
export type SignatureHeaders = z.output<typeof signedWith>;

const sent = z.string().min(1).optional().catch(undefined);

const sentHeaders = z.object({
  'svix-id': sent,
  'svix-timestamp': sent,
  'svix-signature': sent,
  'webhook-id': sent,
  'webhook-timestamp': sent,
  'webhook-signature': sent,
});

/** The headers of a delivery, of the first family of names of which all three are there: Svix's, then the standard's. */
export const signatureHeaders = sentHeaders.pipe(
  z
    .transform((all: z.output<typeof sentHeaders>) =>
      [
        { id: all['svix-id'], timestamp: all['svix-timestamp'], signature: all['svix-signature'] },
        { id: all['webhook-id'], timestamp: all['webhook-timestamp'], signature: all['webhook-signature'] },
      ].find(({ id, timestamp, signature }) => id && timestamp && signature),
    )
    .pipe(signedWith),
);

/**
 * Verifies a delivery after https://github.com/standard-webhooks/standard-webhooks (Svix's scheme is the same): the
 * HMAC-SHA256 of `id.timestamp.body` with one of the secrets must be among the signatures.
 *
 * @param bytes the body as it came. It is not parsed. Senders sign text, so bytes that are not UTF-8 have no signature.
 * @param secrets each is `whsec_` and the base64 of the key
 * @returns undefined where no signature is right
 */
export function verifyDelivery(
  { id, timestamp, signature }: SignatureHeaders,
  bytes: Uint8Array,
  secrets: readonly string[],
): Delivery | undefined {
  const body = textOf(bytes);
  if (body === undefined) return undefined;
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  const signed = secrets.some((secret) => {
    try {
      new Webhook(secret).verify(body, headers, { jsonParse: false });
      return true;
    } catch (error) {
      if (error instanceof WebhookVerificationError) return false;
      throw error;
    }
  });
  return signed ? { id, sentAt: new Date(Number(timestamp) * 1000), bytes: bytes.byteLength, body } : undefined;
}

/** The text whose UTF-8 is exactly these bytes; undefined where there is none. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
