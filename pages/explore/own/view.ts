import { button, el } from '../../shared/dom.ts';
import { number } from '../../shared/format.ts';
import type { Box } from '../places.ts';
import { type Choices, hashOfDataset } from './address.ts';
import { classesOf, radiiOf } from './classes.ts';
import type { Dataset } from './dataset.ts';
import { exportSection } from './export.ts';
import { type Drawing, drawingOf } from './layers.ts';
import { type Column, columnsOf, extentOf, ordered, type Row, textOf } from './rows.ts';
import { createTable } from './table.ts';

interface OwnOptions {
  dataset: Dataset;
  rows: readonly Row[];
  /** What the address says is chosen. */
  choices: Choices;
  /** @param box what to bring into sight */
  onDraw: (drawing: Drawing, box?: Box) => void;
}

export interface OwnView {
  /** Parts of the panel. */
  readonly parts: readonly Node[];
  /** What the map shows first. */
  readonly drawing: Drawing;
  /** The extent of the feature that the address names. */
  readonly box: Box | undefined;
  /** Shows the facts of a feature that was clicked on the map. */
  choose(id: string): void;
  /** Lays out the table, once it is in the page. */
  settle(): void;
}

/** The features of a dataset: their table, their colours and sizes, and the facts of one. */
export function createOwnView({ dataset, rows, choices: first, onDraw }: OwnOptions): OwnView {
  const columns = columnsOf(rows);
  const known = (name: string | undefined, among: readonly Column[]) => among.find((column) => column.name === name);
  const numeric = columns.filter(({ isNumeric }) => isNumeric);
  let choices = first;
  let listed: Row[] = [];
  const marked = () => rows.find(({ id }) => id === choices.feature);

  const status = el('p', { class: 'quiet', role: 'status' });
  const facts = el('section', { class: 'own-feature' });
  const table = createTable({
    columns,
    onSort: (sort) =>
      change({ sort, isDescending: sort === choices.sort && !choices.isDescending }, { isReordered: true }),
    onChoose: (row) => mark(row, true),
  });

  const drawing = (): Drawing => {
    const color = known(choices.color, columns);
    const size = known(choices.size, numeric);
    // Colours stand for the same values, whatever is searched for.
    const classes = color && classesOf(rows, color);
    return drawingOf(listed, marked(), {
      colorOf: classes && ((row) => classes.colorOf(row)),
      radiusOf: size && radiiOf(rows, size.name),
      legend: classes && color && { title: color.name, classes: classes.classes },
    });
  };

  const list = () => {
    listed = ordered(rows, columns, choices);
    const all = number(rows.length);
    status.textContent = listed.length === rows.length ? `${all} listed` : `${number(listed.length)} of ${all} listed`;
    table.show(listed, choices);
  };

  const change = (what: Partial<Choices>, { isReordered = false, box }: { isReordered?: boolean; box?: Box } = {}) => {
    choices = { ...choices, ...what };
    history.replaceState(null, '', hashOfDataset(dataset.id, choices));
    if (isReordered) list();
    onDraw(drawing(), box);
  };

  const mark = (row: Row | undefined, isFitted: boolean) => {
    const box = isFitted && row ? extentOf(row.geometry) : undefined;
    change({ feature: row?.id }, box ? { box } : {});
    showFacts();
    table.mark(row);
  };

  const showFacts = () => {
    const row = marked();
    facts.hidden = !row;
    if (!row) return facts.replaceChildren();
    const items = Object.entries(row.properties).map(([name, value]) =>
      el('div', {}, el('dt', {}, name), el('dd', {}, textOf(value))),
    );
    const close = button('Unmark', () => mark(undefined, false));
    const nowhere = row.geometry ? undefined : el('p', { class: 'quiet' }, 'It has no place on the map.');
    facts.replaceChildren(el('h2', {}, 'Marked feature'), el('dl', { class: 'facts' }, ...items), nowhere ?? '', close);
  };

  const search = el('input', { type: 'search', autocomplete: 'off', spellcheck: 'false' });
  search.value = choices.find;
  let waiting = 0;
  search.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = window.setTimeout(() => {
      // Another place may have been opened since.
      if (search.isConnected) change({ find: search.value }, { isReordered: true });
    }, 150);
  });
  const chooser = (among: readonly Column[], chosen: string | undefined, onChange: (name?: string) => void) => {
    const options = among.map(({ name }, index) => el('option', { value: String(index) }, name));
    const select = el('select', {}, el('option', { value: '' }, 'Nothing'), ...options);
    const index = among.findIndex(({ name }) => name === chosen);
    select.value = index < 0 ? '' : String(index);
    select.addEventListener('change', () =>
      onChange(select.value === '' ? undefined : among[Number(select.value)]?.name),
    );
    return select;
  };
  const form = el(
    'div',
    { class: 'own-choices' },
    el('label', {}, 'Find in the features', search),
    el(
      'label',
      {},
      'Colour by',
      chooser(columns, choices.color, (color) => change({ color })),
    ),
    numeric.length > 0 && rows.some(({ geometry }) => geometry?.type === 'Point')
      ? el(
          'label',
          {},
          'Size by',
          chooser(numeric, choices.size, (size) => change({ size })),
        )
      : undefined,
  );
  list();
  showFacts();
  const named = marked();

  return {
    parts: rows.length > 0 ? [form, facts, status, table.element, exportSection(dataset)] : [],
    drawing: drawing(),
    box: named && extentOf(named.geometry),
    choose: (id) =>
      mark(
        rows.find((row) => row.id === id),
        false,
      ),
    settle: () => table.mark(marked()),
  };
}
