import { sql } from 'drizzle-orm';
import { recentPrefixes } from '../api-keys/repo/keys.ts';
import { type Actor, audited } from '../db/audit.ts';
import type { Database } from '../db/client.ts';
import { profiles } from '../db/schema/accounts.ts';
import { webhookEvents } from '../db/schema/webhooks.ts';
import { effectOf } from '../profiles/repo/states.ts';
import type { WebhookEvent, WebhookSource } from './events.ts';
import type { Delivery } from './signature.ts';

interface Receipt {
  readonly source: WebhookSource;
  readonly delivery: Delivery;
  readonly event: WebhookEvent;
  readonly requestId: string | null;
}

/**
 * Records a delivery and writes the state that it reports, in one statement. Of all deliveries with the same id the
 * unique key lets one through, and only the row that is inserted has an effect. The body is kept, for a time, where it
 * was read or should have been. Other bodies are not stored, because they may hold secrets such as the codes that people
 * sign in with.
 *
 * @returns the prefixes of the keys that a deletion has revoked, now or when the same delivery came before
 */
export async function insertDelivery(
  db: Database,
  { source, delivery: { id, bytes, body }, event: { type, at, state, note }, requestId }: Receipt,
): Promise<string[]> {
  const actor: Actor = { kind: 'webhook', userId: null, keyId: null, requestId };
  const effect = state && effectOf(state, type?.split('.').pop() ?? '');
  // A text of the database can't hold NUL. Valid JSON never has it unescaped.
  const stored = state || note !== null ? body.replaceAll('\0', '\ufffd') : null;
  // The body of an event about an erased person is not stored.
  const subject = state && 'subject' in state ? state.subject : null;
  const rows = await db.rows<{ prefix: string }>(sql`with kept as (
        select ${stored}::text as body
        where not exists (select from ${profiles} where subject = ${subject} and erased_at is not null)
      ), delivery as (
        insert into ${webhookEvents} (source, delivery_id, type, event_at, note, bytes, body, people)
        values (${source}, ${id}, ${type}, ${at}, ${note}, ${bytes}, (select body from kept), (select people_in(body) from kept where body is not null))
        on conflict (source, delivery_id) do nothing
        returning source, delivery_id
      )${
        effect
          ? sql`, ${effect.expressions}, audit as (${audited(
              actor,
              sql`select action, subject_type, subject_id,
                details || jsonb_build_object('source', source, 'delivery', delivery_id) as details
                from (${effect.done}) as done, delivery`,
            )})`
          : sql.empty()
      } ${state?.kind === 'deleted_user' ? recentPrefixes(sql`p.subject = ${state.subject}`) : sql`select from delivery where false`}`);
  return rows.map(({ prefix }) => prefix);
}

/** How many bodies one call deletes at most. */
const MAX_BODIES = 2000;

/** Deletes the bodies of events that are older than some days, the oldest first. The events stay. */
export async function deleteOldWebhookBodies(db: Database, days: number): Promise<void> {
  await db.rows(sql`update ${webhookEvents} set body = null, people = null where id in (
      select id from ${webhookEvents} where body is not null and received_at < now() - make_interval(days => ${days})
      order by received_at limit ${MAX_BODIES} for update skip locked)`);
}
