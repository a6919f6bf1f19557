import type { LayerSpecification, SourceSpecification } from 'maplibre-gl';
import { askJson } from '../shared/api.ts';
import type { Palette } from './palette.ts';
import type { Box } from './places.ts';

/** A dataset of somebody's own, shown over the places. */
export interface Dataset {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly feature_count: number;
  readonly bbox: Box | null;
}

/** The source that the features of a dataset are in. */
export const DATASET_SOURCE = 'dataset';
const PATH = '/v1/features/dataset/';

/** The id of the dataset that a fragment `#/datasets/<uuid>` leads to. */
export function datasetAt(hash: string): string | undefined {
  return /^#\/datasets\/([0-9a-f-]{36})$/i.exec(hash)?.[1];
}

/** @throws Refusal where there is no such dataset, or it is somebody else's */
export async function readDataset(id: string): Promise<Dataset> {
  return (await askJson<{ data: Dataset }>(`/v1/datasets/${id}`)).data;
}

/** Whether an address is of the features of a dataset, which are read with the key itself. */
export function isOfDataset(address: string): boolean {
  const { origin, pathname } = new URL(address, location.href);
  return origin === location.origin && pathname.startsWith(PATH);
}

/** The features are read by the map as they come: however many there are, none passes through the page. */
export function datasetSource({ id }: Dataset): Record<string, SourceSpecification> {
  return { [DATASET_SOURCE]: { type: 'geojson', data: featuresOf(id) } };
}

/** Where the features of a dataset are read from. */
export function featuresOf(id: string): string {
  return `${location.origin}${PATH}${id}?format=geojson`;
}

export function datasetLayers({ chosen, chosenHalo }: Palette): LayerSpecification[] {
  const only = (type: string) => ['==', ['geometry-type'], type] as ['==', ['geometry-type'], string];
  return [
    {
      id: 'dataset-fill',
      type: 'fill',
      source: DATASET_SOURCE,
      filter: only('Polygon'),
      paint: { 'fill-color': chosen, 'fill-opacity': 0.3 },
    },
    {
      id: 'dataset-line',
      type: 'line',
      source: DATASET_SOURCE,
      filter: ['!=', ['geometry-type'], 'Point'],
      paint: { 'line-color': chosen, 'line-width': 1.75 },
    },
    {
      id: 'dataset-point',
      type: 'circle',
      source: DATASET_SOURCE,
      filter: only('Point'),
      paint: {
        'circle-color': chosen,
        'circle-radius': 4,
        'circle-stroke-color': chosenHalo,
        'circle-stroke-width': 1,
      },
    },
  ];
}
