import type { LayerSpecification, SourceSpecification } from 'maplibre-gl';
import { requestJson } from '../shared/api.ts';
import type { Palette } from './palette.ts';
import type { Box } from './places.ts';

/** A dataset of the person, shown over the places. */
export interface Dataset {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly feature_count: number;
  readonly bbox: Box | null;
}

/** Name of the map's source with the features of a dataset. */
export const DATASET_SOURCE = 'dataset';
const FEATURES_PATH = '/v1/features/dataset/';

/** The id in a fragment `#/datasets/<uuid>`. */
export function datasetAt(hash: string): string | undefined {
  return /^#\/datasets\/([0-9a-f-]{36})$/i.exec(hash)?.[1];
}

/** @throws ApiError if there is no such dataset, or it belongs to somebody else and is private */
export async function readDataset(id: string): Promise<Dataset> {
  return (await requestJson<{ data: Dataset }>(`/v1/datasets/${id}`)).data;
}

/** Whether this is the address of a dataset's features. They are read with the token of the tab. */
export function isOfDataset(address: string): boolean {
  const { origin, pathname } = new URL(address, location.href);
  return origin === location.origin && pathname.startsWith(FEATURES_PATH);
}

/** The map's source with the features of a dataset. The map reads them itself, so the page never holds them. */
export function datasetSource({ id }: Dataset): Record<string, SourceSpecification> {
  return { [DATASET_SOURCE]: { type: 'geojson', data: featuresOf(id) } };
}

/** The address of a dataset's features. */
export function featuresOf(id: string): string {
  return `${location.origin}${FEATURES_PATH}${id}?format=geojson`;
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
