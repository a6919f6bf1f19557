import { type SQL, sql } from 'drizzle-orm';
import { auditLogs } from './schema/audit.ts';

/** Who does something, as the audit log names it. */
export interface Actor {
  readonly kind: 'master' | 'session' | 'key' | 'webhook' | 'command';
  readonly userId: string | null;
  readonly keyId: string | null;
  readonly requestId: string | null;
}

/**
 * Writes what was done into the audit log. It is a common table expression of the statement that does it, so that neither
 * happens without the other:
 *
 *     with k as (update … returning *),
 *       audit as (${audited(actor, sql`select 'api_key.revoked' as action, 'api_key' as subject_type,
 *         k.id::text as subject_id, '{}'::jsonb as details from k`)})
 *     select … from k
 *
 * @param rows a query for `action`, `subject_type`, `subject_id` (text) and `details` (a jsonb object, without secrets),
 * with one row for each thing that was done, in order
 */
export function audited({ kind, userId, keyId, requestId }: Actor, rows: SQL): SQL {
  return sql`insert into ${auditLogs} (request_id, actor_kind, actor_user_id, actor_key_id, action, subject_type,
      subject_id, details)
    select ${requestId}::text, ${kind}::actor_kind, ${userId}::uuid, ${keyId}::uuid, done.action, done.subject_type,
      done.subject_id, done.details
    from (${rows}) as done`;
}
