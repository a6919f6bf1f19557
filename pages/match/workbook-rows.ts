import { areNumbers, numberOf } from '../shared/values.ts';
import type { Group, PlaceColumns } from './groups.ts';
import { resultRows } from './result.ts';
import { type Cell, type Table, textOf } from './table.ts';

interface Matched {
  readonly table: Table;
  readonly columns: PlaceColumns;
  readonly groups: readonly Group[];
}

/**
 * The rows of the workbook. What a table of text has in its columns of numbers are numbers, so that they can be added up. A workbook
 * has said itself what its cells are.
 */
export function workbookRows({ table, columns, groups }: Matched): Cell[][] {
  const [headings = [], ...rows] = resultRows(table, groups);
  const places = Object.values(columns).flat();
  const isOfText = table.rows.every((cells) => cells.every((cell) => cell === null || typeof cell === 'string'));
  for (const [at, heading] of headings.entries()) {
    const isGiven = at < table.headings.length;
    if (isGiven ? !isOfText || places.includes(at) : heading !== 'psgc_score') continue;
    if (!areNumbers(rows.map((cells) => textOf(cells[at])))) continue;
    for (const cells of rows) cells[at] = numberOf(cells[at]) ?? cells[at] ?? null;
  }
  return [headings, ...rows];
}
