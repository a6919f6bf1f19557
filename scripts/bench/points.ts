import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { boundaryGeometry } from './boundary-geometry.ts';
import { goalCells, printTable } from './table.ts';
import { MASTER, type MeasuredWorker } from './worker.ts';

const POINTS = 20_000;
/** Max points of one request. */
const BATCH = 100;
const LEVELS = ['region', 'province', 'municity', 'barangay'] as const;

/**
 * A point on land with the codes of the areas that PostGIS finds, the lowest of each level; null where it finds none.
 */
type Truth = { lat: number; lon: number } & Record<(typeof LEVELS)[number], string | null>;
type Found = Record<(typeof LEVELS)[number] | 'host_province', { code: string } | null>;

/** How many differing answers are printed. */
const SHOWN = 10;

interface Difference {
  level: (typeof LEVELS)[number];
  point: Truth;
  found: string | null;
}

/**
 * Looks up random points on land at all four levels and compares the answers with what PostGIS finds in the whole
 * detailed boundaries. The points are the same in every run. The results of PostGIS are cached in a directory, by the
 * release's version.
 */
export async function comparePoints(
  worker: MeasuredWorker,
  client: pg.ClientBase,
  { directory, version }: { directory: string; version: string },
): Promise<void> {
  const truths = await loadTruths(client, join(directory, `points-${version}.json`));
  const differences: Difference[] = [];
  const started = performance.now();
  for (let start = 0; start < truths.length; start += BATCH) {
    const batch = truths.slice(start, start + BATCH);
    const found = await locate(worker, batch);
    for (const [i, point] of batch.entries()) {
      for (const level of LEVELS) {
        if (agrees(found[i], point, level)) continue;
        differences.push({ level, point, found: found[i]?.[level]?.code ?? null });
      }
    }
  }
  const each = ((performance.now() - started) / truths.length) * BATCH;
  printTable(
    `${truths.length} random points on land, as PostGIS finds them in the detailed boundaries (${each.toFixed(1)} ms per ${BATCH})`,
    ['level', 'other answers', 'goal', ''],
    LEVELS.map((name) => {
      const count = differences.filter(({ level }) => level === name).length;
      return [name, String(count), ...goalCells('0', count === 0)];
    }),
  );
  for (const { level, point, found } of differences.slice(0, SHOWN)) {
    console.log(`  ${point.lat}, ${point.lon}: ${level} ${found}, PostGIS finds ${point[level]}`);
  }
}

async function locate({ url }: MeasuredWorker, points: readonly Truth[]): Promise<Found[]> {
  const response = await fetch(`${url}/v1/geocode/reverse`, {
    method: 'POST',
    headers: { ...MASTER, 'Content-Type': 'application/json' },
    body: JSON.stringify({ points: points.map(({ lat, lon }) => ({ lat, lon })) }),
  });
  if (!response.ok) throw new Error(`Reverse geocoding answered ${response.status}`);
  const { data } = (await response.json()) as { data: Found[] };
  return data;
}

/** Whether an answer is right. Some provinces are drawn with the cities that they host, which belong to no province. */
function agrees(found: Found | undefined, truth: Truth, level: (typeof LEVELS)[number]): boolean {
  const code = found?.[level]?.code ?? null;
  if (code === truth[level]) return true;
  return level === 'province' && code === null && truth.province === found?.host_province?.code;
}

/** The cached points of an earlier run, or new ones, which take PostGIS some minutes. */
async function loadTruths(client: pg.ClientBase, path: string): Promise<Truth[]> {
  const cached: Truth[] = JSON.parse(await readFile(path, 'utf8').catch(() => '[]'));
  if (cached.length > 0) return cached;
  const truths = await randomPoints(client);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(truths));
  return truths;
}

/**
 * Makes the points. The database goes through the boundaries once, each for all points near it.
 *
 * @throws Error if none lies in a boundary: answers would be compared with nothing
 */
async function randomPoints(client: pg.ClientBase): Promise<Truth[]> {
  try {
    await client.query('begin');
    await client.query('select setseed(0.42)');
    await client.query(`create temp table points on commit drop as
      select i, round(lon::numeric, 6)::float8 as lon, round(lat::numeric, 6)::float8 as lat,
        st_setsrid(st_point(round(lon::numeric, 6)::float8, round(lat::numeric, 6)::float8), 4326) as geom
      from (select i, 116.9 + random() * 9.8 as lon, 4.5 + random() * 16.7 as lat
        from generate_series(1, ${POINTS * 12}) i offset 0) anywhere`);
    await client.query('create index on points using gist (geom)');
    await client.query('analyze points');
    const { rows } = await client.query<Truth>(
      // Materialized, because a text would otherwise be read anew for every point near it.
      `with shapes as materialized (
        select b.level, b.code, ${boundaryGeometry('b')} as geom from boundaries b
        where b.release_id = (select release_id from active_release) and b.resolution = 'detailed'
          and b.level = any ($1::area_level[])
      ), found as (
        select p.i, s.level, min(s.code) as code from shapes s join points p on st_intersects(s.geom, p.geom)
        group by p.i, s.level
      )
      select p.lat, p.lon, ${LEVELS.map((level) => `max(code) filter (where level = '${level}') as ${level}`).join(', ')}
      from points p join found using (i) group by p.i, p.lat, p.lon order by p.i limit ${POINTS}`,
      [LEVELS],
    );
    if (rows.length === 0) throw new Error('No random point lies in a detailed boundary of the active release.');
    return rows;
  } finally {
    await client.query('rollback');
  }
}
