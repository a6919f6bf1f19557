import type { Candidate } from './compare.ts';
import { KIND } from './forms.ts';

/** A candidate with its score by all fields of the row. */
export interface Scored extends Candidate {
  /** The joint score, from 0 to 1. */
  readonly joint: number;
  /** Whether its name and all parents are spelled right, so that only a second such candidate could be meant. */
  readonly isSure: boolean;
  /** Share of its own name in the joint score. */
  readonly share: number;
  /** Whether its parents are known, so that there are few candidates. */
  readonly hasKnownParents?: boolean;
  readonly isTown?: boolean;
  /** Whether it, or what it was part of, once had the name. */
  readonly wasCalled?: boolean;
}

/** Limits for a misspelled name that nothing supports: min score, min distance to the next, min letters. */
export const UNSUPPORTED_LIMITS = { like: 0.86, gap: 0.12, letters: 6 } as const;

export function letterCount(text: string): number {
  return text.replace(/\P{L}/gu, '').length;
}

/** Candidates by their joint scores, as results list them. */
export function byJoint(candidates: readonly { readonly row: number; readonly joint: number }[]) {
  return candidates.map(({ row, joint }) => ({ row, score: joint }));
}

/** Min score of a likely place, if it is clearly the best. */
const LIKELY = 0.7;

/** The same for a misspelled name in known parents, and by how much it must exceed the next. */
const LIKELY_WITHIN = 0.64;
const GAP_WITHIN = 0.15;

/** Min score of a name that shares only some words. */
const LIKELY_PART = 0.62;

/** Required distance of a misspelled name to one that has all of its words. */
const GAP_BEFORE_WORDS = 0.2;

/** Required distance to the next best. Larger for words than for letters, and for many slips than for few. */
function gapOf({ how, score }: Candidate, next: Candidate | undefined): number {
  // `San Ruiz II` is San Luis II by its letters and San Lorenzo Ruiz II by its words.
  if (how === 'near' && next?.how === 'part') return GAP_BEFORE_WORDS;
  if (how === 'part') return 0.14;
  return how === 'same' || score >= 0.9 ? 0.06 : score >= 0.85 ? 0.12 : GAP_WITHIN;
}

/** Min score of a candidate. */
export const WORTH_NAMING = 0.45;

/** Differences of joint scores below this are insignificant. */
const NEARLY = 0.01;

/** Whether a name fits one place better than a rival. `City` may be missing in a city's name. */
function isPlainer(best: Scored, rival: Scored): boolean {
  return best.isTown ? best.kind < KIND.alias && rival.kind >= KIND.alias : best.kind < rival.kind;
}

/** Decides by scores: candidates best first, and how sure the best is. */
export function decide(scored: readonly Scored[]): { match: 'exact' | 'likely' | 'ambiguous' | 'none'; all: Scored[] } {
  const all = scored
    .filter(({ joint }) => joint >= WORTH_NAMING)
    .sort((a, b) => b.joint - a.joint || Number(b.isSure) - Number(a.isSure) || a.kind - b.kind || a.row - b.row);
  const [best, next] = all;
  if (!best) return { match: 'none', all };
  // An old list means the other one, and a part of a city is often written without its city.
  const isOther = ({ row, how, score, joint }: Scored) =>
    row !== best.row && how === 'same' && score === best.score && joint >= best.joint - NEARLY;
  if (best.isSure && all.some((it) => (it.wasCalled || it.kind === KIND.district) && isOther(it)))
    return { match: 'ambiguous', all };
  const rival = all.find(({ row, isSure }) => isSure && row !== best.row);
  // `Poblacion Molo` is as much `Molo` as `San Pedro (Molo)` is.
  const isShared =
    best.kind === KIND.part && next !== undefined && next.how === 'same' && next.joint >= best.joint - NEARLY;
  if (best.isSure && !rival && !isShared) return { match: 'exact', all };
  if (best.isSure && rival && best.joint >= rival.joint && isPlainer(best, rival)) return { match: 'exact', all };
  const gap = (best.joint - (next?.joint ?? 0)) / best.share;
  const isLikely =
    (best.joint >= LIKELY && gap >= gapOf(best, next) && (best.how !== 'part' || best.score >= LIKELY_PART)) ||
    (best.hasKnownParents === true && best.how === 'near' && best.joint >= LIKELY_WITHIN && gap >= GAP_WITHIN);
  return { match: isLikely ? 'likely' : 'ambiguous', all };
}
