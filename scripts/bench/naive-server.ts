import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';

const COLLECTION = `
  select json_build_object('type', 'FeatureCollection', 'features', json_agg(json_build_object(
    'type', 'Feature', 'id', a.code, 'geometry', ST_AsGeoJSON(b.geom)::json,
    'properties', json_build_object('code', a.code, 'name', a.name, 'r_code', a.r_code)) order by a.code)) as answer
  from areas a join active_release r on r.release_id = a.release_id
  join boundaries b on b.release_id = a.release_id and b.level = a.level and b.code = a.code and b.resolution = $2::resolution
  where a.level = $1::area_level`;

const FEATURE = `
  select json_build_object('type', 'Feature', 'id', a.code, 'geometry', ST_AsGeoJSON(b.geom)::json,
    'properties', json_build_object('code', a.code, 'name', a.name, 'r_code', a.r_code)) as answer
  from areas a join active_release r on r.release_id = a.release_id
  join boundaries b on b.release_id = a.release_id and b.level = a.level and b.code = a.code and b.resolution = $2::resolution
  where a.level = $1::area_level and a.code = $3`;

/**
 * Starts the service as one would first write it, to compare with: the database makes GeoJSON for every request, the
 * driver parses it, and it is written again. Paths are `/{level}/{resolution}` and `/{level}/{resolution}/{code}`.
 */
export async function startNaiveServer(pool: pg.Pool): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const [, level, resolution, code] = (request.url ?? '').split('/');
    try {
      const { rows } = await pool.query(
        code ? FEATURE : COLLECTION,
        code ? [level, resolution, code] : [level, resolution],
      );
      response.writeHead(200, { 'Content-Type': 'application/geo+json' }).end(JSON.stringify(rows[0].answer));
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
