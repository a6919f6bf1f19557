import { sql } from 'drizzle-orm';
import type { Actor } from '../../db/audit.ts';
import type { Database } from '../../db/client.ts';
import { iso } from '../../db/columns.ts';
import { type LossRow, lossCounts, lossOf, type ReleaseLoss } from '../../db/release-loss.ts';
import { activation, deletion, RELEASE_VERSION, type ReleaseUse } from '../../db/releases.ts';
import { activeRelease, dataReleases } from '../../db/schema/geography.ts';
import type { ListedRelease } from '../schemas.ts';
import { type Listed, type Paging, pageOf } from './page.ts';

/** The releases that are loaded, newest first. */
export function listReleases(db: Database, page: Paging): Promise<Listed<ListedRelease>> {
  return pageOf(db, page, {
    fields: sql`r.id, r.edition, case when active.release_id is null then 'inactive' else 'active' end as status,
      r.boundary_set as boundaries, coalesce(r.report -> 'counts', '{}') as counts,
      ${iso(sql`r.checked_at`)} as checked_at, ${iso(sql`active.activated_at`)} as activated_at,
      ${iso(sql`r.created_at`)} as created_at`,
    from: sql`${dataReleases} r left join ${activeRelease} active on active.release_id = r.id`,
    order: sql`r.created_at desc, r.id desc`,
  });
}

/** What tells a load of a release from others; undefined where there is no release with this id. */
export async function findReleaseVersion(db: Database, id: string): Promise<string | undefined> {
  const [row] = await db.rows<{ version: string }>(
    sql`select ${RELEASE_VERSION} as version from ${dataReleases} r where r.id = ${id}`,
  );
  return row?.version;
}

/** What users would lose if a release took the place of the active one; undefined where that is nothing. */
export async function findReleaseLoss(db: Database, id: string): Promise<ReleaseLoss | undefined> {
  const [row] = await db.rows<LossRow>(lossCounts(id));
  return (row && lossOf(row)) ?? undefined;
}

/**
 * Makes a release the one that is served.
 *
 * @returns undefined where there is no release with this id; else `checked`, whether the checks of its load were
 * completed, without which nothing changes, and `previous`, the id of the release that was served until then
 */
export async function updateActiveRelease(
  db: Database,
  { id, actor }: { id: string; actor: Actor },
): Promise<{ checked: boolean; previous: string | null } | undefined> {
  const [row] = await db.rows<{ checked: boolean; previous: string | null }>(activation(id, actor));
  return row;
}

/**
 * Deletes a release that nobody uses, with everything that the database has of it.
 *
 * @returns undefined where there is no release with this id; else `use`, why it was not deleted, null where it was
 */
export async function deleteReleaseRows(
  db: Database,
  { id, actor }: { id: string; actor: Actor },
): Promise<{ use: ReleaseUse | null } | undefined> {
  const [row] = await db.rows<{ use: ReleaseUse | null }>(deletion(id, actor));
  return row;
}

/**
 * Updates the planner's statistics of the table of the active release. A table of one row never reaches autovacuum's
 * threshold. Without statistics the planner expects a thousand rows, and plans every join with it for as many releases.
 */
export async function analyzeActiveRelease(db: Database): Promise<void> {
  await db.rows(sql`analyze ${activeRelease}`);
}
