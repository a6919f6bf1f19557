import { number } from '../shared/format.ts';
import { STATES, type State } from './groups.ts';

export const STATE_WORDS: Readonly<Record<State, string>> = {
  none: 'not found',
  ambiguous: 'ambiguous',
  likely: 'likely',
  exact: 'exact',
  chosen: 'chosen by you',
  waiting: 'not looked up',
};

/** The word for a state, as the label of a button. */
export function wordOf(state: State): string {
  const word = STATE_WORDS[state];
  return word.charAt(0).toUpperCase() + word.slice(1);
}

export function rowsText(count: number): string {
  return `${number(count)} ${count === 1 ? 'row' : 'rows'}`;
}

/**
 * How many rows are in each state, the surest first.
 *
 * @param empty rows that say nothing of a place
 */
export function summaryOf(counts: Readonly<Record<State, number>>, empty: number): string {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const parts = STATES.toReversed().flatMap((state) =>
    counts[state] > 0 ? [`${number(counts[state])} ${STATE_WORDS[state]}`] : [],
  );
  const [says, stays] = empty === 1 ? ['says', 'stays'] : ['say', 'stay'];
  const rest = empty > 0 ? ` ${number(empty)} ${says} nothing of a place and ${stays} without a code.` : '';
  return `${rowsText(all)}: ${parts.join(', ')}.${rest}`;
}
