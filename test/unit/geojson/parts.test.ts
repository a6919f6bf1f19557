import { expect, it } from 'vitest';
import { geometryParts, PacedTransform } from '../../../src/geojson/parts.ts';
import { SYSTEMS, transformOf } from '../../../src/ogc/crs.ts';

const ring = Array.from({ length: 500 }, (_, i) => [120 + i / 1e4, 10 + i / 1e5]);
const hole = ring.map(([lon = 0, lat = 0]) => [lon + 1, lat, 5]);
const TRANSFORMS = SYSTEMS.map(transformOf).filter((one) => one !== undefined);

it('a geometry that is transformed in parts is that which is transformed as a whole', () => {
  const geometry = JSON.stringify({ type: 'MultiPolygon', coordinates: [[ring, hole], [hole], [[[121, -1e-7]]]] });
  for (const transform of TRANSFORMS) {
    for (const length of [1, 17, 4096, geometry.length]) {
      const parts = [...geometryParts(geometry, length)];
      expect(parts.join('')).toBe(geometry);
      expect(parts.map(transform).join('')).toBe(transform(geometry));
      expect(parts.length).toBeGreaterThan(geometry.length / length / 30 - 1);
      expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(length + 60);
    }
  }
});

it('lets others in between parts of large geometries and after many small ones, and not after each', async () => {
  const turns = async (count: number, positions: number) => {
    const coordinates = Array.from({ length: positions }, (_, i) => [120 + i / 1e6, 10]);
    const geometry = JSON.stringify({ type: 'LineString', coordinates });
    let others = 0;
    const other = setInterval(() => {
      others += 1;
    }, 0);
    const paced = new PacedTransform((part) => part);
    for (let i = 0; i < count; i += 1) expect(await paced.textOf(geometry)).toBe(geometry);
    clearInterval(other);
    return others;
  };
  expect(await turns(1, 100_000)).toBeGreaterThan(5);
  expect(await turns(1000, 100)).toBeGreaterThan(5);
  expect(await turns(100, 10)).toBe(0);
});
