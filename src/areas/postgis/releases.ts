import { sql } from 'drizzle-orm';
import { type Database, rowsOf } from '../../db/client.ts';
import type { DataSource } from '../../db/columns.ts';
import { activeVersion, RELEASE_VERSION } from '../../db/releases.ts';
import { dataReleases } from '../../db/schema/geography.ts';
import type { AreaStore, BoundarySet } from '../store.ts';
import { releaseTables } from './fragments.ts';
import { noRelease, read } from './rows.ts';

/** The version of the active release; undefined before the first load. */
export async function findActiveVersion(db: Database): Promise<string | undefined> {
  const [row] = await rowsOf<{ version: string | null }>(db, sql`select ${activeVersion} as version`);
  return row?.version ?? undefined;
}

/** The versions of all releases that are loaded. */
export async function listVersions(db: Database): Promise<string[]> {
  const rows = await rowsOf<{ version: string }>(db, sql`select ${RELEASE_VERSION} as version from ${dataReleases} r`);
  return rows.map(({ version }) => version);
}

/** What is served and where it comes from. */
export function releases(db: Database): Pick<AreaStore, 'activeVersion' | 'listSources'> {
  return {
    activeVersion: async () => {
      const version = await findActiveVersion(db);
      if (version === undefined) throw noRelease();
      return version;
    },

    listSources: ({ knownVersions }) => {
      const statement = sql`with ${releaseTables(knownVersions)}
        select release.id as release, release.version, release.known, r.edition, r.boundary_set, r.sources
        from release join ${dataReleases} r on r.id = release.id`;
      type Row = { edition: string; boundary_set: BoundarySet; sources: DataSource[] };
      return read<Row, { edition: string; boundarySet: BoundarySet; sources: DataSource[] }>(
        db,
        statement,
        ([row]) => ({
          edition: row?.edition ?? '',
          boundarySet: row?.boundary_set ?? 'none',
          sources: row?.sources ?? [],
        }),
      );
    },
  };
}
