import type pg from 'pg';
import type { AreaLevel } from '../../psgc/area.ts';
import type { MultiPolygon, Polygon } from '../read/geometry.ts';
import { GRID } from './geometry-sql.ts';
import { collectionOf, cutPolygon, type PiecePolygon } from './pieces.ts';
import { detailedTexts } from './redraw.ts';

/** The levels that points are looked up in. */
const LOOKUP_LEVELS: readonly AreaLevel[] = ['region', 'province', 'municity', 'barangay'];

/** How many pieces one statement inserts, about: some four megabytes. */
const PIECES = 4000;

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
  await cutPieces(client, releaseId, {
    shapes: storedShapes(client, releaseId),
    total: await storedBytes(client, releaseId),
    onProgress: (fraction) => onProgress?.(0.1 + 0.7 * fraction),
  });
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

/** The detailed boundary of an area. */
export interface LookupShape {
  readonly level: AreaLevel;
  readonly code: string;
  /** Bytes of its text, by which the progress is measured. */
  readonly bytes: number;
  /** Makes its polygons, which are needed once. */
  polygons(): PiecePolygon[];
}

/** Whether points are looked up in areas of a level. */
export function isLookedUp(level: AreaLevel): boolean {
  return LOOKUP_LEVELS.includes(level);
}

/** The detailed boundaries of the levels that points are looked up in, from the database. */
async function* storedShapes(client: pg.ClientBase, releaseId: string): AsyncGenerator<LookupShape> {
  for (const level of LOOKUP_LEVELS) {
    for await (const { code, geojson } of detailedTexts(client, releaseId, level)) {
      yield { level, code, bytes: geojson.length, polygons: () => polygonsOf(geojson) };
    }
  }
}

function polygonsOf(geojson: string): PiecePolygon[] {
  const { type, coordinates } = JSON.parse(geojson) as Polygon | MultiPolygon;
  const polygons = type === 'Polygon' ? [coordinates] : coordinates;
  return polygons.map((rings) =>
    rings.map((positions) => positions.slice(0, -1).flatMap(([x, y]) => [Math.round(x * 1e6), Math.round(y * 1e6)])),
  );
}

/** Counts the bytes of the texts that `storedShapes` reads. */
async function storedBytes(client: pg.ClientBase, releaseId: string): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>(
    `select coalesce(sum(bytes), 0)::int as bytes from boundaries
     where release_id = $1 and resolution = 'detailed' and level = any ($2::area_level[])`,
    [releaseId, LOOKUP_LEVELS],
  );
  return rows[0]?.bytes ?? 0;
}

/**
 * Divides detailed boundaries, and writes the pieces.
 *
 * @param total the sum of their bytes
 * @param onProgress called with 0 to 1
 */
export async function cutPieces(
  client: pg.ClientBase,
  releaseId: string,
  {
    shapes,
    total,
    onProgress,
  }: {
    shapes: Iterable<LookupShape> | AsyncIterable<LookupShape>;
    total: number;
    onProgress: (fraction: number) => void;
  },
): Promise<void> {
  let pieces: PiecePolygon[] = [];
  let areas: { level: AreaLevel; code: string }[] = [];
  let done = 0;
  const flush = async () => {
    if (pieces.length === 0) return;
    await client.query(
      `insert into boundary_pieces (release_id, level, code, geom)
       select $1, level, code, st_setsrid(geom, 4326)
       from rows from (unnest($2::area_level[]), unnest($3::text[]), st_dump(st_geomfromwkb($4))) as it (level, code, path, geom)`,
      [releaseId, areas.map(({ level }) => level), areas.map(({ code }) => code), collectionOf(pieces)],
    );
    pieces = [];
    areas = [];
    onProgress(done / total);
  };
  for await (const { level, code, bytes, polygons } of shapes) {
    for (const polygon of polygons()) {
      for (const piece of cutPolygon(polygon)) {
        pieces.push(piece);
        areas.push({ level, code });
      }
      if (pieces.length >= PIECES) await flush();
    }
    done += bytes;
  }
  await flush();
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
