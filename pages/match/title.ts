import { areNumbers, countsRows, isNumbering, saysYear } from '../shared/values.ts';
import type { PlaceColumns } from './groups.ts';
import { type Table, textOf } from './table.ts';

const MAX_TITLE = 60;

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });

/** What a pasted list is called: the heading of its first column of amounts, as its map shows these first; else the day. */
export function titleOf(
  { headings, rows }: Pick<Table, 'headings' | 'rows'>,
  columns: PlaceColumns,
  today: Date,
): string {
  const places = Object.values(columns).flat();
  const title = headings.find((heading, at) => {
    if (!/\p{L}/u.test(heading) || places.includes(at) || isNumbering(heading) || saysYear(heading)) return false;
    const texts = rows.map((row) => textOf(row[at]).trim());
    return areNumbers(texts) && !countsRows(texts.filter((text) => text !== ''));
  });
  return title?.slice(0, MAX_TITLE) ?? pastedOn(today);
}

/** What a list is called of which only the day is known. */
export function pastedOn(today: Date): string {
  return `Pasted list, ${DAY.format(today)}`;
}
