import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { boundaryGeometry } from './boundary-geometry.ts';

/** The table that other servers of OGC API make features of, which the bench makes in the database. */
const [SCHEMA, TABLE] = ['bench_ogc', 'municities'];

/** How long a server may take to answer first, milliseconds. */
const START_MS = 60_000;

/**
 * Starts tipg, which makes features of tables, over a table of the cities and municipalities with their simple boundaries,
 * keyed and indexed as its users do it. It runs in as many processes as contenders have threads: one.
 *
 * @param python a Python in whose environment tipg and uvicorn are installed
 * @returns the origin of its collection's items
 */
export async function startTipg(
  client: pg.ClientBase,
  { python, postgresUrl }: { python: string; postgresUrl: string },
): Promise<{ items: string; close(): Promise<void> }> {
  await client.query(`
    drop schema if exists ${SCHEMA} cascade;
    create schema ${SCHEMA};
    create table ${SCHEMA}.${TABLE} as
      select a.code, a.name, a.type, a.city_class, a.r_code, a.p_code, a.population, a.area_km2, a.lon, a.lat,
        st_multi(${boundaryGeometry('b')})::geometry(MultiPolygon, 4326) as geom
      from areas a join active_release r on r.release_id = a.release_id
      join boundaries b on b.release_id = a.release_id and b.level = a.level and b.code = a.code and b.resolution = 'simple'
      where a.level = 'municity' order by a.code;
    alter table ${SCHEMA}.${TABLE} add primary key (code);
    create index on ${SCHEMA}.${TABLE} using gist (geom);
    create index on ${SCHEMA}.${TABLE} (name);
    analyze ${SCHEMA}.${TABLE}`);
  const port = await freePort();
  const env = {
    ...process.env,
    DATABASE_URL: postgresUrl,
    TIPG_DB_SCHEMAS: JSON.stringify([SCHEMA]),
    TIPG_MAX_FEATURES_PER_QUERY: '10000',
  };
  const uvicorn = ['-m', 'uvicorn', 'tipg.main:app', '--port', String(port), '--log-level', 'warning'];
  const server = spawn(python, uvicorn, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const items = `http://127.0.0.1:${port}/collections/${SCHEMA}.${TABLE}/items`;
  const close = async () => {
    if (server.exitCode === null && server.kill()) await once(server, 'exit');
    await client.query(`drop schema if exists ${SCHEMA} cascade`);
  };
  for (let waited = 0; ; waited += 250) {
    const answer = await fetch(`${items}?limit=1`).catch(() => undefined);
    if (answer?.ok) return { items, close };
    if (server.exitCode !== null || waited > START_MS) {
      await close();
      throw new Error(`tipg does not answer: ${answer ? await answer.text() : 'no connection'}`);
    }
    await setTimeout(250);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
