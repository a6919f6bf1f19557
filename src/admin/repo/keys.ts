import { type SQL, sql } from 'drizzle-orm';
import { KEY_COLUMNS, KEY_STATUS, keyEvent } from '../../api-keys/repo/keys.ts';
import type { ApiKey } from '../../api-keys/schemas.ts';
import { type Actor, audited } from '../../db/audit.ts';
import type { Database } from '../../db/client.ts';
import { apiKeys, profiles } from '../../db/schema/accounts.ts';
import type { KeyQuery } from '../queries.ts';
import type { KeyChange } from '../schemas.ts';
import { type Listed, pageOf } from './page.ts';

/** Keys of all users, newest first. */
export function listAllKeys(db: Database, query: KeyQuery): Promise<Listed<ApiKey>> {
  return pageOf(db, query, {
    fields: KEY_COLUMNS,
    from: sql`${apiKeys} k join ${profiles} p on p.id = k.user_id`,
    where: {
      user_id: (it) => sql`k.user_id = ${it}`,
      prefix: (it) => sql`k.prefix = ${it}`,
      status: (it) => sql`${KEY_STATUS} = ${it}`,
      environment: (it) => sql`k.environment = ${it}`,
    },
    order: sql`k.created_at desc, k.id desc`,
  });
}

const TYPES: Readonly<Record<keyof KeyChange, SQL>> = {
  name: sql`text`,
  description: sql`text`,
  rate_limit_rpm: sql`int`,
  rate_limit_burst: sql`int`,
  expires_at: sql`timestamptz`,
};

/** Changes a key of any user, and gives the limit that its account has of its own; undefined where there is no such key. */
export async function updateAnyKey(
  db: Database,
  { id, change, actor }: { id: string; change: KeyChange; actor: Actor },
): Promise<{ key: ApiKey; accountRpm: number | null } | undefined> {
  const changes = Object.entries(TYPES).flatMap(([column, type]) => {
    const value = change[column as keyof KeyChange];
    return value === undefined ? [] : [sql`${sql.identifier(column)} = ${value}::${type}`];
  });
  const [row] = await db.rows<ApiKey & { account_rpm: number | null }>(sql`with k as (
        update ${apiKeys} set ${sql.join([...changes, sql`updated_at = now()`], sql`, `)} where id = ${id} returning *
      ), audit as (${audited(actor, keyEvent('updated', sql`k`, sql`${JSON.stringify(change)}::jsonb`))})
      select ${KEY_COLUMNS}, p.account_rpm from k join ${profiles} p on p.id = k.user_id`);
  if (!row) return undefined;
  const { account_rpm: accountRpm, ...key } = row;
  return { key, accountRpm };
}
