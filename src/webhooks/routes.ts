import { z } from '@hono/zod-openapi';
import { zValidator } from '@hono/zod-validator';
import type { Context } from 'hono';

import { DomainError } from '../errors.ts';
import { answer, enveloped } from '../http/answers.ts';
import { errors, header } from '../http/error-schemas.ts';
import { rawBody } from '../http/raw-body.ts';
import { operation, Router } from '../operation.ts';
import { receiverOf, receiveWebhook } from './service.ts';
import { signatureHeaders, TOLERANCE_SECONDS, verifyDelivery } from './signature.ts';

const MAX_BYTES = 1024 * 1024;

const params = z.object({
  provider: z.string().openapi({
    param: { name: 'provider', in: 'path' },
    description: 'The name of the identity or the email provider, as this service is configured',
    examples: ['clerk', 'resend'],
  }),
});

const receivedSchema = z.object({ received: z.boolean() });
const pingSchema = z.object({ ok: z.boolean(), message: z.string() });

const headers = zValidator('header', signatureHeaders, ({ success }, c: Context) => {
  // A provider that this service does not have is 404, whatever the headers are.
  receiverOf(c.get('config'), c.req.param('provider') ?? '');
  if (!success) throw invalidSignature();
});

/** Where providers send their events. */
export function webhookRoutes(): Router {
  const router = new Router(['webhooks']);

  operation(router, {
    operationId: 'ping_webhooks',
    method: 'get',
    path: '/ping',
    access: 'public',
    summary: 'Check that webhooks are reachable',
    description: 'Has no effect; providers may call it to test the address.',
    responses: enveloped('Webhooks are reachable', pingSchema),
    handler: (c) => {
      c.header('Cache-Control', 'no-store');
      return answer(c, { ok: true, message: 'Webhooks are received here.' });
    },
  });

  operation(router, {
    operationId: 'receive_webhook',
    method: 'post',
    path: '/{provider}',
    access: 'public',
    summary: 'Receive an event of a provider',
    description: [
      'Authenticated by its signature after Standard Webhooks: the headers webhook-id, webhook-timestamp and',
      'webhook-signature, or the same with svix- in place of webhook-. The timestamp may be',
      `${TOLERANCE_SECONDS} seconds off. A delivery takes effect once, however often it is sent; of several states of`,
      'one thing the newest stays, in whatever order they come. Events of unknown types are recorded.',
    ].join(' '),
    rawBody: true,
    headers,
    request: {
      params,
      body: {
        required: true,
        description: `A JSON event of any shape, at most ${MAX_BYTES} bytes`,
        // This is no schema of zod: nothing is parsed before its signature is verified.
        content: { 'application/json': { schema: { type: 'object' } } },
      },
    },
    responses: {
      ...enveloped('Received', receivedSchema),
      ...errors(404, 413, 500, 503),
      401: {
        ...errors(401)[401],
        description: 'The signature is missing, malformed, stale or wrong',
        headers: { 'WWW-Authenticate': header('Webhook-Signature') },
      },
    },
    handler: async (c, { ctx, headers, params: { provider } }) => {
      const { source, secrets } = receiverOf(ctx.config, provider);
      const delivery = verifyDelivery(headers, await rawBody(c, MAX_BYTES), secrets);
      if (!delivery) throw invalidSignature();
      await receiveWebhook(ctx, { source, delivery });
      c.header('Cache-Control', 'no-store');
      return answer(c, { received: true });
    },
  });

  return router;
}

function invalidSignature(): DomainError {
  return new DomainError('invalid_signature', 'The signature is missing, malformed, stale or wrong.');
}
