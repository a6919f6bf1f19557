import { z } from '@hono/zod-openapi';
import { errors } from '../http/error-schemas.ts';
import { pageParams } from '../http/pagination.ts';
import { choiceParam, flagParam, momentParam, textParam } from '../http/params.ts';
import { idParam } from '../http/schemas.ts';
import { operation, Router } from '../operation.ts';
import { pageAnswer, pageOf } from './lists.ts';
import { listAuditLogs, listWebhookEvents, MAX_LISTED } from './repo/logs.ts';
import { auditSchema, webhookEventSchema } from './schemas.ts';

/** What the descriptions of both lists say of their length. */
const END = `The list and its total end at ${MAX_LISTED} entries; use since and until to reach others.`;

/** The parameters of both lists for when something happened. */
const spanParams = {
  since: momentParam('Earliest time, inclusive').optional(),
  until: momentParam('Latest time, exclusive').optional(),
  order: choiceParam(['asc', 'desc'], 'desc: newest first; asc: oldest first')
    .optional()
    .transform((order) => order ?? 'desc')
    .openapi({ default: 'desc' }),
};

/** What was done here, and what providers have sent. */
export function adminLogRoutes(): Router {
  const router = new Router(['admin']);

  operation(router, {
    operationId: 'list_audit_logs',
    method: 'get',
    path: '/audit-logs',
    access: 'admin',
    summary: 'List the audit log',
    description: END,
    request: {
      query: z.object({
        ...pageParams,
        action: textParam({ description: 'Filter by action', example: 'api_key.revoked' }).optional(),
        user_id: idParam('Filter by acting user').optional(),
        subject_type: textParam({ description: 'Filter by type of subject', example: 'api_key' }).optional(),
        subject_id: textParam({
          description: 'Filter by id of the subject',
          example: '5b0f0a7e-54c6-4c1b-9d7a-0d8f6d6f2c11',
        }).optional(),
        request_id: textParam({
          description: 'Filter by request id',
          example: 'a212b690-9117-4678-9b54-474b48e3e195',
        }).optional(),
        ...spanParams,
      }),
    },
    responses: { ...pageOf('A page of the log', auditSchema), ...errors(422) },
    handler: async (c, { ctx, query }) => {
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
  });

  operation(router, {
    operationId: 'list_webhook_events',
    method: 'get',
    path: '/webhook-events',
    access: 'admin',
    summary: 'List the events of providers',
    description: `Each delivery once, without its body. ${END}`,
    request: {
      query: z.object({
        ...pageParams,
        source: choiceParam(['identity', 'email'], 'Filter by provider').optional(),
        type: textParam({ description: 'Filter by type', example: 'user.created' }).optional(),
        delivery_id: textParam({
          description: "Filter by the sender's id of the delivery",
          example: 'msg_2b6rGqZ',
        }).optional(),
        noted: flagParam('Filter by whether their content prevented an effect').optional(),
        ...spanParams,
      }),
    },
    responses: { ...pageOf('A page of events', webhookEventSchema), ...errors(422) },
    handler: async (c, { ctx, query }) => {
      const { delivery_id: deliveryId, ...rest } = query;
      return pageAnswer(c, await listWebhookEvents(ctx.db, { ...rest, deliveryId }), query);
    },
  });

  return router;
}
