import { type SQL, sql } from 'drizzle-orm';
import { type Actor, audited } from './audit.ts';
import { activeRelease, dataReleases } from './schema/geography.ts';

// Scripts import this file. So it must not import the client, which changes the driver's settings for the whole process.

/**
 * What tells one load of a release from every other: its id, which a new database can have again, and when it was
 * loaded; behind an `r`, when former names were added to it, as loads of earlier builds were. Copies and validators of answers name this text; people are shown the id.
 * Reads a row `r` of releases.
 */
export const RELEASE_VERSION_TEXT = `r.id || '-' || to_hex((extract(epoch from r.created_at) * 1000000)::bigint)
  || coalesce('r' || to_hex((extract(epoch from r.revised_at) * 1000000)::bigint), '')`;

/** The same, as a part of a statement. */
export const RELEASE_VERSION = sql.raw(RELEASE_VERSION_TEXT);

/** The version of the active release, as a scalar; null before the first load. */
export const activeVersion = sql`(select ${RELEASE_VERSION} from ${activeRelease} active
  join ${dataReleases} r on r.id = active.release_id)`;

/**
 * Makes a release the one that is served. It is one statement, so readers see one release or the other at any moment.
 * Gives no row where there is no such release. Otherwise it gives `checked`, whether the checks of its load were
 * completed, without which nothing changes, and `previous`, the id of the release that was served until then.
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
