import { searchNames } from '../names/search.ts';
import type { AreaFilter, AreaNames, Level } from './store.ts';

/**
 * Rows of a level that a text may mean, best first: those that a search by every letter finds too, and other spellings,
 * aliases, names with their parents and near misses.
 *
 * @param filter of which one parent is seen to: the caller tests the others
 */
export function nearRows(
  { index }: AreaNames,
  { level, text, filter, limit }: { level: Level; text: string; filter: AreaFilter; limit: number },
): number[] {
  // No name has a wildcard in it.
  if (/[%_]/.test(text)) return [];
  const parents = [filter.municity, filter.province?.parent, ...(filter.regions ?? [])];
  const parent = parents.find((given) => given !== undefined && 'code' in given);
  const within = parent && 'code' in parent ? parent.code : undefined;
  return searchNames(index, { q: text, levels: [level], parent: within, limit }).map(({ row }) => row);
}
