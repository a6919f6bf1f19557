import pg from 'pg';

const POINTS = 20_000;
/** The most points of one request. */
const BATCH = 100;
const LEVELS = ['region', 'province', 'municity', 'barangay'] as const;

/**
 * A point on land with the codes of the areas that PostGIS finds, the lowest of each level; null where it finds none.
 */
type Truth = { lat: number; lon: number } & Record<(typeof LEVELS)[number], string | null>;
type Found = Record<(typeof LEVELS)[number] | 'host_province', { code: string } | null>;

/**
 * Looks up random points on land and compares the answers with what PostGIS finds in the whole detailed boundaries. The
 * service doesn't use these, but their pieces. The points are the same in every run.
 */
export async function comparePoints(worker: { url: string }, token: string, postgresUrl: string): Promise<void> {
  const truths = await randomPoints(postgresUrl);
  const differing = new Map<string, number>(LEVELS.map((level) => [level, 0]));
  const started = performance.now();
  for (let start = 0; start < truths.length; start += BATCH) {
    const batch = truths.slice(start, start + BATCH);
    const response = await fetch(`${worker.url}/v1/geocode/reverse`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ points: batch.map(({ lat, lon }) => ({ lat, lon })) }),
    });
    if (!response.ok) throw new Error(`Reverse geocoding answered ${response.status}`);
    const { data } = (await response.json()) as { data: Found[] };
    for (const [i, truth] of batch.entries()) {
      for (const level of LEVELS) {
        if (agrees(data[i], truth, level)) continue;
        differing.set(level, (differing.get(level) ?? 0) + 1);
      }
    }
  }
  const each = ((performance.now() - started) / truths.length) * BATCH;
  const counts = [...differing].map(([level, count]) => `${level} ${count}`).join(', ');
  console.log(`\n${truths.length} random points on land, ${each.toFixed(0)} ms per ${BATCH} of them`);
  console.log(`  other answers than PostGIS has of the whole boundaries: ${counts}`);
}

/** Whether an answer is right. Some provinces are drawn with the cities that they host, which belong to no province. */
function agrees(found: Found | undefined, truth: Truth, level: (typeof LEVELS)[number]): boolean {
  const code = found?.[level]?.code ?? null;
  if (code === truth[level]) return true;
  return level === 'province' && code === null && truth.province === found?.host_province?.code;
}

/** Makes the points. The database goes through the boundaries once, each for all points near it. */
async function randomPoints(postgresUrl: string): Promise<Truth[]> {
  const client = new pg.Client(postgresUrl);
  await client.connect();
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
      `with found as (
        select p.i, b.level, min(b.code) as code from boundaries b join points p on st_intersects(b.geom, p.geom)
        where b.release_id = (select release_id from active_release) and b.resolution = 'detailed'
          and b.level = any ($1::area_level[])
        group by p.i, b.level
      )
      select p.lat, p.lon, ${LEVELS.map((level) => `max(code) filter (where level = '${level}') as ${level}`).join(', ')}
      from points p join found using (i) group by p.i, p.lat, p.lon order by p.i limit ${POINTS}`,
      [LEVELS],
    );
    return rows;
  } finally {
    await client.query('rollback');
    await client.end();
  }
}
