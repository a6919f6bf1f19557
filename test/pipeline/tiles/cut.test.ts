import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { tileIdToZxy } from 'pmtiles';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TileArea } from '../../../scripts/pipeline/tiles/areas.ts';
import { cutTiles } from '../../../scripts/pipeline/tiles/cut.ts';
import { type Generalized, generalize } from '../../../scripts/pipeline/tiles/generalize.ts';
import type { TileLevel } from '../../../scripts/pipeline/tiles/levels.ts';
import { placeOf } from '../../support/archive-file.ts';
import { codesAt, featuresOf, polygonsOf } from '../../support/vector-tile.ts';

// Three neighbours with ragged borders. One border is drawn alike on both sides; the other was simplified apart, so that
// its sides run beside each other, now with a gap and now with an overlap of some metres.

const LEVEL: TileLevel = {
  level: 'province',
  slug: 'provinces',
  name: 'Test',
  minzoom: 4,
  maxzoom: 11,
  fields: ['code', 'name'],
};
const [WEST, SOUTH, EAST, NORTH] = [120, 10, 121.5, 11];
const STEPS = 2000;

/** A ragged line from south to north along a meridian. */
function ragged(lon: number, every = 1, shift = 0): [number, number][] {
  return Array.from({ length: STEPS / every + 1 }, (_, i) => {
    const k = i * every;
    const swing =
      k === 0 || k === STEPS ? 0 : 0.02 * Math.sin(k / 37) + 0.004 * Math.sin(k * 1.7) + shift * Math.sin(k);
    return [round(lon + swing), round(SOUTH + ((NORTH - SOUTH) * k) / STEPS)];
  });
}

const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6;

const box = (code: string, left: [number, number][], right: [number, number][]) => ({
  type: 'Feature',
  properties: { code },
  geometry: { type: 'Polygon', coordinates: [[...right, ...left.toReversed(), right[0]]] },
});

const straight = (lon: number): [number, number][] => [
  [lon, SOUTH],
  [lon, NORTH],
];

const features = [
  box('0100000001', straight(WEST), ragged(120.5)),
  box('0100000002', ragged(120.5), ragged(121)),
  box('0100000003', ragged(121, 2, 0.0001), straight(EAST)),
];

const areas = new Map<string, TileArea>(
  features.map(({ properties: { code } }, i) => [
    code,
    { properties: { code, name: `Area ${i + 1}` }, bbox: [WEST + i / 2, SOUTH, WEST + (i + 1) / 2, NORTH] },
  ]),
);

let directory: string;
let drawn: Generalized;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-borders-'));
  const source = join(directory, 'source.json');
  await writeFile(source, JSON.stringify({ type: 'FeatureCollection', features }));
  drawn = await generalize(source, LEVEL, { scratch: directory });
});

afterAll(() => rm(directory, { recursive: true, force: true }));

async function tilesOf(zoom: number) {
  const options = { zoom, layer: LEVEL.slug, last: zoom === LEVEL.maxzoom };
  return [...cutTiles(await drawn.at(zoom), { areas, labels: drawn.labels }, options)].map(({ id, data }) => {
    const [, x, y] = tileIdToZxy(id);
    return { id, x, y, data: new Uint8Array(gunzipSync(data)) };
  });
}

const ZOOMS = Array.from({ length: LEVEL.maxzoom - LEVEL.minzoom + 1 }, (_, i) => LEVEL.minzoom + i);

describe('neighbours in tiles', () => {
  it.each(ZOOMS)('have neither gap nor overlap between them at zoom %i', async (zoom) => {
    const tiles = (await tilesOf(zoom)).map((tile) => ({ ...tile, polygons: polygonsOf(tile.data, LEVEL.slug) }));
    const found = new Set<string>();
    // Along every row of points across the ragged borders, at odd fractions of a unit so that none lies on a border.
    for (let lat = SOUTH + 0.0137; lat < NORTH - 0.01; lat += 0.0413) {
      for (let lon = WEST + 0.0171; lon < EAST - 0.01; lon += 0.00191) {
        const [x, y] = placeOf(lon, lat, zoom);
        const tile = tiles.find((candidate) => candidate.x === Math.floor(x) && candidate.y === Math.floor(y));
        const unit = (part: number) => Math.floor((part % 1) * 4096) + 0.3711;
        const codes = codesAt(tile?.polygons ?? [], unit(x), unit(y));
        if (codes.length === 1) found.add(codes[0] as string);
        // At the far zooms the outer edge is within a unit of the points beside it.
        else if (zoom >= 7) expect.fail(`${lon}, ${lat} is in ${codes.length} areas`);
        else expect(codes.length, `${lon}, ${lat}`).toBeLessThan(2);
      }
    }
    expect(found.size).toBe(3);
  });

  it('have the same positions on a border in every tile: each edge within is drawn once in either direction', async () => {
    for (const zoom of ZOOMS) {
      for (const { data, x, y } of await tilesOf(zoom)) {
        const edges = new Map<string, number>();
        for (const { rings } of polygonsOf(data, LEVEL.slug)) {
          for (const ring of rings) {
            for (const [i, to] of ring.entries()) {
              const from = ring.at(i - 1) as { x: number; y: number };
              if (from.x === to.x && from.y === to.y) continue;
              const key = `${from.x},${from.y} ${to.x},${to.y}`;
              edges.set(key, (edges.get(key) ?? 0) + 1);
            }
          }
        }
        const within = ([px, py]: [number, number]) => {
          const lon = ((x + px / 4096) / 2 ** zoom - 0.5) * 360;
          const [, south] = placeOf(lon, SOUTH, zoom);
          const [, north] = placeOf(lon, NORTH, zoom);
          const row = y + py / 4096;
          const inTile = px > 0 && px < 4096 && py > 0 && py < 4096;
          const margin = 3 / 4096;
          return inTile && lon > WEST + 0.2 && lon < EAST - 0.2 && row < south - margin && row > north + margin;
        };
        for (const [key, times] of edges) {
          const ends = key.split(' ').map((end) => end.split(',').map(Number) as [number, number]);
          if (!ends.every(within)) continue;
          expect({ key, times, back: edges.get(key.split(' ').toReversed().join(' ')) }).toEqual({
            key,
            times: 1,
            back: 1,
          });
        }
      }
    }
  });

  it('lose positions from zoom to zoom, and none but those that would not be seen', async () => {
    const positions = async (zoom: number) => {
      const shapes = await drawn.at(zoom);
      return shapes.reduce((sum, { geometry }) => sum + geometry.coordinates.flat(2).length, 0);
    };
    const counts = await Promise.all(ZOOMS.map(positions));
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(counts.at(-1)).toBeGreaterThan(STEPS);
    expect(counts[0]).toBeLessThan(100);
  });
});

describe('labels', () => {
  it('are one for each area, in it and in one tile only, from where it is large enough', async () => {
    for (const zoom of ZOOMS) {
      const found = (await tilesOf(zoom)).flatMap(({ x, y, data }) =>
        featuresOf(data, 'labels').map(({ properties, loadGeometry, id }) => ({ x, y, properties, loadGeometry, id })),
      );
      // Half a degree is 91 units at zoom 4 and 182 at zoom 5; a degree from south to north is twice that.
      expect(found.map(({ properties }) => properties.code).sort(), String(zoom)).toEqual([...areas.keys()]);
      expect(found[0]?.id).toBe(Number(found[0]?.properties.code));
    }
  });

  it('wait for the zoom at which an area can be distinguished', async () => {
    const small = new Map<string, TileArea>([
      ...areas,
      ['0100000002', { properties: { code: '0100000002' }, bbox: [120.5, 10, 120.51, 10.01] }],
    ]);
    const shapes = await drawn.at(4);
    const labelled = (last: boolean) =>
      [...cutTiles(shapes, { areas: small, labels: drawn.labels }, { zoom: 4, layer: 'provinces', last })]
        .flatMap(({ data }) => featuresOf(new Uint8Array(gunzipSync(data)), 'labels'))
        .map(({ properties }) => properties.code);
    expect(labelled(false)).not.toContain('0100000002');
    expect(labelled(true)).toContain('0100000002');
  });
});
