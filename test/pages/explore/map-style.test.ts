import type { FeatureCollection } from 'geojson';
import type { LayerSpecification, StyleSpecification } from 'maplibre-gl';
import { afterEach, expect, it, vi } from 'vitest';
import { DETAIL_ZOOM } from '../../../pages/explore/country-names.ts';
import { paletteFor } from '../../../pages/explore/map-colors.ts';
import { sceneOf } from '../../../pages/explore/scene.ts';
import type { Level } from '../../../pages/shared/levels.ts';

afterEach(() => void vi.unstubAllGlobals());

// The types of a browser, which its module needs, are not those of these tests.
const { styleOf } = await import('../../../pages/explore/map-style.ts' as string);

const NONE: FeatureCollection = { type: 'FeatureCollection', features: [] };

it.each([
  ['from tiles', ['region', 'province'], 'vector'],
  ['without a key', [], 'geojson'],
] as const)('a map of the country has borders of provinces where it names them, %s', (_, levels, type) => {
  vi.stubGlobal('location', { origin: 'https://geo.example' });
  const style = (names: FeatureCollection | undefined, hasProvinces = true) =>
    styleOf({
      palette: paletteFor(false),
      scene: sceneOf({ view: undefined, edition: undefined }),
      tiled: new Set<Level>(levels),
      geojson: new Map(
        (hasProvinces ? (['region', 'province'] as const) : (['region'] as const)).map((level) => [
          level,
          { areas: NONE, labels: NONE },
        ]),
      ),
      capitals: NONE,
      names,
      own: undefined,
      changed: undefined,
    });
  const { sources, layers }: StyleSpecification = style(NONE);
  expect(sources.provinces?.type).toBe(type);
  expect(layers.find(({ id }) => id === 'province-edge')).toMatchObject({ source: 'provinces', minzoom: DETAIL_ZOOM });
  const ids = layers.map(({ id }) => id);
  expect(ids.indexOf('province-edge')).toBeLessThan(ids.indexOf('province-names'));
  // What has no names has no borders, and a release may have been published without provinces.
  for (const other of [style(undefined), ...(levels.length === 0 ? [style(NONE, false)] : [])])
    expect(other.layers.map(({ id }: LayerSpecification) => id)).not.toContain('province-edge');
});
