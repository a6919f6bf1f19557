import { describe, expect, it } from 'vitest';
import { paletteFor } from '../../../pages/explore/map-colors.ts';
import { styleOf } from '../../../pages/explore/map-style.ts';
import type { Scene } from '../../../pages/explore/scene.ts';

const [CITY, BARANGAY] = ['0730600000', '0730600001'];

const EMPTY = { type: 'FeatureCollection', features: [] } as const;
const NONE = { areas: { ...EMPTY, features: [] }, labels: { ...EMPTY, features: [] } };

function fillsOf(chosen: Scene['chosen']) {
  const scene: Scene = {
    shown: [
      { level: 'municity', role: 'around' },
      { level: 'barangay', role: 'inside', filter: ['==', ['get', 'm_code'], CITY] },
    ],
    edition: undefined,
    ...(chosen && { chosen }),
  };
  const { layers } = styleOf({
    ...{
      palette: paletteFor(false),
      scene,
      tiled: new Set(),
      geojson: new Map([
        ['municity' as const, NONE],
        ['barangay' as const, NONE],
      ]),
    },
    ...{ capitals: undefined, names: undefined, own: undefined, changed: undefined },
  });
  return layers.filter(({ type }) => type === 'fill').map(({ id, paint }) => [id, paint?.['fill-opacity' as never]]);
}

describe('the fill of areas', () => {
  it('is pale beside a chosen one of the same level', () => {
    expect(fillsOf({ level: 'barangay', code: BARANGAY })).toEqual([
      ['municity-fill', undefined],
      ['barangay-fill', ['case', ['==', ['get', 'code'], BARANGAY], 1, 0.4]],
    ]);
  });

  it('is alike where what they lie in is chosen', () => {
    expect(fillsOf({ level: 'municity', code: CITY })).toEqual([
      ['municity-fill', undefined],
      ['barangay-fill', undefined],
    ]);
  });
});
