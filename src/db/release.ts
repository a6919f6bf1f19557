import { sql } from 'drizzle-orm';
import { activeRelease, dataReleases } from './schema/geography.ts';

/**
 * What tells one load of a release from every other: its id, which begins anew in a new database, and when it was
 * loaded. What was made from it is kept and validated under this text; people are told the id. Of a row `r` of releases.
 */
export const RELEASE_VERSION = sql.raw(`r.id || '-' || to_hex((extract(epoch from r.created_at) * 1000000)::bigint)`);

/** The version of the active release, as a scalar; null before the first load. */
export const activeVersion = sql`(select ${RELEASE_VERSION} from ${activeRelease} active
  join ${dataReleases} r on r.id = active.release_id)`;
