import type pg from 'pg';
import type { Resolution } from './feature.ts';
import type { LevelPlan } from './plan.ts';
import { GRID, geometryOf, settled } from './settle.ts';

/**
 * Degrees. Neighbours that were simplified in different files don't share their border, and a union of them has
 * slivers along it. A hole of a union is taken for one when it is narrower than this (twice its area by its perimeter):
 * some metres, tens of metres and a few hundred, a fraction of what the resolution shows.
 */
const SLIVER: Readonly<Record<Resolution, number>> = { detailed: 0.00005, medium: 0.0003, simple: 0.0025 };

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
    select united.code, st_collect(
      st_makepolygon(st_exteriorring(polygon.geom), array(
        select st_exteriorring(ring.geom) from st_dumprings(polygon.geom) ring
        where ring.path[1] > 0 and 2 * st_area(ring.geom) >= $7 * st_perimeter(ring.geom)
      ))) as geom
    from united, st_dump(united.geom) polygon group by united.code
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
