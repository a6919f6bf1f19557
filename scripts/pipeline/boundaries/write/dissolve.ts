import type pg from 'pg';
import type { LevelPlan } from '../plan/level-plan.ts';
import type { Resolution } from '../read/resolution.ts';
import { GRID, geometryOf, SLIVER, settled, withoutSlivers } from './geometry-sql.ts';

/** Parents that one statement dissolves. */
const BATCH = 40;

/**
 * The union is computed on the grid that boundaries are stored on, which never fails. Without one GEOS tries again by
 * exceptions when borders cross too closely, and those end a statement of the embedded database halfway and unsaid.
 */
const INSERT = `
  with united as materialized (
    select pairs.parent as code, st_union(part.geom, ${GRID}) as geom
    from unnest($4::text[], $5::area_level[], $6::text[]) as pairs (parent, level, code)
    join boundaries part on part.release_id = $1 and part.resolution = $3
      and part.level = pairs.level and part.code = pairs.code
    group by pairs.parent
  ), closed as materialized (
    select code, ${withoutSlivers('geom', '$7')} as geom from united
  ), dissolved as materialized (
    select code, ${settled('geom')} as text from closed
  )
  insert into boundaries (release_id, level, resolution, code, geojson, bytes, geom)
  select $1, $2, $3, code, text, octet_length(text), ${geometryOf('text')} from dissolved where text is not null`;

/** Writes the boundaries that a level's plan says to dissolve, at one resolution, at which the children's are written. */
export async function dissolve(
  client: pg.ClientBase,
  releaseId: string,
  { level, dissolve: parents }: LevelPlan,
  resolution: Resolution,
): Promise<void> {
  for (let start = 0; start < parents.length; start += BATCH) {
    const pairs = parents
      .slice(start, start + BATCH)
      .flatMap(({ area, children }) => children.map((child) => [area.code, child.level, child.code]));
    const columns = [0, 1, 2].map((column) => pairs.map((pair) => pair[column]));
    await client.query(INSERT, [releaseId, level, resolution, ...columns, SLIVER[resolution]]);
  }
}
