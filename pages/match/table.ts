import { placeColumns } from '../../src/match/columns.ts';
import { codeOf } from '../shared/values.ts';

/** A cell of a spreadsheet. Tables that were text have only text. */
export type Cell = string | number | boolean | Date | null;

export interface Sheet {
  readonly name: string;
  readonly rows: readonly (readonly Cell[])[];
}

/** What a person has dropped, picked or pasted. */
export interface Source {
  /** The name of the file without its ending; of a pasted table another word. */
  readonly name: string;
  readonly sheets: readonly Sheet[];
  /** What separates the cells of a CSV file that is made of it. */
  readonly separator: ',' | ';' | '\t';
  /** What was noticed while it was read, in sentences. */
  readonly notes: readonly string[];
  /** The dataset whose features its map replaces. */
  readonly datasetId?: string | undefined;
}

/** A sheet whose headings are known. All rows have a cell for each of them. */
export interface Table {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** The number of the first of the rows in the sheet, from 1. */
  readonly firstRow: number;
  /** What is unusual about its shape, in sentences. */
  readonly notes: readonly string[];
}

/** Rows among which the headings are looked for. */
export const HEADING_ROWS = 10;

/** A cell as text. Numbers have no separators; dates and times are as in ISO 8601, to the second, with a space between them. */
export function textOf(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (!(cell instanceof Date)) return String(cell);
  // Excel stores 08:30 as a fraction of a day, which the reader of workbooks may cut off to 08:29:59.999.
  const whole = new Date(Math.round(cell.getTime() / 1000) * 1000);
  if (Number.isNaN(whole.getTime())) return '';
  const [day = '', time = ''] = whole.toISOString().split('T');
  // Excel has a time without a day as one of its day 0.
  if (day === '1899-12-30') return time.slice(0, 8);
  return time.startsWith('00:00:00') ? day : `${day} ${time.slice(0, 8)}`;
}

/** Whether nothing can be seen in any of the cells. */
export function isBlank(cells: readonly Cell[]): boolean {
  return cells.every((cell) => textOf(cell).trim() === '');
}

/**
 * The row that has the headings: among the first ten rows the one with most known headings, or else the first row with text. A row
 * with a code of the PSGC is a place, and never has the headings.
 *
 * @returns its index; undefined if the sheet has no headings, because its first row with text has a code
 */
export function findHeadings({ rows }: Sheet): number | undefined {
  const counts = rows.slice(0, HEADING_ROWS).map((row) => (hasCode(row) ? 0 : Object.keys(columnsIn(row)).length));
  const most = Math.max(0, ...counts);
  if (most > 0) return counts.indexOf(most);
  const first = rows.findIndex((row) => !isBlank(row));
  return first < 0 ? 0 : hasCode(rows[first] ?? []) ? undefined : first;
}

/** The columns of places that a row of headings tells. */
export function columnsIn(row: readonly Cell[]) {
  return placeColumns(row.map((cell) => textOf(cell).trim()));
}

function hasCode(row: readonly Cell[]): boolean {
  return row.some((cell) => codeOf(textOf(cell).trim()) !== undefined);
}

/** The columns of places of a table, by its headings and what its rows have in them. */
export function columnsOf({ headings, rows }: Pick<Table, 'headings' | 'rows'>) {
  return placeColumns(
    headings,
    {},
    {
      *[Symbol.iterator]() {
        for (const row of rows) yield row.map(textOf);
      },
    },
  );
}

/**
 * The table below a row of headings.
 *
 * @param headingRow its index; undefined where the first row is one of the table already
 */
export function tableOf({ rows }: Sheet, headingRow: number | undefined): Table {
  const first = headingRow === undefined ? 0 : headingRow + 1;
  const given = headingRow === undefined ? [] : (rows[headingRow] ?? []).map((cell) => textOf(cell).trim());
  /** How many columns have headings of their own. */
  const own = widthOf(given);
  const end = rows.findLastIndex((row) => !isBlank(row)) + 1;
  const body = rows.slice(first, Math.max(first, end));
  const width = body.reduce((most, row) => Math.max(most, widthOf(row)), own);
  const headings = Array.from({ length: width }, (_, at) => (at < own ? (given[at] ?? '') : `Column ${at + 1}`));
  return {
    headings,
    rows: body.map((row) => Array.from({ length: width }, (_, at) => row[at] ?? null)),
    firstRow: first + 1,
    notes: [
      ...(rows.slice(0, headingRow ?? 0).every(isBlank) ? [] : ['What stands above the headings is left out.']),
      ...(headingRow === undefined ? [] : longRowNotes(body, { own, first })),
    ],
  };
}

/** How many cells a row has without the empty ones at its end. */
function widthOf(row: readonly Cell[]): number {
  return row.findLastIndex((cell) => textOf(cell).trim() !== '') + 1;
}

function longRowNotes(body: readonly (readonly Cell[])[], { own, first }: { own: number; first: number }): string[] {
  const long = body.flatMap((row, i) => (widthOf(row) > own ? [i + first + 1] : []));
  if (long.length === 0 || own === 0) return [];
  const [at = 0] = long;
  const rows = long.length === 1 ? `Row ${at} has` : `Row ${at} and ${long.length - 1} more have`;
  return [
    `${rows} more cells than there are headings. In CSV, a comma inside a name may have cut it in two: look at these rows before you rely on them.`,
  ];
}

/** How many rows are named, and how much of what else stands in the first of them. */
const SAID = { rows: 3, columns: 4, characters: 80 };

/**
 * A sentence with the numbers of rows in the sheet, and what stands in the first of them besides the columns that are used.
 *
 * @param at indexes of the rows in the table, at least one
 * @param used indexes of columns
 */
export function aboutRows(table: Table, at: readonly number[], used: readonly number[]): string {
  const { headings, rows } = table;
  const [first = 0] = at;
  const others = headings
    .flatMap((heading, column) => {
      const text = textOf(rows[first]?.[column]).trim();
      return text === '' || used.includes(column) ? [] : [`${heading} ${text.slice(0, SAID.characters)}`.trim()];
    })
    .slice(0, SAID.columns);
  const besides = others.length > 0 ? `${at.length > 1 ? '; the first' : ''}: ${others.join(', ')}` : '';
  return `R${rowNumbers(table, at).slice(1)}${besides}.`;
}

/**
 * The numbers of rows in the sheet: `rows 8, 49, 50 and 2 more`.
 *
 * @param at indexes of the rows in the table
 */
export function rowNumbers({ firstRow }: Table, at: readonly number[]): string {
  const named = at.slice(0, SAID.rows).map((row) => (row + firstRow).toLocaleString('en'));
  const more = at.length > SAID.rows ? ` and ${(at.length - SAID.rows).toLocaleString('en')} more` : '';
  return `${at.length === 1 ? 'row' : 'rows'} ${named.join(', ')}${more}`;
}
