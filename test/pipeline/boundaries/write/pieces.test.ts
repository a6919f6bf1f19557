import { describe, expect, it } from 'vitest';
import {
  collectionOf,
  cutPolygon,
  PIECE_VERTICES,
  type PiecePolygon,
  type PieceRing,
} from '../../../../scripts/pipeline/boundaries/write/pieces.ts';

/** A ring of whole microdegrees around a centre, whose distance from it goes up and down. */
function star(vertices: number, { x = 0, y = 0, radius = 1e6, depth = 0.6 } = {}): PieceRing {
  return Array.from({ length: vertices }, (_, i) => {
    const angle = (2 * Math.PI * i) / vertices;
    const distance = radius * (i % 2 ? 1 - depth : 1);
    return [Math.round(x + distance * Math.cos(angle)), Math.round(y + distance * Math.sin(angle))];
  }).flat();
}

/** The same ring, clockwise. */
function hole(ring: PieceRing): PieceRing {
  const positions = Array.from({ length: ring.length / 2 }, (_, i) => ring.slice(2 * i, 2 * i + 2));
  return positions.reverse().flat();
}

function areaOf(rings: readonly PieceRing[]): number {
  return rings.reduce((sum, ring) => {
    for (let i = 0; i < ring.length; i += 2) {
      const [x1 = 0, y1 = 0] = ring.slice(i, i + 2);
      const [x2 = 0, y2 = 0] = [ring[(i + 2) % ring.length], ring[(i + 3) % ring.length]];
      sum += (x1 * y2 - x2 * y1) / 2;
    }
    return sum;
  }, 0);
}

/** Whether a point is inside of rings, by the number of edges to the east of it. */
function hasInside(rings: readonly PieceRing[], x: number, y: number): boolean {
  let crossings = 0;
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      const [x1 = 0, y1 = 0] = ring.slice(i, i + 2);
      const [x2 = 0, y2 = 0] = [ring[(i + 2) % ring.length], ring[(i + 3) % ring.length]];
      if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) crossings += 1;
    }
  }
  return crossings % 2 === 1;
}

/** Pieces are small, none comes to a vertex twice, and each point of a grid is in one of them where it is in the polygon. */
function expectSamePlaces(polygon: PiecePolygon, pieces: readonly PiecePolygon[]): void {
  expect(areaOf(pieces.flat()) / areaOf(polygon)).toBeCloseTo(1, 12);
  for (const rings of pieces) {
    expect(rings.reduce((sum, ring) => sum + ring.length / 2 + 1, 0)).toBeLessThanOrEqual(PIECE_VERTICES);
    const [outer, ...holes] = rings.map((ring) => areaOf([ring]));
    expect(outer).toBeGreaterThan(0);
    for (const area of holes) expect(area).toBeLessThan(0);
    for (const ring of rings) {
      const positions = Array.from({ length: ring.length / 2 }, (_, i) => ring.slice(2 * i, 2 * i + 2).join());
      expect(new Set(positions).size).toBe(positions.length);
    }
    // A hole of another piece would take nothing from this one.
    expect(areaOf(rings)).toBeGreaterThan(0);
  }
  for (let i = 0; i < 900; i++) {
    const [x, y] = [((i % 30) - 14.7) * 70_000, (Math.floor(i / 30) - 14.7) * 70_000];
    const found = pieces.filter((rings) => hasInside(rings, x, y)).length;
    expect([x, y, found]).toEqual([x, y, hasInside(polygon, x, y) ? 1 : 0]);
  }
}

describe('cutPolygon', () => {
  it('leaves a polygon of few vertices as it is', () => {
    const polygon = [star(100)];
    expect(cutPolygon(polygon)).toEqual([polygon]);
  });

  it('divides a border that goes to and fro', () => {
    const polygon = [star(5000)];
    const pieces = cutPolygon(polygon);
    expect(pieces.length).toBeGreaterThan(5000 / PIECE_VERTICES);
    expectSamePlaces(polygon, pieces);
  });

  it('keeps holes, those that are cut and those that are not', () => {
    const holes = [star(400, { radius: 250_000 }), star(12, { x: 350_000, y: 350_000, radius: 3000 })];
    const polygon = [star(900, { depth: 0.1 }), ...holes.map(hole)];
    const pieces = cutPolygon(polygon);
    expectSamePlaces(polygon, pieces);
    expect(pieces.filter((rings) => rings.length === 2)).toHaveLength(1);
  });

  it('makes no ring that meets itself where a hole touches the ring around it', () => {
    const [left, right, y] = [-1e6, 1e6, 300_000];
    const coast = Array.from({ length: 200 }, (_, i) => [right - 10_000 * i, 900_000 + (i % 2)]).flat();
    const outer = [left, -900_000, right, -900_000, right, y, ...coast.slice(2), left, y];
    // It lies across the middle, and has a vertex of the border.
    const touching = [right, y, -500_000, y + 100_000, -500_000, y - 100_000];
    const polygon = [outer, hole(touching)];
    expectSamePlaces(polygon, cutPolygon(polygon));
  });

  it('ends where more vertices than fit lie in two microdegrees', () => {
    const ring = Array.from({ length: 200 }, () => [0, 0, 1, 0, 1, 1, 0, 1]).flat();
    expect(cutPolygon([ring])).toEqual([[ring]]);
  });
});

describe('collectionOf', () => {
  it('writes closed rings in degrees', () => {
    const bytes = collectionOf([[[0, 0, 2_000_000, 0, 0, 1_500_000]]]);
    const hex = bytes.toString('hex');
    expect(hex.slice(0, 18)).toBe('010700000001000000');
    expect(hex.slice(18, 36)).toBe('010300000001000000');
    expect(bytes.readUInt32LE(18)).toBe(4);
    expect(Array.from({ length: 8 }, (_, i) => bytes.readDoubleLE(22 + 8 * i))).toEqual([0, 0, 2, 0, 0, 1.5, 0, 0]);
    expect(bytes).toHaveLength(22 + 64);
  });
});
