import { type SQL, sql } from 'drizzle-orm';
import { type Actor, audited } from './audit.ts';
import { releaseNotified } from './notifications.ts';
import { auditLogs } from './schema/audit.ts';
import { activeRelease, dataReleases } from './schema/geography.ts';

// Scripts import this file. So it must not import the client, which changes the driver's settings for the whole process.

/**
 * What distinguishes one load of a release from every other: its id, which a new database can have again, and when it was
 * loaded; behind an `r`, when former names were added to it, as loads of earlier builds were. Copies and validators of answers name this text; people are shown the id.
 * Reads a row `r` of releases.
 */
export const RELEASE_VERSION_TEXT = `r.id || '-' || to_hex((extract(epoch from r.created_at) * 1000000)::bigint)
  || coalesce('r' || to_hex((extract(epoch from r.revised_at) * 1000000)::bigint), '')`;

/** The same, as a part of a statement. */
export const RELEASE_VERSION = sql.raw(RELEASE_VERSION_TEXT);

/** The id of the edition of a row of releases: the id of a release is that of its edition, and a number. */
export function editionOfRelease(row: string): SQL {
  return sql.raw(String.raw`regexp_replace(${row}.id, '-\d+$', '')`);
}

/** The version of the active release, as a scalar; null before the first load. */
export const activeVersion = sql`(select ${RELEASE_VERSION} from ${activeRelease} active
  join ${dataReleases} r on r.id = active.release_id)`;

/**
 * Makes a release the one that is served, and writes its notifications for webhook endpoints. It is one statement, so readers see one
 * release or the other at any moment.
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
    )}), ${releaseNotified(sql`activated`, sql`(select release_id from ${activeRelease})`)}
    select checked, (select release_id from ${activeRelease}) as previous from candidate`;
}

/** The first key of the advisory locks on releases that are read in several statements; the second is the hash of the id. */
export const RELEASE_LOCK = 20_260_003;

/** How long requests may read the release that was active before, seconds: the TTL of the pointer, and a long answer. */
const GRACE_SECONDS = 60;

/** Why a release can't be deleted. */
export type ReleaseUse = 'active' | 'newest' | 'read';

/**
 * Deletes a release with everything that the database has of it, and gives `use`, which is null where it is deleted. Gives
 * no row where there is no such release, or where another session has deleted it meanwhile. Kept are the active release, the newest of each edition, the one that was active
 * until a minute ago, and one that a command reads.
 */
export function deletion(releaseId: string, actor: Actor): SQL {
  return sql`with candidate as (
      select r.id, r.edition, r.created_at, case
        when exists (select from ${activeRelease} where release_id = r.id) then 'active'
        when r.checked_at is not null and not exists (
          select from ${dataReleases} newer where ${editionOfRelease('newer')} = ${editionOfRelease('r')}
            and newer.checked_at is not null
            and (newer.created_at, newer.id) > (r.created_at, r.id)
        ) then 'newest'
        when exists (
          select from ${auditLogs} where action = 'release.activated' and details ->> 'previous' = r.id
            and at > now() - make_interval(secs => ${GRACE_SECONDS})
        ) then 'read'
        when not pg_try_advisory_xact_lock(${RELEASE_LOCK}, hashtext(r.id)) then 'read'
      end as use
      from ${dataReleases} r where r.id = ${releaseId}
    ), deleted as (
      delete from ${dataReleases} using candidate where ${dataReleases}.id = candidate.id and candidate.use is null
      returning candidate.id, candidate.edition, candidate.created_at
    ), audit as (${audited(
      actor,
      sql`select 'release.deleted' as action, 'release' as subject_type, id as subject_id,
        jsonb_build_object('edition', edition, 'created_at', created_at) as details from deleted`,
    )})
    select use from candidate where use is not null or exists (select from deleted)`;
}
