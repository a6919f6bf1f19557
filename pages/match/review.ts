import { button, byId, el } from '../shared/dom.ts';
import { parentsOf } from '../shared/find-places.ts';
import { number } from '../shared/format.ts';
import { createDecisions, groupsWithPlaceIn, otherSpellings, similarGroups, sortedByReach } from './decisions.ts';
import { createEntry, type Entry, typedIn } from './entry.ts';
import {
  coarserOf,
  countStates,
  duplicatesOf,
  foundIn,
  type Group,
  isUnsure,
  optionsOf,
  type Place,
  type PlaceColumns,
  placeOf,
  rowsBeside,
  rowsIn,
  STATES,
  type State,
  stateOf,
  UNSURE,
} from './groups.ts';
import { coarserSentences, levelsSentence, rowsText, summaryOf, wordOf } from './summary.ts';
import { aboutRows, type Table } from './table.ts';

/** Entries that are shown at a time, so that a long list does not slow the page. */
const PAGE = 100;

type Filter = State | 'unsure' | 'coarser' | 'duplicate' | 'beside' | 'all';

/** Lists of groups in any state. */
const LISTS = [
  ['coarser', 'Of a larger place', coarserOf],
  ['duplicate', 'Same place twice', duplicatesOf],
] as const;

interface ReviewOptions {
  /** Called when something was decided or undone, with a sentence on it. */
  readonly onChange: (sentence: string) => void;
  /** Called when no group is left that somebody should look at. */
  readonly onEnd: () => void;
}

/** The list of what was found, with an entry for all rows with the same text, and the decisions on them. */
export function createReview({ onChange, onEnd }: ReviewOptions) {
  const list = byId('groups', HTMLElement);
  const filters = byId('filters', HTMLElement);
  const acceptButton = byId('accept', HTMLButtonElement);
  const leaveButton = byId('leave', HTMLButtonElement);
  const undoLatest = byId('undo', HTMLButtonElement);
  const sameButton = byId('also', HTMLButtonElement);
  let table: Table | undefined;
  let placeColumns: readonly number[] = [];
  let groups: readonly Group[] = [];
  let decisions = createDecisions();
  let filter: Filter = 'unsure';
  /** The groups that the filter selected when it was chosen. Groups that are decided later stay in the list. */
  let shown: readonly Group[] = [];
  /** The rows that name no place, if the filter selects them. They stand behind the groups, and nothing is decided on them. */
  let shownBeside: readonly number[] = [];
  let page = 0;
  /** The entries of the current page. */
  let entries: readonly Entry[] = [];
  /** Index in `shown` of the open entry. */
  let current = 0;
  /** Other groups that the latest choice could decide too. */
  let similar: { groups: readonly Group[]; spellings: readonly string[]; place: Place; sentence: string } | undefined;

  const changed = (sentence: string) => {
    showCounts();
    showSteps();
    onChange(sentence);
  };

  const showCounts = () => {
    const counts = countStates(groups);
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const beside = table ? rowsBeside(groups, table).length : 0;
    const sentences = [
      table ? summaryOf(counts, table, groups) : '',
      ...coarserSentences(groups),
      levelsSentence(groups),
    ];
    byId('summary', HTMLElement).textContent = sentences.filter((it) => it !== '').join(' ');
    const unsure = UNSURE.reduce((sum, state) => sum + counts[state], 0);
    showResults(unsure);
    const choices: [Filter, string, number][] = [
      ['unsure', 'To check', unsure],
      ...STATES.filter((state) => counts[state] > 0 || filter === state).map((state): [Filter, string, number] => [
        state,
        wordOf(state),
        counts[state],
      ]),
      ...LISTS.map(([name, label, of]): [Filter, string, number] => [name, label, rowsIn(of(groups))]).filter(
        ([name, , count]) => count > 0 || filter === name,
      ),
      ...(beside > 0 ? [['beside', 'No place', beside] satisfies [Filter, string, number]] : []),
      ['all', 'All', all - counts.waiting + beside],
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

  /** Shows what the list has, and what can be done with it. */
  const showResults = (unsure: number) => {
    const all = table?.rows.length ?? 0;
    const coded = groups.filter(placeOf);
    const proposed = rowsIn(coded.filter(isUnsure));
    const certain = rowsIn(coded) - proposed;
    const likely = rowsIn(groupsWithPlaceIn(groups, 'likely'));
    byId('end', HTMLElement).classList.toggle('done', unsure === 0);
    byId('save-map', HTMLElement).classList.toggle('main', likely === 0);
    const alsoProposed = proposed > 0 ? `, ${number(proposed)} with a proposed one (downloads have it)` : '';
    byId('end-about', HTMLElement).textContent =
      `${rowsText(all)}: ${number(certain)} with a code${alsoProposed}, ${number(all - certain - proposed)} with none.`;
    byId('likely', HTMLElement).hidden = likely === 0;
    byId('likely-about', HTMLElement).textContent = `Not accepted yet: ${number(likely)} likely`;
  };

  /** What is listed, not decided, and has no place. */
  const unplaced = () => shown.filter((group) => isUnsure(group) && !placeOf(group));

  /** Shows what can be decided at once, and what can be undone. */
  const showSteps = () => {
    const accepted = rowsIn(groupsWithPlaceIn(groups, 'otherProvince'));
    acceptButton.textContent = `Accept these provinces: ${rowsText(accepted)}`;
    acceptButton.hidden = accepted === 0 || filter !== 'otherProvince';
    const left = rowsIn(unplaced());
    leaveButton.textContent = `Leave without a code: ${rowsText(left)}`;
    // In the list to check, likely places are decided first (docs/matching.md).
    leaveButton.hidden = left === 0 || (filter === 'unsure' && groupsWithPlaceIn(groups, 'likely').length > 0);
    const latest = decisions.latest();
    byId('latest', HTMLElement).textContent = latest ?? '';
    undoLatest.hidden = latest === undefined;
    sameButton.hidden = !similar;
    const more = similar
      ? `The same for ${rowsText(rowsIn(similar.groups))} more${spelledText(similar.spellings)} `
      : '';
    sameButton.replaceChildren(more, el('kbd', { 'aria-hidden': 'true' }, 'A'));
  };

  const groupsIn = (chosen: Filter): readonly Group[] => {
    if (chosen === 'beside') return [];
    if (chosen === 'all') return groups.filter(({ outcome }) => outcome);
    const list = LISTS.find(([name]) => name === chosen);
    if (list) return list[2](groups);
    const states = chosen === 'unsure' ? UNSURE : [chosen];
    // Within a state, the lowest score comes first; of equal scores, the group with the most rows. A score does not say which candidate
    // of an ambiguous group is meant, so the groups come first of which one decision settles the most rows.
    const sorted = groups.toSorted((a, b) => scoreOf(a) - scoreOf(b) || b.rows.length - a.rows.length);
    return states.flatMap((state) => {
      const inState = sorted.filter((group) => stateOf(group) === state);
      return state === 'ambiguous' ? sortedByReach(inState) : inState;
    });
  };

  const choose = (chosen: Filter) => {
    filter = chosen;
    shown = groupsIn(chosen);
    shownBeside = table && (chosen === 'all' || chosen === 'beside') ? rowsBeside(groups, table) : [];
    showCounts();
    showSteps();
    showPage(0);
  };

  const emptyText = () => (filter === 'unsure' ? 'Nothing is left to check.' : 'No rows are in this list.');

  const showPage = (wanted: number) => {
    page = wanted;
    const from = page * PAGE;
    const onPage = shown.slice(from, from + PAGE);
    entries = onPage.map((group, at) =>
      createEntry(group, {
        about: table ? aboutRows(table, group.rows, placeColumns) : '',
        onOpen: () => open(from + at),
        onChoose: (place) => decide(from + at, place),
      }),
    );
    // Behind the last group stand only rows that name no place, which nobody decides.
    current = Math.min(from, shown.length);
    for (const [at, entry] of entries.entries()) entry.show(at === 0);
    const rows = shownBeside.slice(Math.max(0, from - shown.length), Math.max(0, from + PAGE - shown.length));
    list.replaceChildren(
      ...entries.map(({ element }) => element),
      ...rows.map((row) => el('li', { class: 'group beside' }, table ? aboutRows(table, [row], []) : '')),
    );
    const count = shown.length + shownBeside.length;
    list.setAttribute('start', String(from + 1));
    byId('filter-about', HTMLElement).textContent = count > 0 ? '' : emptyText();
    list.hidden = count === 0;
    byId('keys', HTMLElement).hidden = entries.length === 0;
    const last = Math.max(0, Math.ceil(count / PAGE) - 1);
    byId('pages', HTMLElement).hidden = last === 0;
    byId('page-about', HTMLElement).textContent = `Page ${number(page + 1)} of ${number(last + 1)}`;
    byId('previous', HTMLButtonElement).disabled = page === 0;
    byId('next', HTMLButtonElement).disabled = page === last;
  };

  /** Opens an entry, on its page, and gives it the focus. */
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
    const others = place ? similarGroups(groups, group, place) : [];
    const spellings = otherSpellings(others, group);
    similar = place && others.length > 0 ? { groups: others, spellings, place, sentence } : undefined;
    changed(sentence);
    openNextUnsure(index);
  };

  /** Opens the next entry that is not decided. */
  const openNextUnsure = (from: number) => {
    const following = shown.findIndex((group, at) => at > from && isUnsure(group));
    const next = following < 0 ? shown.findIndex(isUnsure) : following;
    if (next >= 0) return open(next);
    open(from);
    if (!groups.some(isUnsure)) onEnd();
  };

  /** Decides many groups in one step, and lists what is left. */
  const decideAll = (
    chosenGroups: readonly Group[],
    choice: (group: Group) => Place | null,
    description: { sentence: string; isBulkAccepted?: boolean },
  ) => {
    decisions.decide(chosenGroups, choice, description);
    similar = undefined;
    choose(filter);
    onChange(description.sentence);
    if (shown.length > 0) open(0);
    if (!groups.some(isUnsure)) onEnd();
  };

  const undo = () => {
    const sentence = decisions.latest();
    if (sentence === undefined) return;
    const [first] = decisions.undo();
    similar = undefined;
    if (!first || !shown.includes(first)) choose(filter);
    changed(`Undone: ${sentence}`);
    for (const entry of entries) entry.show(false);
    open(first ? Math.max(0, shown.indexOf(first)) : 0);
  };

  const accept = (state: State) => {
    const chosenGroups = groupsWithPlaceIn(groups, state);
    const sentence = `Accepted together: ${rowsText(rowsIn(chosenGroups))}.`;
    decideAll(chosenGroups, ({ outcome }) => foundIn(outcome), { sentence, isBulkAccepted: true });
  };
  byId('accept-likely', HTMLButtonElement).addEventListener('click', () => accept('likely'));
  acceptButton.addEventListener('click', () => accept('otherProvince'));
  leaveButton.addEventListener('click', () => {
    const chosenGroups = unplaced();
    decideAll(chosenGroups, () => null, { sentence: `Left without a code: ${rowsText(rowsIn(chosenGroups))}.` });
  });
  sameButton.addEventListener('click', () => {
    if (!similar) return;
    const { groups: others, place, sentence } = similar;
    decideAll(others, () => place, { sentence: `The same for ${rowsText(rowsIn(others))} more: ${sentence}` });
  });
  undoLatest.addEventListener('click', undo);
  const turnPage = (by: number) => {
    const first = (page + by) * PAGE;
    if (first < shown.length) open(first);
    else showPage(page + by);
    filters.scrollIntoView({ block: 'start' });
  };
  byId('previous', HTMLButtonElement).addEventListener('click', () => turnPage(-1));
  byId('next', HTMLButtonElement).addEventListener('click', () => turnPage(1));

  const shortcuts: Readonly<Record<string, () => void>> = {
    ArrowDown: () => open(current + 1),
    j: () => open(current + 1),
    ArrowUp: () => open(current - 1),
    k: () => open(current - 1),
    0: () => decide(current, null),
    x: () => decide(current, null),
    u: undo,
    a: () => sameButton.click(),
    s: () => entries[current % PAGE]?.search(),
  };
  byId('result', HTMLElement).addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement && event.target.type !== 'checkbox';
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const group = shown[current];
    const place = group && /^[1-9]$/.test(key) ? optionsOf(group)[Number(key) - 1] : undefined;
    const shortcut = place ? () => decide(current, place) : shortcuts[key];
    if (!shortcut) return;
    event.preventDefault();
    shortcut();
  });

  return {
    /** Shows a list and what was found for it, or the same list after more of it was looked up. */
    show(opened: Table, columns: PlaceColumns, found: readonly Group[]) {
      // Decisions on the same list can still be undone.
      if (groups !== found) decisions = createDecisions();
      similar = undefined;
      table = opened;
      placeColumns = Object.values(columns).flat();
      groups = found;
      choose(found.some(isUnsure) ? 'unsure' : 'all');
    },
  };
}

/** How many spellings are named. */
const NAMED_SPELLINGS = 3;

/** Which other spellings rows have, behind their number; empty if they have none. */
function spelledText(spellings: readonly string[]): string {
  if (spellings.length === 0) return '';
  const named = spellings.slice(0, NAMED_SPELLINGS).map((spelling) => `“${spelling.slice(0, 40)}”`);
  const rest = spellings.length - named.length;
  return `, also spelled ${named.join(', ')}${rest > 0 ? ` and ${rest} other ${rest === 1 ? 'way' : 'ways'}` : ''}`;
}

function scoreOf({ outcome }: Group): number {
  return outcome?.score ?? 0;
}
