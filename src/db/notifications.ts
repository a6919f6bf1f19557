import { type SQL, sql } from 'drizzle-orm';
import { profiles } from './schema/accounts.ts';
import { webhookDeliveries, webhookEndpoints } from './schema/notifications.ts';

// Scripts import this file. So it must not import the client, which changes the driver's settings for the whole process.

/** How long instances may still answer from the release before, seconds: notifications are sent after that. */
const RELEASE_SECONDS = 60;

/** How many deliveries may wait for one endpoint: one that has more gets no further events of datasets. */
const MAX_WAITING = 1000;

/**
 * Writes the notifications of a new release: a common table expression `notified` of the statement that activates it. An
 * endpoint that follows areas gets a row where the edition is another one. Its changes are looked up when it is sent.
 *
 * @param activated a table with the `release_id` of the release, and one row or none
 * @param previous a scalar: the id of the release before, or null
 */
export function releaseNotified(activated: SQL, previous: SQL): SQL {
  const editionOf = (id: SQL) => sql`regexp_replace(${id}, '-\\d+$', '')`;
  return sql`notified as (
    insert into ${webhookDeliveries} (endpoint_id, type, data, next_attempt_at)
    select e.id, event.type, jsonb_build_object('release', r.release, 'edition', r.edition, 'previous_release', r.previous,
        'previous_edition', r.previous_edition), now() + make_interval(secs => ${RELEASE_SECONDS})
    from (
      select release_id as release, ${editionOf(sql`release_id`)} as edition, ${previous} as previous,
        ${editionOf(previous)} as previous_edition from ${activated} as a
    ) r, ${webhookEndpoints} e join ${profiles} p on p.id = e.user_id and p.deleted_at is null, unnest(e.events) as event (type)
    where e.enabled and (event.type = 'release.activated' or (event.type = 'area.changed' and r.edition <> r.previous_edition
      and cardinality(e.areas) > 0))
    for key share of e
  )`;
}

/**
 * Writes the notifications of datasets whose file was stored: a common table expression `notified` of the statement that
 * stores it.
 *
 * @param rows a table of datasets `d`, as it is written behind `from`
 */
export function datasetNotified(rows: SQL, { replaced }: { replaced: boolean }): SQL {
  return sql`notified as (
    insert into ${webhookDeliveries} (endpoint_id, type, data)
    select e.id, 'dataset.processed', jsonb_build_object('id', d.id, 'name', d.name, 'status', d.status,
        'feature_count', d.feature_count, 'file_bytes', d.file_bytes, 'replaced', ${replaced}::boolean,
        'href', '/v1/datasets/' || d.id)
    from ${rows}, ${webhookEndpoints} e join ${profiles} p on p.id = e.user_id and p.deleted_at is null
    where (p.id = d.user_id or p.email = d.user_email) and e.enabled and 'dataset.processed' = any (e.events) and ${MAX_WAITING} > (
      select count(*) from ${webhookDeliveries} w where w.endpoint_id = e.id and w.next_attempt_at is not null)
    for key share of e
  )`;
}
