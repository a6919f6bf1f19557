import fc from 'fast-check';
import { expect, it } from 'vitest';
import { overlapOf } from '../../../src/analysis/overlap.ts';
import { Polygon } from '../../../src/analysis/polygon.ts';
import { type Polygonal, ringsOf } from '../../../src/analysis/rings.ts';

type Position = [number, number];

const polygon = (...rings: Position[][]): Polygonal => ({ type: 'Polygon', coordinates: rings });
const box = (west: number, south: number, east: number, north: number): Position[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

async function shared(one: Polygonal, other: Polygonal): Promise<number> {
  return (await overlapOf(await Polygon.of(one), ringsOf(other))).area;
}

async function areaOf(geometry: Polygonal): Promise<number> {
  return (await Polygon.of(geometry)).area;
}

/** A star around a point: a simple ring whatever its radii are. Vertices lie on a grid, as those of boundaries do. */
const star = (lon: number, lat: number) =>
  fc.array(fc.double({ min: 0.1, max: 1, noNaN: true }), { minLength: 3, maxLength: 40 }).map((radii) => {
    const ring = radii.map((radius, i): Position => {
      const angle = (2 * Math.PI * i) / radii.length;
      return [lon + radius * Math.cos(angle), lat + radius * Math.sin(angle)].map(
        (degrees) => Math.round(degrees * 1e6) / 1e6,
      ) as Position;
    });
    return polygon([...ring, ring[0] as Position]);
  });

/** Square kilometres of a degree of longitude from the equator to a latitude (Snyder, Map Projections, 1987, equation 3-12). */
function zone(lat: number): number {
  const [a, e2] = [6378.137, 0.00669437999014];
  const [e, sin] = [Math.sqrt(e2), Math.sin((lat * Math.PI) / 180)];
  const q = (1 - e2) * (sin / (1 - e2 * sin * sin) + Math.atanh(e * sin) / e);
  return ((a * a * q) / 2) * (Math.PI / 180);
}

it.each([
  [0, 1],
  [4.5, 21.25],
  [14, 14.0005],
  [-89, 89],
])('a box from %f to %f degrees of latitude has the area of the ellipsoid’s zone', async (south, north) => {
  const expected = 2 * (zone(north) - zone(south));
  expect((await areaOf(polygon(box(120, south, 122, north)))) / expected).toBeCloseTo(1, 9);
});

it('what is narrow and long is as exact as what is wide', async () => {
  const sliver = polygon([
    [120.234, 11.14],
    [120.2547, 12.67],
    [120.2396, 30],
    [120.234, 11.14],
  ]);
  // Of GeoPandas 1.2 in EPSG:6933, with a position every 0.001 degrees.
  expect(await areaOf(sliver)).toBeCloseTo(2232.53233, 4);
  expect(await shared(sliver, polygon(box(120.235849, 12, 120.240566, 18)))).toBeCloseTo(335.954324, 5);
});

it('a polygon has all of itself, whatever it is', async () => {
  await fc.assert(
    fc.asyncProperty(star(121, 14), async (given) => {
      const area = await areaOf(given);
      expect(await shared(given, given)).toBeGreaterThan(area * (1 - 1e-6));
    }),
  );
});

it('two polygons have as much in common, whichever is held against the other', async () => {
  await fc.assert(
    fc.asyncProperty(star(121, 14), star(121.5, 14.3), async (one, other) => {
      const area = await shared(one, other);
      expect(await shared(other, one)).toBeCloseTo(area, 3);
      expect(area).toBeLessThanOrEqual(Math.min(await areaOf(one), await areaOf(other)) + 1e-6);
    }),
  );
});

it('the parts of a polygon have together as much as the whole', async () => {
  await fc.assert(
    fc.asyncProperty(star(121, 14), fc.integer({ min: -900_000, max: 900_000 }), async (given, cut) => {
      const at = 121 + cut / 1e6;
      const [west, east] = [polygon(box(119, 12, at, 16)), polygon(box(at, 12, 123, 16))];
      const parts = (await shared(given, west)) + (await shared(given, east));
      expect(parts).toBeCloseTo(await areaOf(given), 3);
    }),
  );
});

it('a lattice of boxes that share edges and corners with an area adds up to it', async () => {
  const area = polygon(box(120, 10, 121, 11), box(120.25, 10.25, 120.75, 10.75));
  let sum = 0;
  for (let x = 0; x < 8; x++) {
    for (let y = 0; y < 8; y++) {
      sum += await shared(polygon(box(119.75 + x / 4, 9.75 + y / 4, 120 + x / 4, 10 + y / 4)), area);
    }
  }
  expect(sum).toBeCloseTo(await areaOf(area), 4);
});

it('neighbours along an edge have nothing in common', async () => {
  expect(await shared(polygon(box(120, 10, 121, 11)), polygon(box(121, 10, 122, 11)))).toBeLessThan(1e-6);
  expect(await shared(polygon(box(120, 10, 121, 11)), polygon(box(121, 11, 122, 12)))).toBeLessThan(1e-6);
});

it('holes and islands count as what they are, in any direction and order', async () => {
  const [outer, hole, island] = [box(120, 10, 124, 14), box(121, 11, 123, 13), box(121.5, 11.5, 122.5, 12.5)];
  const expected = (await areaOf(polygon(outer))) - (await areaOf(polygon(hole))) + (await areaOf(polygon(island)));
  const whole = polygon(box(119, 9, 125, 15));
  for (const given of [
    polygon(outer, hole, island),
    polygon(island.toReversed(), outer, hole),
    { type: 'MultiPolygon', coordinates: [[outer, hole], [island]] } as const,
  ]) {
    expect(await areaOf(given)).toBeCloseTo(expected, 6);
    expect(await shared(given, whole)).toBeCloseTo(expected, 4);
    expect(await shared(given, polygon(box(121.1, 11.1, 121.4, 12.9)))).toBeLessThan(1e-6);
  }
  const drawn = { type: 'MultiPolygon', coordinates: [[outer, hole], [island]] } as const;
  expect(await shared(whole, drawn)).toBeCloseTo(expected, 4);
  expect(await shared(polygon(box(121.6, 11.6, 122.4, 12.4)), drawn)).toBeCloseTo(
    await areaOf(polygon(box(121.6, 11.6, 122.4, 12.4))),
    4,
  );
});

it.each([
  [
    'a bow tie',
    polygon([
      [120, 10],
      [121, 11],
      [121, 10],
      [120, 11],
      [120, 10],
    ]),
    'must not cross',
  ],
  [
    'a bow tie through a vertex',
    polygon([
      [120, 10],
      [121, 10],
      [120.5, 10.5],
      [120, 11],
      [121, 11],
      [120.5, 10.5],
      [120, 10],
    ]),
    'must not overlap',
  ],
  [
    'boxes that overlap',
    { type: 'MultiPolygon', coordinates: [[box(120, 10, 122, 11)], [box(121, 10, 123, 11)]] },
    'must not overlap',
  ],
  [
    'boxes that cross',
    { type: 'MultiPolygon', coordinates: [[box(120, 10, 122, 11)], [box(121, 9, 121.5, 12)]] },
    'must not cross',
  ],
  ['a hole that leaves its polygon', polygon(box(120, 10, 122, 12), box(121, 11, 123, 11.5)), 'must not cross'],
  [
    'the same box twice',
    { type: 'MultiPolygon', coordinates: [[box(120, 10, 122, 11)], [box(120, 10, 122, 11)]] },
    'must have a ring',
  ],
  [
    'a line',
    polygon([
      [120, 10],
      [121, 11],
      [120, 10],
      [120, 10],
    ]),
    'must have a ring',
  ],
] as const)('%s is refused', async (_, given, message) => {
  await expect(Polygon.of(given as Polygonal)).rejects.toThrow(message);
});

it('boxes that share an edge or a corner are one polygon', async () => {
  const boxes = [box(120, 10, 121, 11), box(121, 10, 122, 11), box(122, 11, 123, 12)];
  const given: Polygonal = { type: 'MultiPolygon', coordinates: boxes.map((ring) => [ring]) };
  const whole = polygon(box(119, 9, 124, 13));
  expect(await shared(given, whole)).toBeCloseTo(await areaOf(given), 4);
});

it('a zigzag of as many positions as there may be has its area', async () => {
  const teeth = Array.from({ length: 2499 }, (_, i): Position => [120 + i / 2500, i % 2 === 0 ? 10 : 12]);
  const back = teeth.map(([lon, lat]): Position => [lon, lat - 0.0001]).reverse();
  const given = polygon([...teeth, ...back, teeth[0] as Position]);
  const area = await areaOf(given);
  expect(await shared(given, polygon(box(119, 9, 122, 13)))).toBeCloseTo(area, 4);
});

it('a search looks at each edge once at most, however many cells long edges stand in', async () => {
  const teeth = Array.from(
    { length: 2499 },
    (_, i): Position => (i % 2 === 0 ? [120 + i / 1e4, 10] : [122 + i / 1e4, 12]),
  );
  const back = teeth.map(([lon = 0, lat = 0]): Position => [lon - 1e-4, lat - 1e-4]).reverse();
  const given = await Polygon.of(polygon([...teeth, ...back, teeth[0] as Position]));
  const before = given.visitedEdges;
  for (let edge = 0; edge < given.edges; edge += 1) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = given.ends.subarray(4 * edge);
    given.meeting([Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)]);
  }
  expect(given.visitedEdges - before).toBeLessThanOrEqual(given.edges * (given.edges + 100));
});

it('is refused where edges run to and fro over more boundaries than may be looked at', async () => {
  const teeth = Array.from({ length: 2499 }, (_, i): Position => [120 + i / 1e4, i % 2 === 0 ? 10 : 12]);
  const back = teeth.map(([lon = 0, lat = 0]): Position => [lon, lat - 0.0001]).reverse();
  const given = await Polygon.of(polygon([...teeth, ...back, teeth[0] as Position]));
  const lattice = Array.from({ length: 2000 }, (_, i): Position => [119 + (i % 2) * 3, 10.1 + i / 2000]);
  const area = ringsOf(polygon([...lattice, [119, 13], lattice[0] as Position]));
  await expect(overlapOf(given, area, given.visitedEdges + 100_000)).rejects.toMatchObject({ code: 'too_many_areas' });
});
