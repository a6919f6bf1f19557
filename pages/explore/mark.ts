import type { LayerSpecification, SourceSpecification } from 'maplibre-gl';
import { STRONG } from './fonts.ts';
import type { Palette } from './map-colors.ts';
import type { Scene } from './scene.ts';

/** Name of the map's source with the point of the chosen place, where its level is not drawn. */
export const MARK = 'mark';

export function markSource({ name, at }: NonNullable<Scene['mark']>): SourceSpecification {
  const geometry = { type: 'Point' as const, coordinates: [...at] };
  return { type: 'geojson', data: { type: 'Feature', properties: { name }, geometry } };
}

export function markLayers({ chosen, chosenHalo, halo }: Palette): LayerSpecification[] {
  return [
    {
      id: 'mark-dot',
      type: 'circle',
      source: MARK,
      paint: {
        'circle-color': chosen,
        'circle-radius': 6,
        'circle-stroke-color': chosenHalo,
        'circle-stroke-width': 2,
      },
    },
    {
      id: 'mark-label',
      type: 'symbol',
      source: MARK,
      layout: {
        'text-field': ['get', 'name'],
        'text-font': STRONG,
        'text-size': 13,
        'text-radial-offset': 0.8,
        'text-variable-anchor': ['left', 'right', 'top', 'bottom'],
        'text-allow-overlap': true,
      },
      paint: { 'text-color': chosen, 'text-halo-color': halo, 'text-halo-width': 1.6 },
    },
  ];
}
