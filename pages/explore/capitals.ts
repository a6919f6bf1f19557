import type {
  ExpressionSpecification,
  FilterSpecification,
  LayerSpecification,
  SymbolLayerSpecification,
} from 'maplibre-gl';
import { DOT_RADIUS, SIZES } from './country-names.ts';
import { PLAIN } from './fonts.ts';
import type { Palette } from './map-colors.ts';
import { CITY_OF } from './places.ts';
import type { Scene, ShownLevel } from './scene.ts';

/** Name of the map's source with the capitals of provinces. */
export const CAPITALS = 'capitals';

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

/** The capital of the country is that of no province. */
const IS_NATIONAL: ExpressionSpecification = ['==', ['get', 'p_code'], null];

type State = { readonly palette: Palette; readonly scene: Scene };

/** The capitals with their names, but those that the map names as a city or municipality among others. */
export function capitalLayers(state: State, shown: readonly ShownLevel[]): LayerSpecification[] {
  const { palette } = state;
  const filter = filterOf(state, shown);
  return [
    {
      id: 'capital-dots',
      type: 'circle',
      source: CAPITALS,
      filter,
      paint: {
        'circle-color': palette.label,
        'circle-radius': ['interpolate', ['linear'], ['zoom'], ...DOT_RADIUS],
        'circle-stroke-color': palette.halo,
        'circle-stroke-width': 1,
      },
    },
    { ...names(palette), id: 'capital-labels', filter: ['all', filter, ['!', IS_NATIONAL]] as FilterSpecification },
  ];
}

/** The name of the country's capital, which belongs over the names of areas, so that no other takes its place. */
export function nationalCapitalLayer(state: State, shown: readonly ShownLevel[]): LayerSpecification {
  const filter = ['all', filterOf(state, shown), IS_NATIONAL] as FilterSpecification;
  return { ...names(state.palette), id: 'national-capital-label', filter };
}

function filterOf({ scene }: State, shown: readonly ShownLevel[]): FilterSpecification {
  const municities = shown.find(({ level }) => level === 'municity');
  const others: ExpressionSpecification | boolean = municities
    ? municities.filter === undefined
      ? false
      : ['!', ofCapitals(municities.filter) as ExpressionSpecification]
    : true;
  return ['all', others, ['!=', ['get', 'code'], scene.chosen?.code ?? '']] as FilterSpecification;
}

/** The region of a capital, which has no property for it. */
const REGION: ExpressionSpecification = ['concat', ['slice', ['get', 'code'], 0, 2], '00000000'];

/** A filter of cities and municipalities as one of capitals. */
function ofCapitals(part: unknown): unknown {
  if (!Array.isArray(part)) return part;
  return part[0] === 'get' && part[1] === 'r_code' ? REGION : part.map(ofCapitals);
}

function names(palette: Palette) {
  return {
    type: 'symbol',
    source: CAPITALS,
    layout: {
      'text-field': LABEL,
      'text-font': PLAIN,
      'text-size': ['interpolate', ['linear'], ['zoom'], ...SIZES.capital],
      'text-max-width': 8,
      'text-padding': 2,
      'text-radial-offset': 0.45,
      'text-variable-anchor': ['left', 'right', 'top', 'bottom'],
    },
    paint: { 'text-color': palette.label, 'text-halo-color': palette.halo, 'text-halo-width': 1.4 },
  } satisfies Omit<SymbolLayerSpecification, 'id'>;
}
