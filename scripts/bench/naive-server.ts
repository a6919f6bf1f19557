import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';
import { boundaryGeometry } from './boundary-geometry.ts';

const RECORD = `json_build_object('code', a.code, 'name', a.name, 'r_code', a.r_code, 'p_code', a.p_code,
  'population', a.population, 'centroid', json_build_array(a.lon, a.lat), 'bbox', a.bbox)`;

const FEATURE = `json_build_object('type', 'Feature', 'id', a.code, 'geometry', ST_AsGeoJSON(${boundaryGeometry('b')})::json,
  'properties', json_build_object('code', a.code, 'name', a.name, 'r_code', a.r_code))`;

const COLLECTION = `json_build_object('type', 'FeatureCollection', 'features', json_agg(${FEATURE} order by a.code))`;

const ACTIVE = 'join active_release r on r.release_id = a.release_id';

/** The boundaries of areas, at the resolution that is the first parameter. */
const BOUNDARIES = `join boundaries b on b.release_id = a.release_id and b.level = a.level and b.code = a.code
  and b.resolution = $1::resolution`;

const PARENTS = 'a.code in (o.code, o.m_code, o.p_code, o.host_province_code, o.r_code)';

/** SQL by the first segment of a path. The other segments are the parameters. */
const QUESTIONS: Readonly<Record<string, string>> = {
  // /record/{level}/{code}
  record: `select ${RECORD} as answer from areas a ${ACTIVE} where a.level = $1::area_level and a.code = $2`,
  // /list/{level}/{limit}
  list: `select json_build_object('total', (select count(*) from areas a ${ACTIVE} where a.level = $1::area_level),
      'data', json_agg(${RECORD} order by a.code)) as answer
    from (select a.* from areas a ${ACTIVE} where a.level = $1::area_level order by a.code limit $2::int) a`,
  // /search/{level}/{text}
  search: `select json_agg(${RECORD} order by a.population desc nulls last) as answer
    from (select a.* from areas a ${ACTIVE} where a.level = $1::area_level and a.name_key like '%' || $2 || '%'
      order by a.population desc nulls last limit 20) a`,
  // /hierarchy/{code}
  hierarchy: `select json_agg(${RECORD} order by a.level) as answer from areas o
    join areas a on a.release_id = o.release_id and ${PARENTS} ${ACTIVE} where o.code = $1`,
  // /neighbors/{level}/{code}
  neighbors: `select json_agg(${RECORD} order by a.code) as answer from area_neighbors n
    join areas a on a.release_id = n.release_id and a.code = n.neighbor ${ACTIVE}
    where n.level = $1::area_level and n.code = $2`,
  // /batch/{level}/{codes with commas}
  batch: `select json_agg(${RECORD}) as answer from areas a ${ACTIVE}
    where a.level = $1::area_level and a.code = any(string_to_array($2, ','))`,
  // /points/{latitudes with commas}/{longitudes with commas}
  points: `select json_agg(found.areas order by found.ord) as answer from (
      select p.ord, (select json_agg(${RECORD} order by a.level) from areas o
        join areas a on a.release_id = o.release_id and ${PARENTS} ${ACTIVE}
        where o.code = (select piece.code from boundary_pieces piece join active_release r using (release_id)
          where piece.level = 'barangay' and st_intersects(piece.geom, st_setsrid(st_makepoint(p.lon, p.lat), 4326))
          limit 1)) as areas
      from unnest(string_to_array($1, ',')::float8[], string_to_array($2, ',')::float8[])
        with ordinality as p (lat, lon, ord)
    ) found`,
  // /collection/{resolution}/{level}
  collection: `select ${COLLECTION} as answer from areas a ${ACTIVE} ${BOUNDARIES} where a.level = $2::area_level`,
  // /items/{resolution}/{level}/{limit}
  items: `select ${COLLECTION} as answer from (select a.* from areas a ${ACTIVE} where a.level = $2::area_level
    order by a.code limit $3::int) a ${BOUNDARIES}`,
  // /named/{resolution}/{level}/{name}
  named: `select ${COLLECTION} as answer from areas a ${ACTIVE} ${BOUNDARIES} where a.level = $2::area_level and a.name = $3`,
  // /box/{resolution}/{level}/{west,south,east,north}
  box: `select ${COLLECTION} as answer from areas a ${ACTIVE} ${BOUNDARIES} where a.level = $2::area_level
    and a.bbox[1] <= (string_to_array($3, ','))[3]::float8 and a.bbox[2] <= (string_to_array($3, ','))[4]::float8
    and a.bbox[3] >= (string_to_array($3, ','))[1]::float8 and a.bbox[4] >= (string_to_array($3, ','))[2]::float8`,
  // /cities/{resolution}/{code of a province}
  cities: `select ${COLLECTION} as answer from areas a ${ACTIVE} ${BOUNDARIES}
    where a.level = 'municity' and (a.p_code = $2 or a.host_province_code = $2)`,
  // /feature/{resolution}/{level}/{code}
  feature: `select ${FEATURE} as answer from areas a ${ACTIVE} ${BOUNDARIES}
    where a.level = $2::area_level and a.code = $3`,
};

/**
 * Starts the service as one would first write it, to compare with: the database makes JSON for every request, the driver
 * parses it, and it is written again.
 */
export async function startNaiveServer(pool: pg.Pool): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const [, question = '', ...parameters] = decodeURIComponent(request.url ?? '').split('/');
    try {
      const { rows } = await pool.query(QUESTIONS[question] ?? '', parameters);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(rows[0].answer));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  // A long time, because a connection that is closed just when it is used again would fail a measured request.
  server.keepAliveTimeout = 600_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close').catch(() => undefined);
    },
  };
}
