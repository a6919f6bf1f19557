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
}

export interface Legend {
  readonly title: string;
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

/** Layers whose features can be clicked. */
export const OWN_LAYERS = ['own-fill', 'own-line', 'own-multipoint', 'own-point'];
export const CLUSTER_LAYER = 'own-cluster';

export function ownSources({ tiles, marked }: Drawing): Record<string, SourceSpecification> {
  const features = marked ? [{ type: 'Feature' as const, properties: {}, geometry: marked }] : [];
  const collection: FeatureCollection = { type: 'FeatureCollection', features };
  return {
    [OWN_SOURCE]: { type: 'vector', tiles: [tiles], maxzoom: MAX_TILE_ZOOM },
    [MARKED]: { type: 'geojson', data: collection },
  };
}

/** Without a class features have the colour of all datasets. */
export function ownLayers({ legend }: Drawing, { chosen, chosenHalo, label }: Palette): LayerSpecification[] {
  const only = (type: string): FilterSpecification => ['==', ['geometry-type'], type];
  const colors = (legend?.classes ?? []).flatMap(({ color }, index) => [index, color]);
  const [first, second, ...others] = colors;
  const color: ExpressionSpecification | string =
    first === undefined || second === undefined
      ? chosen
      : (['match', ['get', 'class'], first, second, ...others, chosen] as ExpressionSpecification);
  const of = (layer: keyof typeof TILE_LAYERS) => ({ source: OWN_SOURCE, 'source-layer': TILE_LAYERS[layer] });
  const radius: ExpressionSpecification = ['coalesce', ['get', 'radius'], 5];
  const dots = { 'circle-color': color, 'circle-radius': radius, 'circle-stroke-color': chosenHalo } as const;
  const isCluster: FilterSpecification = ['has', 'point_count'];
  return [
    {
      id: 'own-fill',
      type: 'fill',
      ...of('shapes'),
      filter: only('Polygon'),
      paint: { 'fill-color': color, 'fill-opacity': 0.5 },
    },
    {
      id: 'own-line',
      type: 'line',
      ...of('shapes'),
      filter: ['!=', ['geometry-type'], 'Point'],
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
  ];
}
