import type { NameIndex } from '../../../src/names/index.ts';
import type { Match } from '../../../src/names/result.ts';
import { goalCells, printTable } from '../table.ts';

/** The least score of each band, the best first. */
const BANDS = [1, 0.999, 0.998, 0.99, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0] as const;

/** How far the share of a band may be from its scores: little where a row is decided. */
const TOLERANCE = { exact: 0, likely: 0.003, ambiguous: 0.1 } as const;

/** How many rows a band needs to say anything. */
const MIN_ROWS = 200;

interface Band {
  rows: number;
  right: number;
  /** The sum of the scores. */
  claimed: number;
}

/** How often rows with a score are right, by kind of result. */
export class Shares {
  readonly #bands = new Map<string, Band>();

  /** @param codes of the areas that the row may mean */
  add(index: NameIndex, match: Match, codes: readonly string[]): void {
    if (match.match === 'none') return;
    const least = BANDS.find((it) => match.score >= it) as number;
    const key = `${answerOf(match)} ${least}`;
    const band = this.#bands.get(key) ?? { rows: 0, right: 0, claimed: 0 };
    band.rows += 1;
    band.claimed += match.score;
    if (isRight(index, match, codes)) band.right += 1;
    this.#bands.set(key, band);
  }

  print(seed: number): void {
    const rows = [...this.#bands].map(([key, { rows, right, claimed }]) => {
      const [answer = '', least = ''] = key.split(' ');
      const above = BANDS[BANDS.indexOf(Number(least) as 1) - 1];
      const [score, share] = [claimed / rows, right / rows];
      const tolerance = TOLERANCE[ANSWERS[answer as Answer].replace(/,.*/, '') as keyof typeof TOLERANCE];
      const isMet = Math.abs(score - share) <= tolerance;
      const band = above === undefined ? least : `${least} to ${above}`;
      return {
        order: `${answer} ${2 - Number(least)}`,
        cells: [
          ANSWERS[answer as Answer],
          band,
          String(rows),
          score.toFixed(3),
          share.toFixed(4),
          ...goalCells(rows < MIN_ROWS ? undefined : `± ${tolerance}`, isMet),
        ],
      };
    });
    printTable(
      `What scores say, all rows of seed ${seed}`,
      ['answer', 'score', 'rows', 'its mean', 'right', 'goal', ''],
      rows.sort((a, b) => (a.order < b.order ? -1 : 1)).map(({ cells }) => cells),
    );
  }
}

const ANSWERS = {
  a: 'exact',
  b: 'likely',
  c: 'ambiguous, the code',
  d: 'ambiguous, the first candidate',
} as const;

type Answer = keyof typeof ANSWERS;

function answerOf({ match, code }: Match): Answer {
  if (match !== 'ambiguous') return match === 'exact' ? 'a' : 'b';
  return code === null ? 'd' : 'c';
}

/** Whether the code of a row, or else its first candidate, is right. The code of an ambiguous row may be a parent's. */
function isRight(index: NameIndex, { match, code, level, candidates }: Match, codes: readonly string[]): boolean {
  if (match !== 'ambiguous' || code === null || level === null) {
    return codes.includes(code ?? candidates[0]?.code ?? '');
  }
  const parent = index.rowOf(level, code);
  return codes.some((it) => {
    const row = index.rowOf(it.endsWith('000') ? 'municity' : 'barangay', it);
    return row !== -1 && index.isIn(row, parent);
  });
}
