import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { areas, boundaries, boundaryPieces, dataReleases } from '../../db/schema/geography.ts';
import { locationOf, searchedLevel } from '../location.ts';
import type { Area, AreaStore, BoundarySet, Level, Location, Point } from '../store.ts';
import { joinBoundary, liveId, releaseTables, shownColumns, wholeRow } from './fragments.ts';
import { type AreaRow, areasIn, type Maybe, type NonEmpty, read } from './rows.ts';

interface PlaceRow {
  boundary_set: BoundarySet;
  ord: number;
  inside: Partial<Record<Level, string>> | null;
  near_code: string | null;
  near_distance: number | null;
}

/** A tenth of a micrometre, in degrees. */
const MIN_DEGREES = 1e-12;

/** Degrees as PostgreSQL can work with them: squares of very small numbers are errors there, and the smallest themselves. */
function normal(degrees: number): number {
  return Math.abs(degrees) < MIN_DEGREES ? 0 : degrees;
}

/** What lies where. */
export function places(db: Database, pinned?: string): Pick<AreaStore, 'reverseGeocode' | 'within'> {
  return {
    within: (point, options) => areasWithin(db, point, { ...options, pinned }),

    reverseGeocode: (points, { level, within, resolution, knownVersions }) => {
      // Whether a province is the parent or the host of a place is known from its city or municipality.
      const depth: Level = level === 'province' ? 'municity' : searchedLevel(level);
      const statement = sql`with ${releaseTables(knownVersions, pinned)}, input as (
          select ord, st_setsrid(st_makepoint(lon, lat), 4326) as point, lat, ${stretchAt(sql`lat`)} as stretch
          from unnest(${sql.param(points.map(({ lon }) => normal(lon)))}::float8[],
            ${sql.param(points.map(({ lat }) => normal(lat)))}::float8[])
            with ordinality as input (lon, lat, ord)
        ), inside as (
          select distinct on (input.ord, piece.level) input.ord, piece.level, piece.code
          from input join ${boundaryPieces} piece on st_intersects(piece.geom, input.point)
          where piece.release_id = ${liveId} and piece.level <= ${depth}
          order by input.ord, piece.level, piece.code
        ), deepest as (
          select distinct on (ord) ord, level, code from inside where level <= ${level} order by ord, level desc
        ), undrawn as materialized (
          select r_code, p_code, host_province_code, m_code from ${areas}
          where release_id = ${liveId} and level = ${depth} and lon is null and ${within}::float8 > 0
        ), near as (${within > 0 ? nearest(depth, within) : sql`select 0::bigint as ord, null as code, 0 as distance where false`}
        ), named as (
          select ord, code from inside union select ord, code from near
        ), family as (
          select distinct named.ord, relative.code from named
          join ${areas} a on a.release_id = ${liveId} and a.code = named.code
          cross join unnest(array[a.code, a.sm_code, a.m_code, a.p_code, a.host_province_code, a.r_code]) as relative (code)
          where relative.code is not null
        ), shown as (
          select family.ord, ${shownColumns} from family join ${areas} a on a.release_id = ${liveId} and a.code = family.code
          left join deepest on deepest.ord = family.ord
          left join ${boundaries} b on b.release_id = a.release_id and b.level = a.level
            and b.resolution = ${resolution ?? null}::resolution and b.code = a.code
            and (a.level = ${level} or a.code = deepest.code)
        )
        select release.id as release, release.version, release.known, input.ord, ${wholeRow},
          (select r.boundary_set from ${dataReleases} r where r.id = release.id) as boundary_set,
          (select json_object_agg(i.level, i.code) from inside i where i.ord = input.ord) as inside,
          near.code as near_code, near.distance as near_distance
        from release left join input on true left join near on near.ord = input.ord
        left join shown on shown.ord = input.ord
        order by input.ord`;
      return read<Maybe<AreaRow> & PlaceRow, { boundarySet: BoundarySet; locations: Location[] }>(
        db,
        statement,
        (rows) => {
          const at = Map.groupBy(rows, ({ ord }) => Number(ord));
          const locations = points.map((_, i) => locationAt(at.get(i + 1) ?? [], level));
          return { boundarySet: rows[0].boundary_set, locations };
        },
      );
    },
  };
}

type WithinOptions = Parameters<AreaStore['within']>[1] & { readonly pinned: string | undefined };

/** The areas of a level within some metres of a point, measured as the nearest one is. */
function areasWithin(
  db: Database,
  point: Point,
  { level, metres, page: { page, limit }, knownVersions, pinned }: WithinOptions,
): ReturnType<AreaStore['within']> {
  const shown = level === 'submunicipality' ? sql`a.sm_code` : sql`a.code`;
  const [piece, center] = [flat(sql`piece.geom`), flat(sql`input.point`)];
  const statement = sql`with ${releaseTables(knownVersions, pinned)}, given (lon, lat) as (
      values (${normal(point.lon)}::float8, ${normal(point.lat)}::float8)
    ), input as (
      select st_setsrid(st_makepoint(lon, lat), 4326) as point, lat, ${stretchAt(sql`lat`)} as stretch from given
    ), measured as (
      select distinct on (piece.code) piece.code, ${METRES} as distance from input
      join ${boundaryPieces} piece on piece.geom && ${boxAround(sql`${metres}::float8`)}
      where piece.release_id = ${liveId} and piece.level = ${searchedLevel(level)}
      order by piece.code, st_distance(${piece}, ${center})
    ), hits as (
      select ${shown} as code, round(min(distance)::numeric, 1) as distance from measured
      join ${areas} a on a.release_id = ${liveId} and a.code = measured.code
      where distance <= ${metres}::float8 and ${shown} is not null group by 1
    ), shown as (
      select ${shownColumns}, hits.distance from (
        select * from hits order by distance, code limit ${limit} offset ${(page - 1) * limit}
      ) hits join ${areas} a on a.release_id = ${liveId} and a.code = hits.code ${joinBoundary(undefined)}
    )
    select release.id as release, release.version, release.known, ${wholeRow}, shown.distance::float8 as distance,
      (select count(*)::int from hits) as total,
      (select r.boundary_set from ${dataReleases} r where r.id = release.id) as boundary_set
    from release left join shown on true order by shown.distance, shown.code`;
  type Row = Maybe<AreaRow> & { distance: number; total: number; boundary_set: BoundarySet };
  return read(db, statement, (rows: NonEmpty<Row>) => ({
    boundarySet: rows[0].boundary_set,
    total: rows[0].total,
    found: areasIn(rows).map((area, i) => ({ area, distance: rows[i]?.distance ?? 0 })),
  }));
}

/** A geometry in the plane of the requested latitude, in which degrees of longitude are as long as those of latitude. */
function flat(geometry: SQL): SQL {
  return sql`st_scale(${geometry}, input.stretch, 1)`;
}

/** Metres on the ellipsoid from `input` to the point of a piece that is nearest in the plane. */
const METRES = sql`st_distance(
  st_scale(st_closestpoint(${flat(sql`piece.geom`)}, ${flat(sql`input.point`)}), 1 / input.stretch, 1)::geography,
  input.point::geography)`;

/** Metres. Areas whose distances differ by less are equally far. */
const SAME = sql`0.000001`;

/**
 * Per point that no area of the level contains, the nearest one within some metres, and of areas equally far the one of
 * the lowest code. The first piece by the distance of its box in degrees bounds the search. By the distance of the piece
 * itself PostgreSQL fails now and then with "index returned tuples in wrong order", because that is rounded in another way.
 * Where boundaries of a coarser level contain the point only areas inside those are looked at, and none if one of these has
 * no boundary: the point may lie in it.
 *
 * Edges are straight in longitudes and latitudes (RFC 7946, 3.1.1). The nearest point of an area is looked for in the
 * plane of the requested latitude; how far it is, is measured on the ellipsoid. Edges of geographies are great circles, which
 * depend on how borders were cut into pieces.
 */
function nearest(level: Level, within: number) {
  const [piece, point] = [flat(sql`piece.geom`), flat(sql`input.point`)];
  const candidates = (radius: SQL) => sql`${boundaryPieces} piece
    join ${areas} a on a.release_id = piece.release_id and a.code = piece.code
    where piece.release_id = ${liveId} and piece.level = ${level} and piece.geom && ${boxAround(radius)}
      and (deepest.code is null or deepest.code in (a.m_code, a.p_code, a.host_province_code, a.r_code))`;
  const limit = sql`${within}::float8`;
  return sql`
    select input.ord, hit.code, hit.distance from input
    left join deepest on deepest.ord = input.ord
    cross join lateral (
      select least(${limit}, (select ${METRES} from ${candidates(limit)} order by piece.geom <#> input.point limit 1)) + 1 as metres
    ) bound
    cross join lateral (
      select code, distance from (
        select code, distance, min(distance) over () as least from (
          select distinct on (piece.code) piece.code, ${METRES} as distance from ${candidates(sql`bound.metres`)}
          order by piece.code, st_distance(${piece}, ${point})
        ) each where distance <= ${limit}
      ) hits where distance <= least + ${SAME} order by code limit 1
    ) hit
    where not exists (select from inside where inside.ord = input.ord and inside.level = ${level})
      and not exists (
        select from undrawn part
        where deepest.code in (part.m_code, part.p_code, part.host_province_code, part.r_code)
      )`;
}

/** The length of a degree of longitude in degrees of latitude, on the WGS 84 ellipsoid. */
function stretchAt(lat: SQL): SQL {
  return sql`cos(radians(${lat})) * (1 - 0.00669437999014 * sin(radians(${lat})) ^ 2) / (1 - 0.00669437999014)`;
}

/** A box that holds everything within some metres of `input`: a degree of latitude has 110,570 m or more. */
function boxAround(metres: SQL): SQL {
  return sql`st_expand(input.point, ${metres} / (110570 * cos(radians(input.lat))), ${metres} / 110570)`;
}

function locationAt(rows: (Maybe<AreaRow> & PlaceRow)[], level: Area['level']): Location {
  const found = new Map(areasIn(rows).map((area) => [area.code, area]));
  const [row] = rows;
  return locationOf(level, {
    inside: row?.inside ?? {},
    near: row?.near_code ?? null,
    distance: row?.near_distance ?? 0,
    areaWith: (code) => found.get(code) ?? null,
  });
}
