import { type SQL, sql } from 'drizzle-orm';
import { type Actor, audited } from '../../db/audit.ts';
import type { Database } from '../../db/client.ts';
import { apiKeys, profiles } from '../../db/schema/accounts.ts';
import { auditLogs, OWNER_FROM, OWNER_TO } from '../../db/schema/audit.ts';
import { accountStorage, datasets, datasetVersions } from '../../db/schema/datasets.ts';
import { webhookDeliveries, webhookEndpoints } from '../../db/schema/notifications.ts';
import { organizationMembers } from '../../db/schema/organizations.ts';
import { emailFlags, webhookEvents } from '../../db/schema/webhooks.ts';
import { unclaimed } from '../../profiles/repo/states.ts';
import { isDue } from './deletion.ts';

/** Whom an erasure is about. */
export interface Person {
  /** The id of the profile. */
  readonly userId: string;
  readonly subject: string;
  /** The addresses of the profile, also earlier ones, but none that another account has. */
  readonly addresses: readonly string[];
  /** Further addresses in events of the identity provider, but none that another account has. */
  readonly others: readonly string[];
}

/** Ids of deleted accounts whose grace has ended and that are not erased, the longest deleted ones first. */
export async function listDueAccounts(
  db: Database,
  {
    graceDays,
    ahead,
    subject,
    limit,
  }: { graceDays: number; ahead: number; subject: string | undefined; limit: number },
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`select p.id from ${profiles} p
      where p.deleted_at is not null and p.erased_at is null and ${isDue(graceDays, sql`${ahead}`)}
        ${subject === undefined ? sql`` : sql`and p.subject = ${subject}`}
      order by p.deleted_at, p.id limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** A deleted account, with what is known of its person; undefined where it is erased or there again. */
export async function findPerson(db: Database, userId: string): Promise<Person | undefined> {
  const [row] = await db.rows<
    Pick<Person, 'subject' | 'addresses'>
  >(sql`select p.subject, array(select a.email from unnest(array_append(p.former_emails, p.email)) as a (email)
        where a.email is not null and ${unclaimed(sql`a.email`, sql`p.id`)}) as addresses
      from ${profiles} p where p.id = ${userId} and p.deleted_at is not null and p.erased_at is null`);
  if (!row) return undefined;
  const others = await db.rows<{
    email: string;
  }>(sql`select distinct event.email from ${webhookEvents} e, unnest(e.people) as event (email)
      where ${mentions([row.subject])} and e.source = 'identity' and e.type like 'user.%' and event.email like '%@%'
        and ${unclaimed(sql`event.email`, sql`${userId}`)}`);
  return { userId, subject: row.subject, addresses: row.addresses, others: others.map(({ email }) => email) };
}

/** Whether a row `e` of the events has a body that mentions one of some subjects and addresses. */
function mentions(people: readonly string[]): SQL {
  return sql`e.body is not null and e.people && ${sql.param(people)}::text[]`;
}

/** How many bodies one statement looks into. */
const BATCH_UNREAD = 2000;

/** Notes which people the bodies of new events mention. @returns whether there may be more of them */
export async function readBodies(db: Database): Promise<boolean> {
  const [row] = await db.rows<{ count: number }>(sql`with read as (
        update ${webhookEvents} set people = people_in(body) where id in (
          select id from ${webhookEvents} where body is not null and people is null order by id limit ${BATCH_UNREAD})
        returning 1
      ) select count(*)::int as count from read`);
  return (row?.count ?? 0) >= BATCH_UNREAD;
}

/**
 * Gives a person the datasets whose owner is known only by one of their addresses, and takes from them those that another
 * address has too.
 */
export async function adoptDatasets(db: Database, { userId, addresses }: Person): Promise<void> {
  await db.rows(sql`with adopted as (
        update ${datasets} set user_id = coalesce(user_id, ${userId}), user_email = null
        where user_email = any (${sql.param(addresses)}::text[])
      )
      update ${datasets} set user_id = null
      where user_id = ${userId} and user_email <> all (${sql.param(addresses)}::text[])`);
}

/** How many keys one statement deletes, with their usage. */
const BATCH_KEYS = 20;

/** Deletes some keys of a person with their usage, and their names in the audit log. @returns whether there may be more */
export async function deleteKeys(db: Database, { userId }: Person): Promise<boolean> {
  const [row] = await db.rows<{ count: number }>(sql`with gone as (
        delete from ${apiKeys} where id in (select id from ${apiKeys} where user_id = ${userId} order by created_at limit ${BATCH_KEYS})
        returning id::text as id
      ), redacted as (
        update ${auditLogs} a set details = a.details - '{name,description}'::text[]
        from gone where a.subject_id = gone.id and a.details ?| '{name,description}'
      )
      select count(*)::int as count from gone`);
  return (row?.count ?? 0) >= BATCH_KEYS;
}

/** How many deliveries one statement deletes. */
const BATCH_DELIVERIES = 2000;

/** Deletes webhook endpoints of a person, or some of their deliveries. @returns whether there may be more */
export async function deleteEndpoints(db: Database, { userId }: Person): Promise<boolean> {
  const [row] = await db.rows<{
    count: number;
  }>(sql`with own as (select id from ${webhookEndpoints} where user_id = ${userId}), deliveries as (
        delete from ${webhookDeliveries} where id in (
          select d.id from ${webhookDeliveries} d join own on own.id = d.endpoint_id limit ${BATCH_DELIVERIES})
        returning 1
      ), gone as (
        delete from ${webhookEndpoints} e using own where e.id = own.id and not exists (
          select from ${webhookDeliveries} d where d.endpoint_id = e.id)
      )
      select count(*)::int as count from deliveries`);
  return (row?.count ?? 0) > 0;
}

/** How many bodies of events one statement deletes. */
const BATCH_BODIES = 500;

/** Deletes some bodies of events of the email provider that mention a person. @returns whether there may be more */
export function deleteEmailBodies(db: Database, { addresses, others }: Person): Promise<boolean> {
  return deleteBodies(db, [...addresses, ...others], 'email');
}

/** The same of all events. */
export function deleteAllBodies(db: Database, { subject, addresses }: Person): Promise<boolean> {
  return deleteBodies(db, [subject, ...addresses]);
}

async function deleteBodies(db: Database, people: readonly string[], source?: 'email'): Promise<boolean> {
  const [row] = await db.rows<{ count: number }>(sql`with cleared as (
        update ${webhookEvents} set body = null, people = null where id in (
          select e.id from ${webhookEvents} e where ${mentions(people)} ${source ? sql`and e.source = ${source}` : sql``}
          limit ${BATCH_BODIES})
        returning 1
      ) select count(*)::int as count from cleared`);
  return (row?.count ?? 0) >= BATCH_BODIES;
}

/** Deletes what is known of the addresses of a person: what the email provider reported of them, and that they owned something. */
export async function deleteAddresses(db: Database, { addresses, others }: Person): Promise<false> {
  const all = sql`${sql.param([...addresses, ...others])}::text[]`;
  if (addresses.length + others.length === 0) return false;
  await db.rows(sql`with flags as (
        delete from ${emailFlags} where email = any (${all})
      ), storage as (
        delete from ${accountStorage} where owner = any (${all})
      )
      update ${auditLogs} set details = case when ${OWNER_FROM} = any (${all}) then details #- '{owner,from,user_email}' else details end
        #- case when ${OWNER_TO} = any (${all}) then '{owner,to,user_email}'::text[] else '{}' end
      where ${OWNER_FROM} = any (${all}) or ${OWNER_TO} = any (${all})`);
  return false;
}

/**
 * Ends the erasure of a person of whom only the profile is left. The profile gets another id, so that nobody is behind the
 * one that the audit log has. Nothing changes while versions of the account are stored.
 *
 * @throws Error if datasets, keys or webhook endpoints of the account are left
 */
export async function erasePerson(db: Database, { userId, actor }: Person & { actor: Actor }): Promise<void> {
  await db.rows(sql`with person as (
        select id from ${profiles} where id = ${userId} and deleted_at is not null and erased_at is null
          and not exists (select from ${datasetVersions} v where v.owner = ${userId} and v.state <> 'current') for update
      ), memberships as (
        delete from ${organizationMembers} m using person where m.user_id = person.id
      ), storage as (
        delete from ${accountStorage} s using person where s.owner = person.id::text
      ), erased as (
        update ${profiles} p set id = gen_random_uuid(), email = null, former_emails = '{}', claimed_at = null, name = null,
          is_admin = false, account_rpm = null, slow_webhook_at = null, erased_at = now(), created_at = now(), updated_at = now()
        from person where p.id = person.id returning person.id
      ), audit as (${audited(
        actor,
        sql`select 'user.erased' as action, 'user' as subject_type, id::text as subject_id, '{}'::jsonb as details from erased`,
      )})
      select from erased`);
}
