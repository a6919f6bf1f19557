import type { Column } from '../../src/names/source.ts';
import { number } from '../shared/format.ts';
import { LEVELS, type Level, levelsText } from '../shared/levels.ts';
import { coarserOf, type Group, placeOf, rowsBeside, rowsIn, STATES, type State } from './groups.ts';
import { rowNumbers, type Table } from './table.ts';

export const STATE_WORDS: Readonly<Record<State, string>> = {
  left: 'left without a code',
  none: 'not found',
  ambiguous: 'ambiguous',
  otherProvince: 'province not as written',
  likely: 'likely',
  exact: 'exact',
  accepted: 'accepted together',
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

/** How many rows of a table are in each state, the surest first, and which name no place. */
export function summaryOf(counts: Readonly<Record<State, number>>, table: Table, groups: readonly Group[]): string {
  const empty = rowsBeside(groups, table);
  const parts = STATES.toReversed().flatMap((state) =>
    counts[state] > 0 ? [`${number(counts[state])} ${STATE_WORDS[state]}`] : [],
  );
  const rest = empty.length > 0 ? [`${number(empty.length)} naming no place (${rowNumbers(table, empty)})`] : [];
  return `${rowsText(table.rows.length)}: ${[...parts, ...rest].join(', ')}.`;
}

/** How many rows have the code of a larger place because the finest column is blank, in a sentence for each kind. */
export function coarserSentences(groups: readonly Group[]): string[] {
  const kinds = Map.groupBy(coarserOf(groups), (group) => `${group.lacks} ${placeOf(group)?.level}`);
  return [...kinds.values()].map((kind) => {
    const [first] = kind as [Group, ...Group[]];
    const count = rowsIn(kind);
    const [has, they] = count === 1 ? ['has', 'it has'] : ['have', 'they have'];
    const level = placeOf(first)?.level ?? 'region';
    return `${rowsText(count)} ${has} no ${LEVELS[first.lacks as Column].noun.toLowerCase()}: ${they} the code of ${count === 1 ? 'its' : 'their'} ${LEVELS[level].noun.toLowerCase()}.`;
  });
}

/** How many rows have a place of which level, where there are several; empty where there is one. */
export function levelsSentence(groups: readonly Group[]): string {
  const counts = new Map<Level, number>();
  for (const group of groups) {
    const level = placeOf(group)?.level;
    if (level !== undefined) counts.set(level, (counts.get(level) ?? 0) + group.rows.length);
  }
  return levelsText('The codes', [...counts]);
}
