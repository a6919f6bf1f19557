import type { JsonOf, SearchHit } from '../../clients/typescript/src/types.ts';
import { nameKey } from '../../src/areas/names.ts';
import { requestJson } from './api.ts';
import { kindOf, type Level } from './levels.ts';

/** The fewest letters and digits that the service searches for. */
export const MIN_LENGTH = 2;

/** A place that the service found, as far as it is shown. */
export type Hit = Pick<SearchHit, 'code' | 'level' | 'name' | 'type' | 'match' | 'matched_name' | 'ancestors'>;

interface Options {
  /** Max hits that are wanted. */
  readonly limit: number;
  readonly signal: AbortSignal;
  /** Of which levels; of all, unless it says so. */
  readonly levels?: readonly Level[] | undefined;
  /** `2023-4q`: places of this edition in place of the current one. */
  readonly edition?: string | undefined;
}

/**
 * Finds places by name, best first. A text of less than two letters finds none.
 *
 * @throws PsgcError, or the reason of the signal if it is aborted
 */
export async function findPlaces(text: string, { limit, signal, edition, levels = [] }: Options): Promise<Hit[]> {
  if (nameKey(text).length < MIN_LENGTH) return [];
  const query = [
    `q=${encodeURIComponent(text.trim().slice(0, 100))}`,
    `limit=${limit}`,
    ...levels.map((level) => `level=${level}`),
  ];
  if (edition) query.push(`edition=${edition}`);
  return (await requestJson<JsonOf<'search_places'>>(`/v1/search?${query.join('&')}`, { signal })).data;
}

/** What a place is and where it lies, and by which other name it was found: `Region · also called Metro Manila`. */
export function aboutOf(
  hit: Pick<Hit, 'level' | 'type' | 'ancestors' | 'name'> & Partial<Pick<Hit, 'matched_name'>>,
): string {
  const parts = [kindOf(hit.level, hit), ...parentsOf(hit)];
  if (!hit.name.includes(hit.matched_name ?? '')) parts.push(`also called ${hit.matched_name}`);
  return parts.join(' · ');
}

/** The names of what a place lies in, the nearest first. The region is only named where nothing nearer is. */
export function parentsOf({ ancestors }: Pick<Hit, 'ancestors'>): string[] {
  const near = ancestors.length > 1 ? ancestors.filter(({ level }) => level !== 'region') : ancestors;
  return near.map(({ name }) => name).reverse();
}
