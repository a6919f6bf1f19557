import { typedName } from './compare.ts';
import { findSame } from './find.ts';
import { fold } from './fold.ts';
import { KIND } from './forms.ts';
import type { NameIndex } from './index.ts';
import { hasPieces } from './rearranged.ts';
import {
  candidateOf,
  type Fields,
  isDecided,
  MAX_CANDIDATES,
  type Match,
  type MatchCandidate,
  NO_MATCH,
} from './result.ts';
import { columnOf, eachOf } from './source.ts';
import { matchText } from './texts.ts';
import { jointScore } from './towns.ts';

// What a cell of cities may mean that decides nothing in any reading: candidates for a person, never a result.

/** A town that is only like the name is no candidate below this score where the row names no parent: Labo for `Zambo City`. */
const FAR_OFF = 0.6;

/** The same beside a town that is named, and the least score of such a town. */
const NAMED = 0.8;

/** Words of fewer letters are in many names. */
const MIN_WORD = 3;

/** Min letters of the beginning of a city's name. */
const MIN_BEGINNING = 4;

/**
 * An undecided result of a row of cities without the candidates that are far off, and with those that a remark hides: the city before
 * it (`Navotas City - 2020 data, NCR`), or cities of which the cell has but the beginning (`Zambo City`).
 */
export function withLastCandidates(index: NameIndex, match: Match, columns: Fields): Match {
  const { municity, barangay, province, region } = columns;
  if (isDecided(match) || match.code !== null || municity === undefined || barangay !== undefined) return match;
  const text = [municity, province, region].filter((it) => it !== undefined).join(', ');
  const hasMore = hasPieces({ municity });
  const read = hasMore ? townsOfText(index, text) : [];
  const isAlone = !hasMore && province === undefined && region === undefined;
  const least = read.length > 0 ? NAMED : isAlone ? FAR_OFF : 0;
  const near = match.candidates.filter((it) => it.score >= least || !isFarOff(index, it, columns));
  const begun = near.length + read.length === 0 ? citiesThatBegin(index, municity) : [];
  const all = [...read, ...near, ...begun];
  const candidates = all.filter(({ code }, at) => all.findIndex((it) => it.code === code) === at);
  const [first] = candidates;
  if (!first) return { ...NO_MATCH, notes: match.notes };
  if (near.length === match.candidates.length && candidates.length === near.length) return match;
  return { ...match, match: 'ambiguous', score: first.score, candidates, needs: match.needs ?? 'municity' };
}

/** The towns that a cell names before or behind words that name nothing. */
function townsOfText(index: NameIndex, text: string): MatchCandidate[] {
  const { code, level, name, score, candidates } = matchText(index, { text, columns: {} });
  const named = code !== null && level !== null && name !== null ? [{ code, level, name, score }] : [];
  return [...named, ...candidates]
    .filter((it) => columnOf(it.level) === 'municity' && it.score >= NAMED)
    .slice(0, MAX_CANDIDATES);
}

/** Whether a candidate has only letters in common with the typed name, and lies in no parent that the row names. */
function isFarOff(
  index: NameIndex,
  { code, level, score }: MatchCandidate,
  { municity = '', ...parents }: Fields,
): boolean {
  if (level === 'barangay') return false;
  const row = index.rowOf(level, code);
  const { province, region } = jointScore(index, { row, score, how: 'near', kind: KIND.full }, parents);
  if ([province, region].some((it) => it === 'agrees' || it === 'formerly')) return false;
  const name = typedName(index, municity, 'municity');
  if (
    findSame(index, name)
      .sorted()
      .some((it) => it.row === row)
  )
    return false;
  const words = name.base.split(' ').filter((word) => word.length >= MIN_WORD);
  return !index.namesOf(row).some((it) =>
    fold(it.name)
      .split(' ')
      .some((word) => words.includes(word)),
  );
}

/** The cities whose name begins with what a cell has before the word for a city. */
function citiesThatBegin(index: NameIndex, municity: string): MatchCandidate[] {
  const { base, placeType } = typedName(index, municity, 'municity');
  if (placeType !== 'city' || base.length < MIN_BEGINNING) return [];
  const begun = [...eachOf(index.source.rowsOf('municity'))].flatMap((row) => {
    const own = fold(index.source.nameOf(row));
    const name = own.replace(/^city of | city$/, '');
    return name !== own && name.startsWith(base)
      ? [candidateOf(index, row, 0.5 + (0.5 * base.length) / name.length)]
      : [];
  });
  return begun.sort((a, b) => b.score - a.score).slice(0, MAX_CANDIDATES);
}
