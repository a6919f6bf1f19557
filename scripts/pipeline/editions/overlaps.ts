import type pg from 'pg';
import type { Edition } from './edition.ts';
import type { Overlap } from './pairs.ts';

/** Finds the barangays of two editions that have land in common, of some that are gone and some that are new. */
export async function findOverlaps(
  client: pg.ClientBase,
  { before, after, gone, made }: { before: Edition; after: Edition; gone: readonly string[]; made: readonly string[] },
): Promise<Overlap[]> {
  if (gone.length + made.length === 0) return [];
  const { rows } = await client.query<Overlap>(
    `select one.code as "from", other.code as "to",
       sum(st_area(st_collectionextract(st_intersection(one.geom, other.geom), 3)::geography)) / 1000000 as km2
     from boundary_pieces one join boundary_pieces other on st_intersects(one.geom, other.geom)
     where one.release_id = $1 and one.level = 'barangay' and other.release_id = $2 and other.level = 'barangay'
       and (one.code = any ($3::text[]) or other.code = any ($4::text[]))
     group by 1, 2`,
    [before.release, after.release, gone, made],
  );
  return rows;
}
