import { expect, it } from 'vitest';
import { coveredAreas } from '../../../src/analysis/covered.ts';
import { Polygon } from '../../../src/analysis/polygon.ts';
import type { Area, AreaStore } from '../../../src/areas/store.ts';
import { Deadline } from '../../../src/deadline.ts';
import { TurnCount } from '../../support/turns.ts';

/** A star whose edges are long: the boxes of most of them meet whatever is near its middle. */
function star(positions: number): Promise<Polygon> {
  const ring = Array.from({ length: positions }, (_, i) => {
    const [angle, radius] = [(2 * Math.PI * i) / positions, i % 2 ? 1 : 0.05];
    return [122 + radius * Math.cos(angle), 11 + radius * Math.sin(angle)];
  });
  return Polygon.of({ type: 'Polygon', coordinates: [[...ring, ring[0] as number[]]] });
}

/** Areas without a boundary in the middle of the star, and how many lists of them were under way at once. */
function storeOf(count: number) {
  const bbox = [122.001, 11.001, 122.002, 11.002];
  const areas = Array.from({ length: count }, (_, i) => ({ code: String(i), bbox, areaKm2: 1 }) as unknown as Area);
  const seen = { now: 0, most: 0 };
  const list = async () => {
    seen.now += 1;
    seen.most = Math.max(seen.most, seen.now);
    await new Promise((resolve) => setTimeout(resolve, 5));
    seen.now -= 1;
    return { release: '', version: '', value: { areas, total: areas.length } };
  };
  return { seen, areas: { list } as unknown as AreaStore };
}

const options = { level: 'barangay', deadline: new Deadline(), countAreas: () => Promise.reject(new Error('sorted')) };

it('gives others a turn after some edges, and not after some areas', async () => {
  const polygon = await star(4000);
  const before = polygon.visitedEdges;
  const others = new TurnCount();
  await expect(coveredAreas(storeOf(2000).areas, { ...options, polygon } as never)).rejects.toThrow('sorted');
  const turns = others.end();
  const looked = polygon.visitedEdges - before;
  expect(looked).toBeGreaterThan(1_000_000);
  expect(turns).toBeGreaterThan(looked / 200_000);
});

it('refuses to compare what takes the processor for long', async () => {
  const asked = coveredAreas(storeOf(10_000).areas, { ...options, polygon: await star(5000) } as never);
  await expect(asked).rejects.toMatchObject({ code: 'too_many_areas' });
});

it('lists areas for one polygon at a time', async () => {
  const polygon = await star(100);
  const { seen, areas } = storeOf(10);
  await Promise.allSettled(Array.from({ length: 5 }, () => coveredAreas(areas, { ...options, polygon } as never)));
  expect(seen.most).toBe(1);
});
