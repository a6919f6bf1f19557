import { expect, it } from 'vitest';
import { boundaryParts } from '../../../src/areas/documents.ts';
import { SYSTEMS, transformOf } from '../../../src/ogc/crs.ts';

it('a boundary that is transformed in parts is that which is transformed as a whole', () => {
  const ring = Array.from({ length: 500 }, (_, i) => [120 + i / 1e4, 10 + i / 1e5]);
  const hole = ring.map(([lon = 0, lat = 0]) => [lon + 1, lat, 5]);
  const boundary = JSON.stringify({ type: 'MultiPolygon', coordinates: [[ring, hole], [hole], [[[121, -1e-7]]]] });
  for (const transform of SYSTEMS.map(transformOf).filter((one) => one !== undefined)) {
    for (const length of [1, 17, 4096, boundary.length]) {
      const parts = [...boundaryParts(boundary, length)];
      expect(parts.join('')).toBe(boundary);
      expect(parts.map(transform).join('')).toBe(transform(boundary));
      expect(parts.length).toBeGreaterThan(boundary.length / length / 30 - 1);
      expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(length + 60);
    }
  }
});
