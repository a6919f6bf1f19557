import type pg from 'pg';
import type { LevelPlan } from '../plan/level-plan.ts';
import { GRID, geometryOf, SLIVER, snapped, withoutSlivers } from './geometry-sql.ts';

/** How many parents one statement dissolves. */
const BATCH = 40;

/**
 * The union is computed on the grid on which boundaries are stored, which never fails. Without a grid, GEOS throws an
 * exception and tries again when borders cross too closely; in the embedded database such an exception ends the
 * statement halfway and without an error.
 */
const INSERT = `
  with united as materialized (
    select pairs.parent as code, st_union(part.geom, ${GRID}) as geom
    from unnest($3::text[], $4::area_level[], $5::text[]) as pairs (parent, level, code)
    join boundaries part on part.release_id = $1 and part.resolution = 'detailed'
      and part.level = pairs.level and part.code = pairs.code
    group by pairs.parent
  ), closed as materialized (
    select code, ${withoutSlivers('geom', '$6')} as geom from united
  ), dissolved as materialized (
    select code, ${snapped('geom')} as text from closed
  )
  insert into boundaries (release_id, level, resolution, code, geojson, bytes, geom)
  select $1, $2, 'detailed', code, text, octet_length(text), ${geometryOf('text')} from dissolved where text is not null`;

/**
 * Writes the detailed boundaries that the plan of a level says to dissolve. Those of their children must be written.
 */
export async function dissolveBoundaries(
  client: pg.ClientBase,
  releaseId: string,
  { level, dissolve: parents }: LevelPlan,
): Promise<void> {
  for (let start = 0; start < parents.length; start += BATCH) {
    const pairs = parents
      .slice(start, start + BATCH)
      .flatMap(({ area, children }) => children.map((child) => [area.code, child.level, child.code]));
    const columns = [0, 1, 2].map((column) => pairs.map((pair) => pair[column]));
    await client.query(INSERT, [releaseId, level, ...columns, SLIVER]);
  }
}
