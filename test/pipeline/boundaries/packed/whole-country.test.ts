import { inflateRawSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { RULE } from '../../../../scripts/pipeline/boundaries/topology/country.ts';
import { type DataRelease, makeDataRelease } from '../../../../scripts/pipeline/data/release.ts';
import type { Points } from '../../../../scripts/pipeline/snapshot/points.ts';
import { PointsBeside } from '../../../../scripts/pipeline/snapshot/points-beside.ts';
import { type Cell, containingRow } from '../../../../src/areas/snapshot/cells.ts';
import { decodeCell } from '../../../../src/areas/snapshot/decode-cell.ts';
import { cellOf } from '../../../../src/areas/snapshot/grid.ts';
import { type Point, RESOLUTIONS, type Resolution } from '../../../../src/areas/store.ts';

// The borders in the repository as they are drawn, measured once more by other formulas than those that drew them.

/** The rings of an area: longitudes and latitudes by turns. First and last positions are the same. */
type Rings = readonly Float64Array[];

type Edge = readonly [x1: number, y1: number, x2: number, y2: number];

const POINTS = 2000;
const LEVELS = ['region', 'province', 'municity', 'barangay'] as const;

/** WGS 84: the semi-major axis in kilometres, and the square of the eccentricity. */
const [MAJOR_KM, ECCENTRICITY_2] = [6378.137, 0.00669437999014];

let data: DataRelease;
let points: Points;
/** The rings of each area at each resolution. */
let rings: Record<Resolution, Map<string, Rings>>;

beforeAll(async () => {
  let cut: Promise<Points> | undefined;
  const beside = new PointsBeside();
  data = await makeDataRelease({
    onUnits: (units, release) => {
      cut = beside.cut(units, release);
    },
  });
  points = await (cut as Promise<Points>);
  const ascii = new TextDecoder('latin1');
  const ringsAt = (resolution: Resolution) =>
    new Map([...data.drawn.areas].map(([code, { texts }]) => [code, ringsOf(ascii.decode(texts[resolution]))]));
  rings = { detailed: ringsAt('detailed'), medium: ringsAt('medium'), simple: ringsAt('simple') };
});

function ringsOf(geojson: string): Rings {
  const { type, coordinates } = JSON.parse(geojson) as { type: string; coordinates: unknown };
  const polygons = (type === 'Polygon' ? [coordinates] : coordinates) as number[][][][];
  return polygons.flat().map((positions) => Float64Array.from(positions.flat()));
}

function isClosed(ring: Float64Array): boolean {
  return ring[0] === ring.at(-2) && ring[1] === ring.at(-1);
}

/**
 * Square kilometres by the spherical excess (Girard) on the sphere that fits the ellipsoid at the area. Outer rings are
 * counter-clockwise and holes clockwise, so that these are taken off.
 */
function excessOf(area: Rings): number {
  const [, latitude = 0] = area[0] ?? [];
  const bend = 1 - ECCENTRICITY_2 * Math.sin(radians(latitude)) ** 2;
  const [across, along] = [MAJOR_KM / Math.sqrt(bend), (MAJOR_KM * (1 - ECCENTRICITY_2)) / bend ** 1.5];
  let excess = 0;
  for (const ring of area) {
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const [x1, y1, x2, y2] = ring.subarray(i, i + 4) as unknown as Edge;
      const [half1, half2] = [Math.tan(radians(y1) / 2), Math.tan(radians(y2) / 2)];
      excess -= 2 * Math.atan2(Math.tan(radians(x2 - x1) / 2) * (half1 + half2), 1 + half1 * half2);
    }
  }
  return excess * across * along;
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

/** Whether a point is in an area: how often a line to the west of it crosses the rings is odd. */
function isIn(area: Rings, { lon, lat }: Point): boolean {
  let odd = false;
  for (const ring of area) {
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const [y1, y2] = [ring[i + 1] as number, ring[i + 3] as number];
      if (y1 > lat === y2 > lat) continue;
      const [x1, x2] = [ring[i] as number, ring[i + 2] as number];
      if (lon > x1 + ((lat - y1) * (x2 - x1)) / (y2 - y1)) odd = !odd;
    }
  }
  return odd;
}

/** Numbers from 0 to 1, the same ones each time (mulberry32). */
function randoms(): () => number {
  let state = 28;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('the borders in the repository', () => {
  it('draw every area at every resolution, but barangays that the source of the borders says are missing', () => {
    const drawn = data.drawn.areas;
    const missing = data.release.areas.filter(({ code }) => !drawn.has(code));
    expect(new Set(missing.map(({ level }) => level))).toEqual(new Set(['barangay']));
    expect(data.sources.at(-1)?.note).toMatch(new RegExp(`Without a boundary: ${missing.length} barangays$`));
    expect(missing.length).toBeLessThan(25);
    for (const resolution of RESOLUTIONS) {
      const open = [...rings[resolution]].filter(
        ([, area]) => area.length === 0 || area.some((ring) => ring.length < 8 || !isClosed(ring)),
      );
      expect([resolution, open.map(([code]) => code)]).toEqual([resolution, []]);
    }
  });

  it('have the area that spherical geometry says, within half a percent', () => {
    const wrong = [...data.drawn.areas].filter(([code, { km2 }]) => {
      const other = excessOf(rings.detailed.get(code) as Rings);
      return !(Math.abs(km2 - other) <= 0.005 * other);
    });
    expect(wrong.map(([code]) => code)).toEqual([]);
    const whole = data.release.areas
      .filter(({ level }) => level === 'region')
      .reduce((sum, { code }) => sum + (data.drawn.areas.get(code)?.km2 ?? 0), 0);
    // The land of the country is 300,000 km².
    expect(whole).toBeGreaterThan(290_000);
    expect(whole).toBeLessThan(305_000);
  });

  it.each(['medium', 'simple'] as const)('keep the area of each at the resolution %s within the rule', (resolution) => {
    const beyond = [...rings.detailed].filter(([code, detailed]) => {
      const area = excessOf(detailed);
      return !(Math.abs(excessOf(rings[resolution].get(code) as Rings) - area) <= RULE[resolution].area * area);
    });
    expect(beyond.map(([code]) => code)).toEqual([]);
  });

  it(`answer ${POINTS} points on land as the boundaries themselves do, at every level`, () => {
    const cells = new Map<number, Cell>();
    const cellAt = (number: number): Cell | undefined => {
      const known = cells.get(number);
      if (known) return known;
      const found = points.cells.find(({ cell }) => cell === number);
      if (!found) return undefined;
      const packed = points.bytes.subarray(found.offset, found.offset + found.length);
      const cell = decodeCell(new Uint8Array(inflateRawSync(packed)));
      cells.set(number, cell);
      return cell;
    };
    const { areas } = data.release;
    const byLevel = Map.groupBy(
      areas.flatMap(({ level, code }) => {
        const box = data.drawn.areas.get(code)?.box;
        return box ? [{ level, code, box, area: rings.detailed.get(code) as Rings }] : [];
      }),
      ({ level }) => level,
    );
    const holderOf = (level: (typeof LEVELS)[number], point: Point) =>
      byLevel.get(level)?.find(({ box, area }) => {
        const [west, south, east, north] = box;
        const { lon, lat } = point;
        return lon >= west && lon <= east && lat >= south && lat <= north && isIn(area, point);
      })?.code;
    const random = randoms();
    const asked: Point[] = [];
    while (asked.length < POINTS) {
      const point = { lon: 116.9 + random() * 9.8, lat: 4.5 + random() * 16.6 };
      if (holderOf('region', point) !== undefined) asked.push(point);
    }
    for (const level of LEVELS) {
      const differing = asked.filter((point) => {
        const cell = cellAt(cellOf(point) as number);
        const row = cell ? containingRow(cell, level, { point }) : -1;
        return (row < 0 ? undefined : areas[row]?.code) !== holderOf(level, point);
      });
      expect([level, differing]).toEqual([level, []]);
    }
  });
});
