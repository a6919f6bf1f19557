import { ApiError, request, requestJson } from '../../shared/api.ts';
import type { Box } from '../places.ts';
import { type Features, openFeatures } from './features.ts';

/** A dataset of the person, shown over the places. */
export interface Dataset {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly is_public: boolean;
  readonly feature_count: number;
  readonly bbox: Box | null;
}

/** @throws ApiError if there is no such dataset, or it belongs to somebody else and is private */
export async function readDataset(id: string): Promise<Dataset> {
  return (await requestJson<{ data: Dataset }>(`/v1/datasets/${id}`)).data;
}

/** How a feature begins in an answer of the service. A property may have the same, so it is counted for an estimate only. */
const FEATURE = '{"type":"Feature",';

/**
 * Reads all features of a dataset.
 *
 * @param signal ends the reading
 * @param onRead is called now and then with about how many features are read
 * @throws ApiError
 */
export async function readFeatures(
  id: string,
  signal: AbortSignal,
  onRead: (count: number) => void,
): Promise<Features> {
  const response = await request(`/v1/features/dataset/${id}?format=geojson`, { signal });
  return openFeatures(await bytesOf(new Response(response.body?.pipeThrough(counting(onRead)))));
}

/**
 * The whole body of an answer.
 *
 * @throws ApiError
 */
export function bytesOf(response: Response): Promise<ArrayBuffer> {
  return response.arrayBuffer().catch(() => {
    throw new ApiError(0, { message: 'The connection broke off.' });
  });
}

/** Passes features on as they are, and counts them. */
export function counting(
  onRead: (count: number) => void,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  // Here each byte is a character, so that no part of a body ends within one.
  const decoder = new TextDecoder('latin1');
  let count = 0;
  let end = '';
  return new TransformStream({
    transform(part, controller) {
      const text = end + decoder.decode(part);
      for (let at = text.indexOf(FEATURE); at >= 0; at = text.indexOf(FEATURE, at + 1)) count += 1;
      end = text.slice(1 - FEATURE.length);
      onRead(count);
      controller.enqueue(part);
    },
  });
}
