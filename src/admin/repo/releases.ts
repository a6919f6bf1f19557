import { sql } from 'drizzle-orm';
import type { Actor } from '../../db/audit.ts';
import { type Database, rowsOf } from '../../db/client.ts';
import { iso } from '../../db/columns.ts';
import { activation } from '../../db/releases.ts';
import { activeRelease, dataReleases } from '../../db/schema/geography.ts';
import type { ReleaseRecord } from '../records.ts';
import { type Listed, type Page, pageOf } from './page.ts';

/** Releases that are loaded, newest first. */
export function listReleases(db: Database, page: Page): Promise<Listed<ReleaseRecord>> {
  return pageOf(
    db,
    {
      fields: sql`r.id, r.edition, case when active.release_id is null then 'inactive' else 'active' end as status,
        r.boundary_set as boundaries, coalesce(r.report -> 'counts', '{}') as counts,
        ${iso(sql`r.checked_at`)} as checked_at, ${iso(sql`active.activated_at`)} as activated_at,
        ${iso(sql`r.created_at`)} as created_at`,
      from: sql`${dataReleases} r left join ${activeRelease} active on active.release_id = r.id`,
      where: [],
      order: sql`r.created_at desc, r.id desc`,
    },
    page,
  );
}

/**
 * Serves a release. Gives undefined where there is none with this id; else whether its checks were completed, without
 * which nothing changes, and the id of the release that was served until then.
 */
export async function activateRelease(
  db: Database,
  id: string,
  actor: Actor,
): Promise<{ checked: boolean; previous: string | null } | undefined> {
  const [row] = await rowsOf<{ checked: boolean; previous: string | null }>(db, activation(id, actor));
  return row;
}

/**
 * Has the database look at the table of the active release. One of a single row never reaches autovacuum's threshold,
 * and one that was never analyzed is taken for a thousand rows: everything joined to it is planned for as many releases.
 */
export async function countActiveReleases(db: Database): Promise<void> {
  await rowsOf(db, sql`analyze ${activeRelease}`);
}
