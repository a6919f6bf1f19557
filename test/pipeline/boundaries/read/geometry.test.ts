import { describe, expect, it } from 'vitest';
import { type Ring, tidyGeometry } from '../../../../scripts/pipeline/boundaries/read/geometry.ts';
import { box, polygon } from '../country.ts';

const SQUARE = box(120, 18);

function tidied(geometry: unknown) {
  return tidyGeometry(geometry)?.geometry;
}

describe('tidy', () => {
  it('leaves a sound polygon as it is', () => {
    expect(tidyGeometry(polygon(SQUARE))).toEqual({ geometry: polygon(SQUARE), closed: 0 });
  });

  it('turns outer rings counter-clockwise and inner ones clockwise', () => {
    const hole = box(120.02, 18.02, 0.01, 0.01);
    const turned = polygon(SQUARE.toReversed(), hole);
    expect(tidied(turned)).toEqual(polygon(SQUARE, hole.toReversed()));
  });

  it('rounds to six decimals, drops repeated positions and heights', () => {
    const ring = [
      [120, 18, 5],
      [120.10000001, 18, 5],
      [120.1000000001, 18.0000000001, 5],
      [120.1, 18.1, 5],
      [120, 18, 5],
    ];
    expect(tidied(polygon(ring as unknown as Ring))).toEqual(
      polygon([
        [120, 18],
        [120.1, 18],
        [120.1, 18.1],
        [120, 18],
      ]),
    );
  });

  it('closes an open ring and counts it', () => {
    expect(tidyGeometry(polygon(SQUARE.slice(0, -1)))).toEqual({ geometry: polygon(SQUARE), closed: 1 });
  });

  it('drops rings and polygons without an area, and says null when nothing is left', () => {
    const line: Ring = [
      [120, 18],
      [120.1, 18],
      [120, 18],
    ];
    expect(tidied({ type: 'MultiPolygon', coordinates: [[line], [SQUARE, line]] })).toEqual(polygon(SQUARE));
    expect(tidyGeometry(polygon(line))).toBeNull();
    expect(tidyGeometry({ type: 'MultiPolygon', coordinates: [] })).toBeNull();
    expect(tidyGeometry(null)).toBeNull();
  });

  it.each([
    [{ type: 'Point', coordinates: [120, 18] }, 'is a Point, not a polygon'],
    [{ type: 'Polygon' }, 'no list of rings'],
    [{ type: 'Polygon', coordinates: [[[120, null]]] }, 'has the position [120,null]'],
    [{ type: 'Polygon', coordinates: [['x']] }, 'has the position "x"'],
    [polygon(SQUARE.map(([x, y]): [number, number] => [y, x])), 'latitude and longitude are swapped'],
    [polygon(box(274_000, 1_990_000, 1000, 1000)), 'a wrong projection'],
    [polygon(box(100, 18)), 'outside the Philippines'],
  ])('refuses %j', (geometry, message) => {
    expect(() => tidyGeometry(geometry)).toThrow(message);
  });
});
