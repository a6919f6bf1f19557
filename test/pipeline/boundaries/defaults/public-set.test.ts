import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COMMIT, fetchPublicSet } from '../../../../scripts/pipeline/boundaries/defaults/public-set.ts';
import { explainGaps, listUnexplained } from '../../../../scripts/pipeline/boundaries/plan/missing.ts';
import { planBoundaries } from '../../../../scripts/pipeline/boundaries/plan/origins.ts';
import { findBoundaryFiles } from '../../../../scripts/pipeline/boundaries/read/files.ts';
import { readBoundarySource } from '../../../../scripts/pipeline/boundaries/read/source.ts';
import { type FoundPolygon, type Survey, surveyFiles } from '../../../../scripts/pipeline/boundaries/read/survey.ts';
import type { Area } from '../../../../scripts/pipeline/psgc/area.ts';
import { toRelease } from '../../../../scripts/pipeline/psgc/areas.ts';
import { readBuiltin } from '../../../../scripts/pipeline/psgc/builtin.ts';
import { PATIENCE_MS } from '../../../support/patience.ts';
import { collection, country, place, polygon } from '../country.ts';
import { servePublicSet } from './public-set-server.ts';

/** Barangays that every file of the set has without a geometry. */
const WITHOUT_GEOMETRY = [
  '0102910008',
  '0205008007',
  '0304903075',
  '0504117022',
  '0802614008',
  '1400104001',
  '1400106007',
  '1400106008',
];

const found = (area: Area): FoundPolygon => ({
  area,
  resolution: 'detailed',
  at: area.code,
  sourceCode: area.code,
  rekeyed: false,
});

const PATIENCE = { contactMs: PATIENCE_MS, silenceMs: PATIENCE_MS, retryMs: 10 };

let directory = '';
const closing: (() => unknown)[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-test-defaults-'));
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await rm(directory, { recursive: true });
});

async function serving(...args: Parameters<typeof servePublicSet>) {
  const server = await servePublicSet(...args);
  closing.push(server.close);
  return server;
}

describe('the public set', () => {
  const feature = (properties: Record<string, unknown>, i: number) => ({
    type: 'Feature',
    geometry: polygon(place(i)),
    properties: { ...properties, len_crs: 309785, area_crs: 3276945154 },
  });
  const province = { adm1_psgc: 100000000, adm2_psgc: 102800000, adm2_en: 'Ilocos Norte', geo_level: 'Prov' };
  const municity = { adm1_psgc: 100000000, adm2_psgc: 102800000, adm3_psgc: 102801000, geo_level: 'Mun' };
  const barangay = { ...municity, adm4_psgc: 102801001, adm4_en: 'Adams', geo_level: 'Bgy' };
  const topology = {
    type: 'Topology',
    arcs: [place(4)],
    objects: {
      'provdists-region-200000000': {
        type: 'GeometryCollection',
        geometries: [{ type: 'Polygon', arcs: [[0]], properties: { adm1_psgc: 200000000, adm2_psgc: 201500000 } }],
      },
    },
  };
  const NAMES = {
    region1: '2023/geojson/regions/hires/provdists-region-100000000.0.1.json',
    region2: '2023/topojson/regions/hires/provdists-region-200000000.topo.0.1.json',
    municities: '2023/geojson/provdists/medres/municities-provdist-102800000.0.01.json',
    barangays: '2023/geojson/municities/lowres/bgysubmuns-municity-102801000.0.001.json',
  };
  const FILES: Record<string, string> = {
    [NAMES.region1]: collection([feature(province, 0)]),
    [NAMES.region2]: JSON.stringify(topology),
    [NAMES.municities]: collection([feature(municity, 0)]),
    [NAMES.barangays]: collection([feature(barangay, 0)]),
    // Not to be fetched: a twin of one that is there, an empty shell, the country's regions, another kind of file.
    '2023/topojson/regions/hires/provdists-region-100000000.topo.0.1.json': 'x'.repeat(300),
    '2023/geojson/municities/hires/bgysubmuns-municity-1380600000.0.1.json': collection([]),
    '2023/geojson/country/lowres/country.0.001.json': collection([feature(province, 0)]),
    '2023/geojson/regions/README.md': 'x'.repeat(300),
  };

  it('is downloaded as files that are joined to their areas, with progress and its source', async () => {
    const server = await serving(COMMIT, FILES);
    const progress: [number, string][] = [];
    await fetchPublicSet(directory, { ...server, onProgress: (...it) => progress.push(it) });
    expect(server.asked.sort()).toEqual(Object.values(NAMES).sort());
    expect(progress.at(-1)).toEqual([1, expect.stringMatching(/^Downloading boundaries: \d\.\d of \d\.\d MB$/)]);

    const scratch = join(directory, 'scratch');
    const found = await surveyFiles(await findBoundaryFiles(directory), country(), { scratch });
    expect(found).toMatchObject({ problems: [], unknown: [], explained: [], empty: [] });
    const features = found.files.flatMap((file) => file.features).map((it) => [it?.area.code, it?.resolution]);
    expect(features.sort()).toEqual([
      ['0102800000', 'detailed'],
      ['0102801000', 'medium'],
      ['0102801001', 'simple'],
      ['0201500000', 'detailed'],
    ]);
    const { source } = await readBoundarySource(directory, directory);
    expect(source).toMatchObject({
      edition: '2023',
      licence: 'MIT; CC BY-IGO',
      attribution: expect.stringContaining('James Faeldon'),
    });
  });

  it('says what it lacks, so that points can be looked up in it for all that', async () => {
    const server = await serving(COMMIT, FILES);
    await fetchPublicSet(directory, server);
    const { gaps } = await readBoundarySource(directory, directory);

    // What its files hold at that commit, without the coordinates.
    const release = toRelease(await readBuiltin());
    const empty = release.areas.filter(({ code }) => WITHOUT_GEOMETRY.includes(code));
    const drawn = release.areas.filter(
      (area) => area.level !== 'region' && area.level !== 'submunicipality' && !area.smCode && !empty.includes(area),
    );
    const features = drawn.map((area) => found(area));
    const holds: Survey = {
      files: [{ file: { name: 'all', path: '', format: {} as never }, features }],
      empty: empty.map((area) => found(area)),
      explained: [],
      unknown: [],
      closed: [],
      problems: [],
    };
    const plan = planBoundaries(release, holds);
    const missing = plan.flatMap((level) => level.missing.map(({ area }) => area.level));
    expect(missing.filter((level) => level === 'barangay')).toHaveLength(905);
    expect(missing.filter((level) => level === 'submunicipality')).toHaveLength(14);
    expect(missing).toHaveLength(919);
    expect(listUnexplained(plan, holds, release.areas)).not.toEqual([]);
    expect(listUnexplained(explainGaps(plan, gaps, release), holds, release.areas)).toEqual([]);
    // Nothing more than that is passed over.
    expect(gaps).toHaveLength(14 + 8);
  });

  it('is resumed: what is there and right is not fetched again, what is wrong is', async () => {
    const broken = await serving(COMMIT, FILES, {
      answer: (path, content, _, response) => {
        if (path === NAMES.barangays) response.writeHead(404).end();
        else response.end(content);
      },
    });
    await expect(fetchPublicSet(directory, broken)).rejects.toThrow(/bgysubmuns-municity-102801000.*status 404/);
    await fetchPublicSet(directory, await serving(COMMIT, FILES));
    await writeFile(join(directory, 'provdists/medres/municities-provdist-102800000.0.01.json'), 'spoilt');
    const server = await serving(COMMIT, FILES);
    await fetchPublicSet(directory, server);
    expect(server.asked).toEqual([NAMES.municities]);
  });

  it('asks again where the server is busy', async () => {
    let refusals = 2;
    const server = await serving(COMMIT, FILES, {
      answer: (_, content, __, response) => {
        if (refusals-- > 0) response.writeHead(429).end();
        else response.end(content);
      },
    });
    await fetchPublicSet(directory, { ...server, patience: PATIENCE });
    expect(server.asked).toHaveLength(6);
  });

  const spoilt = (spoil: (content: string) => string) => ({
    answer: (path: string, content: string, _: unknown, response: { end(text: string): void }) =>
      response.end(path === NAMES.region1 ? spoil(content) : content),
  });
  it.each<[string, Parameters<typeof servePublicSet>[2], RegExp, { silenceMs: number }?]>([
    [
      'has another content than the commit records',
      spoilt((content) => content.replace('120', '121')),
      /not the file that/,
    ],
    ['is cut off', spoilt((content) => content.slice(0, 100)), /is not the file that the commit records/],
    ['never comes', { answer: () => {} }, /the server said nothing for 0.3 s/, { silenceMs: 300 }],
    ['is not in a list that is whole', { truncated: true }, /a list that is cut off/],
  ])('is refused when a file %s', async (_, how, message, patience) => {
    const server = await serving(COMMIT, FILES, how);
    const refused = fetchPublicSet(directory, { ...server, patience: { ...PATIENCE, ...patience } });
    await expect(refused).rejects.toThrow(message);
    expect(await readdir(directory)).not.toContain('source.json');
  });

  it('is given up within seconds where nobody answers', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    closing.push(() => silent.close());
    const { port } = silent.address() as { port: number };
    const started = performance.now();
    await expect(fetchPublicSet(directory, { manifestUrl: `http://127.0.0.1:${port}` })).rejects.toThrow(
      'the server said nothing for 3 s',
    );
    // Once, and not asked again.
    expect(performance.now() - started).toBeLessThan(6000);
  });

  it('is given up at once where nobody listens', async () => {
    const server = await servePublicSet(COMMIT, FILES);
    await server.close();
    await expect(fetchPublicSet(directory, server)).rejects.toThrow('ECONNREFUSED');
  });
});
