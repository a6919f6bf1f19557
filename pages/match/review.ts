import { button, byId } from '../shared/dom.ts';
import { number } from '../shared/format.ts';
import { groupCard, STATE_WORDS } from './card.ts';
import { countStates, type Group, STATES, type State, stateOf } from './groups.ts';
import type { Table } from './table.ts';

/** Groups that are shown at a time, so that a long list does not slow the page. */
const PAGE = 20;

/** The states that somebody should look at, the least sure first. */
const UNSURE: readonly State[] = ['none', 'ambiguous', 'likely'];

type Filter = State | 'unsure' | 'all';

/** The list of what was found, with choices. @param onChange called when something was chosen */
export function createReview(onChange: (sentence: string) => void) {
  const list = byId('groups', HTMLElement);
  const filters = byId('filters', HTMLElement);
  let table: Table | undefined;
  let groups: readonly Group[] = [];
  let filter: Filter = 'unsure';
  /** What the filter let through when it was chosen. What is decided meanwhile stays where it is. */
  let shown: readonly Group[] = [];
  let page = 0;

  const changed = (sentence: string) => {
    showCounts();
    onChange(sentence);
  };

  const showCounts = () => {
    const counts = countStates(groups);
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const parts = STATES.toReversed().flatMap((state) =>
      counts[state] > 0 ? [`${number(counts[state])} ${STATE_WORDS[state]}`] : [],
    );
    const empty = (table?.rows.length ?? 0) - all;
    byId('summary', HTMLElement).textContent =
      `${number(all)} ${all === 1 ? 'row' : 'rows'}: ${parts.join(', ')}.${empty > 0 ? ` ${number(empty)} ${empty === 1 ? 'says' : 'say'} nothing of a place and ${empty === 1 ? 'stays' : 'stay'} without a code.` : ''}`;
    const unsure = UNSURE.reduce((sum, state) => sum + counts[state], 0);
    const choices: [Filter, string, number][] = [
      ['unsure', 'To check', unsure],
      ...STATES.filter((state) => counts[state] > 0 || filter === state).map((state): [Filter, string, number] => [
        state,
        wordOf(state),
        counts[state],
      ]),
      ['all', 'All', all - counts.waiting],
    ];
    const hadFocus = filters.contains(document.activeElement);
    filters.replaceChildren(
      ...choices.map(([value, label, count]) =>
        button(`${label} ${number(count)}`, () => choose(value), {
          'aria-pressed': String(value === filter),
          'data-filter': value,
        }),
      ),
    );
    if (hadFocus) filters.querySelector<HTMLElement>('[aria-pressed=true]')?.focus();
  };

  const choose = (chosen: Filter) => {
    filter = chosen;
    const states: readonly State[] = chosen === 'unsure' ? UNSURE : chosen === 'all' ? STATES : [chosen];
    shown =
      chosen === 'all'
        ? groups.filter(({ outcome }) => outcome)
        : states.flatMap((state) => groups.filter((group) => stateOf(group) === state));
    showCounts();
    showPage(0);
  };

  const showPage = (wanted: number) => {
    page = wanted;
    const from = page * PAGE;
    const firstRow = table?.firstRow ?? 1;
    list.replaceChildren(
      ...shown.slice(from, from + PAGE).map((group) => groupCard(group, { firstRow, onChange: changed })),
    );
    list.setAttribute('start', String(from + 1));
    byId('filter-about', HTMLElement).textContent = shown.length === 0 ? 'There is nothing to check here.' : '';
    const last = Math.max(0, Math.ceil(shown.length / PAGE) - 1);
    byId('pages', HTMLElement).hidden = last === 0;
    byId('page-about', HTMLElement).textContent = `Page ${number(page + 1)} of ${number(last + 1)}`;
    byId('previous', HTMLButtonElement).disabled = page === 0;
    byId('next', HTMLButtonElement).disabled = page === last;
  };

  const turn = (by: number) => {
    showPage(page + by);
    filters.scrollIntoView({ block: 'start' });
    list.querySelector<HTMLElement>('input')?.focus({ preventScroll: true });
  };
  byId('previous', HTMLButtonElement).addEventListener('click', () => turn(-1));
  byId('next', HTMLButtonElement).addEventListener('click', () => turn(1));

  return {
    show(opened: Table, found: readonly Group[]) {
      table = opened;
      groups = found;
      choose(found.some((group) => UNSURE.includes(stateOf(group))) ? 'unsure' : 'all');
    },
  };
}

function wordOf(state: State): string {
  const word = STATE_WORDS[state];
  return word.charAt(0).toUpperCase() + word.slice(1);
}
