import type { FeatureCollection } from 'geojson';
import type { FilterSpecification, LayerSpecification, SymbolLayerSpecification } from 'maplibre-gl';
import { type CountryName, DOT_RADIUS, LINE_HEIGHT, SIZES } from './country-names.ts';
import { PLAIN, STRONG } from './fonts.ts';
import type { Palette } from './map-colors.ts';

/** Id of the map's source with the names of regions, capitals and provinces. */
export const NAMES_SOURCE = 'names';

/** The names as points, with offsets in ems for MapLibre's `text-offset`. */
export function namePoints(names: readonly CountryName[]): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: names.map(({ kind, lines, size, position, offset: [x, y] }) => ({
      type: 'Feature',
      properties: { kind, text: lines.join('\n'), offset: [x / size, y / size] },
      geometry: { type: 'Point', coordinates: [...position] },
    })),
  };
}

/** The layers that draw the names. `countryNames` has placed them so that they don't overlap. */
export function nameLayers(palette: Palette): LayerSpecification[] {
  const isKind = (kind: CountryName['kind']): FilterSpecification => ['==', ['get', 'kind'], kind];
  const names = (kind: CountryName['kind'], font: string[]): SymbolLayerSpecification => ({
    id: `${kind}-names`,
    type: 'symbol',
    source: NAMES_SOURCE,
    filter: isKind(kind),
    layout: {
      'text-field': ['get', 'text'],
      'text-font': font,
      'text-size': ['interpolate', ['linear'], ['zoom'], ...SIZES[kind]],
      // `namePoints` has broken the lines: MapLibre must not wrap them.
      'text-max-width': 100,
      'text-line-height': LINE_HEIGHT,
      'text-offset': ['array', 'number', 2, ['get', 'offset']],
      // They do not overlap, but none may be cut by the edge of the map.
      'text-padding': 0,
    },
    paint: { 'text-color': palette.label, 'text-halo-color': palette.halo, 'text-halo-width': 1.5 },
  });
  return [
    {
      id: 'capital-dots',
      type: 'circle',
      source: NAMES_SOURCE,
      filter: isKind('capital'),
      paint: {
        'circle-color': palette.label,
        'circle-radius': ['interpolate', ['linear'], ['zoom'], ...DOT_RADIUS],
        'circle-stroke-color': palette.halo,
        'circle-stroke-width': 1,
      },
    },
    names('province', PLAIN),
    names('capital', PLAIN),
    names('region', STRONG),
  ];
}
