import { z } from '@hono/zod-openapi';
import { errors } from '../http/error-schemas.ts';
import { pageParams } from '../http/pagination.ts';
import { choiceParam, flagParam, momentParam, textParam } from '../http/params.ts';
import { idParam } from '../http/schemas.ts';
import { createRouter, operation, type Router } from '../operation.ts';
import { listed, pageAnswer } from './lists.ts';
import { listAuditLogs, listWebhookEvents, MAX_LISTED } from './repo/logs.ts';
import { auditSchema, webhookEventSchema } from './schemas.ts';

/** What the descriptions of both lists say of their length. */
const END = `The list and its total end after ${MAX_LISTED} entries; since and until lead to others.`;

/** The parameters of both lists for when something happened. */
const spanParams = {
  since: momentParam('Only what happened at this moment or later').optional(),
  until: momentParam('Only what happened before this moment').optional(),
  order: choiceParam(['asc', 'desc'], 'desc has the newest first, asc the oldest')
    .optional()
    .transform((order) => order ?? 'desc')
    .openapi({ default: 'desc' }),
};

/** What was done here, and what providers have sent. */
export function adminLogRoutes(): Router {
  const router = createRouter();

  operation(
    router,
    {
      operationId: 'list_audit_logs',
      method: 'get',
      path: '/audit-logs',
      access: 'admin',
      tags: ['admin'],
      summary: 'Who did what, and when',
      description: END,
      request: {
        query: z.object({
          ...pageParams,
          action: textParam({ description: 'Only this action', example: 'api_key.revoked' }).optional(),
          user_id: idParam('Only what this user did').optional(),
          subject_type: textParam({ description: 'Only what was done to these', example: 'api_key' }).optional(),
          subject_id: textParam({
            description: 'Only what was done to this',
            example: '5b0f0a7e-54c6-4c1b-9d7a-0d8f6d6f2c11',
          }).optional(),
          request_id: textParam({
            description: 'Only what this request did',
            example: 'a212b690-9117-4678-9b54-474b48e3e195',
          }).optional(),
          ...spanParams,
        }),
      },
      responses: { ...listed('A page of the log', auditSchema), ...errors(422) },
    },
    async (c, { ctx, query }) => {
      const {
        user_id: userId,
        subject_type: subjectType,
        subject_id: subjectId,
        request_id: requestId,
        ...rest
      } = query;
      const filter = { ...rest, userId, subjectType, subjectId, requestId };
      return pageAnswer(c, await listAuditLogs(ctx.db, filter), query);
    },
  );

  operation(
    router,
    {
      operationId: 'list_webhook_events',
      method: 'get',
      path: '/webhook-events',
      access: 'admin',
      tags: ['admin'],
      summary: 'What providers have sent',
      description: `Each delivery once, without its body. ${END}`,
      request: {
        query: z.object({
          ...pageParams,
          source: choiceParam(['identity', 'email'], 'Only from this provider').optional(),
          type: textParam({ description: 'Only events of this type', example: 'user.created' }).optional(),
          delivery_id: textParam({
            description: "Only the delivery with this id of the sender's",
            example: 'msg_2b6rGqZ',
          }).optional(),
          noted: flagParam('Only events that had no effect for what they hold, or only others').optional(),
          ...spanParams,
        }),
      },
      responses: { ...listed('A page of events', webhookEventSchema), ...errors(422) },
    },
    async (c, { ctx, query }) => {
      const { delivery_id: deliveryId, ...rest } = query;
      return pageAnswer(c, await listWebhookEvents(ctx.db, { ...rest, deliveryId }), query);
    },
  );

  return router;
}
