import { describe, expect, it } from 'vitest';
import { type MultiPolygon, type Polygon, ringsOf } from '../../../../scripts/pipeline/boundaries/read/geometry.ts';
import {
  type CountryShape,
  drawCountry,
  RULE,
  type Unit,
} from '../../../../scripts/pipeline/boundaries/topology/country.ts';
import { splitCrossings } from '../../../../scripts/pipeline/boundaries/topology/crossings.ts';
import { Plane } from '../../../../scripts/pipeline/boundaries/topology/plane.ts';

const NOBODY: Unit = { barangay: null, submunicipality: null, municity: null, province: null, region: null };
const LEVELS = ['barangay', 'municity', 'province', 'region'] as const;

type Country = ReturnType<typeof drawCountry>;
type Point = readonly [number, number];

/** A shape from closed rings in microdegrees. */
function shape(level: CountryShape['level'], unit: Partial<Unit>, ...rings: Point[][]): CountryShape {
  const own = { ...NOBODY, ...unit };
  return { level, code: own[level] ?? '', unit: own, rings: rings.map((ring) => Int32Array.from(ring.flat())) };
}

function box(x: number, y: number, width: number, height = width): Point[] {
  return [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
    [x, y],
  ];
}

function drawn(country: Country, resolution: string, level: (typeof LEVELS)[number]) {
  const shapes = country.resolutions.find((it) => it.resolution === resolution);
  const polygons = [...(shapes?.polygons(level) ?? [])].map(({ name, geojson }) => {
    const geometry = JSON.parse(geojson) as Polygon | MultiPolygon;
    return [name, { geometry, ...ringsOf(geometry) }] as const;
  });
  return new Map(polygons.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function sizes(country: Country, resolution: string, level: (typeof LEVELS)[number]) {
  return Object.fromEntries([...drawn(country, resolution, level)].map(([name, { area }]) => [name, Math.round(area)]));
}

/** How many edges bound only one of some areas, and how many edges there are once none cross. */
function edges(areas: Iterable<{ rings: Int32Array[] }>) {
  const plane = new Plane();
  for (const [i, { rings }] of [...areas].entries()) for (const ring of rings) plane.addRing(i, ring);
  const before = plane.from.length;
  splitCrossings(plane);
  return { before, after: plane.from.length };
}

const STEP = 20_000;
const GRID = 6;

/** The way between two corners of a grid, which goes to and fro the more the finer it is looked at. */
function border(a: Point, b: Point): Point[] {
  // Both sides of a border must see the same way.
  if (a[0] > b[0] || a[1] > b[1]) return border(b, a).toReversed();
  const [dx, dy] = [(b[0] - a[0]) / 64, (b[1] - a[1]) / 64];
  return Array.from({ length: 65 }, (_, i): Point => {
    const wave = i === 0 || i === 64 ? 0 : Math.round(900 * Math.sin(i / 5) + 300 * Math.sin(i * a[0] + a[1]));
    return [Math.round(a[0] + i * dx) + (dx === 0 ? wave : 0), Math.round(a[1] + i * dy) + (dy === 0 ? wave : 0)];
  });
}

/** Six by six barangays, four to a municity, three municities to a row of each province, with islands before the coast. */
function winding(): CountryShape[] {
  const shapes: CountryShape[] = [];
  for (let row = 0; row < GRID; row += 1) {
    for (let column = 0; column < GRID; column += 1) {
      const [x, y] = [120_000_000 + column * STEP, 10_000_000 + row * STEP];
      const corners: Point[] = [
        [x, y],
        [x + STEP, y],
        [x + STEP, y + STEP],
        [x, y + STEP],
        [x, y],
      ];
      const ring = corners.slice(1).flatMap((corner, i) => border(corners[i] as Point, corner).slice(1));
      const unit = {
        barangay: `b${row}${column}`,
        municity: `m${row >> 1}${column >> 1}`,
        province: `p${row < 4 ? 0 : 1}`,
        region: 'r',
      };
      const islands = column === 0 ? [box(x - 8000, y, 40), box(x - 9000, y + 4000, 3000)] : [];
      shapes.push(shape('barangay', unit, [ring.at(-1) as Point, ...ring], ...islands));
    }
  }
  return shapes;
}

describe('a country of winding borders', () => {
  const country = drawCountry(winding());

  it('keeps every area within the rule, with fewer vertices at each resolution', () => {
    let before = Number.POSITIVE_INFINITY;
    for (const { resolution, deviations } of country.resolutions) {
      if (resolution === 'detailed') continue;
      for (const level of LEVELS) {
        const detailed = drawn(country, 'detailed', level);
        const simplified = drawn(country, resolution, level);
        expect([...simplified.keys()]).toEqual([...detailed.keys()]);
        for (const { name, area, growth, difference } of deviations(level)) {
          expect(area).toBeCloseTo(detailed.get(name)?.area ?? 0, -1);
          expect(area * (1 + growth)).toBeCloseTo(simplified.get(name)?.area ?? 0, -1);
          expect(Math.abs(growth)).toBeLessThanOrEqual(RULE[resolution].area);
          expect(difference).toBeLessThanOrEqual(RULE[resolution].difference);
          expect(difference).toBeGreaterThanOrEqual(Math.abs(growth) - 1e-9);
        }
      }
      const { after } = edges(drawn(country, resolution, 'barangay').values());
      expect(after).toBeLessThan(before / 1.5);
      before = after;
    }
  });

  it.each(['detailed', 'medium', 'simple'])(
    'shares borders exactly at %s: none crosses or runs beside another',
    (resolution) => {
      for (const level of LEVELS) {
        const { before, after } = edges(drawn(country, resolution, level).values());
        expect(after).toBe(before);
      }
      // Together the barangays are as large as the region: nothing overlaps, nothing is left out.
      const total = (level: (typeof LEVELS)[number]) =>
        Math.round([...drawn(country, resolution, level).values()].reduce((sum, { area }) => sum + 2 * area, 0));
      expect(total('municity')).toBe(total('province'));
      expect(total('province')).toBe(total('region'));
      if (resolution !== 'simple') expect(total('barangay')).toBe(total('region'));
    },
  );

  it('leaves out islets, never the largest part', () => {
    const parts = (resolution: string) => {
      const geometry = drawn(country, resolution, 'barangay').get('b00')?.geometry;
      return geometry?.type === 'MultiPolygon' ? geometry.coordinates.length : 1;
    };
    expect(parts('detailed')).toBe(3);
    expect(parts('simple')).toBeLessThan(3);
    const islet = drawCountry([shape('barangay', { barangay: 'b', region: 'r' }, box(0, 0, 40))]);
    expect(sizes(islet, 'simple', 'barangay').b).toBeGreaterThan(0);
    expect(sizes(islet, 'simple', 'region').r).toBeGreaterThan(0);
  });
});

describe('the detailed borders', () => {
  const land = { municity: 'm', province: 'p', region: 'r' };

  it('close slivers, and give overlaps to the smaller barangay', () => {
    const country = drawCountry([
      shape('barangay', { ...land, barangay: 'a' }, box(0, 0, 10_000)),
      // Twenty microdegrees away, and closed at both ends.
      shape('barangay', { ...land, barangay: 'b' }, box(10_020, 0, 10_000)),
      shape('barangay', { ...land, barangay: 'c' }, box(0, 10_000, 20_020, 5000)),
      shape('barangay', { ...land, barangay: 'd' }, box(0, -5000, 20_020, 5000)),
      shape('barangay', { ...land, barangay: 'e' }, box(1000, 1000, 2000)),
    ]);
    expect(sizes(country, 'detailed', 'barangay')).toMatchObject({ c: 100_100_000, d: 100_100_000, e: 4_000_000 });
    const { a = 0, b = 0 } = sizes(country, 'detailed', 'barangay');
    expect(a + b).toBe(200_200_000 - 4_000_000);
    expect(drawn(country, 'detailed', 'municity').get('m')?.rings).toHaveLength(1);
  });

  it('take from an area’s own polygon what nobody below it has, but no slivers along the coast', () => {
    const country = drawCountry([
      shape('barangay', { ...land, barangay: 'a' }, box(0, 0, 10_000)),
      shape('municity', land, [
        [0, 0],
        [10_000, 0],
        [10_000, 15_000],
        [0, 15_000],
        [0, 8000],
        [-10, 8000],
        [-10, 2000],
        [0, 2000],
        [0, 0],
      ]),
      shape('region', { region: 'r' }, box(0, 0, 30_000, 10_000)),
    ]);
    expect(sizes(country, 'detailed', 'barangay')).toEqual({ a: 100_000_000 });
    const municity = sizes(country, 'detailed', 'municity').m ?? 0;
    expect(municity).toBe(150_000_000);
    expect(sizes(country, 'detailed', 'province').p).toBe(municity);
    expect(sizes(country, 'detailed', 'region').r).toBe(350_000_000);
  });

  it('report how much of an area’s own polygon no area of its level has, wherever else it has grown', () => {
    const other = { municity: 'n', province: 'q', region: 's' };
    const shapes = [
      shape('municity', land, box(0, 0, 10_000)),
      shape('municity', other, box(10_000, 0, 10_000)),
      // A city that belongs to the region, and to no province.
      shape('municity', { municity: 'city', region: 'r' }, box(0, 10_000, 10_000)),
    ];
    const outlines = [
      // All three of them, which two regions have now, and a strip of nobody's.
      { level: 'region' as const, rings: [Int32Array.from(box(0, 0, 20_000, 21_000).flat())] },
      { level: 'province' as const, rings: [Int32Array.from(box(0, 0, 10_000, 20_000).flat())] },
      // Half of it is nobody's; another province has the rest.
      { level: 'province' as const, rings: [Int32Array.from(box(10_000, 5000, 10_000).flat())] },
    ];
    expect([...drawCountry(shapes, outlines).uncovered]).toEqual([120_000_000, 0, 50_000_000]);
    const [, , city] = shapes;
    const lost = { ...(city as CountryShape), unit: { ...NOBODY, municity: 'city' } };
    expect([...drawCountry([...shapes.slice(0, 2), lost], outlines).uncovered]).toEqual([220_000_000, 0, 50_000_000]);
  });

  it('report what others of its level have, where the source draws both and where it draws only one', () => {
    const country = drawCountry([
      shape('barangay', { ...land, barangay: 'a' }, box(0, 0, 10_000)),
      // In the land of the first, which is larger.
      shape('barangay', { ...land, barangay: 'b' }, box(8000, 0, 4000)),
      // The second municity's barangay lies in the first one's polygon.
      shape('municity', land, box(0, 0, 20_000)),
      shape('barangay', { ...land, municity: 'n', barangay: 'c' }, box(0, 12_000, 5000)),
      // A narrow strip of it lies beside the barangays of the first.
      shape('municity', { ...land, municity: 'n' }, box(20_000, 0, 10_000), box(12_000, 0, 20, 4000)),
    ]);
    const { contested, uncontested } = country.taken;
    expect([...contested]).toEqual([8_000_000, 0, 25_000_000, 0, 80_000]);
    expect([...uncontested]).toEqual([0, 0, 0, 0, 0]);
    // A strip of the second municity alone, which closes the gap before a barangay of the first.
    const strip = drawCountry([
      shape('barangay', { ...land, barangay: 'a' }, box(0, 0, 10_000)),
      shape('barangay', { ...land, barangay: 'b' }, box(10_020, 0, 10_000)),
      shape('municity', { ...land, municity: 'n' }, box(10_000, 0, 20, 10_000)),
    ]);
    expect([...strip.taken.uncontested]).toEqual([0, 0, 200_000]);
    expect(strip.lost.some((area) => area > 0)).toBe(false);
  });

  it('find what lies east of a tip of land or a bay at exactly its latitude', () => {
    const ofProvince = (code: string) => ({ municity: code, province: 'p', region: 'r' });
    const triangle = (x: number, width: number): Point[] => [
      [x, 0],
      [x + width, -width],
      [x + width, width],
      [x, 0],
    ];
    const cape: Point[] = [
      [0, 0],
      [30_000, 30_000],
      [-30_000, 30_000],
      [0, 0],
    ];
    const bay: Point[] = [
      [120_000, 0],
      [100_000, 40_000],
      [100_000, -40_000],
      [200_000, -40_000],
      [200_000, 40_000],
      [140_000, 40_000],
      [120_000, 0],
    ];
    // Of the two sides of a tip either may come first.
    for (const turned of [(ring: Point[]) => ring, (ring: Point[]) => ring.toReversed()]) {
      const country = drawCountry([
        shape('municity', ofProvince('cape'), turned(cape)),
        shape('municity', ofProvince('island'), triangle(50_000, 2000)),
        shape('municity', ofProvince('bay'), turned(bay)),
        shape('municity', ofProvince('lake'), triangle(150_000, 2000)),
      ]);
      const [land, island, lake] = [900_000_000, 4_000_000, 4_000_000];
      const around = 8_000_000_000 - 800_000_000;
      expect(sizes(country, 'detailed', 'municity')).toEqual({ bay: around - lake, cape: land, island, lake });
      expect(sizes(country, 'detailed', 'province')).toEqual({ p: land + island + around });
      expect(country.lost.some((area) => area > 0)).toBe(false);
    }
  });

  it('survive a ring that crosses itself, lies in a hole, or touches another at a corner', () => {
    const bow: Point[] = [
      [0, 0],
      [10_000, 10_000],
      [10_000, 0],
      [0, 10_000],
      [0, 0],
    ];
    const hole = box(30_000, 10_000, 10_000).toReversed();
    const country = drawCountry([
      shape('barangay', { barangay: 'bow' }, bow),
      shape('barangay', { barangay: 'round' }, box(20_000, 0, 30_000), hole),
      shape('barangay', { barangay: 'inside' }, box(33_000, 13_000, 4000)),
      shape('barangay', { barangay: 'corner' }, box(50_000, 30_000, 10_000), box(60_000, 40_000, 10_000)),
    ]);
    expect(sizes(country, 'detailed', 'barangay')).toEqual({
      bow: 50_000_000,
      round: 800_000_000,
      inside: 16_000_000,
      corner: 200_000_000,
    });
    expect(drawn(country, 'detailed', 'barangay').get('corner')?.geometry.type).toBe('MultiPolygon');
    expect(drawn(country, 'detailed', 'barangay').get('round')?.geometry).toMatchObject({ type: 'Polygon' });
  });
});
