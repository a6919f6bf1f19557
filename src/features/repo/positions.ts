import { sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { datasetVersions, features } from '../../db/schema/datasets.ts';
import { DomainError } from '../../errors.ts';
import { GEOMETRY_TYPES } from '../../geojson/geometry.ts';
import type { Contents } from '../feature.ts';

/** How many features one statement reads: some 800 kB of text. */
const PAGE_FEATURES = 20_000;

/** Longitude and latitude, degrees. */
type Position = readonly [number, number];

/** A page of the features of a dataset. */
interface PositionPage {
  /** Of those that are points. */
  readonly positions: readonly Position[];
  /** How many features it has, points or not. */
  readonly count: number;
}

/**
 * The positions of the points of a dataset, page by page. Nothing else of its features is read.
 *
 * @throws DomainError `dataset_not_found` where contents are gone: they were deleted, or replaced long ago
 */
export async function* positionPages(db: Database, { versionId }: Contents): AsyncGenerator<PositionPage> {
  for (let seq: string | null = '0'; seq !== null; ) {
    const [row]: { isThere: boolean; text: string | null; count: number; seq: string | null }[] =
      await db.rows(sql`with f as (
          select seq, type, geom from ${features} where version_id = ${versionId} and seq > ${seq}::bigint
          order by seq limit ${PAGE_FEATURES}
        )
        select exists (select from ${datasetVersions} where id = ${versionId} and state in ('current', 'retired')) as "isThere",
          string_agg(st_x(geom) || ' ' || st_y(geom), ',') filter (
            where type = ${GEOMETRY_TYPES.indexOf('Point')}::smallint and not st_isempty(geom)
          ) as text, count(*)::int as count, max(seq)::text as seq
        from f`);
    if (!row?.isThere) {
      throw new DomainError('dataset_not_found', 'A dataset was deleted or replaced while its features were read.');
    }
    db.deadline.partDone();
    const texts = row.text === null ? [] : row.text.split(',');
    yield { positions: texts.map((text) => text.split(' ').map(Number) as unknown as Position), count: row.count };
    seq = row.count < PAGE_FEATURES ? null : row.seq;
  }
}
