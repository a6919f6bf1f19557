import { errors } from '../http/error-schemas.ts';
import { operation, Router } from '../operation.ts';
import { pageAnswer, pageOf } from './lists.ts';
import { auditQuery, eventQuery } from './queries.ts';
import { listAuditLogs, listWebhookEvents, MAX_LISTED } from './repo/logs.ts';
import { auditSchema, webhookEventSchema } from './schemas.ts';

/** What the descriptions of both lists say of their length. */
const END = `The list and its total end at ${MAX_LISTED} entries; use since and until to reach others.`;

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
    request: { query: auditQuery },
    responses: { ...pageOf('A page of the log', auditSchema), ...errors(422) },
    handler: async (c, { ctx, query }) => pageAnswer(c, await listAuditLogs(ctx.db, query), query),
  });

  operation(router, {
    operationId: 'list_webhook_events',
    method: 'get',
    path: '/webhook-events',
    access: 'admin',
    summary: 'List the events of providers',
    description: `Each delivery once, without its body. ${END}`,
    request: { query: eventQuery },
    responses: { ...pageOf('A page of events', webhookEventSchema), ...errors(422) },
    handler: async (c, { ctx, query }) => pageAnswer(c, await listWebhookEvents(ctx.db, query), query),
  });

  return router;
}
