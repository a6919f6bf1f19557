import { calledText } from '../../src/match/cells.ts';
import { button, el } from '../shared/dom.ts';
import { aboutOf, findPlaces } from '../shared/find-places.ts';
import { number } from '../shared/format.ts';
import { type Finding, startSearchField } from '../shared/search-field.ts';
import { compared, type Piece } from './differences.ts';
import { FIELDS, type Group, type Option, optionsOf, type Place, placeOf, smallestOf, stateOf } from './groups.ts';
import { reasonFor } from './reasons.ts';
import { STATE_WORDS } from './summary.ts';

/** How many places a search shows. */
const MAX_HITS = 8;

interface EntryOptions {
  /** A sentence on the rows: their numbers, and what else stands in the first of them. */
  readonly about: string;
  readonly onOpen: () => void;
  /** @param place null for no code */
  readonly onChoose: (place: Place | null) => void;
}

export interface Entry {
  readonly element: HTMLElement;
  /** Shows the entry as the group stands now, with or without the places to choose from. */
  show(isOpen: boolean): void;
  focus(): void;
  /** Opens the search for another place. */
  search(): void;
}

let entries = 0;

/** An entry: what stands in a group and the best place for it. Below, once it is open, the places to choose from. */
export function createEntry(group: Group, { about, onOpen, onChoose }: EntryOptions): Entry {
  entries += 1;
  const id = `entry-${entries}`;
  const toggle = el('button', { type: 'button', class: 'line', 'aria-controls': id });
  toggle.addEventListener('click', onOpen);
  const body = el('div', { id, class: 'options', role: 'group', 'aria-label': `Places for “${typedIn(group)}”` });
  const element = el('li', { class: 'group' }, toggle, body);

  const showLine = () => {
    const [first, ...others] = optionsOf(group);
    const place = group.choice === null ? undefined : (placeOf(group) ?? first);
    const { written, place: best } = compared(group, place);
    const more =
      stateOf(group) === 'ambiguous' && others.length > 0
        ? `, or ${others.length} ${others.length === 1 ? 'other' : 'others'}`
        : '';
    const count = group.rows.length;
    element.dataset.state = stateOf(group);
    toggle.replaceChildren(
      el('span', { class: 'typed' }, ...marked(written)),
      el('span', { class: 'count' }, count > 1 ? `${number(count)} rows` : ''),
      el('span', { class: 'best' }, ...(group.choice === null ? ['no code'] : marked(best)), more),
      el('span', { class: 'state' }, stateText(group)),
    );
  };

  const optionOf = (place: Option | null, key: number): HTMLElement => {
    const name = place ? marked(compared(group, place).place) : ['No code'];
    const facts = place ? [aboutOf({ ...place, type: null }).split(' · ')[0], calledText(place)] : [];
    return button(
      el(
        'span',
        {},
        key < 10 ? el('kbd', { 'aria-hidden': 'true' }, String(key)) : '',
        el('span', {}, ...name),
        ' ',
        el('span', { class: 'quiet' }, facts.filter((fact) => fact).join('; ')),
        ' ',
        place ? el('code', {}, place.code) : '',
      ),
      () => onChoose(place),
      { class: 'option', 'aria-pressed': String(isNow(place)) },
    );
  };

  /** Whether a place is the one that the group has now. */
  const isNow = (place: Place | null): boolean => {
    if (group.choice === null || place === null) return group.choice === place;
    return placeOf(group)?.code === place.code;
  };

  const search = () => {
    const isNew = !body.querySelector('.search');
    if (isNew) body.append(searchFor(id, onChoose));
    const input = body.querySelector<HTMLInputElement>('[role=combobox]');
    if (isNew)
      input?.addEventListener('keydown', ({ key }) => key === 'Escape' && input.value === '' && toggle.focus());
    if (isNew && input && optionsOf(group).length === 0) {
      // What was not found is close to what is looked for. Typing takes its place.
      input.value = smallestOf(group);
      input.dispatchEvent(new Event('input'));
    }
    input?.focus();
  };

  return {
    element,
    show(isOpen) {
      showLine();
      toggle.setAttribute('aria-expanded', String(isOpen));
      // Of all lines the one that is open is reached by Tab; the arrows lead to the others.
      toggle.tabIndex = isOpen ? 0 : -1;
      body.hidden = !isOpen;
      if (!isOpen) return body.replaceChildren();
      const notes = group.outcome?.notes ?? [];
      body.replaceChildren(
        ...optionsOf(group).map((place, at) => optionOf(place, at + 1)),
        optionOf(null, 0),
        button('Another place …', search, { class: 'another' }),
        el('p', { class: 'quiet rows' }, [about, ...notes].join(' ')),
      );
    },
    focus() {
      toggle.focus({ preventScroll: true });
      element.scrollIntoView({ block: 'nearest' });
    },
    search,
  };
}

/** How sure the place is, and why it is only likely. */
function stateText(group: Group): string {
  const state = stateOf(group);
  if (state === 'ambiguous' && optionsOf(group).length === 1) return 'one candidate, not sure';
  return state === 'likely' ? `${STATE_WORDS[state]}: ${reasonFor(group)}` : STATE_WORDS[state];
}

function marked(pieces: readonly Piece[]): (Node | string)[] {
  return pieces.map(([text, differs]) => (differs ? el('mark', {}, text) : text));
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
export function typedIn({ fields }: Pick<Group, 'fields'>): string {
  return FIELDS.toReversed()
    .flatMap((field) => fields[field] ?? [])
    .join(', ');
}
