import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TileArea } from '../../../scripts/pipeline/tiles/areas.ts';
import { cutTiles } from '../../../scripts/pipeline/tiles/cut.ts';
import { type Generalized, generalize } from '../../../scripts/pipeline/tiles/generalize.ts';
import type { TileLevel } from '../../../scripts/pipeline/tiles/levels.ts';
import { polygonsOf, type TilePolygon } from '../../support/vector-tile.ts';

// A wide area with islands around it, an area that is a single islet, and two small neighbours on the wide area's coast.

const LEVEL: TileLevel = {
  level: 'province',
  slug: 'provinces',
  name: 'Test',
  minzoom: 0,
  maxzoom: 8,
  fields: ['code'],
};
const [WIDE, LONELY, FIRST, SECOND] = ['0100000001', '0100000002', '0100000003', '0100000004'] as const;

/** A pixel of a tile has eight units. */
const PIXEL = 8;

const box = (west: number, south: number, width: number, height = width) => [
  [
    [west, south],
    [west + width, south],
    [west + width, south + height],
    [west, south + height],
    [west, south],
  ].map((position) => position.map((degrees) => Math.round(degrees * 1e6) / 1e6)),
];

/** An island of some 600 metres, far from all others. */
const FAR = box(116.3, 10.4, 0.006);

/** An island of the same size, eight kilometres from the coast. */
const NEAR = box(119.92, 10.4, 0.006);

/** 900 islands of some 500 metres, four kilometres from each other. */
const MANY = Array.from({ length: 900 }, (_, i) => box(122 + 0.04 * (i % 30), 10 + 0.04 * Math.floor(i / 30), 0.005));

const AREAS: Readonly<Record<string, number[][][][]>> = {
  [WIDE]: [box(120, 10, 1), FAR, NEAR, ...MANY],
  [LONELY]: [box(118, 12, 0.003)],
  [FIRST]: [box(121, 10, 0.004)],
  [SECOND]: [box(121, 10.004, 0.004)],
};

let directory: string;
let drawn: Generalized;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-islets-'));
  const source = join(directory, 'source.json');
  const features = Object.entries(AREAS).map(([code, coordinates]) => ({
    type: 'Feature',
    properties: { code },
    geometry: { type: 'MultiPolygon', coordinates },
  }));
  await writeFile(source, JSON.stringify({ type: 'FeatureCollection', features }));
  drawn = await generalize(source, LEVEL, { scratch: directory });
});

afterAll(() => rm(directory, { recursive: true, force: true }));

const areas = new Map(
  Object.keys(AREAS).map((code): [string, TileArea] => [code, { properties: { code }, bbox: [116, 10, 124, 13] }]),
);

async function polygonsAt(zoom: number): Promise<TilePolygon[]> {
  const options = { zoom, layer: LEVEL.slug, last: zoom === LEVEL.maxzoom };
  return [...cutTiles(await drawn.at(zoom), { areas, labels: drawn.labels }, options)].flatMap(({ data }) =>
    polygonsOf(new Uint8Array(gunzipSync(data)), LEVEL.slug),
  );
}

function sizesOf(polygons: readonly TilePolygon[], code: string): number[] {
  const rings = polygons.filter((polygon) => polygon.code === code).flatMap((polygon) => polygon.rings);
  return rings.map((ring) => {
    const [xs, ys] = [ring.map(({ x }) => x), ring.map(({ y }) => y)];
    return Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
  });
}

const ZOOMS = Array.from({ length: LEVEL.maxzoom + 1 }, (_, zoom) => zoom);

describe('what is too small for a zoom', () => {
  it.each(ZOOMS)('leaves every area a polygon in the tiles of zoom %i', async (zoom) => {
    const polygons = await polygonsAt(zoom);
    expect([...new Set(polygons.map(({ code }) => code))].sort()).toEqual(Object.keys(AREAS));
  });

  it('is a dot of a pixel where it is an island', async () => {
    for (const zoom of [0, 3, 5]) {
      const polygons = await polygonsAt(zoom);
      expect(sizesOf(polygons, LONELY), String(zoom)).toEqual([PIXEL]);
      expect(Math.min(...sizesOf(polygons, WIDE)), String(zoom)).toBeGreaterThanOrEqual(PIXEL);
    }
    // Where it is larger than that, it is as it is.
    expect(Math.max(...sizesOf(await polygonsAt(8), LONELY))).toBeGreaterThan(PIXEL);
  });

  it('is where it is', async () => {
    const shapes = await drawn.at(5);
    const far = shapes
      .find(({ properties }) => properties.code === WIDE)
      ?.geometry.coordinates.find(([ring]) => ring?.every(([lon = 0]) => lon < 117));
    const [lons, lats] = [0, 1].map((axis) => (far?.[0] ?? []).map((position) => position[axis] ?? 0));
    const unit = 360 / 4096 / 2 ** 5;
    const middle = (values: number[] = []) => (Math.min(...values) + Math.max(...values)) / 2;
    expect(Math.abs(middle(lons) - 116.303)).toBeLessThan(unit);
    expect(Math.abs(middle(lats) - 10.403)).toBeLessThan(unit);
  });

  it('is left out beside larger land until it is larger itself', async () => {
    const isNear = (lon = 0) => 119.9 < lon && lon < 119.99;
    for (const zoom of ZOOMS) {
      const shapes = await drawn.at(zoom);
      const wide = shapes.find(({ properties }) => properties.code === WIDE)?.geometry.coordinates ?? [];
      const islets = wide.filter(([ring]) => ring?.every(([lon]) => isNear(lon)));
      // 0.006 degrees are eight units at zoom 6.9.
      expect(islets.length, String(zoom)).toBe(zoom < 7 ? 0 : 1);
    }
  });

  it('has no corners of a box where it is a dot', async () => {
    const shapes = await drawn.at(5);
    const lonely = shapes.find(({ properties }) => properties.code === LONELY)?.geometry.coordinates[0]?.[0] ?? [];
    expect(lonely).toHaveLength(9);
    const [lons, lats] = [0, 1].map((axis) => lonely.map((position) => position[axis] ?? 0)) as [number[], number[]];
    const isCorner = (_: unknown, index: number) =>
      [Math.min(...lons), Math.max(...lons)].includes(lons[index] ?? 0) &&
      [Math.min(...lats), Math.max(...lats)].includes(lats[index] ?? 0);
    expect(lonely.filter(isCorner)).toEqual([]);
  });

  it('is one dot where many are, eight pixels from the next and from larger land', async () => {
    for (const zoom of [4, 5, 6, 7]) {
      const unit = 360 / 4096 / 2 ** zoom;
      const shapes = await drawn.at(zoom);
      const wide = shapes.find(({ properties }) => properties.code === WIDE)?.geometry.coordinates ?? [];
      const middles = wide.map(([ring = []]) =>
        [0, 1].map((axis) => {
          const values = ring.map((position) => position[axis] ?? 0);
          return (Math.min(...values) + Math.max(...values)) / 2;
        }),
      );
      const many = middles.filter(([lon = 0]) => lon > 121.5);
      expect(many.length, String(zoom)).toBeGreaterThanOrEqual(1);
      // In these latitudes a degree to the north has about as many units as one to the east.
      const distances = many.flatMap(([lon = 0, lat = 0], index) =>
        many.slice(index + 1).map(([other = 0, south = 0]) => Math.max(Math.abs(lon - other), Math.abs(lat - south))),
      );
      expect(Math.min(...distances), String(zoom)).toBeGreaterThanOrEqual(8 * PIXEL * unit);
      expect(Math.min(...many.map(([lon = 0]) => lon - 121)), String(zoom)).toBeGreaterThanOrEqual(8 * PIXEL * unit);
    }
  });

  it('does not cover its neighbours', async () => {
    const polygons = await polygonsAt(4);
    // Half a degree is 91 units at this zoom, and these are less than one.
    for (const code of [FIRST, SECOND]) expect(Math.max(...sizesOf(polygons, code))).toBeLessThan(PIXEL / 2);
  });
});
