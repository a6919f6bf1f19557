import { sql } from 'drizzle-orm';
import { KEY_STATUS } from '../../api-keys/repo/keys.ts';
import type { Database } from '../../db/client.ts';
import { roughly } from '../../db/roughly.ts';
import { apiKeys, apiKeyUsage, profiles } from '../../db/schema/accounts.ts';
import { auditLogs } from '../../db/schema/audit.ts';
import { datasets } from '../../db/schema/datasets.ts';
import { activeRelease, dataReleases } from '../../db/schema/geography.ts';
import { organizationMembers, organizations } from '../../db/schema/organizations.ts';
import { webhookEvents } from '../../db/schema/webhooks.ts';
import type { Stats } from '../schemas.ts';

/** How much there is of everything, at one moment. Days are in UTC. */
export async function countEverything(db: Database): Promise<Stats> {
  return db.row<Stats>(
    sql`select
      (select json_build_object('active', count(*) filter (where deleted_at is null),
        'deleted', count(*) filter (where deleted_at is not null and erased_at is null), 'admins', count(*) filter (where is_admin))
        from ${profiles}) as users,
      json_build_object('active', (select count(*) from ${organizations} where deleted_at is null),
        'members', (select count(*) from ${organizationMembers} m
          join ${organizations} o on o.id = m.organization_id join ${profiles} p on p.id = m.user_id
          where m.removed_at is null and o.deleted_at is null and p.deleted_at is null)) as organizations,
      (select json_build_object('revoked', count(*) filter (where ${KEY_STATUS} = 'revoked'),
        'expired', count(*) filter (where ${KEY_STATUS} = 'expired'),
        'active', count(*) filter (where ${KEY_STATUS} = 'active'))
        from ${apiKeys} k) as api_keys,
      (select json_build_object('total', count(*), 'public', count(*) filter (where is_public),
        'features', coalesce(sum(feature_count), 0), 'bytes', coalesce(sum(coalesce(file_bytes, feature_bytes)), 0))
        from ${datasets}) as datasets,
      (select json_build_object('last_30_days', coalesce(sum(requests), 0),
        'today', coalesce(sum(requests) filter (where day = (now() at time zone 'UTC')::date), 0))
        from ${apiKeyUsage} where day > (now() at time zone 'UTC')::date - 30) as requests,
      json_build_object('total', ${roughly(webhookEvents)},
        'last_24_hours', (select count(*) from ${webhookEvents} where received_at > now() - interval '1 day'),
        'without_effect', (select count(*) from ${webhookEvents} where note is not null)) as webhook_events,
      json_build_object('total', ${roughly(auditLogs)}) as audit_logs,
      json_build_object('total', (select count(*) from ${dataReleases}),
        'active', (select release_id from ${activeRelease})) as releases`,
    'releases',
  );
}
