import { sql } from 'drizzle-orm';
import { type Database, rowsOf } from '../../db/client.ts';
import type { DataSource } from '../../db/columns.ts';
import { activeVersion } from '../../db/releases.ts';
import { dataReleases } from '../../db/schema/geography.ts';
import type { AreaStore, BoundarySet } from '../store.ts';
import { releaseTables } from './fragments.ts';
import { noRelease, read } from './rows.ts';

/** What is served and where it comes from. */
export function releases(db: Database): Pick<AreaStore, 'activeVersion' | 'sources'> {
  return {
    activeVersion: async () => {
      const [row] = await rowsOf<{ version: string | null }>(db, sql`select ${activeVersion} as version`);
      if (!row?.version) throw noRelease();
      return row.version;
    },

    sources: ({ knownVersions }) => {
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
