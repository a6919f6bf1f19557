import type { NameIndex } from './index.ts';
import { COLUMNS, type Column, NAME_LEVELS, type NameLevel } from './source.ts';

/**
 * The columns of a row. `text` is an address, or a name with its parents in one; `code` has the code of the place that the others
 * name.
 */
export type Field = Column | 'text' | 'code';

export const FIELDS: readonly Field[] = [...COLUMNS, 'text', 'code'];

/** The filled columns of a row. */
export type Fields = { readonly [field in Field]?: string };

/** An area that a row may mean. */
export interface MatchCandidate {
  readonly code: string;
  readonly level: NameLevel;
  readonly name: string;
  /** From 0 to 1. */
  readonly score: number;
  /** The first edition in which it has the typed name, if another place had the name before. */
  readonly since?: string | undefined;
  /** The last edition in which it, or a part of it, had the typed name. */
  readonly until?: string | undefined;
}

export interface Match {
  /**
   * `exact`: the only place with this published name, or with another name and its parents, and nothing in the row
   * contradicts it. `likely`: one place is clearly the best. `ambiguous`: several are as good, or a barangay was not found in
   * its city. `none`: no match.
   */
  readonly match: 'exact' | 'likely' | 'ambiguous' | 'none';
  /** The ten-digit code. For an ambiguous row the code of the city or another ancestor if sure, else null. */
  readonly code: string | null;
  readonly level: NameLevel | null;
  readonly name: string | null;
  /** From 0 to 1: the similarity. In results of `matchRow`: calibrated (`calibratedScore`). */
  readonly score: number;
  /** Candidates, best first: six, or up to twelve that are as good as the sixth. */
  readonly candidates: readonly MatchCandidate[];
  /** The areas that the columns were taken for. */
  readonly matched: { readonly [field in Field]?: MatchCandidate };
  /** The column that would decide between the candidates. */
  readonly needs: NameLevel | null;
  /** Sentences for people. */
  readonly notes: readonly string[];
}

export const NO_MATCH: Match = {
  match: 'none',
  code: null,
  level: null,
  name: null,
  score: 0,
  candidates: [],
  matched: {},
  needs: null,
  notes: [],
};

/** Max candidates of a result, because one barangay was divided into six. */
export const MAX_CANDIDATES = 6;

/** The same of an ambiguous result whose candidates are as good as each other: ten places are called San Jose. */
export const MAX_NAMESAKES = 12;

export function candidateOf(index: NameIndex, row: number, score: number): MatchCandidate {
  return {
    code: index.codeOf(row),
    level: index.levelOf(row),
    name: index.source.nameOf(row),
    score: Math.round(Math.min(1, score) * 1000) / 1000,
  };
}

/** The result of a row that means one area. */
export function meant(
  index: NameIndex,
  match: 'exact' | 'likely',
  all: readonly { readonly row: number; readonly score: number }[],
): Match {
  const candidates = all.slice(0, MAX_CANDIDATES).map(({ row, score }) => candidateOf(index, row, score));
  const [best] = candidates;
  if (!best) return NO_MATCH;
  return { ...NO_MATCH, ...best, match, candidates };
}

/** Areas that fit equally well. */
export function equallyGood(rows: readonly number[], score: number): { row: number; score: number }[] {
  return rows.map((row) => ({ row, score }));
}

/** The result of a row that may mean several. */
export function ambiguous(
  index: NameIndex,
  all: readonly { readonly row: number; readonly score: number }[],
  { needs = null, notes = [] }: Partial<Pick<Match, 'needs' | 'notes'>>,
  calledOf: (row: number) => Pick<MatchCandidate, 'since' | 'until'> = () => ({}),
): Match {
  const last = all[MAX_CANDIDATES - 1]?.score ?? 0;
  const asGood = all.findLastIndex(({ score }) => score >= last) + 1;
  const count = asGood > MAX_NAMESAKES ? MAX_CANDIDATES : asGood;
  const candidates = all
    .slice(0, count)
    .map(({ row, score }) => ({ ...candidateOf(index, row, score), ...calledOf(row) }));
  const more = asGood > count ? [`${asGood - count} more are as like it.`] : [];
  const score = candidates[0]?.score ?? 0;
  return { ...NO_MATCH, match: 'ambiguous', score, candidates, needs, notes: [...notes, ...more] };
}

/** Candidates whose scores differ by no more are as good as each other. */
const AS_GOOD = 0.01;

/** Below this a first candidate is only the best of a province. */
const LEAST_LIKELY = 0.45;

/** The share of first candidates, better than the others, that are right. */
const FIRST_RIGHT = 0.93;

/**
 * The calibrated score of a result: the share of results with a similar score that are right, as `npm run bench -- names`
 * measures it. An ambiguous result is right if its code is, or without a code its first candidate.
 */
export function calibratedScore({ match, code, score, candidates }: Match): number {
  if (match === 'exact') return 1;
  if (match === 'none') return 0;
  if (match === 'likely') return Math.min(0.999, 1 - (1 - score) ** 2 / 20);
  if (code !== null) return Math.min(score, 0.99);
  const best = candidates[0]?.score ?? 0;
  if (best < LEAST_LIKELY) return best;
  const asGood = candidates.filter((it) => it.score >= best - AS_GOOD).length;
  // The first of several, a city or one with fewer slips, is meant more often than the others.
  return FIRST_RIGHT / Math.sqrt(Math.max(1, asGood));
}

const RANK = { exact: 3, likely: 2, ambiguous: 1, none: 0 } as const;

/** Comparator; above zero if `a` says more than `b`. */
export function compareMatches(a: Match, b: Match): number {
  const depth = ({ level }: Match) => (level === null ? -1 : NAME_LEVELS.indexOf(level));
  return RANK[a.match] - RANK[b.match] || depth(a) - depth(b) || a.score - b.score;
}

export function isDecided({ match }: Pick<Match, 'match'>): boolean {
  return match === 'exact' || match === 'likely';
}

/** The area that a decided result means, as its row of the index. */
export function areaOf(index: NameIndex, match: Match): number | undefined {
  return !isDecided(match) || match.code === null || match.level === null
    ? undefined
    : index.rowOf(match.level, match.code);
}

/** Factor for a result that needed another reading than the row as it stands. */
const REARRANGED = 0.95;

/** Weakens a result of another reading than the row as it stands, and adds a note. */
export function weakened(match: Match, note?: string): Match {
  if (!isDecided(match)) return match;
  const notes = note === undefined ? match.notes : [...match.notes, note];
  return { ...match, match: 'likely', score: match.score * REARRANGED, notes };
}

/** Adds notes about what was passed over in the row of a result. With notes the result is at most likely. */
export function atMostLikely(match: Match, notes: readonly string[]): Match {
  if (notes.length === 0) return match;
  return { ...match, match: match.match === 'exact' ? 'likely' : match.match, notes: [...match.notes, ...notes] };
}

/** Whether a level is below another one. */
export function isFiner(level: NameLevel, than: NameLevel | null): boolean {
  return than === null || NAME_LEVELS.indexOf(level) > NAME_LEVELS.indexOf(than);
}

/** Factor for a result of another level than the requested one. */
const OTHER_LEVEL = 0.9;

/** Makes a decided result of a coarser level ambiguous; it keeps its code. */
export function requireLevel(match: Match, level: NameLevel | undefined): Match {
  if (level === undefined || !isDecided(match) || match.level === null || !isFiner(level, match.level)) return match;
  const note = `No ${level} was found; the code is that of ${match.name}.`;
  return {
    ...match,
    match: 'ambiguous',
    score: match.score * OTHER_LEVEL,
    needs: level,
    notes: [...match.notes, note],
  };
}

/** An ambiguous result of two. */
export function between(match: Match, other: Match): Match {
  const first = match.candidates.slice(0, 3);
  const second = other.candidates.filter(({ code }) => !first.some((it) => it.code === code)).slice(0, 2);
  return madeAmbiguous(match, { candidates: [...first, ...second], needs: 'municity' });
}

/** Makes a decided result ambiguous, with its first candidate. @param changes members that differ from this */
export function madeAmbiguous({ score, candidates, level }: Match, changes: Partial<Match> = {}): Match {
  return { ...NO_MATCH, match: 'ambiguous', score, candidates: candidates.slice(0, 1), needs: level, ...changes };
}

/** A text for a note: its beginning, in quotes. */
export function quoted(text: string): string {
  return `"${text.slice(0, 80)}"`;
}

/** The note about words of a text that name nothing. */
export function passedOver(text: string): string {
  return `"${text}" was passed over.`;
}
