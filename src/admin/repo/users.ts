import { type SQL, sql } from 'drizzle-orm';
import { KEY_STATUS } from '../../api-keys/repo/keys.ts';
import { lowerAscii } from '../../ascii.ts';
import { type Actor, audited } from '../../db/audit.ts';
import type { Database } from '../../db/client.ts';
import { iso } from '../../db/columns.ts';
import { apiKeys, profiles } from '../../db/schema/accounts.ts';
import { organizationMembers, organizations } from '../../db/schema/organizations.ts';
import { emailFlags } from '../../db/schema/webhooks.ts';
import type { UserQuery } from '../queries.ts';
import type { AdminUser, AdminUserDetail, UserChange } from '../schemas.ts';
import { type Listed, pageOf } from './page.ts';

const STATUS = sql`case when p.deleted_at is null then 'active' when p.erased_at is null then 'deleted' else 'erased' end`;

/** How long deleted accounts can be restored. */
interface Grace {
  readonly graceDays: number;
}

/** The members of an `AdminUser`, of a profile `p` whose address may have a flag `f`. */
function userColumns({ graceDays }: Grace): SQL {
  return sql`p.id, p.subject, p.email, f.status as email_status, ${iso(sql`f.flagged_at`)} as email_status_at,
    p.name, p.is_admin, p.account_rpm, ${STATUS} as status, ${iso(sql`p.deleted_at`)} as deleted_at,
    ${iso(sql`case when p.erased_at is null then p.deleted_at + make_interval(days => ${graceDays}) end`)} as erase_at,
    ${iso(sql`p.erased_at`)} as erased_at, ${iso(sql`p.created_at`)} as created_at, ${iso(sql`p.updated_at`)} as updated_at`;
}

/** The user of an answer. @throws DomainError `database_unavailable` where the answer has other columns */
function userIn([row]: readonly AdminUserDetail[]): AdminUserDetail | undefined {
  return row && { ...row, id: row.id };
}

/** As indexes know them. */
const STATUS_CONDITIONS: Readonly<Record<AdminUser['status'], SQL>> = {
  active: sql`p.deleted_at is null`,
  deleted: sql`p.deleted_at is not null and p.erased_at is null`,
  erased: sql`p.deleted_at is not null and p.erased_at is not null`,
};

/** Profiles, newest first. */
export function listUsers(db: Database, query: UserQuery, graceDays: number): Promise<Listed<AdminUser>> {
  return pageOf(db, query, {
    fields: userColumns({ graceDays }),
    from: sql`${profiles} p left join ${emailFlags} f on f.email = p.email`,
    where: {
      email: (it) => sql`p.email = ${lowerAscii(it)}`,
      subject: (it) => sql`p.subject = ${it}`,
      status: (it) => STATUS_CONDITIONS[it],
      is_admin: (it) => (it ? sql`p.is_admin` : sql`not p.is_admin`),
    },
    order: sql`p.created_at desc, p.id desc`,
  });
}

export async function findUser(
  db: Database,
  { id, graceDays }: { id: string } & Grace,
): Promise<AdminUserDetail | undefined> {
  return userIn(await db.rows<AdminUserDetail>(detail(sql`${profiles} p where p.id = ${id}`, { graceDays })));
}

/** Changes a user; undefined where there is no such user, or a deleted one. */
export async function updateUser(
  db: Database,
  { id, change, actor, graceDays }: { id: string; change: UserChange; actor: Actor } & Grace,
): Promise<AdminUserDetail | undefined> {
  const { is_admin: isAdmin, account_rpm: rpm } = change;
  const rows = await db.rows<AdminUserDetail>(sql`with changed as (
        update ${profiles} set is_admin = coalesce(${isAdmin ?? null}::boolean, is_admin),
          account_rpm = ${rpm === undefined ? sql`account_rpm` : sql`${rpm}::int`}, updated_at = now()
        where id = ${id} and deleted_at is null returning *
      ), audit as (${audited(
        actor,
        sql`select 'user.updated' as action, 'user' as subject_type, id::text as subject_id,
          ${JSON.stringify(change)}::jsonb as details from changed`,
      )})
      ${detail(sql`changed p`, { graceDays })}`);
  return userIn(rows);
}

/** The prefixes of the active keys of a user. */
export async function listActivePrefixes(db: Database, userId: string): Promise<string[]> {
  const rows = await db.rows<{ prefix: string }>(
    sql`select k.prefix from ${apiKeys} k where k.user_id = ${userId} and ${KEY_STATUS} = 'active'`,
  );
  return rows.map(({ prefix }) => prefix);
}

/**
 * A query for an `AdminUserDetail`.
 *
 * @param from a table with the alias `p`, and conditions
 */
function detail(from: SQL, grace: Grace): SQL {
  return sql`select ${userColumns(grace)}, (
      select json_build_object('total', count(*), 'active',
        count(*) filter (where ${KEY_STATUS} = 'active'))
      from ${apiKeys} k where k.user_id = p.id
    ) as api_keys, (
      select coalesce(json_agg(json_build_object('id', o.id, 'external_id', o.external_id, 'name', o.name,
        'slug', o.slug, 'role', m.role) order by o.name, o.id), '[]')
      from ${organizationMembers} m join ${organizations} o on o.id = m.organization_id
      where m.user_id = p.id and m.removed_at is null and o.deleted_at is null
    ) as organizations
    from (select * from ${from}) as p left join ${emailFlags} f on f.email = p.email`;
}
