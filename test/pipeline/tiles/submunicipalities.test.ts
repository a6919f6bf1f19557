import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TileArea } from '../../../scripts/pipeline/tiles/areas.ts';
import { cutTiles } from '../../../scripts/pipeline/tiles/cut.ts';
import { type Generalized, generalize } from '../../../scripts/pipeline/tiles/generalize.ts';
import { TILE_LEVELS, type TileLevel, vectorLayers } from '../../../scripts/pipeline/tiles/levels.ts';
import { featuresOf } from '../../support/vector-tile.ts';

const LEVEL = TILE_LEVELS.find(({ level }) => level === 'submunicipality') as TileLevel;

/** Two sub-municipalities of Manila as boxes beside each other. */
const BOXES = [
  { code: '1380608000', name: 'Ermita', west: 120.97 },
  { code: '1380609000', name: 'Intramuros', west: 120.98 },
];
const [SOUTH, NORTH, WIDTH] = [14.57, 14.59, 0.01];

let directory: string;
let drawn: Generalized;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-submunicipalities-'));
  const source = join(directory, 'source.json');
  const features = BOXES.map(({ code, west }) => {
    const east = west + WIDTH;
    const ring = [
      [west, SOUTH],
      [east, SOUTH],
      [east, NORTH],
      [west, NORTH],
      [west, SOUTH],
    ];
    return { type: 'Feature', properties: { code }, geometry: { type: 'Polygon', coordinates: [ring] } };
  });
  await writeFile(source, JSON.stringify({ type: 'FeatureCollection', features }));
  drawn = await generalize(source, LEVEL, { scratch: directory });
});
afterAll(() => rm(directory, { recursive: true, force: true }));

it('sub-municipalities are in tiles with the city that they are of, from the first zoom of barangays on', async () => {
  const given = { r_code: '1300000000', m_code: '1380600000' };
  const areas = new Map<string, TileArea>(
    BOXES.map(({ code, name, west }) => [
      code,
      { properties: { code, name, ...given }, bbox: [west, SOUTH, west + WIDTH, NORTH] },
    ]),
  );
  for (const zoom of [LEVEL.minzoom, LEVEL.maxzoom]) {
    const options = { zoom, layer: LEVEL.slug, last: zoom === LEVEL.maxzoom };
    const tiles = [...cutTiles(await drawn.at(zoom), { areas, labels: drawn.labels }, options)];
    const found = tiles.flatMap(({ data }) => featuresOf(new Uint8Array(gunzipSync(data)), 'submunicipalities'));
    const properties = new Map(found.map((feature) => [feature.properties.code, feature.properties]));
    expect([...properties.keys()].sort(), String(zoom)).toEqual(['1380608000', '1380609000']);
    expect(properties.get('1380608000')).toEqual({ code: '1380608000', name: 'Ermita', ...given });
  }
  const barangays = TILE_LEVELS.find(({ level }) => level === 'barangay');
  expect([LEVEL.minzoom, barangays?.fields]).toEqual([
    barangays?.minzoom,
    expect.arrayContaining(['m_code', 'sm_code']),
  ]);
  for (const { fields } of vectorLayers(LEVEL))
    expect(Object.keys(fields)).toEqual(['code', 'name', 'r_code', 'm_code']);
});
