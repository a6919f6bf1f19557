import type { Match } from '../../../src/names/result.ts';

/** The outcome of a row with a known code. `offered`: the right code is among the candidates of an ambiguous one. */
export type Outcome = 'exact' | 'likely' | 'offered' | 'missed' | 'wrong exact' | 'wrong likely';

export function outcomeOf({ match, code, candidates }: Match, wanted: string): Outcome {
  if (match === 'exact' || match === 'likely') return code === wanted ? match : `wrong ${match}`;
  return candidates.some((candidate) => candidate.code === wanted) ? 'offered' : 'missed';
}

/** Counts of outcomes, and the CPU time that they took. */
export class Tally {
  static readonly HEAD = [
    ...['damage', 'rows', 'precision', 'recall', 'exact', 'likely', 'offered', 'missed'],
    ...['wrong exact', 'wrong likely', 'rows/s'],
  ];
  readonly #ms: number;
  readonly #counts = new Map<Outcome, number>();

  constructor(ms: number) {
    this.#ms = ms;
  }

  static sum(tallies: readonly Tally[]): Tally {
    const sum = new Tally(tallies.reduce((total, tally) => total + tally.#ms, 0));
    for (const tally of tallies) for (const [outcome, count] of tally.#counts) sum.add(outcome, count);
    return sum;
  }

  add(outcome: Outcome, count = 1): void {
    this.#counts.set(outcome, this.count(outcome) + count);
  }

  count(outcome: Outcome): number {
    return this.#counts.get(outcome) ?? 0;
  }

  get size(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** The share of all rows that were called exact or likely and are right. */
  get right(): number {
    return (this.count('exact') + this.count('likely')) / this.size;
  }

  get wrongOfLikely(): number {
    return this.count('wrong likely') / Math.max(1, this.count('likely') + this.count('wrong likely'));
  }

  get perSecond(): number {
    return (1000 * this.size) / this.#ms;
  }

  cells(name: string): string[] {
    const share = (count: number, whole = this.size) => (whole === 0 ? '' : `${((100 * count) / whole).toFixed(1)} %`);
    const right = this.count('exact') + this.count('likely');
    const wrong = this.count('wrong exact') + this.count('wrong likely');
    return [
      name,
      String(this.size),
      share(right, right + wrong),
      share(right),
      ...(['exact', 'likely', 'offered', 'missed'] as const).map((outcome) => share(this.count(outcome))),
      ...(['wrong exact', 'wrong likely'] as const).map((outcome) => String(this.count(outcome))),
      this.perSecond.toFixed(0),
    ];
  }
}
