import { type SQL, sql } from 'drizzle-orm';
import { type Actor, audited } from './audit.ts';
import { activeRelease, dataReleases } from './schema/geography.ts';

/**
 * Makes a release the one that is served, in one statement: readers have one release or the other, at any moment. Gives
 * no row where there is no such release; else whether its checks were completed, without which nothing changes, and
 * `previous`, the id of the release that was served until then.
 */
export function activation(releaseId: string, actor: Actor): SQL {
  return sql`with candidate as (
      select id, checked_at is not null as checked from ${dataReleases} where id = ${releaseId}
    ), activated as (
      insert into ${activeRelease} as active (singleton, release_id, activated_at)
      select true, id, now() from candidate where checked
      on conflict (singleton) do update set release_id = excluded.release_id, activated_at = excluded.activated_at
      where active.release_id <> excluded.release_id
      returning release_id
    ), audit as (${audited(
      actor,
      sql`select 'release.activated' as action, 'release' as subject_type, release_id as subject_id,
        jsonb_build_object('previous', (select release_id from ${activeRelease})) as details from activated`,
    )})
    select checked, (select release_id from ${activeRelease}) as previous from candidate`;
}
