import type { InvalidRows } from '../../clients/typescript/src/types.ts';
import { el } from './dom.ts';
import { number } from './format.ts';

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

export type InvalidRow = InvalidRows['rows'][number];

/** The rows or features of a file that are not valid: where each is, in which column or member, with what, and why. */
export function invalidTable({ count, rows }: InvalidRows, member = 'Column'): HTMLElement {
  return rowsTable('What is not valid', {
    caption: count > rows.length ? `The first ${rows.length} of ${number(count)}:` : 'What is wrong with them:',
    headings: ['Where', member, 'Value', 'What is wrong'],
    rows: rows.map(wordsOfRow),
  });
}

/** Where a row is, its column or member, what is there, and why that is not valid. */
export function wordsOfRow(row: InvalidRow): string[] {
  return [placeOf(row), memberText(row.column ?? ''), row.value ?? '', reasonOf(row)];
}

/** What some messages begin with: the number of a feature, from 0. */
const LISTED = /^features\[(\d+)\]: /;

function placeOf({ place, message }: InvalidRow): string {
  const index = LISTED.exec(message)?.[1];
  return index === undefined ? (place ?? '') : `feature ${Number(index) + 1}`;
}

/** A member of a feature in words: `geometry.coordinates, item 1, 3, 2`. Indexes count from 0. */
function memberText(column: string): string {
  const [, member, indexes] = /^([a-z.]+)((?:\[\d+\])+)$/.exec(column) ?? [];
  if (member === undefined || indexes === undefined) return column;
  return `${member}, item ${indexes
    .slice(1, -1)
    .split('][')
    .map((index) => Number(index) + 1)
    .join(', ')}`;
}

/** Why a row is not valid, without what its other cells say. */
function reasonOf({ column, value, message }: InvalidRow): string {
  const own = column !== null && message.startsWith(`${column} `) ? message.slice(column.length + 1) : message;
  const bare =
    value === null
      ? own
      : own.replace(/ \(got (?:"(?:[^"\\]|\\.)*"|[^",)]*)(?:, (as if [^)]*))?\)$/, (_, hint) =>
          hint ? `, ${hint}` : '',
        );
  return bare.replace(LISTED, '');
}
