import { el } from '../shared/dom.ts';

/**
 * A table of records, which become cards if the page is narrow.
 *
 * @param columns their names; a column without a name has the actions
 * @param rows elements `tr`, with a `cell` for each column
 */
export function recordTable(columns: readonly string[], rows: readonly HTMLElement[]): HTMLTableElement {
  const names = columns.map((name) =>
    el('th', { scope: 'col', 'data-column': name }, name || el('span', { class: 'unseen' }, 'Actions')),
  );
  return el('table', { class: 'records' }, el('thead', {}, el('tr', {}, ...names)), el('tbody', {}, ...rows));
}

/** A cell with the name of its column, which a card shows before the value. */
export function cell(column: string, ...children: (Node | string | undefined)[]): HTMLElement {
  return el('td', column ? { 'data-column': column } : { class: 'actions' }, ...children);
}

/** A short label beside the name of a record. */
export function mark(text: string): HTMLElement {
  return el('span', { class: 'mark' }, text);
}
