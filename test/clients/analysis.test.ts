import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import mapshaper from 'mapshaper';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { fetchAgain } from '../support/fetch-again.ts';

// GeoPandas judges what the service says about areas: its sjoin the counts of points, its distances the areas around a point, its
// overlay the shares in a polygon. It reads the files of the levels. .ci/clients installs it, see clients.test.ts.

const PYTHON = process.env.CLIENTS_PYTHON ?? 'python3';
const SCRIPT = fileURLToPath(new URL('analysis.py', import.meta.url));
const { address, masterToken } = inject('clientsService');
const HEADERS = { Authorization: `Bearer ${masterToken}`, 'Content-Type': 'application/json' };

const LEVELS = ['region', 'province', 'municity', 'barangay'] as const;
type Level = (typeof LEVELS)[number];

/** What GeoPandas finds at a level. */
interface Judged {
  readonly counts: Readonly<Record<string, number>>;
  /** Metres by code. */
  readonly distances: Readonly<Record<string, number>>;
  /** By code: the share of the area, and square kilometres. */
  readonly overlaps: Readonly<Record<string, readonly [number, number]>>;
  readonly polygon: number;
}

interface Found {
  readonly code: string;
  readonly count: number;
  readonly distance_m: number;
  readonly share_of_area: number;
  readonly share_of_polygon: number;
  readonly area_km2: number;
}

async function ask(path: string, body?: object): Promise<{ data: Found[]; meta: Record<string, number> }> {
  const init = body ? { method: 'POST', headers: HEADERS, body: JSON.stringify(body) } : { headers: HEADERS };
  const answer = await fetchAgain(`${address}${path}`, init);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json() as Promise<{ data: Found[]; meta: Record<string, number> }>;
}

/** Places all over the drawn country and the sea around it: the fractions of multiples of two irrational numbers. */
const POINTS = Array.from({ length: 3000 }, (_, i) => [
  116.5 + 11 * ((i * Math.SQRT2) % 1),
  5.5 + 13 * ((i * Math.sqrt(3)) % 1),
]);

let directory: string;
let dataset: string;
let polygon: object;
let centre: readonly [number, number];
const judged = {} as Record<Level, Judged>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-analysis-'));
  const cebu = await fetchAgain(`${address}/v1/municities/0730600000`);
  const { bbox } = ((await cebu.json()) as { data: { bbox: [number, number, number, number] } }).data;
  const [west, south, east, north] = bbox;
  centre = [east, south + (north - south) / 3];
  const [width, height] = [east - west, north - south];
  polygon = {
    type: 'Polygon',
    coordinates: [
      [
        [west - width / 3, south - height / 7],
        [east + 3 * width, south + height / 9],
        [east - width / 5, north + 2 * height],
        [west - width / 3, south - height / 7],
      ],
    ],
  };
  const features = POINTS.map((coordinates) => ({ geometry: { type: 'Point', coordinates } }));
  const made = (await ask('/v1/datasets', { name: 'Points', features })) as unknown as { data: { id: string } };
  dataset = made.data.id;
  const files = (await ask('/v1/downloads')).data as unknown as {
    id: string;
    level: string;
    resolution: string;
    format: string;
  }[];
  const download = async (level: Level, format: string) => {
    const file = files.find((it) => it.level === level && it.resolution === 'detailed' && it.format === format);
    const answer = await fetchAgain(`${address}/v1/downloads/${file?.id}`, { headers: HEADERS });
    const path = join(directory, `${level}.${format}`);
    await writeFile(path, new Uint8Array(await answer.arrayBuffer()));
    return path;
  };
  for (const level of LEVELS) judged[level] = await judge(await download(level, 'fgb'));
  await download('municity', 'geojson.gz');
});

afterAll(() => rm(directory, { recursive: true, force: true }));

async function judge(path: string): Promise<Judged> {
  const child = spawn(PYTHON, [SCRIPT, path], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify({ points: POINTS, centre, polygon }));
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

const countsOf = (data: readonly Found[]) => Object.fromEntries(data.map(({ code, count }) => [code, count]));

// Those of provinces are judged below: they have the cities that they host too, which are drawn outside of them here.
it.each(['region', 'municity', 'barangay'] as const)(
  'GeoPandas finds the same counts of points by %s',
  async (level) => {
    const { data, meta } = await ask(`/v1/datasets/${dataset}/counts?level=${level}`);
    expect(countsOf(data)).toEqual(judged[level].counts);
    expect(data.length).toBeGreaterThan(10);
    expect(meta.outside).toBeGreaterThan(100);
  },
);

interface Member {
  readonly code: string;
  readonly p_code: string | null;
  readonly host_province_code: string | null;
}

it('the counts by province are those that GeoPandas finds in the cities and municipalities of each', async () => {
  const municities: Member[] = [];
  const { data: regions } = await ask('/v1/regions?limit=100');
  for (const { code } of regions) {
    for (let page: number | null = 1; page !== null; ) {
      const { data, meta } = await ask(`/v1/municities?region=${code}&limit=100&page=${page}`);
      municities.push(...(data as unknown as Member[]));
      page = meta.next as number | null;
    }
  }
  const expected: Record<string, number> = {};
  for (const { code, p_code, host_province_code } of municities) {
    const [province, count] = [p_code ?? host_province_code, judged.municity.counts[code] ?? 0];
    if (province && count > 0) expected[province] = (expected[province] ?? 0) + count;
  }
  const { data } = await ask(`/v1/datasets/${dataset}/counts?level=province`);
  expect(countsOf(data)).toEqual(expected);
  expect(data.length).toBeGreaterThan(10);
});

it('mapshaper finds the same counts of points by municity', async () => {
  const areas = gunzipSync(await readFile(join(directory, 'municity.geojson.gz')));
  const features = POINTS.map((coordinates) => ({ type: 'Feature', geometry: { type: 'Point', coordinates } }));
  const command = "-i areas.json -join points.json calc='n = count()' -filter-fields code,n -o out.json format=json";
  const input = { 'areas.json': areas, 'points.json': JSON.stringify({ type: 'FeatureCollection', features }) };
  const { 'out.json': out } = await mapshaper.applyCommands(command, input);
  const rows = JSON.parse(String(out)) as { code: string; n: number | null }[];
  const counts = Object.fromEntries(rows.flatMap(({ code, n }) => (n ? [[code, n]] : [])));
  const { data } = await ask(`/v1/datasets/${dataset}/counts?level=municity`);
  expect(counts).toEqual(countsOf(data));
});

describe.each(LEVELS)('of the level %s GeoPandas finds', (level) => {
  it('the same areas around a point, as far away', async () => {
    const [lon, lat] = centre;
    const { distances } = judged[level];
    const radius = 60;
    const found: Found[] = [];
    for (let page: number | null = 1; page !== null; ) {
      const { data, meta } = await ask(
        `/v1/areas/within?lat=${lat}&lon=${lon}&radius_km=${radius}&level=${level}&limit=100&page=${page}`,
      );
      found.push(...data);
      page = meta.next as number | null;
    }
    // An area of a metre more or less is in or not.
    const within = Object.entries(distances).filter(([, metres]) => metres <= radius * 1000 - 5);
    for (const { code, distance_m } of found) {
      expect(Math.abs(distance_m - (distances[code] as number)), code).toBeLessThan(0.5 + distance_m * 1e-5);
    }
    expect(found.map(({ code }) => code)).toEqual(expect.arrayContaining(within.map(([code]) => code)));
    expect(found.length).toBeGreaterThan(0);
  });

  it('the same shares of areas and of the polygon', async () => {
    const { data, meta } = await ask('/v1/areas/covered', { geometry: polygon, level });
    const { overlaps, polygon: size } = judged[level];
    expect(Math.abs((meta.polygon_km2 as number) / size - 1)).toBeLessThan(1e-6);
    const large = data.filter(({ area_km2 }) => area_km2 > 1e-4);
    expect(large.map(({ code }) => code).sort()).toEqual(Object.keys(overlaps).sort());
    for (const { code, share_of_area, share_of_polygon, area_km2 } of large) {
      const [share, overlap] = overlaps[code] as readonly [number, number];
      expect(share_of_area, code).toBeCloseTo(share, 5);
      expect(area_km2, code).toBeCloseTo(overlap, 3);
      expect(share_of_polygon, code).toBeCloseTo(overlap / size, 5);
    }
  });
});
