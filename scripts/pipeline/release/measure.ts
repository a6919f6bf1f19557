import type pg from 'pg';
import { MAX_DIFFERENCE } from '../data/release.ts';

/** How many areas one statement measures. */
const BATCH = 4000;

/**
 * Writes the size of each area on the WGS 84 ellipsoid, from its detailed boundary, and how densely it is inhabited. A
 * province is drawn with the cities of its region that it hosts. The residents of highly urbanised ones are not counted as
 * its own: for its density their land is taken off. A region whose residents were counted before it lost or won provinces has no
 * density.
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
    `with hosted as (
       select host.code, sum(city.area_km2) as km2 from areas city
       join areas host on host.release_id = $1 and host.code = city.host_province_code and host.r_code = city.r_code
       where city.release_id = $1 and city.city_class = 'HUC' group by host.code
     ), land as (
       select a.id, a.area_km2 - coalesce(hosted.km2, 0) as km2 from areas a
       left join hosted on hosted.code = a.code and a.level = 'province' where a.release_id = $1
     ), parts as (
       select r_code as code, sum(population) as population from areas
       where release_id = $1 and level = 'municity' group by r_code
     )
     update areas set density_km2 = round((population / land.km2)::numeric, 2)
     from land where areas.id = land.id and land.km2 > 0 and population is not null and not exists (
       select from parts where areas.level = 'region' and parts.code = areas.code and parts.population > 0
         and abs(parts.population / areas.population::float8 - 1) > $2)`,
    [releaseId, MAX_DIFFERENCE],
  );
}
