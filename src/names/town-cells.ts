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
  madeAmbiguous,
  quoted,
  requireLevel,
  weakened,
} from './result.ts';
import type { NameLevel } from './source.ts';
import { isMarked, partsOf } from './text-words.ts';
import { jointScore, PROVINCE_FACTOR } from './towns.ts';

// A cell of the column of cities may hold more than the city: its province or region behind it, a barangay before it. This file reads
// such cells where a word of them is misspelled.

/** A cell of cities in parts. */
interface Parts {
  readonly municity: string;
  readonly province?: string;
  readonly region?: string;
  readonly barangay?: string;
}

/**
 * The parts of a cell: `Gnattaran, Cagayan`, `Gnattaran, Cagayan Valley`, `Brgy. Camp 4, Tuba`, `Brgy. Camp 4, Tuba, Benguet`.
 * Undefined for a cell that has no city and one of these beside it.
 */
function partsIn(index: NameIndex, columns: Fields): Parts | undefined {
  const [last = '', ...before] = partsOf(columns.municity ?? '').reverse();
  const [second, third, ...others] = before;
  if (second === undefined || others.length > 0) return undefined;
  const parent = columns.province === undefined ? parentIn(index, last, columns) : undefined;
  if (parent) {
    if (third === undefined) return isMarked(second) ? undefined : { municity: second, ...parent };
    return { barangay: third, municity: second, ...parent };
  }
  if (third !== undefined || !isMarked(second) || isMarked(last)) return undefined;
  return { barangay: second, municity: last };
}

/** A text as the column that it fills, if it is a name of a province or a region, or like one. A filled column of regions stays. */
function parentIn(
  index: NameIndex,
  text: string,
  { region }: Fields,
): Pick<Parts, 'province'> | Pick<Parts, 'region'> | undefined {
  if (isNameOf(index, text, 'province')) return { province: text };
  const levels = findPlaces(index, text, 'province')
    .filter(({ score }) => score >= LIKE_PARENT)
    .map(({ row }) => index.levelOf(row));
  if (!levels.some((level) => level !== 'municity')) return undefined;
  return levels.includes('province') || region !== undefined ? { province: text } : { region: text };
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
 * The result of a row whose cell of cities is read in parts, each of which may be misspelled. If the barangay is not found, it is
 * the city. A city that lies elsewhere than the cell says is a candidate only. Undefined if the parts mean nothing.
 */
function inParts(index: NameIndex, columns: Fields, { parts, level }: { parts: Parts; level: NameLevel | undefined }) {
  const { barangay, ...above } = parts;
  const town = matchColumns(index, { ...columns, ...above });
  const isElsewhere = (['province', 'region'] as const).some(
    (it) => above[it] !== undefined && town.matched[it] === undefined,
  );
  if (isDecided(town) && isElsewhere) return madeAmbiguous(town);
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

/** How many towns of a province are candidates for a name that only shares letters with theirs. */
const MAX_LIKE = 3;

/** The least share of letters of such a candidate, as `sharedLetters` gives it: two of three. */
const LEAST_LIKE = 0.66;

/** Factor for the likeness of letters. It keeps such a candidate below a namesake in another province, and below all that are likely. */
const BY_LETTERS = 0.44;

/**
 * A result that decides nothing, with the candidates in the province of its row before those that only have the name, and these before
 * all others. If there are none of the first two kinds, the towns of the province that share most letters with the name come first.
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
    .map(({ row, score }) => candidateOf(index, row, PROVINCE_FACTOR.differs * score));
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
