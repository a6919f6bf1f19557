import { calledText } from '../../src/match/cells.ts';
import { button, el } from '../shared/dom.ts';
import { aboutOf, findPlaces, parentsOf } from '../shared/find-places.ts';
import { number } from '../shared/format.ts';
import { type Finding, startSearchField } from '../shared/search-field.ts';
import { FIELDS, foundIn, type Group, type Option, optionsOf, type Place, type State, stateOf } from './groups.ts';

export const STATE_WORDS: Readonly<Record<State, string>> = {
  none: 'not found',
  ambiguous: 'ambiguous',
  likely: 'likely',
  exact: 'exact',
  chosen: 'chosen by you',
  waiting: 'not looked up',
};

/** How many places a search shows. */
const MAX_HITS = 8;

interface CardOptions {
  /** The number of the first row of the table in the sheet. */
  readonly firstRow: number;
  /** Called when the person has chosen, or has taken the choice back. */
  readonly onChange: (sentence: string) => void;
}

let cards = 0;

/** What stands in a group, what it may mean, and the choice between that. */
export function groupCard(group: Group, { firstRow, onChange }: CardOptions): HTMLElement {
  cards += 1;
  const id = `card-${cards}`;
  const typed = typedIn(group);
  const mark = el('span', { class: 'mark' });
  const body = el('fieldset', {}, el('legend', { class: 'unseen' }, `What “${typed}” means`));
  const notes = group.outcome?.notes ?? [];
  const card = el(
    'li',
    { class: 'group' },
    el('p', { class: 'typed' }, el('b', {}, typed), ' ', mark),
    el('p', { class: 'quiet rows' }, rowsText(group, firstRow)),
    body,
    notes.length > 0 ? el('p', { class: 'quiet' }, notes.join(' ')) : undefined,
  );

  const showState = () => {
    card.dataset.state = stateOf(group);
    mark.textContent = STATE_WORDS[stateOf(group)];
  };

  const choose = (place: Place | null) => {
    const found = foundIn(group.outcome);
    group.choice = place !== null && place.code === found?.code ? undefined : place;
    showState();
    onChange(`${typed}: ${place ? `${place.name}, ${parentsOf(place).join(', ')}` : 'without a code'}.`);
  };

  const showOptions = (focused?: string) => {
    const options = optionsOf(group).map((place) => optionOf(place, place.code));
    const without = optionOf(null, '');
    const search = button('Another place …', () => {
      search.replaceWith(searchFor(id, chooseAnother));
      card.querySelector<HTMLInputElement>('[role=combobox]')?.focus();
    });
    search.className = 'another';
    body.replaceChildren(body.firstElementChild ?? '', ...options, without, search);
    if (focused !== undefined) body.querySelector<HTMLInputElement>(`input[value="${focused}"]`)?.focus();
  };

  const optionOf = (place: Option | null, value: string): HTMLElement => {
    const input = el('input', { type: 'radio', name: id, value });
    input.checked =
      group.choice === undefined
        ? place !== null && place.code === foundIn(group.outcome)?.code
        : group.choice?.code === place?.code;
    input.addEventListener('change', () => choose(place));
    if (!place) return el('label', {}, input, el('span', {}, 'Leave without a code'));
    const about = [aboutOf({ ...place, type: null }), calledText(place)].filter((it) => it !== '').join('; ');
    return el(
      'label',
      {},
      input,
      el(
        'span',
        {},
        el('b', {}, place.name),
        ' ',
        el('span', { class: 'quiet' }, about),
        ' ',
        el('code', {}, place.code),
      ),
    );
  };

  const chooseAnother = (place: Place) => {
    choose(place);
    showOptions(place.code);
  };

  showState();
  showOptions();
  return card;
}

interface FoundPlace extends Finding {
  readonly place: Place;
}

/** A search field for a place that is not among the candidates. */
function searchFor(id: string, onChoose: (place: Place) => void): HTMLElement {
  const listId = `${id}-found`;
  const input = el('input', {
    id: `${id}-search`,
    type: 'search',
    role: 'combobox',
    placeholder: 'Find a place',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-label': 'Find another place',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': listId,
  });
  const list = el('div', { id: listId, role: 'listbox', 'aria-label': 'Places found', hidden: true });
  const status = el('p', { role: 'status' });
  startSearchField<FoundPlace>(
    { input, list, status },
    {
      find: async (text, signal) => {
        const hits = await findPlaces(text, { limit: MAX_HITS, signal });
        return hits.map((hit) => ({ name: hit.name, about: aboutOf(hit), place: hit }));
      },
      choose: ({ place }) => onChoose(place),
    },
  );
  return el('div', { class: 'search' }, input, list, status);
}

/** What the columns of places have, from the smallest place to the largest. */
function typedIn({ fields }: Group): string {
  return [...FIELDS]
    .reverse()
    .flatMap((field) => fields[field] ?? [])
    .join(', ');
}

function rowsText({ rows: [first = 0, ...others] }: Group, firstRow: number): string {
  const row = `Row ${number(first + firstRow)}`;
  return others.length === 0 ? row : `${row} and ${number(others.length)} more with the same text`;
}
