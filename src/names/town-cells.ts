import { matchColumns } from './columns.ts';
import { type TypedName, typedName } from './compare.ts';
import { findSame, isNameOf } from './find.ts';
import { compact, fold } from './fold.ts';
import { baseOf, KIND } from './forms.ts';
import type { GivenText } from './guess.ts';
import type { NameIndex } from './index.ts';
import { findPlaces, LIKE_PARENT } from './parents.ts';
import {
  candidateOf,
  type Fields,
  isDecided,
  MAX_NAMESAKES,
  type Match,
  type MatchCandidate,
  quoted,
  requireLevel,
  weakened,
} from './result.ts';
import type { NameLevel } from './source.ts';
import { isMarked, partsOf } from './text-words.ts';
import { jointScore } from './towns.ts';

// What the cell of a city has beside its name, where a word of it is misspelled: its province behind it, a barangay before it.

/** A cell of cities in parts. */
interface Parts {
  readonly municity: string;
  readonly province?: string;
  readonly barangay?: string;
}

/** The parts of a cell: `Gnattaran, Cagayan`, `Brgy. Camp 4, Tuba, Benguet`. Undefined where it has none. */
function partsIn(index: NameIndex, { municity = '', province }: Fields): Parts | undefined {
  const [last = '', ...before] = partsOf(municity).reverse();
  const [second, third, ...others] = before;
  if (second === undefined || others.length > 0) return undefined;
  if (province === undefined && isLikeProvince(index, last)) {
    if (third === undefined) return isMarked(second) ? undefined : { municity: second, province: last };
    return { barangay: third, municity: second, province: last };
  }
  if (third !== undefined || !isMarked(second) || isMarked(last)) return undefined;
  return { barangay: second, municity: last };
}

/** Whether a text is a name of a province or of the capital, or like one. */
function isLikeProvince(index: NameIndex, text: string): boolean {
  if (isNameOf(index, text, 'province')) return true;
  return findPlaces(index, text, 'province').some(
    ({ row, score }) => score >= LIKE_PARENT && index.levelOf(row) !== 'municity',
  );
}

/**
 * The result of a row that decides nothing as it stands, by the parts of its cell of cities. What is still ambiguous has candidates
 * of its province, where that is known.
 */
export function townOfCell(
  index: NameIndex,
  match: Match,
  { columns, level }: Pick<GivenText, 'columns' | 'level'>,
): Match {
  if (columns.municity === undefined || columns.barangay !== undefined) return match;
  const parts = partsIn(index, columns);
  const read = parts && inParts(index, columns, { parts, level });
  if (read && isDecided(read)) return read;
  return withinProvince(index, read ?? match, { ...columns, ...parts });
}

/**
 * The result of a row whose cell of cities is read in parts, each of which may be misspelled. A barangay that is not found leaves the
 * city, which the column is of. Undefined where the parts decide nothing and mean nothing.
 */
function inParts(index: NameIndex, columns: Fields, { parts, level }: { parts: Parts; level: NameLevel | undefined }) {
  const { barangay, ...above } = parts;
  const town = matchColumns(index, { ...columns, ...above });
  // A province in the cell is not passed over.
  if (isDecided(town) && above.province !== undefined && town.matched.province === undefined) return undefined;
  if (!isDecided(town) || barangay === undefined) {
    return town.candidates.length > 0 ? requireLevel(weakened(town), level) : undefined;
  }
  if (level === undefined || level === 'barangay') {
    const within = matchColumns(index, { ...columns, ...above, barangay }, { isGuess: true });
    if (isDecided(within) && within.level === 'barangay') return weakened(within);
  }
  const note = `${quoted(barangay)} was not found.`;
  return requireLevel(weakened(town, note), level);
}

/** How many towns of a province are candidates for a name that is like none, and the least likeness of their letters. */
const MAX_LIKE = 3;
const LEAST_LIKE = 0.66;

/** Factor for the likeness of letters, which says less than a name with few slips. */
const BY_LETTERS = 0.44;

/**
 * A result that decides nothing, with the candidates in the province of its row before those that only have the name, and these before
 * all others. Where none is in the province, it has the towns there that share most letters with the name.
 */
function withinProvince(index: NameIndex, match: Match, { province, municity = '' }: Fields): Match {
  if (province === undefined || match.code !== null) return match;
  const places = findPlaces(index, province, 'province').filter(
    ({ row, score }) => score >= LIKE_PARENT && index.levelOf(row) === 'province',
  );
  if (places.length === 0) return match;
  const name = typedName(index, municity, 'municity');
  const rows = places.flatMap((place) => Array.from(index.childrenOf('municity', place.row)));
  const isWithin = ({ level, code }: MatchCandidate) => {
    const row = index.rowOf(level, code);
    const { province: agreement } = jointScore(index, { row, score: 1, how: 'same', kind: KIND.full }, { province });
    return agreement === 'agrees' || agreement === 'formerly';
  };
  const within = match.candidates.filter(isWithin);
  const named = findSame(index, name)
    .sorted()
    .map(({ row, score }) => candidateOf(index, row, ELSEWHERE * score));
  const isNamed = (it: MatchCandidate) => named.some(({ code }) => code === it.code);
  const like = within.length + named.length > 0 ? [] : likeByLetters(index, name, rows);
  const all = [...within, ...match.candidates.filter(isNamed), ...named, ...like, ...match.candidates];
  const candidates = all.filter(({ code }, at) => all.findIndex((it) => it.code === code) === at);
  if (candidates[0] === undefined) return match;
  return {
    ...match,
    match: 'ambiguous',
    score: candidates[0].score,
    candidates: candidates.slice(0, MAX_NAMESAKES),
    needs: match.needs ?? 'municity',
  };
}

/** Factor for the likeness of a name in another province. */
const ELSEWHERE = 0.62;

/** The towns of a province that share most letters with a name. */
function likeByLetters(index: NameIndex, { base }: TypedName, rows: readonly number[]): MatchCandidate[] {
  return [...new Set(rows)]
    .map((row) => ({ row, like: sharedLetters(compact(base), compact(baseOf(fold(index.source.nameOf(row))).base)) }))
    .filter(({ like }) => like >= LEAST_LIKE)
    .sort((a, b) => b.like - a.like || a.row - b.row)
    .slice(0, MAX_LIKE)
    .map(({ row, like }) => candidateOf(index, row, BY_LETTERS * like));
}

/** From 0 to 1 by the letters that two texts share, whatever their order. */
function sharedLetters(one: string, other: string): number {
  let rest = other;
  for (const letter of one) rest = rest.replace(letter, '');
  return (2 * (other.length - rest.length)) / (one.length + other.length);
}
