import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from 'maplibre-gl';
import { PLAIN } from './fonts.ts';
import type { Palette } from './palette.ts';
import type { Scene, ShownLevel } from './scene.ts';

/** Name of the map's source with the capitals of provinces. */
export const CAPITALS = 'capitals';

const CITY_OF = 'City of ';

/** `City of Cebu` becomes `Cebu`: on the map its dot says that it is a city. */
const LABEL: ExpressionSpecification = [
  'let',
  'name',
  ['get', 'name'],
  [
    'case',
    ['==', ['slice', ['var', 'name'], 0, CITY_OF.length], CITY_OF],
    ['slice', ['var', 'name'], CITY_OF.length],
    ['var', 'name'],
  ],
];

/** The capitals with their names, but those that the map names as a city or municipality among others. */
export function capitalLayers(
  { palette, scene }: { palette: Palette; scene: Scene },
  shown: readonly ShownLevel[],
): LayerSpecification[] {
  const municities = shown.find(({ level }) => level === 'municity');
  const others: ExpressionSpecification | boolean = municities
    ? municities.filter === undefined
      ? false
      : ['!', municities.filter as ExpressionSpecification]
    : true;
  const filter = ['all', others, ['!=', ['get', 'code'], scene.chosen?.code ?? '']] as FilterSpecification;
  return [
    {
      id: 'capital-dots',
      type: 'circle',
      source: CAPITALS,
      filter,
      paint: {
        'circle-color': palette.label,
        'circle-radius': ['interpolate', ['linear'], ['zoom'], 4, 1.25, 9, 3],
        'circle-stroke-color': palette.halo,
        'circle-stroke-width': 1,
      },
    },
    {
      id: 'capital-labels',
      type: 'symbol',
      source: CAPITALS,
      filter,
      layout: {
        'text-field': LABEL,
        'text-font': PLAIN,
        'text-size': ['interpolate', ['linear'], ['zoom'], 4, 9.5, 9, 12],
        'text-max-width': 8,
        'text-padding': 2,
        'text-radial-offset': 0.45,
        'text-variable-anchor': ['left', 'right', 'top', 'bottom'],
      },
      paint: { 'text-color': palette.label, 'text-halo-color': palette.halo, 'text-halo-width': 1.4 },
    },
  ];
}
