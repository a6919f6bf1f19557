import type { Candidate } from './compare.ts';
import { KIND } from './forms.ts';

/** A candidate with what everything known of the row makes of it. */
export interface Scored extends Candidate {
  /** The joint score, from 0 to 1. */
  readonly joint: number;
  /** Whether its name and all parents are spelled right, so that nothing but a second one of the kind can be meant. */
  readonly isSure: boolean;
  /** How much of the joint score is that of its own name. */
  readonly share: number;
  /** Whether its parents are known, so that there are few to choose from. */
  readonly isWithin?: boolean;
  readonly isTown?: boolean;
  /** Whether it was called so once, or is a part of what was. */
  readonly wasCalled?: boolean;
}

/** From here on a place is likely, if it is clearly the best. */
const LIKELY = 0.7;

/** The same of a name with slips in parents that are known, if it is so much better than the next. */
const LIKELY_WITHIN = 0.64;
const GAP_WITHIN = 0.15;

/** What a name has to be like that shares some words only. */
const LIKELY_PART = 0.62;

/** What the next best name has to be behind. Words alone say less than letters, and many slips less than few. */
function gapOf({ how, score }: Candidate): number {
  if (how === 'part') return 0.14;
  return how === 'same' || score >= 0.9 ? 0.06 : score >= 0.85 ? 0.12 : GAP_WITHIN;
}

/** Below this nothing is worth naming. */
const WORTH_NAMING = 0.45;

/** A difference of joint scores that says nothing. */
const NEARLY = 0.01;

/** Whether a name is that of one place rather than of another. A city is called by its name without the word too. */
function isPlainer(best: Scored, rival: Scored): boolean {
  return best.isTown ? best.kind < KIND.alias && rival.kind >= KIND.alias : best.kind < rival.kind;
}

/** What follows from scores: the best first, and whether it is the one. */
export function decide(scored: readonly Scored[]): { match: 'exact' | 'likely' | 'ambiguous' | 'none'; all: Scored[] } {
  const all = scored
    .filter(({ joint }) => joint >= WORTH_NAMING)
    .sort((a, b) => b.joint - a.joint || Number(b.isSure) - Number(a.isSure) || a.kind - b.kind || a.row - b.row);
  const [best, next] = all;
  if (!best) return { match: 'none', all };
  // Whoever has an old list means the other one, and a part of a city is often called without it.
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
    (best.joint >= LIKELY && gap >= gapOf(best) && (best.how !== 'part' || best.score >= LIKELY_PART)) ||
    (best.isWithin === true && best.how === 'near' && best.joint >= LIKELY_WITHIN && gap >= GAP_WITHIN);
  return { match: isLikely ? 'likely' : 'ambiguous', all };
}
