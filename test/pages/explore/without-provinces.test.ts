import type { Position } from 'geojson';
import { expect, it } from 'vitest';
import { areAnyInCapital } from '../../../pages/explore/own/count-levels.ts';
import { countPoints } from '../../../pages/explore/own/count-points.ts';
import { remarkOnAround, remarkOnOutside } from '../../../pages/explore/without-provinces.ts';

it.each([
  // The City of Makati.
  [[121.03, 14.55], 1, true],
  // The middle of Laguna, whose south is 60 km from Metro Manila.
  [[121.33, 14.17], 50, true],
  [[121.33, 14.17], 20, false],
  // The City of Cebu.
  [[123.89, 10.32], 100, false],
] as const)('the provinces around %j within %i km lack Metro Manila: %j', (position, km, isLacking) => {
  expect(remarkOnAround('province', position, km)).toBe(isLacking ? ' Metro Manila has no provinces.' : '');
  expect(remarkOnAround('municity', position, km)).toBe('');
});

it('counts of provinces lack Metro Manila only where some point lies there', async () => {
  const area = (code: string, west: number) => ({
    type: 'Feature' as const,
    properties: { code },
    geometry: {
      type: 'Polygon' as const,
      coordinates: [
        [
          [west, 14],
          [west + 1, 14],
          [west + 1, 15],
          [west, 15],
          [west, 14],
        ],
      ],
    },
  });
  const collection = (...features: ReturnType<typeof area>[]) => ({ type: 'FeatureCollection' as const, features });
  const overview = {
    provinces: collection(area('0403400000', 121)),
    regions: collection(area('0400000000', 121), area('1300000000', 120)),
  };
  const areIn = (...points: Position[]) => {
    const geometries = points.map((coordinates) => ({ type: 'Point' as const, coordinates }));
    return areAnyInCapital({ countIn: async (areas) => countPoints(geometries, areas) }, overview);
  };
  expect(await areIn([121.5, 14.5], [110, 10])).toBe(false);
  // On the border a point is of the province, as where it is counted.
  expect(await areIn([121.001, 14.5])).toBe(false);
  expect(await areIn([120.5, 14.5], [110, 10])).toBe(true);
  const remark = ' Metro Manila has no provinces: its points lie in none.';
  expect([remarkOnOutside('province', 44, true), remarkOnOutside('province', 44, false)]).toEqual([remark, '']);
  expect([remarkOnOutside('municity', 44, true), remarkOnOutside('province', 0, true)]).toEqual(['', '']);
});
