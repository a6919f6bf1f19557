import { request, requestJson, unanswered } from '../../shared/api.ts';
import type { Box } from '../places.ts';
import { counting } from './counting.ts';
import type { Features } from './features.ts';
import { openFeatures } from './open-features.ts';
import { styleInMetadata } from './saved-style.ts';

/** A dataset of the person, shown over the places. The visibility `tab` is that of a list which only this tab has. */
export interface Dataset {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly visibility: 'private' | 'accounts' | 'everyone' | 'tab';
  readonly feature_count: number;
  readonly bbox: Box | null;
  /** When it was changed last. */
  readonly updated_at?: string;
  /** The style that its author has saved with it. */
  readonly style?: string | undefined;
  /** Whether it belongs to the person. */
  readonly isOwn?: boolean;
}

/** @throws PsgcError if there is no such dataset, or it belongs to somebody else and is private */
export async function readDataset(id: string): Promise<Dataset> {
  type Answer = Omit<Dataset, 'style' | 'isOwn'> & { readonly user_email: string | null; readonly metadata: unknown };
  const { data } = await requestJson<{ data: Answer }>(`/v1/datasets/${id}`);
  // The service names the owner to nobody else.
  return { ...data, style: styleInMetadata(data.metadata), isOwn: data.user_email !== null };
}

/**
 * Reads all features of a dataset.
 *
 * @param signal ends the reading
 * @param onRead called now and then with about how many features are read
 * @throws PsgcError
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
 * @throws PsgcError
 */
export function bytesOf(response: Response): Promise<ArrayBuffer> {
  return response.arrayBuffer().catch(() => {
    throw unanswered('The connection broke off.');
  });
}
