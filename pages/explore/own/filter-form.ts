import { button, el } from '../../shared/dom.ts';
import { number } from '../../shared/format.ts';
import { numberOf } from '../../shared/values.ts';
import { countsOf, frequentOf } from './classes.ts';
import { dataText } from './data-text.ts';
import { type Filter, type Filters, wordsOf } from './filters.ts';
import { MAX_OPTION_LENGTH, shortened } from './readable.ts';
import type { Column, Row } from './rows.ts';

/** Pause after a key before the features are searched, milliseconds. */
const SEARCH_PAUSE_MS = 150;

/** How many values of a column can be chosen from. Others are found by the search. */
const MAX_VALUES = 50;

/** How many characters of a value the list shows. */
const MAX_IN_LIST = 80;

/** How many values of a filter its chip names. */
const MAX_IN_CHIP = 3;

interface FormOptions {
  rows: readonly Row[];
  columns: readonly Column[];
  /** The text that is searched first. */
  find: string;
  onFind: (text: string) => void;
  onChange: (filters: Filters) => void;
}

/**
 * Creates the form that chooses features by a text in any of their values, and by the values of their properties: numbers between
 * two others, texts from a list.
 */
export function createFilterForm({ rows, columns, find, onFind, onChange }: FormOptions) {
  const search = el('input', { type: 'search', autocomplete: 'off', spellcheck: 'false' });
  search.value = find;
  let waiting = 0;
  search.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = window.setTimeout(() => onFind(search.value), SEARCH_PAUSE_MS);
  });
  let filters: Filters = new Map();
  let edited: Column | undefined;
  /** Whether the editor itself is changing the filters. It is not drawn again then: its user would lose the focus. */
  let isEditing = false;
  const change = (name: string, filter: Filter | undefined) => {
    const next = new Map(filters);
    if (filter) next.set(name, filter);
    else next.delete(name);
    onChange(next);
  };
  const changeHere: typeof change = (name, filter) => {
    isEditing = true;
    change(name, filter);
    isEditing = false;
  };

  const options = columns.map(({ name }, index) =>
    el('option', { value: String(index) }, shortened(name, MAX_OPTION_LENGTH)),
  );
  const select = el('select', {}, el('option', { value: '' }, 'Nothing'), ...options);
  const editor = el('div');
  const chips = el('ul', { class: 'own-filters', 'aria-label': 'Filters' });
  select.addEventListener('change', () => {
    edited = select.value === '' ? undefined : columns[Number(select.value)];
    edit();
  });

  /** Shows the values that the column can be filtered by. */
  const edit = () => {
    if (!edited) return editor.replaceChildren();
    const { name, isNumeric } = edited;
    editor.replaceChildren(isNumeric ? range(name) : values(name));
  };

  const range = (name: string) => {
    const amounts = rows.map(({ properties }) => numberOf(properties[name])).filter((value) => value !== undefined);
    const least = amounts.reduce((a, b) => Math.min(a, b), Infinity);
    const most = amounts.reduce((a, b) => Math.max(a, b), -Infinity);
    const present = filters.get(name);
    const { from, to } = present && !('values' in present) ? present : { from: undefined, to: undefined };
    const bound = (label: string, value: number | undefined, extreme: number) => {
      const input = el('input', { type: 'number', step: 'any', placeholder: String(extreme) });
      input.value = value === undefined ? '' : String(value);
      input.addEventListener('change', () => {
        const [low, high] = inputs.map((one) => (one.value === '' ? undefined : one.valueAsNumber));
        changeHere(name, low === undefined && high === undefined ? undefined : { from: low, to: high });
      });
      return { input, element: el('label', {}, label, input) };
    };
    const bounds = [bound('From', from, least), bound('To', to, most)];
    const inputs = bounds.map(({ input }) => input);
    return el(
      'fieldset',
      { class: 'own-range' },
      el('legend', {}, dataText(name)),
      ...bounds.map(({ element }) => element),
    );
  };

  const values = (name: string) => {
    const counts = countsOf(rows, name);
    const present = filters.get(name);
    const chosen = new Set(present && 'values' in present ? present.values : []);
    const boxes = frequentOf(counts, MAX_VALUES).map(([text, count]) => {
      const box = el('input', { type: 'checkbox' });
      box.checked = chosen.has(text);
      box.addEventListener('change', () => {
        if (box.checked) chosen.add(text);
        else chosen.delete(text);
        changeHere(name, chosen.size > 0 ? { values: [...chosen] } : undefined);
      });
      return el('label', {}, box, dataText(text, MAX_IN_LIST), ' ', el('span', { class: 'quiet' }, number(count)));
    });
    const left = counts.size - boxes.length;
    const more = left > 0 ? el('p', { class: 'quiet' }, `${number(left)} rarer values can be found above.`) : undefined;
    return el('fieldset', { class: 'own-values' }, el('legend', {}, dataText(name)), ...boxes, more ?? '');
  };

  return {
    element: el(
      'div',
      { class: 'own-filter' },
      el('label', {}, 'Find in the rows', search),
      el('label', {}, 'Filter by', select),
      editor,
      chips,
    ),
    /** Shows the filters that are chosen, each with a way to take it away. */
    show(next: Filters) {
      const isChanged = edited && filters.get(edited.name) !== next.get(edited.name);
      filters = next;
      const items = [...next].map(([name, filter]) => {
        const label = el(
          'span',
          {},
          dataText(name),
          ': ',
          ...chipWords(
            filter,
            columns.some((one) => one.name === name && one.isAmount),
          ),
        );
        const remove = button(label, () => change(name, undefined), { class: 'chip' });
        remove.setAttribute('aria-label', `Remove the filter ${label.textContent}`);
        return el('li', {}, remove);
      });
      const hadFocus = chips.contains(document.activeElement);
      chips.replaceChildren(...items);
      chips.hidden = items.length === 0;
      if (hadFocus) (chips.querySelector('button') ?? select).focus();
      if (isChanged && !isEditing) edit();
    },
  };
}

/** The words of a filter where there is little room. */
function chipWords(filter: Filter, isAmount: boolean): (Node | string)[] {
  if (!('values' in filter)) return [wordsOf(filter, isAmount)];
  const named = filter.values.slice(0, MAX_IN_CHIP).map((value) => (value ? dataText(value) : 'no value'));
  const left = filter.values.length - named.length;
  const parts = left > 0 ? [...named, `${number(left)} more`] : named;
  return parts.flatMap((part, index) => (index === 0 ? [part] : [' or ', part]));
}
