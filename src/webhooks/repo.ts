import { sql } from 'drizzle-orm';
import { type Actor, audited } from '../db/audit.ts';
import { type Database, rowsOf } from '../db/client.ts';
import { webhookEvents } from '../db/schema/webhooks.ts';
import { effectOf } from '../profiles/repo/states.ts';
import type { Source, WebhookEvent } from './events.ts';
import type { Delivery } from './signature.ts';

/**
 * Records a delivery and brings about what it says, in one statement: of any number of deliveries with one id the unique
 * key lets one through, and only what it returns has an effect. Its body is kept, for a time, where it was read or should
 * have been: others may hold what is nobody's business here, such as the codes that people sign in with.
 */
export async function recordDelivery(
  db: Database,
  source: Source,
  { id, bytes, body }: Delivery,
  { type, at, state, note }: WebhookEvent,
  requestId: string,
): Promise<void> {
  const actor: Actor = { kind: 'webhook', userId: null, keyId: null, requestId };
  const effect = state && effectOf(state, type?.split('.').pop() ?? '');
  // A text of the database holds every character but one, which no JSON has unescaped.
  const stored = state || note !== null ? body.replaceAll('\0', '\ufffd') : null;
  await rowsOf(
    db,
    sql`with delivery as (
        insert into ${webhookEvents} (source, delivery_id, type, event_at, note, bytes, body)
        values (${source}, ${id}, ${type}, ${at}, ${note}, ${bytes}, ${stored}::text)
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
      } select from delivery`,
  );
}

/** How many bodies one call takes away at most. */
const MOST_BODIES = 2000;

/** Takes the bodies of events away that are older than some days, the oldest first. The events stay. */
export async function forgetBodies(db: Database, days: number): Promise<void> {
  await rowsOf(
    db,
    sql`update ${webhookEvents} set body = null where id in (
      select id from ${webhookEvents} where body is not null and received_at < now() - make_interval(days => ${days})
      order by received_at limit ${MOST_BODIES} for update skip locked)`,
  );
}
