import type { InvalidRows } from '../../clients/typescript/src/types.ts';
import { el } from './dom.ts';
import { number } from './format.ts';
import { wordsOfRow } from './invalid-row.ts';

interface TableOfRows {
  readonly caption: string;
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A table of rows of a file, which scrolls where it is large. */
export function rowsTable(label: string, { caption, headings, rows }: TableOfRows): HTMLElement {
  const cells = (tag: 'td' | 'th', texts: readonly string[]) => el('tr', {}, ...texts.map((text) => el(tag, {}, text)));
  return el(
    'div',
    { class: 'table-scroll', tabindex: '0', role: 'group', 'aria-label': label },
    el(
      'table',
      {},
      el('caption', {}, caption),
      el('thead', {}, cells('th', headings)),
      el('tbody', {}, ...rows.map((row) => cells('td', row))),
    ),
  );
}

/** The rows or features of a file that are not valid: where each is, in which column or member, with what, and why. */
export function invalidTable({ count, rows }: InvalidRows, member = 'Column'): HTMLElement {
  // A row is listed once for each of its cells that is wrong.
  const listed = new Set(rows.map(({ place }) => place)).size;
  return rowsTable('What is not valid', {
    caption: count > listed ? `The first ${listed} of ${number(count)}:` : 'What is wrong with them:',
    headings: ['Where', member, 'Value', 'What is wrong'],
    rows: rows.map(wordsOfRow),
  });
}
