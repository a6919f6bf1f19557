import { z } from '@hono/zod-openapi';

/** A String of Structured Fields (RFC 9651, 3.3.3), or the same text without quotes, as many clients send it. */
const KEY = /^(?:"(?:[ !#-[\]-~]|\\["\\]){1,255}"|[!#-+\--:<-[\]-~]{1,255})$/;

/** The header of operations that create something (draft-ietf-httpapi-idempotency-key-header). Gives the key without quotes. */
export const idempotencyKeyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .regex(KEY, 'must be 1 to 255 printable ASCII characters in quotes, such as "8e03978e-40d5-43e8-bc93-6894a57f9324"')
    .transform((text) => (text.startsWith('"') ? text.slice(1, -1).replaceAll(/\\(.)/g, '$1') : text))
    .optional()
    .openapi({
      description:
        'A text of your own, such as a UUID, that makes it safe to send the request again. For 24 hours the same operation with the same credential, key, path and body answers with what it made, and makes nothing else. It is refused with another path or body, and while the first request is under way. Other operations do not know the key',
      example: '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
    }),
});
