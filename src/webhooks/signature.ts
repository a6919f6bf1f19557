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

/** The headers that a delivery is signed with. */
export interface SignatureHeaders {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly timestamp: string;
  readonly signature: string;
}

/** How far a delivery may be from our clock, seconds; the library refuses what is farther. */
export const TOLERANCE_SECONDS = 300;

/** Names that the headers begin with: of Svix, and of the standard. */
const FAMILIES = ['svix', 'webhook'];

// The library reads the timestamp as far as it is a number, and of a signature what stands between its first two commas:
// other texts would do as well as the ones that were signed. A dot in an id would let part of it pass for the timestamp.
const ID = /^[\x21-\x2d\x2f-\x7e]{1,255}$/;
const TIMESTAMP = /^[1-9]\d{0,11}$/;
const SIGNATURE = /^v\d+[a-z]*,[A-Za-z0-9+/]+={0,2}$/;
const MAX_SIGNATURES = 10;

/** The headers of a delivery, of whichever family is complete; undefined where none is, or one is malformed or stale. */
export function signatureHeadersOf(headers: Headers): SignatureHeaders | undefined {
  for (const family of FAMILIES) {
    const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) => headers.get(`${family}-${name}`));
    if (!id || !timestamp || !signature) continue;
    if (!ID.test(id) || !TIMESTAMP.test(timestamp)) return undefined;
    if (Math.abs(Math.floor(Date.now() / 1000) - Number(timestamp)) > TOLERANCE_SECONDS) return undefined;
    const signatures = signature.split(' ');
    if (signatures.length > MAX_SIGNATURES || !signatures.every((one) => SIGNATURE.test(one))) return undefined;
    return { id, timestamp, signature };
  }
  return undefined;
}

/**
 * Verifies a delivery after https://github.com/standard-webhooks/standard-webhooks (Svix's scheme is the same): the
 * HMAC-SHA256 of `id.timestamp.body` with one of the secrets must be among the signatures.
 *
 * @param bytes the body as it came; nothing of it is looked into. What is not UTF-8 is nothing that a sender has signed.
 * @param secrets each `whsec_` and the base64 of the key
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

/** The text that encodes to exactly these bytes. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
