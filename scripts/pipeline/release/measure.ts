import type pg from 'pg';
import { MAX_DIFFERENCE } from '../data/release.ts';

/** How many areas one statement measures. */
const BATCH = 4000;

/**
 * Writes the size of each area on the WGS 84 ellipsoid, from its detailed boundary, and how densely it is inhabited. A
 * province is drawn with the cities of its region that it hosts. The residents of highly urbanised ones are not counted as
 * its own: for its density their land is taken off. An area has no density whose residents were counted before it lost or won
 * land: its barangays add up to another number.
 */
export async function measureAreas(client: pg.ClientBase, releaseId: string): Promise<void> {
  const { rows } = await client.query<{ id: number }>(
    'select id from areas where release_id = $1 and lon is not null order by id',
    [releaseId],
  );
  for (let start = 0; start < rows.length; start += BATCH) {
    await client.query(
      `update areas set area_km2 = round((st_area(b.geom::geography) / 1000000)::numeric, 5)
       from boundaries b
       where areas.id = any ($2::int[]) and b.release_id = $1 and b.level = areas.level and b.code = areas.code
         and b.resolution = 'detailed'`,
      [releaseId, rows.slice(start, start + BATCH).map(({ id }) => id)],
    );
  }
  await client.query(
    `with municities as (
       select a.*, host.code as host_code from areas a
       left join areas host on host.release_id = $1 and host.code = a.host_province_code and host.r_code = a.r_code
       where a.release_id = $1 and a.level = 'municity'
     ), hosted as (
       select host_code as code, sum(area_km2) as km2 from municities where city_class = 'HUC' group by host_code
     ), land as (
       select a.id, a.area_km2 - coalesce(hosted.km2, 0) as km2 from areas a
       left join hosted on hosted.code = a.code where a.release_id = $1
     ), barangays as (
       select m_code as code, sum(population) as population, bool_or(population is null) as is_partial
       from areas where release_id = $1 and level = 'barangay' group by m_code
     ), counted as (
       select m.*, case when b.population > 0 and not b.is_partial then b.population
         else greatest(b.population, m.population) end as people
       from municities m left join barangays b on b.code = m.code
     ), parts as (
       select code, people from counted
       union all
       select coalesce(p_code, host_code), sum(people) from counted
       where p_code is not null or city_class is distinct from 'HUC' group by 1
       union all
       select r_code, sum(people) from counted group by 1
     )
     update areas set density_km2 = round((population / land.km2)::numeric, 2)
     from land where areas.id = land.id and land.km2 > 0 and population is not null and not exists (
       select from parts where parts.code = areas.code and parts.people > 0
         and abs(parts.people - areas.population) > $2::float8 * areas.population)`,
    [releaseId, MAX_DIFFERENCE],
  );
}
