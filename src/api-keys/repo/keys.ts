import { type SQL, sql } from 'drizzle-orm';
import type { StoredKey } from '../../auth/accounts.ts';
import type { Scope } from '../../auth/scopes.ts';
import { type Actor, audited } from '../../db/audit.ts';
import type { Database } from '../../db/client.ts';
import { iso } from '../../db/columns.ts';
import { type Claim, completed } from '../../db/idempotency.ts';
import { apiKeys, profiles } from '../../db/schema/accounts.ts';
import type { ApiKey } from '../schemas.ts';

/** A key as it is stored: with the hash of its token, and not the token. */
interface NewKey {
  readonly name: string;
  readonly description: string | null;
  readonly environment: ApiKey['environment'];
  readonly prefix: string;
  readonly hash: string;
  readonly scopes: readonly Scope[] | null;
  readonly rateLimitRpm: number | null;
  readonly rateLimitBurst: number | null;
  readonly expiresAt: string | null;
}

/** The status of a key `k`. */
export const KEY_STATUS = sql`case when k.revoked_at is not null then 'revoked'
  when k.expires_at <= now() then 'expired' else 'active' end`;

/** The members of an `ApiKey`, of a key `k` of a profile `p`. */
export const KEY_COLUMNS = sql`k.id, k.name, k.description, k.prefix, k.environment, ${KEY_STATUS} as status, k.scopes, k.rate_limit_rpm,
  k.rate_limit_burst, ${iso(sql`k.expires_at`)} as expires_at, ${iso(sql`k.last_used_at`)} as last_used_at,
  ${iso(sql`k.revoked_at`)} as revoked_at, ${iso(sql`k.created_at`)} as created_at,
  ${iso(sql`k.updated_at`)} as updated_at, k.user_id, p.email as user_email`;

/**
 * The rows of the audit log for changes of keys, one for each row of a table of keys.
 *
 * @param verb what was done, as a past participle
 */
export function keyEvent(verb: string, keys: SQL, details: SQL = sql`'{}'::jsonb`): SQL {
  return sql`select ${`api_key.${verb}`}::text as action, 'api_key' as subject_type, id::text as subject_id,
    ${details} as details from ${keys}`;
}

/** A key by its prefix, with its owner, as authentication needs it. */
export async function findKeyByPrefix(db: Database, prefix: string): Promise<StoredKey | undefined> {
  const [row] = await db.rows<{
    id: string;
    hash: string;
    scopes: Scope[] | null;
    rate_limit_rpm: number | null;
    status: StoredKey['status'];
    user_id: string;
    email: string | null;
    is_admin: boolean;
    account_rpm: number | null;
    expires_at: number | null;
  }>(sql`select k.id, k.hash, k.scopes, k.rate_limit_rpm, k.user_id, p.email, p.is_admin, p.account_rpm,
        case when p.deleted_at is not null then 'revoked' else ${KEY_STATUS} end as status,
        (extract(epoch from k.expires_at) * 1000)::float8 as expires_at
      from ${apiKeys} k join ${profiles} p on p.id = k.user_id where k.prefix = ${prefix}`);
  return (
    row && {
      keyId: row.id,
      hash: row.hash,
      scopes: row.scopes,
      rateLimitRpm: row.rate_limit_rpm,
      status: row.status,
      userId: row.user_id,
      email: row.email,
      isAdmin: row.is_admin,
      accountRpm: row.account_rpm,
      expiresAt: row.expires_at,
    }
  );
}

/** How many inactive keys a list has at most. Active keys are few, but every rotation leaves an inactive one. */
export const MAX_INACTIVE = 100;

/** A user's active keys and the latest of the others, newest first. */
export function listKeysOf(db: Database, userId: string): Promise<ApiKey[]> {
  return db.rows(sql`select ${KEY_COLUMNS} from ${apiKeys} k join ${profiles} p on p.id = k.user_id
      where k.user_id = ${userId} and (${KEY_STATUS} = 'active' or k.id in (
        select k.id from ${apiKeys} k where k.user_id = ${userId} and ${KEY_STATUS} <> 'active'
        order by k.created_at desc, k.id desc limit ${MAX_INACTIVE}))
      order by k.created_at desc, k.id desc`);
}

interface Insertion {
  readonly userId: string;
  readonly key: NewKey;
  /** How many active keys the user may have. */
  readonly maxActive: number;
  readonly actor: Actor;
  readonly claim: Claim | undefined;
}

/**
 * Stores a new key of a user. Requests at the same time may each store one more than is allowed: the limit is there to
 * stop scripts that run away, so it need not be exact.
 *
 * @returns null where the user has as many active keys as allowed; undefined where the account is deleted
 */
export async function insertKey(
  db: Database,
  { userId, key, maxActive, actor, claim }: Insertion,
): Promise<ApiKey | null | undefined> {
  const [row] = await db.rows<ApiKey | { id: null }>(sql`with owner as (${accountOf(userId)}), k as (
        insert into ${apiKeys} (user_id, name, description, environment, prefix, hash, scopes, rate_limit_rpm,
          rate_limit_burst, expires_at)
        select owner.id, ${key.name}, ${key.description}, ${key.environment}, ${key.prefix}, ${key.hash},
          ${key.scopes === null ? null : sql.param(key.scopes)}::text[], ${key.rateLimitRpm}::int,
          ${key.rateLimitBurst}::int, ${key.expiresAt}::timestamptz
        from owner
        where ${maxActive} > (select count(*) from ${apiKeys} k where k.user_id = ${userId} and ${KEY_STATUS} = 'active')
        returning *
      ), audit as (${audited(actor, keyEvent('created', sql`k`, sql`jsonb_build_object('name', name, 'scopes', scopes)`))})${completed(claim, sql`k`)}
      select ${KEY_COLUMNS} from owner join ${profiles} p on p.id = owner.id left join k on true`);
  return row?.id === null ? null : row;
}

/** The account of a user, locked so that it is not deleted while a key of it is made; no row where it is deleted. */
function accountOf(userId: string): SQL {
  return sql`select id from ${profiles} where id = ${userId}::uuid and deleted_at is null for share`;
}

/** A user's key by its id, with the id of the key that it was rotated to. */
export async function findKey(
  db: Database,
  { userId, id }: { userId: string; id: string },
): Promise<(ApiKey & { readonly replaced_by: string | null }) | undefined> {
  const [row] = await db.rows<
    ApiKey & { replaced_by: string | null }
  >(sql`select ${KEY_COLUMNS}, k.replaced_by from ${apiKeys} k join ${profiles} p on p.id = k.user_id
      where k.id = ${id} and k.user_id = ${userId}`);
  return row;
}

/**
 * The prefix of a key by its id.
 *
 * @param input `owner`: the id of the user whose key it must be; null: of anybody
 */
export async function findKeyPrefix(
  db: Database,
  { owner, id }: { owner: string | null; id: string },
): Promise<string | undefined> {
  const [row] = await db.rows<{ prefix: string }>(
    sql`select prefix from ${apiKeys} where id = ${id} and (${owner}::uuid is null or user_id = ${owner}::uuid)`,
  );
  return row?.prefix;
}

/** Max keys whose counters one deletion notifies. It is more than a user can have active keys. */
const MAX_DELETED = 500;

/**
 * A query for the prefixes of the keys of a user that were active a day ago, those first that are. They are told of the
 * deletion of the user, also where it is sent again.
 *
 * @param user a condition on the profile `p`
 */
export function recentPrefixes(user: SQL): SQL {
  return sql`select k.prefix from ${apiKeys} k join ${profiles} p on p.id = k.user_id
    where ${user} and (k.revoked_at is null or k.revoked_at > now() - interval '1 day')
    order by k.revoked_at desc nulls first limit ${MAX_DELETED}`;
}

/**
 * Revokes a key. A key that is revoked already stays as it is.
 *
 * @param input `owner`: the id of the user whose key it must be; null for an administrator, who may revoke any
 */
export async function updateRevokedKey(
  db: Database,
  { owner, id, actor }: { owner: string | null; id: string; actor: Actor },
): Promise<ApiKey | undefined> {
  const [row] = await db.rows<ApiKey>(sql`with k as (
        update ${apiKeys} as k set revoked_at = coalesce(k.revoked_at, now()),
          updated_at = case when k.revoked_at is null then now() else k.updated_at end
        where k.id = ${id} and (${owner}::uuid is null or k.user_id = ${owner}::uuid)
        returning k.*
      ), audit as (${audited(actor, keyEvent('revoked', sql`k where revoked_at = now()`))})
      select ${KEY_COLUMNS} from k join ${profiles} p on p.id = k.user_id`);
  return row;
}

interface Rotation {
  readonly userId: string;
  /** Id of the key that is replaced. */
  readonly id: string;
  readonly successor: Pick<NewKey, 'prefix' | 'hash'> & { readonly id: string };
  /** How long the old key goes on working; 0: it is revoked at once. */
  readonly graceSeconds: number;
  /** How many active keys the user may have. */
  readonly maxActive: number;
  readonly actor: Actor;
  readonly claim: Claim | undefined;
}

/**
 * Stores the successor of a user's active key, with the same values in everything else, and ends the key now or after
 * the grace time.
 *
 * @returns the successor; undefined where there is no such key, it isn't active or has a successor, or the user would
 * have too many active keys during the grace time
 */
export async function insertRotatedKey(
  db: Database,
  { userId, id, successor, graceSeconds, maxActive, actor, claim }: Rotation,
): Promise<ApiKey | undefined> {
  const end = sql`now() + make_interval(secs => ${graceSeconds})`;
  const [row] = await db.rows<ApiKey>(sql`with owner as (${accountOf(userId)}), old as (
        update ${apiKeys} as k set updated_at = now(), replaced_by = ${successor.id},
          revoked_at = case when ${graceSeconds} = 0 then now() end,
          expires_at = case when ${graceSeconds} = 0 then k.expires_at else least(k.expires_at, ${end}) end
        from (select id, expires_at from ${apiKeys} where id = ${id}) before, owner
        where k.id = before.id and k.user_id = owner.id and ${KEY_STATUS} = 'active' and k.replaced_by is null
          and (${graceSeconds} = 0
          or ${maxActive} > (select count(*) from ${apiKeys} k where k.user_id = ${userId} and ${KEY_STATUS} = 'active'))
        returning k.*, before.expires_at as expiry
      ), k as (
        insert into ${apiKeys} (id, user_id, name, description, environment, prefix, hash, scopes, rate_limit_rpm,
          rate_limit_burst, expires_at)
        select replaced_by, user_id, name, description, environment, ${successor.prefix}, ${successor.hash}, scopes,
          rate_limit_rpm, rate_limit_burst, expiry from old
        returning *
      ), audit as (${audited(
        actor,
        keyEvent(
          'rotated',
          sql`old`,
          sql`jsonb_build_object('successor', replaced_by, 'grace_seconds', ${graceSeconds}::int)`,
        ),
      )})${completed(claim, sql`k`)}
      select ${KEY_COLUMNS} from k join ${profiles} p on p.id = k.user_id`);
  return row;
}
