import { PsgcError, request } from '../shared/api.ts';
import { bytesOf, type Dataset } from './own/dataset.ts';
import type { Features } from './own/features.ts';
import { openFeatures } from './own/open-features.ts';
import { headOf } from './own/public.ts';

/**
 * Reads a dataset with its features as everybody may, without the key of the tab.
 *
 * @param signal ends the reading
 * @returns null if the dataset is not for everyone, or there is none; undefined if it is too large without a key
 * @throws PsgcError
 */
export async function readPublic(
  id: string,
  signal: AbortSignal,
): Promise<{ dataset: Dataset; features: Features } | null | undefined> {
  try {
    const response = await request(`/embed/datasets/${id}`, { signal, isAnonymous: true });
    const bytes = await bytesOf(response);
    const { name, description, feature_count, map_style: style, bbox = null } = headOf(bytes);
    const dataset = {
      id,
      name,
      description,
      feature_count,
      bbox,
      style,
      isOwn: false,
      visibility: 'everyone',
    } as const;
    return { dataset, features: await openFeatures(bytes) };
  } catch (error) {
    if (error instanceof PsgcError && error.status === 404) return null;
    if (error instanceof PsgcError && error.status === 401) return undefined;
    throw error;
  }
}
