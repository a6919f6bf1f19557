import type { FeatureCollection, Geometry } from 'geojson';
import type {
  ExpressionSpecification,
  FilterSpecification,
  LayerSpecification,
  SourceSpecification,
} from 'maplibre-gl';
import { STRONG } from '../fonts.ts';
import type { Palette } from '../palette.ts';
import type { ColorClass } from './classes.ts';
import { MAX_TILE_ZOOM, TILE_LAYERS } from './feature-tiles.ts';
import type { Symbology } from './symbology.ts';

/** Features of a dataset as the map draws them. */
export interface Drawing {
  /** Addresses of their tiles. */
  readonly tiles: string;
  /** Changes whenever the tiles show something else, and must be read again. */
  readonly look: number;
  /** The geometry that is marked. */
  readonly marked: Geometry | null;
  /** The property that colours the features, with the meaning of the colours. */
  readonly legend: Legend | undefined;
  /** The numbers of areas, the widest areas first; none unless they were chosen. */
  readonly values: readonly ValueLabel[];
}

export interface ValueLabel {
  readonly text: string;
  readonly at: readonly [lon: number, lat: number];
}

export interface Legend {
  /** What the colours show: a property, or what it is divided by. */
  readonly title: string;
  /** The author's words on the map, empty where there are none. */
  readonly words: Pick<Symbology, 'title' | 'source' | 'notes'>;
  readonly classes: readonly LegendClass[];
}

interface LegendClass extends ColorClass {
  /** How many features that are drawn are of the class. */
  readonly count: number;
  /** Whether only features of the chosen classes are drawn, and this is one. */
  readonly isChosen: boolean;
  /** Chooses the class, or no longer; undefined where it can't be chosen. */
  readonly choose: (() => void) | undefined;
}

export const OWN_SOURCE = 'own-features';
const MARKED = 'own-marked';
const VALUES = 'own-values';

/** Layers whose features can be clicked. */
export const OWN_LAYERS = ['own-fill', 'own-hatch', 'own-line', 'own-multipoint', 'own-point'];
export const CLUSTER_LAYER = 'own-cluster';

export function ownSources({ tiles, marked, values }: Drawing): Record<string, SourceSpecification> {
  const features = marked ? [{ type: 'Feature' as const, properties: {}, geometry: marked }] : [];
  const collection: FeatureCollection = { type: 'FeatureCollection', features };
  return {
    [OWN_SOURCE]: { type: 'vector', tiles: [tiles], maxzoom: MAX_TILE_ZOOM },
    [MARKED]: { type: 'geojson', data: collection },
    ...(values.length > 0 && { [VALUES]: { type: 'geojson', data: valuePoints(values) } }),
  };
}

function valuePoints(values: readonly ValueLabel[]): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: values.map(({ text, at }, order) => ({
      type: 'Feature',
      properties: { text, order },
      geometry: { type: 'Point', coordinates: [...at] },
    })),
  };
}

/** The picture that hatches areas without a value, in a light and a dark map alike. */
export const HATCH_IMAGE = 'own-hatch';

/**
 * The fills of the features, which lie below the labels of places. With classes they hide what is below them, so that each
 * has the colour that the legend has.
 */
export function ownFills({ legend }: Drawing, { chosen, halo }: Palette): LayerSpecification[] {
  const areas = { source: OWN_SOURCE, 'source-layer': TILE_LAYERS.shapes, filter: only('Polygon') } as const;
  const color = colorOf(legend, chosen);
  const missing = legend?.classes.findIndex(({ isMissing }) => isMissing) ?? -1;
  const fill: LayerSpecification = {
    id: 'own-fill',
    type: 'fill',
    ...areas,
    paint: { 'fill-color': color, 'fill-opacity': legend ? 1 : 0.5 },
  };
  const hatch: LayerSpecification = {
    id: 'own-hatch',
    type: 'fill',
    ...areas,
    filter: ['all', areas.filter, ['==', ['get', 'class'], missing]] as FilterSpecification,
    paint: { 'fill-pattern': HATCH_IMAGE },
  };
  const edge: LayerSpecification = {
    id: 'own-edge',
    type: 'line',
    ...areas,
    layout: { 'line-join': 'round' },
    paint: legend ? { 'line-color': halo, 'line-width': 0.75 } : { 'line-color': chosen, 'line-width': 1.75 },
  };
  return [fill, ...(missing < 0 ? [] : [hatch]), edge];
}

function only(type: string): FilterSpecification {
  return ['==', ['geometry-type'], type];
}

/** Without a class features have the colour of all datasets. */
function colorOf(legend: Legend | undefined, chosen: string): ExpressionSpecification | string {
  const [first, second, ...others] = (legend?.classes ?? []).flatMap(({ color }, index) => [index, color]);
  if (first === undefined || second === undefined) return chosen;
  return ['match', ['get', 'class'], first, second, ...others, chosen] as ExpressionSpecification;
}

/** The lines and points of the features, and the marked one, above the labels of places. */
export function ownLayers(
  { legend, values }: Drawing,
  { chosen, chosenHalo, label, halo }: Palette,
): LayerSpecification[] {
  const color = colorOf(legend, chosen);
  const of = (layer: keyof typeof TILE_LAYERS) => ({ source: OWN_SOURCE, 'source-layer': TILE_LAYERS[layer] });
  const radius: ExpressionSpecification = ['coalesce', ['get', 'radius'], 5];
  const dots = { 'circle-color': color, 'circle-radius': radius, 'circle-stroke-color': chosenHalo } as const;
  const isCluster: FilterSpecification = ['has', 'point_count'];
  return [
    {
      id: 'own-line',
      type: 'line',
      ...of('shapes'),
      filter: only('LineString'),
      paint: { 'line-color': color, 'line-width': 1.75 },
    },
    {
      id: 'own-multipoint',
      type: 'circle',
      ...of('shapes'),
      filter: only('Point'),
      paint: { ...dots, 'circle-stroke-width': 1 },
    },
    {
      id: 'own-point',
      type: 'circle',
      ...of('points'),
      filter: ['!', isCluster],
      paint: { ...dots, 'circle-stroke-width': 1 },
    },
    {
      id: CLUSTER_LAYER,
      type: 'circle',
      ...of('points'),
      filter: isCluster,
      paint: {
        'circle-color': chosenHalo,
        'circle-stroke-color': color,
        'circle-stroke-width': legend ? 4 : 2,
        'circle-radius': ['step', ['get', 'point_count'], 13, 100, 17, 1000, 22],
      },
    },
    {
      id: 'own-count',
      type: 'symbol',
      ...of('points'),
      filter: isCluster,
      layout: {
        'text-field': ['get', 'point_count_abbreviated'],
        'text-font': STRONG,
        'text-size': 12,
        'text-allow-overlap': true,
      },
      paint: { 'text-color': label },
    },
    {
      id: 'own-marked-line',
      type: 'line',
      source: MARKED,
      filter: ['!=', ['geometry-type'], 'Point'],
      paint: { 'line-color': label, 'line-width': 4 },
    },
    {
      id: 'own-marked-point',
      type: 'circle',
      source: MARKED,
      filter: only('Point'),
      paint: {
        'circle-opacity': 0,
        'circle-radius': 11,
        'circle-stroke-color': label,
        'circle-stroke-width': 3,
      },
    },
    ...(values.length > 0 ? [valueLayer(label, halo)] : []),
  ];
}

/** The numbers on areas. The uppermost layer finds room first, so names of places go around them. */
function valueLayer(label: string, halo: string): LayerSpecification {
  return {
    id: VALUES,
    type: 'symbol',
    source: VALUES,
    layout: {
      'text-field': ['get', 'text'],
      'text-font': STRONG,
      'text-size': ['interpolate', ['linear'], ['zoom'], 4, 10, 7, 12, 12, 14],
      'text-padding': 1,
      'symbol-sort-key': ['get', 'order'],
    },
    paint: { 'text-color': label, 'text-halo-color': halo, 'text-halo-width': 1.6 },
  };
}
