import type { NameIndex } from './index.ts';
import { hasPieces, MAX_CELL } from './rearranged.ts';
import { type Fields, isDecided, MAX_CANDIDATES, type Match, type MatchCandidate, NO_MATCH } from './result.ts';
import { columnOf } from './source.ts';
import { matchText } from './texts.ts';

// What a cell of cities may mean that decides nothing in any reading: candidates for a person, never a result.

/** A town that is only like the name is no candidate below this score where the row names no parent: Labo for `Zambo City`. */
const FAR_OFF = 0.6;

/** The least score of a town that is read between words that name nothing, and of others beside it where no parent is named. */
const NAMED = 0.8;

/**
 * An undecided result of a row of cities without the candidates that are far off, and with the city that a remark hides: `Navotas
 * City - 2020 data, NCR`.
 */
export function withLastCandidates(index: NameIndex, match: Match, columns: Fields): Match {
  const { municity, barangay, province, region } = columns;
  if (isDecided(match) || match.code !== null || municity === undefined || barangay !== undefined) return match;
  const text = [municity, province, region].join(', ');
  if ([municity, province, region].some((cell = '') => cell.length > MAX_CELL)) return match;
  const hasMore = hasPieces({ municity });
  const read = hasMore ? townsOfText(index, text) : [];
  const least = province || region ? 0 : read.length > 0 ? NAMED : hasMore ? 0 : FAR_OFF;
  const near = match.candidates.filter(({ score }) => score >= least);
  if (near.length === match.candidates.length && read.length === 0) return match;
  const all = [...read, ...near];
  const isFirst = ({ code }: MatchCandidate, at: number) => all.findIndex((it) => it.code === code) === at;
  const candidates = all.filter(isFirst).slice(0, MAX_CANDIDATES);
  const [first] = candidates;
  if (!first) return { ...NO_MATCH, notes: match.notes };
  return { ...match, match: 'ambiguous', score: first.score, candidates, needs: match.needs ?? 'municity' };
}

/** The towns that a cell names before or behind words that name nothing. */
function townsOfText(index: NameIndex, text: string): MatchCandidate[] {
  const { code, level, name, score, candidates } = matchText(index, { text, columns: {} });
  const named = code !== null && level !== null && name !== null ? [{ code, level, name, score }] : [];
  return [...named, ...candidates].filter((it) => columnOf(it.level) === 'municity' && it.score >= NAMED);
}
