import type pg from 'pg';
import { GRID, geometryOf, SLIVER, snapped, withoutSlivers } from './geometry-sql.ts';

/** A barangay that the source draws in another city or municipality than the one to which it belongs. */
export interface MisplacedBarangay {
  code: string;
  name: string;
  /** Code of the city or municipality to which it belongs. */
  own: string;
  ownName: string;
  /** Code of the one in whose polygon it is drawn. */
  host: string;
  hostName: string;
  /** Whether its land may go to `own`: both belong to one province and region, and no barangay of the host is there. */
  movable: boolean;
}

/** The outcome for misplaced barangays. Each barangay is listed once, with one of its hosts. */
export interface Reassignment {
  /** Those for which their cities and municipalities were redrawn. */
  moved: MisplacedBarangay[];
  /** Those that are still drawn in another city or municipality. */
  left: MisplacedBarangay[];
}

/**
 * Finds misplaced barangays. A point inside a barangay stands for the whole of it, because borders of different files
 * never coincide, so that its polygon overlaps its neighbours' everywhere. Points are first looked for in the polygon
 * of their own city or municipality, so that only a handful must be looked for in all others. Polygons that were
 * dissolved from barangays are not looked at, because they contain these barangays in any case.
 */
const FIND = `
  with placed as materialized (
    select b.code, a.name, a.m_code as own, st_pointonsurface(b.geom) as point
    from boundaries b
    join areas a on a.release_id = b.release_id and a.level = b.level and a.code = b.code
    where b.release_id = $1 and b.level = 'barangay' and b.resolution = 'detailed'
  ), away as materialized (
    select * from placed where own = any ($2::text[]) or (
      select not st_intersects(m.geom, placed.point) from boundaries m
      where m.release_id = $1 and m.level = 'municity' and m.resolution = 'detailed' and m.code = placed.own
    )
  )
  select away.code, away.name, away.own, own.name as "ownName", m.code as host, host.name as "hostName",
    (own.r_code, own.p_code, own.host_province_code) is not distinct from
      (host.r_code, host.p_code, host.host_province_code)
    and not exists (
      select from areas a
      join boundaries b on b.release_id = $1 and b.level = a.level and b.resolution = 'detailed' and b.code = a.code
      where a.release_id = $1 and a.level = 'barangay' and a.m_code = m.code and st_intersects(b.geom, away.point)
    ) as movable,
    (select count(*) from placed) as drawn
  from away
  join boundaries m on m.release_id = $1 and m.level = 'municity' and m.resolution = 'detailed'
    and m.code <> away.own and st_intersects(m.geom, away.point)
  join areas own on own.release_id = $1 and own.level = 'municity' and own.code = away.own
  join areas host on host.release_id = $1 and host.level = 'municity' and host.code = m.code
  order by away.code, m.code`;

/**
 * How large a remaining piece may be that moves along, as a share of the area that moves from a city or municipality.
 */
const PIECE = 0.25;

/**
 * Redraws cities and municipalities. What one of them loses (`goes`) another one gains (`comes`), so that both together
 * cover the same area as before. Cutting out the barangays that move leaves small pieces of the host between them,
 * along rivers and where borders don't coincide. Pieces in which no barangay of the host lies move too.
 */
const REDRAW = `
  with drawn as materialized (
    select moves.*, b.geom from unnest($2::text[], $3::text[], $4::text[]) as moves (code, own, host)
    join boundaries b on b.release_id = $1 and b.level = 'barangay' and b.resolution = 'detailed' and b.code = moves.code
  ), old as materialized (
    select m.code, m.geom, (select st_union(geom, ${GRID}) from drawn where host = m.code) as goes
    from boundaries m
    where m.release_id = $1 and m.level = 'municity' and m.resolution = 'detailed'
      and m.code in (select own from drawn union select host from drawn)
  ), parts as materialized (
    select old.code, part.geom, not st_dwithin(part.geom, goes, ${GRID})
      or st_area(part.geom) >= ${PIECE} * st_area(goes) or exists (
        select from areas a
        join boundaries b on b.release_id = $1 and b.level = a.level and b.resolution = 'detailed' and b.code = a.code
        where a.release_id = $1 and a.level = 'barangay' and a.m_code = old.code
          and st_intersects(part.geom, st_pointonsurface(b.geom))
      ) as stays
    from old, st_dump(st_difference(old.geom, goes, ${GRID})) part where goes is not null
  ), comes as materialized (
    select own as code, st_union(geom, ${GRID}) as geom from (
      select own, st_collectionextract(st_intersection(drawn.geom, old.geom, ${GRID}), 3) as geom
      from drawn join old on old.code = drawn.host
      union all
      select (select own from drawn where host = parts.code order by st_distance(drawn.geom, parts.geom), own limit 1), geom
      from parts where not stays
    ) pieces group by own
  ), cut as materialized (
    select code, case when goes is null then geom
      else (select st_collect(geom) from parts where parts.code = old.code and stays) end as geom
    from old
  ), joined as materialized (
    select cut.code, case when comes.code is null then cut.geom
      else ${withoutSlivers(`coalesce(st_union(cut.geom, comes.geom, ${GRID}), comes.geom)`, '$5')} end as geom
    from cut left join comes using (code)
  ), redrawn as materialized (
    select code, ${snapped('geom')} as text from joined
  )
  update boundaries m set geojson = text, bytes = octet_length(text), geom = ${geometryOf('text')}
  from redrawn
  where text is not null and m.release_id = $1 and m.level = 'municity' and m.resolution = 'detailed' and m.code = redrawn.code`;

/** Max reassigned barangays, or one in a hundred. If there are more, the two levels don't fit at all. */
const MAX_REASSIGNED = 20;

/**
 * Redraws cities and municipalities so that every barangay lies in the one to which it belongs by its code. This is
 * needed where the source's two levels are of different editions. The detailed boundaries of both levels must be
 * written.
 *
 * @param dissolved codes of the cities and municipalities of which the source has no polygon
 */
export async function reassignBarangays(
  client: pg.ClientBase,
  releaseId: string,
  dissolved: readonly string[],
): Promise<Reassignment> {
  // No autovacuum sees rows of a transaction that is still open. Without this the planner would expect few of them.
  await client.query('analyze areas (release_id, level, code), boundaries (release_id, level, resolution, code)');
  const find = async () =>
    (await client.query<MisplacedBarangay & { drawn: string }>(FIND, [releaseId, dissolved])).rows;
  const misplaced = await find();
  const fits = eachOnce(misplaced).length <= Math.max(MAX_REASSIGNED, Number(misplaced[0]?.drawn) / 100);
  const fixed = new Set(misplaced.filter(({ movable }) => !movable).map(({ code }) => code));
  const moves = fits ? misplaced.filter(({ code }) => !fixed.has(code)) : [];
  if (moves.length === 0) return { moved: [], left: eachOnce(misplaced) };
  const columns = (['code', 'own', 'host'] as const).map((name) => moves.map((barangay) => barangay[name]));
  await client.query(REDRAW, [releaseId, ...columns, SLIVER]);
  const left = eachOnce(await find());
  const still = new Set(left.map(({ code }) => code));
  return { moved: eachOnce(moves).filter(({ code }) => !still.has(code)), left };
}

function eachOnce(misplaced: readonly MisplacedBarangay[]): MisplacedBarangay[] {
  return [...new Map(misplaced.map((barangay) => [barangay.code, barangay])).values()];
}
