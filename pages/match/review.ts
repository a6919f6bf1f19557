import { button, byId, el } from '../shared/dom.ts';
import { parentsOf } from '../shared/find-places.ts';
import { number } from '../shared/format.ts';
import { alikeOf, createDecisions, foundWhere } from './decisions.ts';
import { createEntry, type Entry, typedIn } from './entry.ts';
import {
  countStates,
  doublesOf,
  foundIn,
  type Group,
  isUnsure,
  optionsOf,
  type Place,
  type PlaceColumns,
  placeOf,
  rowsIn,
  STATES,
  type State,
  stateOf,
  UNSURE,
} from './groups.ts';
import { coarserSentences, levelsSentence, rowsText, summaryOf, wordOf } from './summary.ts';
import { aboutRows, type Table } from './table.ts';

/** Lines that are shown at a time, so that a long list does not slow the page. */
const PAGE = 100;

/** What accepts all groups of a state. */
const ACCEPTS = {
  likely: 'Accept all likely',
  coarser: 'Accept the larger places',
  misfit: 'Accept these in other provinces',
} as const;

type Filter = State | 'unsure' | 'double' | 'all';

interface ReviewOptions {
  /** Called when something was decided or undone, with a sentence on it. */
  readonly onChange: (sentence: string) => void;
  /** Called when the last group was decided that somebody should look at. */
  readonly onEnd: () => void;
}

/** The list of what was found, a line for all rows with the same text, and the decisions on them. */
export function createReview({ onChange, onEnd }: ReviewOptions) {
  const list = byId('groups', HTMLElement);
  const filters = byId('filters', HTMLElement);
  const accept = byId('accept-likely', HTMLButtonElement);
  const leave = byId('leave', HTMLButtonElement);
  const undoLatest = byId('undo', HTMLButtonElement);
  const also = byId('also', HTMLButtonElement);
  let table: Table | undefined;
  let used: readonly number[] = [];
  let groups: readonly Group[] = [];
  let decisions = createDecisions();
  let filter: Filter = 'unsure';
  /** What the filter let through when it was chosen. What is decided meanwhile stays where it is. */
  let shown: readonly Group[] = [];
  let page = 0;
  /** The lines of the page, and the one among `shown` that is open. */
  let entries: readonly Entry[] = [];
  let current = 0;
  /** What the latest choice could decide too. */
  let alike: { groups: readonly Group[]; place: Place; sentence: string } | undefined;

  const changed = (sentence: string) => {
    showCounts();
    showSteps();
    onChange(sentence);
  };

  const showCounts = () => {
    const counts = countStates(groups);
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const summary = summaryOf(counts, (table?.rows.length ?? 0) - all);
    const sentences = [summary, ...coarserSentences(groups), levelsSentence(groups)];
    byId('summary', HTMLElement).textContent = sentences.filter((it) => it !== '').join(' ');
    const unsure = UNSURE.reduce((sum, state) => sum + counts[state], 0);
    showEnd(unsure);
    const doubles = rowsIn(doublesOf(groups));
    const choices: [Filter, string, number][] = [
      ['unsure', 'To check', unsure],
      ...STATES.filter((state) => counts[state] > 0 || filter === state).map((state): [Filter, string, number] => [
        state,
        wordOf(state),
        counts[state],
      ]),
      ...(doubles > 0 || filter === 'double'
        ? [['double', 'Same place twice', doubles] as [Filter, string, number]]
        : []),
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

  /** Shows what can be done with the list: closed as long as there is something to check. */
  const showEnd = (unsure: number) => {
    const end = byId('end', HTMLDetailsElement);
    const coded = rowsIn(groups.filter(placeOf));
    const all = table?.rows.length ?? 0;
    const isDone = unsure === 0;
    if (end.classList.contains('done') !== isDone) end.open = isDone;
    end.classList.toggle('done', isDone);
    byId('save-map', HTMLElement).classList.toggle('main', isDone);
    const have = `${number(coded)} of ${rowsText(all)} ${coded === 1 ? 'has' : 'have'} a code.`;
    byId('end-about', HTMLElement).textContent = isDone ? have : `Take the list as it is: ${have}`;
  };

  /** The state whose groups can be accepted together: of what somebody has set apart, that. */
  const togetherNow = () => (filter === 'coarser' || filter === 'misfit' ? filter : 'likely');

  /** What is listed, not decided, and has no place. */
  const unplaced = () => shown.filter((group) => isUnsure(group) && !placeOf(group));

  /** Shows what can be decided at once, and what can be undone. */
  const showSteps = () => {
    const together = rowsIn(foundWhere(groups, togetherNow()));
    accept.textContent = `${ACCEPTS[togetherNow()]}: ${rowsText(together)}`;
    accept.hidden = together === 0;
    const left = rowsIn(unplaced());
    leave.textContent = `Leave without a code: ${rowsText(left)}`;
    leave.hidden = left === 0 || (filter === 'unsure' && together > 0);
    const latest = decisions.latest();
    byId('latest', HTMLElement).textContent = latest ?? '';
    undoLatest.hidden = latest === undefined;
    also.hidden = !alike;
    const more = alike ? `The same for ${rowsText(rowsIn(alike.groups))} more ` : '';
    also.replaceChildren(more, el('kbd', { 'aria-hidden': 'true' }, 'A'));
  };

  const groupsIn = (chosen: Filter): readonly Group[] => {
    if (chosen === 'all') return groups.filter(({ outcome }) => outcome);
    if (chosen === 'double') return doublesOf(groups);
    const states = chosen === 'unsure' ? UNSURE : [chosen];
    // Within a state the least sure come first, and of these the many.
    const sorted = groups.toSorted((a, b) => scoreOf(a) - scoreOf(b) || b.rows.length - a.rows.length);
    return states.flatMap((state) => sorted.filter((group) => stateOf(group) === state));
  };

  const choose = (chosen: Filter) => {
    filter = chosen;
    shown = groupsIn(chosen);
    showCounts();
    showSteps();
    showPage(0);
  };

  const showPage = (wanted: number) => {
    page = wanted;
    const from = page * PAGE;
    const onPage = shown.slice(from, from + PAGE);
    entries = onPage.map((group, at) =>
      createEntry(group, {
        about: table ? aboutRows(table, group.rows, used) : '',
        onOpen: () => open(from + at),
        onChoose: (place) => decide(from + at, place),
      }),
    );
    current = from;
    for (const [at, entry] of entries.entries()) entry.show(at === 0);
    list.replaceChildren(...entries.map(({ element }) => element));
    list.setAttribute('start', String(from + 1));
    byId('filter-about', HTMLElement).textContent = shown.length === 0 ? 'Nothing is left to check.' : '';
    list.hidden = shown.length === 0;
    byId('keys', HTMLElement).hidden = shown.length === 0;
    const last = Math.max(0, Math.ceil(shown.length / PAGE) - 1);
    byId('pages', HTMLElement).hidden = last === 0;
    byId('page-about', HTMLElement).textContent = `Page ${number(page + 1)} of ${number(last + 1)}`;
    byId('previous', HTMLButtonElement).disabled = page === 0;
    byId('next', HTMLButtonElement).disabled = page === last;
  };

  /** Opens a line, on its page, and gives it the focus. */
  const open = (index: number) => {
    if (index < 0 || index >= shown.length) return;
    const wanted = Math.floor(index / PAGE);
    if (wanted !== page) showPage(wanted);
    entries[current % PAGE]?.show(false);
    current = index;
    entries[current % PAGE]?.show(true);
    entries[current % PAGE]?.focus();
  };

  const decide = (index: number, place: Place | null) => {
    const group = shown[index];
    if (!group) return;
    const called = place ? [place.name, ...parentsOf(place)].join(', ') : 'no code';
    const sentence = `“${typedIn(group)}”: ${called}.`;
    decisions.decide([group], () => place, { sentence });
    const others = place ? alikeOf(groups, group, place) : [];
    alike = place && others.length > 0 ? { groups: others, place, sentence } : undefined;
    changed(sentence);
    goOn(index);
  };

  /** Opens the next line that is not decided. */
  const goOn = (from: number) => {
    const behind = shown.findIndex((group, at) => at > from && isUnsure(group));
    const next = behind < 0 ? shown.findIndex(isUnsure) : behind;
    if (next >= 0) return open(next);
    open(from);
    if (!groups.some(isUnsure)) onEnd();
  };

  /** Decides many groups in one step, and lists what is left. */
  const decideAll = (
    many: readonly Group[],
    choice: (group: Group) => Place | null,
    said: { sentence: string; isTogether?: boolean },
  ) => {
    decisions.decide(many, choice, said);
    alike = undefined;
    choose(filter);
    onChange(said.sentence);
    if (shown.length > 0) open(0);
    if (!groups.some(isUnsure)) onEnd();
  };

  const undo = () => {
    const sentence = decisions.latest();
    if (sentence === undefined) return;
    const [first] = decisions.undo();
    alike = undefined;
    if (!first || !shown.includes(first)) choose(filter);
    changed(`Undone: ${sentence}`);
    for (const entry of entries) entry.show(false);
    open(first ? Math.max(0, shown.indexOf(first)) : 0);
  };

  accept.addEventListener('click', () => {
    const many = foundWhere(groups, togetherNow());
    const sentence = `Accepted together: ${rowsText(rowsIn(many))}.`;
    decideAll(many, ({ outcome }) => foundIn(outcome), { sentence, isTogether: true });
  });
  leave.addEventListener('click', () => {
    const many = unplaced();
    decideAll(many, () => null, { sentence: `Left without a code: ${rowsText(rowsIn(many))}.` });
  });
  also.addEventListener('click', () => {
    if (!alike) return;
    const { groups: many, place, sentence } = alike;
    decideAll(many, () => place, { sentence: `The same for ${rowsText(rowsIn(many))} more: ${sentence}` });
  });
  undoLatest.addEventListener('click', undo);
  const turn = (by: number) => {
    open((page + by) * PAGE);
    filters.scrollIntoView({ block: 'start' });
  };
  byId('previous', HTMLButtonElement).addEventListener('click', () => turn(-1));
  byId('next', HTMLButtonElement).addEventListener('click', () => turn(1));

  const acts: Readonly<Record<string, () => void>> = {
    ArrowDown: () => open(current + 1),
    j: () => open(current + 1),
    ArrowUp: () => open(current - 1),
    k: () => open(current - 1),
    0: () => decide(current, null),
    x: () => decide(current, null),
    u: undo,
    a: () => also.click(),
    s: () => entries[current % PAGE]?.search(),
  };
  byId('result', HTMLElement).addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement && event.target.type !== 'checkbox';
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const group = shown[current];
    const place = group && /^[1-9]$/.test(key) ? optionsOf(group)[Number(key) - 1] : undefined;
    const act = place ? () => decide(current, place) : acts[key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  return {
    show(opened: Table, columns: PlaceColumns, found: readonly Group[]) {
      if (groups !== found) decisions = createDecisions();
      alike = undefined;
      table = opened;
      // A list that is opened begins with what is to check.
      byId('end', HTMLDetailsElement).open = !found.some(isUnsure);
      used = Object.values(columns).flat();
      groups = found;
      choose(found.some(isUnsure) ? 'unsure' : 'all');
    },
  };
}

function scoreOf({ outcome }: Group): number {
  return outcome?.score ?? 0;
}
