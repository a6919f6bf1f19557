import { type SQL, sql } from 'drizzle-orm';
import { apiKeys, profiles } from '../../db/schema/accounts.ts';
import { datasets } from '../../db/schema/datasets.ts';
import { webhookEndpoints } from '../../db/schema/notifications.ts';
import { organizationMembers, organizations } from '../../db/schema/organizations.ts';
import { emailFlags } from '../../db/schema/webhooks.ts';
import type { OrganizationNames, State, Timing } from '../states.ts';

/** Parts of the statement that writes a state, unless a newer one is stored. */
export interface Effect {
  /**
   * Common table expressions that write the state for each row of `delivery`, which has one row or none. A state that is
   * older than the known one changes nothing.
   */
  readonly expressions: SQL;
  /** A query for what they changed: `action`, `subject_type`, `subject_id`, `details` (jsonb), in order. */
  readonly done: SQL;
}

/** @param verb the last word of the event's type, for the audit log: `created`, `updated` */
export function effectOf(state: State, verb: string): Effect {
  switch (state.kind) {
    case 'user':
      return user(state, verb);
    case 'deleted_user':
      return deletedUser(state);
    case 'organization':
      return organization(state, verb);
    case 'deleted_organization':
      return deletedOrganization(state);
    case 'member':
      return member(state, verb);
    case 'addresses':
      return addresses(state);
  }
}

type StateOf<Name extends State['kind']> = State & { kind: Name };

function pair({ changedAt, reportedAt }: Timing): SQL {
  return sql`${changedAt}::timestamptz, ${reportedAt}::timestamptz`;
}

/** Whether the row `known`, of a table with the columns of `timing`, has no timing or an older one than the row to be inserted. */
function outdated(known: SQL): SQL {
  return sql`(${known}.state_at is null or (${known}.state_at, ${known}.state_told_at) <
    (excluded.state_at, excluded.state_told_at))`;
}

/** Assignments of values, for an update on conflict. Columns whose value is undefined stay as they are. */
function assigned(values: Record<string, string | null | undefined>): SQL {
  const columns = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [sql.identifier(name)],
  );
  return sql.join(columns.map((column) => sql`${column} = excluded.${column}, `));
}

/** The address of a session that is newer than the event stays: the event may have come late. */
const CLAIMED_OR_TOLD = sql`email = case when p.claimed_at > greatest(excluded.state_at, excluded.state_told_at)
  then p.email else excluded.email end,`;

/** A user who was deleted and has come back gets none of their keys back, also no key that was made during the deletion. */
function user({ timing, subject, email, name }: StateOf<'user'>, verb: string): Effect {
  return {
    expressions: sql`deleted as (
        select id from ${profiles} where subject = ${subject} and deleted_at is not null
      ), changed as (
        insert into ${profiles} as p (subject, email, name, state_at, state_told_at)
        select ${subject}, ${email ?? null}, ${name ?? null}, ${pair(timing)} from delivery
        on conflict (subject) do update set ${assigned({ name })} ${email === undefined ? sql`` : CLAIMED_OR_TOLD} deleted_at = null,
          erased_at = null, state_at = excluded.state_at, state_told_at = excluded.state_told_at, updated_at = now()
        where ${outdated(sql`p`)}
        returning id
      ), ${revoked(sql`(select id from changed where id in (select id from deleted))`)}`,
    done: sql`select ${`user.${verb}`}::text as action, 'user' as subject_type, id::text as subject_id,
      '{}'::jsonb as details from changed
      union all ${REVOCATIONS}`,
  };
}

/** What a deletion changes besides the account, as the parts of an `Effect`: its keys are revoked, its datasets are tied to its id, and its webhook endpoints pause. */
export function closed(users: SQL): Effect {
  return { expressions: sql`${revoked(users)}, ${adopted(users)}, ${paused(users)}`, done: REVOCATIONS };
}

/**
 * Gives users the datasets whose owner is known by their address only. So nobody who gets the address later owns them. An
 * address that another account has too stays.
 *
 * @param users a table of the users' ids
 */
function adopted(users: SQL): SQL {
  return sql`adopted as (
      update ${datasets} d set user_id = coalesce(d.user_id, p.id), user_email = null
      from ${profiles} p where p.id in (select id from ${users} as u) and d.user_email = p.email
        and ${unclaimed(sql`p.email`, sql`p.id`)}
    )`;
}

/** Nothing is sent to the webhook endpoints of deleted accounts. So the time until they are restored is no time of failures. */
function paused(users: SQL): SQL {
  return sql`paused as (
      update ${webhookEndpoints} e set failing_since = null
      from ${users} as u where e.user_id = u.id and e.failing_since is not null
    )`;
}

/** Whether no other account that is there has an address. @param userId of the account that is deleted */
export function unclaimed(email: SQL, userId: SQL): SQL {
  return sql`not exists (select from ${profiles} o where o.email = ${email} and o.deleted_at is null and o.id <> ${userId})`;
}

/**
 * The table `revoked` of the keys that are revoked here, because their users were deleted.
 *
 * @param users a table of the users' ids
 */
function revoked(users: SQL): SQL {
  return sql`revoked as (
      update ${apiKeys} as k set revoked_at = now(), updated_at = now()
      from ${users} as u where k.user_id = u.id and k.revoked_at is null
      returning k.id, k.created_at
    )`;
}

const REVOCATIONS = sql`(select 'api_key.revoked', 'api_key', id::text, '{"because": "user.deleted"}'::jsonb
  from revoked order by created_at)`;

/** A deleted account that was not known gets a row too, so that older events about it, which may still arrive, change nothing. */
function deletedUser({ timing, subject }: StateOf<'deleted_user'>): Effect {
  const { expressions, done } = closed(sql`gone`);
  return {
    expressions: sql`gone as (
        insert into ${profiles} as p (subject, deleted_at, state_at, state_told_at)
        select ${subject}, ${timing.changedAt}::timestamptz, ${pair(timing)} from delivery
        on conflict (subject) do update set deleted_at = excluded.deleted_at, is_admin = false,
          state_at = excluded.state_at, state_told_at = excluded.state_told_at, updated_at = now()
        where ${outdated(sql`p`)}
        returning id
      ), ${expressions}`,
    done: sql`select 'user.deleted' as action, 'user' as subject_type, id::text as subject_id, '{}'::jsonb as details
      from gone
      union all ${done}`,
  };
}

function organization({ timing, organization }: StateOf<'organization'>, verb: string): Effect {
  const { externalId, name, slug } = organization;
  return {
    expressions: sql`changed as (
        insert into ${organizations} as o (external_id, name, slug, state_at, state_told_at)
        select ${externalId}, ${name ?? null}, ${slug ?? null}, ${pair(timing)} from delivery
        on conflict (external_id) do update set ${assigned({ name, slug })} deleted_at = null,
          state_at = excluded.state_at, state_told_at = excluded.state_told_at, updated_at = now()
        where ${outdated(sql`o`)}
        returning id
      )`,
    done: sql`select ${`organization.${verb}`}::text as action, 'organization' as subject_type, id::text as subject_id,
      '{}'::jsonb as details from changed`,
  };
}

function deletedOrganization({ timing, externalId }: StateOf<'deleted_organization'>): Effect {
  return {
    expressions: sql`gone as (
        insert into ${organizations} as o (external_id, deleted_at, state_at, state_told_at)
        select ${externalId}, ${timing.changedAt}::timestamptz, ${pair(timing)} from delivery
        on conflict (external_id) do update set deleted_at = excluded.deleted_at,
          state_at = excluded.state_at, state_told_at = excluded.state_told_at, updated_at = now()
        where ${outdated(sql`o`)}
        returning id
      )`,
    done: sql`select 'organization.deleted' as action, 'organization' as subject_type, id::text as subject_id,
      '{}'::jsonb as details from gone`,
  };
}

/** Makes the organisation and the profile where they are not known yet. Later events about them fill them in. */
function member({ timing, organization, subject, role, removed }: StateOf<'member'>, verb: string): Effect {
  return {
    expressions: sql`${known(organization)}, person as (
        insert into ${profiles} (subject) select ${subject} from delivery
        on conflict (subject) do update set subject = excluded.subject
        returning id
      ), changed as (
        insert into ${organizationMembers} as m (organization_id, user_id, role, removed_at, state_at, state_told_at)
        select known.id, person.id, ${role ?? null}, ${removed ? timing.changedAt : null}::timestamptz, ${pair(timing)} from known, person
        on conflict (organization_id, user_id) do update set ${assigned({ role })} removed_at = excluded.removed_at,
          state_at = excluded.state_at, state_told_at = excluded.state_told_at, updated_at = now()
        where ${outdated(sql`m`)}
        returning organization_id, user_id, role
      )`,
    done: sql`select ${`organization_member.${removed ? 'removed' : verb}`}::text as action,
      'organization' as subject_type, organization_id::text as subject_id,
      jsonb_build_object('user_id', user_id, 'role', role) as details from changed`,
  };
}

function known({ externalId, name, slug }: OrganizationNames): SQL {
  return sql`known as (
      insert into ${organizations} (external_id, name, slug) select ${externalId}, ${name ?? null}, ${slug ?? null} from delivery
      on conflict (external_id) do update set external_id = excluded.external_id
      returning id
    )`;
}

function addresses({ at, addresses, status }: StateOf<'addresses'>): Effect {
  return {
    expressions: sql`flagged as (
        insert into ${emailFlags} as f (email, status, flagged_at)
        select email, ${status}::email_status, ${at}::timestamptz
        from delivery, unnest(${sql.param(addresses)}::text[]) as email
        on conflict (email) do update set status = excluded.status, flagged_at = excluded.flagged_at
        where f.flagged_at < excluded.flagged_at
        returning email
      )`,
    done: sql`select ${`email.${status}`}::text as action, 'user' as subject_type, p.id::text as subject_id,
      '{}'::jsonb as details from flagged join ${profiles} p on p.email = flagged.email where p.deleted_at is null`,
  };
}
