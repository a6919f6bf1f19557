import { collapseSpaces } from './published-names.ts';

/** Columns with a heading of their own. One that the sheet doesn't have is -1. */
const NAMED = [
  'code',
  'name',
  'level',
  'correspondence',
  'formerNames',
  'cityClass',
  'urbanRural',
  'incomeClass',
] as const;

export type NamedColumn = (typeof NAMED)[number];

/** The index of each column. Editions differ in the number of columns and in their headings. */
export interface Columns extends Record<NamedColumn, number> {
  headerRow: number;
  /** The columns of populations, the oldest census first. */
  populations: { column: number; year: number }[];
  /** Columns without a heading, which footnote marks stand in. */
  unnamed: number[];
}

const HEADINGS: Readonly<Record<NamedColumn, RegExp>> = {
  code: /^(?!corresp|old).*\bpsgc\b|^code$/,
  name: /^(?:area |geographic )?name$/,
  level: /^(?:geographic|geo|administrative) ?level|^level$|^inter-?level/,
  correspondence: /^corresp/,
  formerNames: /^(?:old|former|previous)\b.*\bname/,
  cityClass: /^city class/,
  urbanRural: /^urban/,
  incomeClass: /^income/,
};

/** Finds the header row among the first thirty rows; null for a sheet that is no list of areas. */
export function findColumns(rows: readonly (readonly unknown[])[]): Columns | null {
  for (const [headerRow, cells] of rows.slice(0, 30).entries()) {
    // Headings have line breaks, and footnote marks behind them.
    const headings = Array.from(cells, (cell) =>
      textOf(cell)
        .toLowerCase()
        .replace(/(?:\s+[\da-z]{1,2}\/|\s*\*+)$/, ''),
    );
    const found = Object.fromEntries(
      NAMED.map((name) => [name, headings.findIndex((heading) => HEADINGS[name].test(heading))]),
    ) as Record<NamedColumn, number>;
    if (found.code < 0 || found.name < 0 || found.level < 0) continue;
    const populations = headings.flatMap((heading, column) => {
      const year = /\bpopulation\b/.test(heading) ? /\b((?:19|20)\d{2})\b/.exec(heading)?.[1] : undefined;
      return year === undefined ? [] : [{ column, year: Number(year) }];
    });
    return {
      headerRow,
      ...found,
      populations: populations.sort((a, b) => a.year - b.year),
      unnamed: headings.flatMap((heading, column) => (heading === '' ? [column] : [])),
    };
  }
  return null;
}

function textOf(cell: unknown): string {
  return cell === null || cell === undefined ? '' : collapseSpaces(String(cell));
}
