import type { FeatureCollection, Geometry } from 'geojson';
import type {
  ExpressionSpecification,
  FilterSpecification,
  LayerSpecification,
  SourceSpecification,
} from 'maplibre-gl';
import { STRONG } from '../fonts.ts';
import type { Palette, Tone } from '../map-colors.ts';
import type { Classes, ColorClass, SizeKey } from './classes.ts';
import { MAX_TILE_ZOOM, TILE_LAYERS } from './feature-tiles.ts';
import { LABEL_SIZE } from './schemes.ts';
import type { Symbology } from './symbology.ts';

/** Features of a dataset as the map draws them. */
export interface Drawing {
  /** URLs of their tiles. */
  readonly tiles: string;
  /** Changes whenever the tiles show something else, and must be read again. */
  readonly revision: number;
  /** The geometry that is marked. */
  readonly marked: Geometry | null;
  /** The property that colours the features, with the meaning of the colours. */
  readonly legend: Legend | undefined;
  /** What the sizes of points stand for; undefined where all have the same. */
  readonly sizes: SizeKey | undefined;
  /** Whether all of its features with a place are areas. */
  readonly isOfAreas: boolean;
  /** The names of areas, where they have some, and their numbers, if these were chosen. The widest areas come first. */
  readonly labels: readonly AreaLabel[];
}

export interface AreaLabel {
  /** The place of the area in its dataset. */
  readonly index: number;
  readonly name: string;
  /** Empty unless numbers were chosen. */
  readonly value: string;
  readonly at: readonly [lon: number, lat: number];
  /** The zoom at which the area has room for its name. */
  readonly fromZoom: number;
  /** The zoom at which it has room for its number. */
  readonly valueFromZoom: number;
}

export interface Legend {
  /** What the colours show: a property, or what it is divided by. */
  readonly title: string;
  /** What is counted in the classes. */
  readonly noun: string;
  /** What the grey land is: of rows that are not chosen, or of no row, because the areas are not all of their level; empty where there is none. */
  readonly rest: string;
  /** Whether areas are on the map that are not chosen. */
  readonly isFiltered: boolean;
  /** What a reader should know of how the numbers were made; empty where there is nothing. */
  readonly remark: string;
  /** What the numbers are divided by, in words; empty where they are as they were. */
  readonly per: string;
  /** The middle of a diverging scheme that the data suggest; undefined where there are no numbers. */
  readonly middle: number | undefined;
  /**
   * The author's words on the map, empty where there are none. The title is that of the legend where the author wrote none
   * and the dataset is called by another column than that of the colours.
   */
  readonly words: Pick<Symbology, 'title' | 'subtitle' | 'source' | 'notes'>;
  readonly classes: readonly LegendClass[];
  /** The colours of the classes of numbers in another scheme. */
  readonly colorsIn: Classes['colorsIn'];
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
const LABELS = 'own-labels';

/** Layers of the names and numbers on areas. */
export const LABEL_LAYERS = ['own-values', 'own-names'] as const;

/** Layers whose features can be clicked. */
export const OWN_LAYERS = ['own-fill', 'own-hatch', 'own-line', 'own-multipoint', 'own-point'];
export const CLUSTER_LAYER = 'own-cluster';

export function ownSources({ tiles, marked, labels }: Drawing): Record<string, SourceSpecification> {
  const features = marked ? [{ type: 'Feature' as const, properties: {}, geometry: marked }] : [];
  const collection: FeatureCollection = { type: 'FeatureCollection', features };
  return {
    [OWN_SOURCE]: { type: 'vector', tiles: [tiles], maxzoom: MAX_TILE_ZOOM },
    [MARKED]: { type: 'geojson', data: collection },
    ...(labels.length > 0 && { [LABELS]: { type: 'geojson', data: labelPoints(labels) } }),
  };
}

function labelPoints(labels: readonly AreaLabel[]): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: labels.map(({ name, value, fromZoom, valueFromZoom, at }, order) => ({
      type: 'Feature',
      properties: { name, value, fromZoom, valueFromZoom, order },
      geometry: { type: 'Point', coordinates: [...at] },
    })),
  };
}

/** The pictures that hatch areas without a value. */
export const HATCH_IMAGES: Tone = { color: 'own-hatch', dark: 'own-hatch-dark' };

/**
 * The fills of the features, which lie below the labels of places. With classes they hide what is below them, so that each
 * has the colour that the legend has.
 */
export function ownFills({ legend }: Drawing, { isDark, area, halo, classEdge }: Palette): LayerSpecification[] {
  const areas = { source: OWN_SOURCE, 'source-layer': TILE_LAYERS.shapes, filter: only('Polygon') } as const;
  const color = colorOf(legend, { plain: area, isDark });
  const missing = legend?.classes.findIndex(({ isMissing }) => isMissing) ?? -1;
  const fill: LayerSpecification = {
    id: 'own-fill',
    type: 'fill',
    ...areas,
    paint: { 'fill-color': color, 'fill-opacity': legend ? 1 : 0.75 },
  };
  const hatch: LayerSpecification = {
    id: 'own-hatch',
    type: 'fill',
    ...areas,
    filter: ['all', areas.filter, ['==', ['get', 'class'], missing]] as FilterSpecification,
    paint: { 'fill-pattern': isDark ? HATCH_IMAGES.dark : HATCH_IMAGES.color },
  };
  const edge: LayerSpecification = {
    id: 'own-edge',
    type: 'line',
    ...areas,
    layout: { 'line-join': 'round' },
    paint: { 'line-color': legend ? classEdge : halo, 'line-width': 0.75 },
  };
  return [fill, ...(missing < 0 ? [] : [hatch]), edge];
}

function only(type: string): FilterSpecification {
  return ['==', ['geometry-type'], type];
}

/** Without classes all features have one colour. */
function colorOf(
  legend: Legend | undefined,
  { plain, isDark }: Pick<Palette, 'isDark'> & { readonly plain: string },
): ExpressionSpecification | string {
  const [first, second, ...others] = (legend?.classes ?? []).flatMap(({ color, dark }, index) => [
    index,
    isDark ? dark : color,
  ]);
  if (first === undefined || second === undefined) return plain;
  return ['match', ['get', 'class'], first, second, ...others, plain] as ExpressionSpecification;
}

/** The lines and points of the features, and the marked one, above the labels of places. */
export function ownLayers(
  { legend, labels }: Drawing,
  { isDark, chosen, chosenHalo, classEdge, label, halo }: Palette,
): LayerSpecification[] {
  const color = colorOf(legend, { plain: chosen, isDark });
  const of = (layer: keyof typeof TILE_LAYERS) => ({ source: OWN_SOURCE, 'source-layer': TILE_LAYERS[layer] });
  const radius: ExpressionSpecification = ['coalesce', ['get', 'radius'], 5];
  // Neither the palest nor the darkest class may sink into the map.
  const around = legend ? classEdge : chosenHalo;
  const dots = { 'circle-color': color, 'circle-radius': radius, 'circle-stroke-color': around } as const;
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
      // A small area on a map of the country stays to be seen.
      paint: { 'line-color': label, 'line-width': ['interpolate', ['linear'], ['zoom'], 5, 1.75, 10, 3.5] },
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
    ...(labels.length > 0 ? labelLayers({ label, halo }) : []),
  ];
}

/** The names and numbers on areas. Those of wide areas find room first, and no name is wider than its area lets it be. */
function labelLayers({ label, halo }: Pick<Palette, 'label' | 'halo'>): LayerSpecification[] {
  const hasRoom: ExpressionSpecification = ['>=', ['zoom'], ['get', 'fromZoom']];
  const hasRoomForValue: ExpressionSpecification = ['>=', ['zoom'], ['get', 'valueFromZoom']];
  const hasValue: ExpressionSpecification = ['!=', ['get', 'value'], ''];
  const name: ExpressionSpecification = ['get', 'name'];
  const value: ExpressionSpecification = ['get', 'value'];
  const layer = (id: string, filter: ExpressionSpecification, text: ExpressionSpecification): LayerSpecification => ({
    id,
    type: 'symbol',
    source: LABELS,
    filter: filter as FilterSpecification,
    layout: {
      'text-field': text,
      'text-font': STRONG,
      'text-size': ['interpolate', ['linear'], ['zoom'], 4, LABEL_SIZE, 7, 11.5, 12, 14],
      'text-max-width': LABEL_LENGTH,
      'text-line-height': 1.1,
      'text-padding': 1,
      'symbol-sort-key': ['get', 'order'],
    },
    paint: { 'text-color': label, 'text-halo-color': halo, 'text-halo-width': 1.4 },
  });
  const both: ExpressionSpecification = ['case', hasValue, ['concat', name, '\n', value], name];
  const [ofValues, ofNames] = LABEL_LAYERS;
  return [layer(ofValues, ['all', ['!', hasRoom], hasRoomForValue], value), layer(ofNames, hasRoom, both)];
}

/** The longest line of a name, in units of the size. */
const LABEL_LENGTH = 7;
/** The width of most letters, in units of the size. */
const LETTER = 0.55;
/** How much wider than its area a name may be. */
const OVER = 1.25;

/** The zoom at which a name has room in an area. @param width how wide the area is, degrees */
export function zoomForName(name: string, width: number): number {
  const longest = Math.max(...name.split(' ').map(({ length }) => length * LETTER));
  const line = LABEL_SIZE * Math.min(name.length * LETTER, Math.max(longest, LABEL_LENGTH * 0.8));
  // Layers leave features out by whole zooms.
  return Math.log2(((line / OVER) * 360) / (512 * width)) - 0.5;
}

/** The share of the areas that have room for their names where the first names are shown. Fewer look as if they were chosen. */
const LEAST_NAMED = 0.3;

/** The zoom from which on areas are named. @param zooms at which each of them has room for its name */
export function zoomForNames(zooms: readonly number[]): number {
  const sorted = zooms.toSorted((a, b) => a - b);
  return sorted[Math.ceil(LEAST_NAMED * sorted.length) - 1] ?? 0;
}
