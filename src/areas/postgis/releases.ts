import { sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import type { DataSource } from '../../db/columns.ts';
import { activeVersion, editionOfRelease, RELEASE_VERSION } from '../../db/releases.ts';
import { activeRelease, dataReleases } from '../../db/schema/geography.ts';
import { compareEditions } from '../edition-id.ts';
import type { AreaStore, BoundarySet, ServedSources } from '../store.ts';
import { releaseTables } from './fragments.ts';
import { noRelease, read } from './rows.ts';

/**
 * The version of the active release; undefined before the first load.
 *
 * @param pinned the id of another release, whose version is requested
 */
export async function findActiveVersion(db: Database, pinned?: string): Promise<string | undefined> {
  if (pinned !== undefined) {
    const [release] = await db.rows<{ version: string }>(
      sql`select ${RELEASE_VERSION} as version from ${dataReleases} r where r.id = ${pinned}`,
    );
    return release?.version;
  }
  const [row] = await db.rows<{ version: string | null }>(sql`select ${activeVersion} as version`);
  return row?.version ?? undefined;
}

const EDITION_ID = editionOfRelease('r');

/** The versions of all releases that are loaded. */
export async function listVersions(db: Database): Promise<string[]> {
  const rows = await db.rows<{ version: string }>(sql`select ${RELEASE_VERSION} as version from ${dataReleases} r`);
  return rows.map(({ version }) => version);
}

/** An edition of the PSGC that is loaded, and the release of it that answers. */
export interface LoadedEdition {
  /** `2023-4q` */
  id: string;
  release: string;
  version: string;
  active: boolean;
  /** `2023-12-31`; null where the list doesn't say. */
  published: string | null;
  counts: Record<string, number>;
  boundary_set: BoundarySet;
}

interface EditionsOptions {
  /** Only releases of these versions, and the active one. */
  readonly versions?: readonly string[];
  /** Releases that answer for their edition although a newer one of it is loaded: those that are published. */
  readonly answering?: readonly string[];
}

/**
 * The editions that are loaded, the newest first. Of each the active release answers, else the one that is published, else
 * the newest one whose checks were completed.
 */
export async function listEditions(
  db: Database,
  { versions, answering = [] }: EditionsOptions = {},
): Promise<LoadedEdition[]> {
  const wanted = versions
    ? sql`and (${RELEASE_VERSION} = any(${sql.param(versions)}::text[]) or active.release_id is not null)`
    : sql``;
  const editions =
    await db.rows<LoadedEdition>(sql`select distinct on (${EDITION_ID}) ${EDITION_ID} as id, r.id as release, ${RELEASE_VERSION} as version,
          active.release_id is not null as active, r.published_on::text as published,
          coalesce(r.report -> 'counts', '{}') as counts, r.boundary_set
        from ${dataReleases} r left join ${activeRelease} active on active.release_id = r.id
        where r.checked_at is not null ${wanted}
        order by ${EDITION_ID}, active.release_id is not null desc, r.id = any(${sql.param(answering)}::text[]) desc,
          r.created_at desc, r.id desc`);
  return editions.sort((a, b) => compareEditions(b.id, a.id));
}

/** What is served and where it comes from. */
export function releases(db: Database, pinned?: string): Pick<AreaStore, 'activeVersion' | 'listSources'> {
  return {
    activeVersion: async () => {
      const version = await findActiveVersion(db, pinned);
      if (version === undefined) throw noRelease();
      return version;
    },

    listSources: ({ knownVersions }) => {
      const statement = sql`with ${releaseTables(knownVersions, pinned)}
        select release.id as release, release.version, release.known, r.edition, r.published_on::text, r.boundary_set, r.sources
        from release join ${dataReleases} r on r.id = release.id`;
      type Row = { edition: string; published_on: string | null; boundary_set: BoundarySet; sources: DataSource[] };
      return read<Row, ServedSources>(db, statement, ([row]) => ({
        edition: row.edition,
        publishedOn: row.published_on,
        boundarySet: row.boundary_set,
        sources: row.sources,
      }));
    },
  };
}
