import type { Feature, FeatureCollection } from 'geojson';
import type {
  ExpressionSpecification,
  FilterSpecification,
  LayerSpecification,
  SourceSpecification,
} from 'maplibre-gl';
import { STRONG } from '../fonts.ts';
import type { Palette } from '../palette.ts';
import type { ColorClass } from './classes.ts';
import type { Row } from './rows.ts';

/** Features of a dataset as the map draws them. */
export interface Drawing {
  /** Points are apart from other shapes, because only points cluster. */
  readonly points: FeatureCollection;
  readonly shapes: FeatureCollection;
  readonly marked: FeatureCollection;
  /** The property that colours the features, with the meaning of the colours. */
  readonly legend: { readonly title: string; readonly classes: readonly ColorClass[] } | undefined;
}

/** How features look. Without a colour they have that of all datasets. */
export interface Look {
  readonly colorOf: ((row: Row) => string) | undefined;
  readonly radiusOf: ((row: Row) => number) | undefined;
  readonly legend: Drawing['legend'];
}

const POINTS = 'own-points';
const SHAPES = 'own-shapes';
const MARKED = 'own-marked';

/** Layers whose features can be clicked. */
export const OWN_LAYERS = ['own-fill', 'own-line', 'own-multipoint', 'own-point'];
export const CLUSTER_LAYER = 'own-cluster';

/** A higher zoom than this shows each point. */
const CLUSTER_MAX_ZOOM = 12;

/** The map gets no other properties than these, so it copies little to its worker. */
export function drawingOf(rows: readonly Row[], marked: Row | undefined, look: Look): Drawing {
  const points: Feature[] = [];
  const shapes: Feature[] = [];
  for (const row of rows) {
    const { id, geometry } = row;
    if (!geometry) continue;
    const [color, radius] = [look.colorOf?.(row), look.radiusOf?.(row)];
    const properties = { feature: id, ...(color && { color }), ...(radius && { radius }) };
    (geometry.type === 'Point' ? points : shapes).push({ type: 'Feature', properties, geometry });
  }
  const mark: Feature[] = marked?.geometry ? [{ type: 'Feature', properties: {}, geometry: marked.geometry }] : [];
  return { points: collection(points), shapes: collection(shapes), marked: collection(mark), legend: look.legend };
}

function collection(features: Feature[]): FeatureCollection {
  return { type: 'FeatureCollection', features };
}

export function ownSources({ points, shapes, marked }: Drawing): Record<string, SourceSpecification> {
  return {
    [SHAPES]: { type: 'geojson', data: shapes },
    [POINTS]: { type: 'geojson', data: points, cluster: true, clusterMaxZoom: CLUSTER_MAX_ZOOM, clusterRadius: 40 },
    [MARKED]: { type: 'geojson', data: marked },
  };
}

export function ownLayers({ chosen, chosenHalo, label }: Palette): LayerSpecification[] {
  const only = (type: string): FilterSpecification => ['==', ['geometry-type'], type];
  const color: ExpressionSpecification = ['coalesce', ['get', 'color'], chosen];
  const radius: ExpressionSpecification = ['coalesce', ['get', 'radius'], 5];
  const dots = { 'circle-color': color, 'circle-radius': radius, 'circle-stroke-color': chosenHalo } as const;
  const isCluster: FilterSpecification = ['has', 'point_count'];
  return [
    {
      id: 'own-fill',
      type: 'fill',
      source: SHAPES,
      filter: only('Polygon'),
      paint: { 'fill-color': color, 'fill-opacity': 0.5 },
    },
    {
      id: 'own-line',
      type: 'line',
      source: SHAPES,
      filter: ['!=', ['geometry-type'], 'Point'],
      paint: { 'line-color': color, 'line-width': 1.75 },
    },
    {
      id: 'own-multipoint',
      type: 'circle',
      source: SHAPES,
      filter: only('Point'),
      paint: { ...dots, 'circle-stroke-width': 1 },
    },
    {
      id: 'own-point',
      type: 'circle',
      source: POINTS,
      filter: ['!', isCluster],
      paint: { ...dots, 'circle-stroke-width': 1 },
    },
    {
      id: CLUSTER_LAYER,
      type: 'circle',
      source: POINTS,
      filter: isCluster,
      paint: {
        'circle-color': chosenHalo,
        'circle-stroke-color': chosen,
        'circle-stroke-width': 2,
        'circle-radius': ['step', ['get', 'point_count'], 13, 100, 17, 1000, 22],
      },
    },
    {
      id: 'own-count',
      type: 'symbol',
      source: POINTS,
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
