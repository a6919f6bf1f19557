import type { Map as GlMap } from 'maplibre-gl';
import { describe, expect, it } from 'vitest';
import { sentenceOfValues, valuesShown } from '../../../pages/explore/own/values-shown.ts';

describe('the numbers on areas', () => {
  const label = (value: string, lon: number) =>
    ({ index: 0, name: 'A', value, at: [lon, 10], fromZoom: 5, valueFromZoom: 4 }) as const;

  it('are counted where the map shows their areas, each once', () => {
    const painted = [0, 0, 1].map((order) => ({ properties: { order, value: order === 0 ? '7' : '' } }));
    const map = {
      getBounds: () => ({ contains: ([lon = 0]: [number, number]) => lon < 130 }),
      getLayer: () => ({}),
      queryRenderedFeatures: () => painted,
    } as unknown as GlMap;
    expect(valuesShown(map, { labels: [label('7', 120), label('', 121), label('8', 122), label('9', 140)] })).toEqual({
      shown: 1,
      all: 2,
    });
    expect(valuesShown(map, { labels: [] })).toEqual({ shown: 0, all: 0 });
  });

  it('are said to be too few where some have no room', () => {
    expect(sentenceOfValues({ shown: 30, all: 82 })).toBe('30 of 82 have room at this zoom. Zoom in for the rest.');
    expect([sentenceOfValues({ shown: 3, all: 3 }), sentenceOfValues({ shown: 0, all: 0 })]).toEqual(['', '']);
  });
});
