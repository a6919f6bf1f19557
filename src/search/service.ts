import type { AreaNames } from '../areas/store.ts';
import { ancestorsOf } from '../names/parents.ts';
import { type NameHit, type NameSearch, searchNames } from '../names/search.ts';
import type { NameLevel } from '../names/source.ts';

interface Named {
  /** Ten digits. */
  readonly code: string;
  readonly level: NameLevel;
  readonly name: string;
}

/** A place that was found, as it is answered. */
interface SearchHit extends Named, Pick<NameHit, 'score' | 'match' | 'matched_name'> {
  readonly type: string | null;
  /** From the region down. */
  readonly ancestors: readonly Named[];
}

/** Places of all levels by name, best first. A parent that there is none of has nothing in it. */
export function searchPlaces({ index, typeOf }: AreaNames, search: NameSearch): SearchHit[] {
  const named = (row: number): Named => ({
    code: index.codeOf(row),
    level: index.levelOf(row),
    name: index.source.nameOf(row),
  });
  return searchNames(index, search).map(({ row, score, match, matched_name }) => ({
    ...named(row),
    type: typeOf(row),
    score,
    match,
    matched_name,
    ancestors: ancestorsOf(index, row).map(named),
  }));
}
