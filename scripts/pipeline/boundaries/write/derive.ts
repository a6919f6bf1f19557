import type pg from 'pg';
import type { AreaLevel } from '../../psgc/area.ts';
import { GRID, geometryOf } from './geometry-sql.ts';

/** The levels that points are looked up in. */
const LOOKUP_LEVELS: readonly AreaLevel[] = ['region', 'province', 'municity', 'barangay'];

/** Max vertices of a piece: few enough for a quick test, many enough that pieces don't multiply the rows. */
const PIECE_VERTICES = 128;

/** Bytes of GeoJSON whose geometries one statement divides into pieces. */
const CHUNK_BYTES = 4_000_000;

/**
 * Degrees, about eleven metres. Areas that are this close count as touching. Borders of neighbours that were simplified
 * in different files don't coincide: in places they overlap, in places there is a gap. Channels and streets are wider.
 */
const TOUCHING = 0.0001;

/**
 * Derives from the boundaries what requests need: centres, extents, the pieces in which points are looked up, and
 * neighbours. The boundaries of all levels must be written, at all resolutions.
 * @param onProgress called with 0 to 1
 */
export async function deriveFromBoundaries(
  client: pg.ClientBase,
  releaseId: string,
  onProgress?: (fraction: number) => void,
): Promise<void> {
  await placeAreas(client, releaseId);
  onProgress?.(0.1);
  await cutPieces(client, releaseId, (fraction) => onProgress?.(0.1 + 0.7 * fraction));
  await client.query('analyze boundary_pieces');
  for (const [i, level] of LOOKUP_LEVELS.entries()) {
    await findNeighbors(client, releaseId, { level, shapes: 'boundary_pieces' });
    onProgress?.(0.8 + (0.2 * (i + 1)) / LOOKUP_LEVELS.length);
  }
  // Points are not looked up in sub-municipalities, which have no pieces; there are only fourteen.
  await findNeighbors(client, releaseId, { level: 'submunicipality', shapes: 'detailed_boundaries' });
}

/**
 * Writes the centre and the extent of each area, with six decimals. The centre is the centroid of the largest part of
 * the detailed boundary. Where that lies outside of this part (the centroid of a crescent lies in its bay), or outside of
 * the boundary of a coarser resolution, it is a point that lies inside of all three. The extent contains the boundaries
 * of all resolutions.
 */
async function placeAreas(client: pg.ClientBase, releaseId: string): Promise<void> {
  await client.query(
    `with extents as (
       select level, code, min(st_xmin(geom)) as west, min(st_ymin(geom)) as south,
         max(st_xmax(geom)) as east, max(st_ymax(geom)) as north
       from boundaries where release_id = $1 group by level, code
     ), parts as materialized (
       select distinct on (level, code) level, code, part.geom
       from boundaries, st_dump(geom) part
       where release_id = $1 and resolution = 'detailed' order by level, code, st_area(part.geom) desc
     ), centroids as materialized (
       select level, code, parts.geom, medium.geom as medium, simple.geom as simple,
         st_snaptogrid(st_centroid(parts.geom), 0.000001) as centroid
       from parts
       join boundaries medium using (level, code) join boundaries simple using (level, code)
       where medium.release_id = $1 and medium.resolution = 'medium'
         and simple.release_id = $1 and simple.resolution = 'simple'
     ), placed as materialized (
       select *, st_intersects(geom, centroid) and st_intersects(medium, centroid) and st_intersects(simple, centroid) as good
       from centroids
     ), centres as materialized (
       select level, code, centroid as centre from placed where good
       union all
       select level, code, coalesce(${pointOnSurface(sharedBy(sharedBy('geom', 'simple'), 'medium'))}, ${pointOnSurface('geom')})
       from placed where not good
     )
     update areas
     set lon = round(st_x(centre)::numeric, 6), lat = round(st_y(centre)::numeric, 6),
       bbox = array[west, south, east, north]
     from extents join centres using (level, code)
     where areas.release_id = $1 and areas.level = extents.level and areas.code = extents.code`,
    [releaseId],
  );
}

/** SQL: what two geometries have in common, without the lines along which they only touch: GEOS takes no mixture. */
function sharedBy(one: string, other: string): string {
  return `st_collectionextract(st_intersection(${one}, ${other}, ${GRID}), 3)`;
}

/** SQL: a point well inside the largest polygon of a geometry; null if it has none. */
function pointOnSurface(geometry: string): string {
  return `(
    select st_pointonsurface(part.geom) from st_dump(${geometry}) part
    order by st_area(part.geom) desc limit 1
  )`;
}

/** Divides the detailed boundaries of the levels that points are looked up in. */
export async function cutPieces(client: pg.ClientBase, releaseId: string, onProgress: (fraction: number) => void) {
  const { rows } = await client.query<{ level: AreaLevel; code: string; bytes: number }>(
    `select level, code, bytes from boundaries
     where release_id = $1 and resolution = 'detailed' and level = any ($2::area_level[]) order by level, code`,
    [releaseId, LOOKUP_LEVELS],
  );
  const total = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  for (let start = 0, end = 0; start < rows.length; start = end) {
    let bytes = 0;
    const level = rows[start]?.level;
    while (rows[end]?.level === level && (end === start || bytes + (rows[end]?.bytes ?? 0) <= CHUNK_BYTES)) {
      bytes += rows[end]?.bytes ?? 0;
      end++;
    }
    await client.query(
      `insert into boundary_pieces (release_id, level, code, geom)
       select release_id, level, code, st_subdivide(coalesce(geom, ${geometryOf('geojson')}), $4) from boundaries
       where release_id = $1 and level = $2 and resolution = 'detailed' and code = any ($3::text[])`,
      [releaseId, level, rows.slice(start, end).map(({ code }) => code), PIECE_VERTICES],
    );
    done += bytes;
    onProgress(done / total);
  }
}

/** Finds the neighbours of each area of a level. Each pair is found once and written in both directions. */
async function findNeighbors(
  client: pg.ClientBase,
  releaseId: string,
  { level, shapes }: { level: AreaLevel; shapes: 'boundary_pieces' | 'detailed_boundaries' },
): Promise<void> {
  await client.query(
    `with detailed_boundaries as (
       select * from boundaries where release_id = $1 and level = $2 and resolution = 'detailed'
     ), pairs as (
       select distinct a.code, b.code as neighbor
       from ${shapes} a join ${shapes} b
         on b.release_id = a.release_id and b.level = a.level and b.code > a.code
         and st_dwithin(a.geom, b.geom, ${TOUCHING})
       where a.release_id = $1 and a.level = $2
     )
     insert into area_neighbors (release_id, level, code, neighbor)
     select $1, $2::area_level, code, neighbor from pairs
     union all
     select $1, $2::area_level, neighbor, code from pairs`,
    [releaseId, level],
  );
}
