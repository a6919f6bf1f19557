import { text } from './cells.ts';

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
  /** Faults for users: expected headings that are missing or incomplete. */
  faults: string[];
}

/** The headings of each column, the surest ones first. */
const HEADINGS: Readonly<Record<NamedColumn, readonly RegExp[]>> = {
  code: [/^10[- ]?digit\b/, /^(?!corresp|old|9[- ]?digit).*\bpsgc\b/, /^code$/],
  name: [/^(?:area |geographic )?name$/],
  level: [/^(?:geographic|geo|administrative) ?level|^level$|^inter-?level/],
  correspondence: [/^corresp/],
  formerNames: [/^(?:old|former|previous)\b.*\bname/],
  cityClass: [/^city class/],
  urbanRural: [/^urban/],
  incomeClass: [/^income/],
};

/** Optional columns, with what is missing without them. */
const EXPECTED: Readonly<Partial<Record<NamedColumn, string>>> = {
  correspondence: 'correspondence codes',
  formerNames: 'old names',
  cityClass: 'city classes',
  urbanRural: 'urban or rural',
  incomeClass: 'income classes',
};

/** Headings of populations: `2020 Population`, `Population (2020 CPH)`, `2024 POPCEN`, `2015 Census of Population`. */
const POPULATION = /\bpopulation\b|^(?:(?:19|20)\d{2}\s+)?(?:pop\.?\s?cen|cph|census)\b/;
const NO_COUNT = /\b(?:growth|rate|density|households?|share|rank)\b|%/;
const YEAR = /\b((?:19|20)\d{2})\b/;

/** Finds the header row among the first thirty rows; null for a sheet that is no list of areas. */
export function findColumns(rows: readonly (readonly unknown[])[]): Columns | null {
  for (const [headerRow, cells] of rows.slice(0, 30).entries()) {
    // Headings have line breaks, and footnote marks behind them.
    const headings = Array.from(cells, (cell) =>
      text(cell)
        .toLowerCase()
        .replace(/(?:\s+[\da-z]{1,2}\/|\s*\*+)$/, ''),
    );
    const found = Object.fromEntries(NAMED.map((name) => [name, indexOf(name, headings)])) as Record<
      NamedColumn,
      number
    >;
    if (found.code < 0 || found.name < 0 || found.level < 0) continue;
    const missing = NAMED.flatMap((name) => (found[name] < 0 && EXPECTED[name] ? [EXPECTED[name]] : []));
    const faults = missing.map((what) => `there is no column of ${what}, which stay unknown`);
    const populations = populationsOf(headings, faults);
    const unnamed = headings.flatMap((heading, column) => (heading === '' ? [column] : []));
    return { headerRow, ...found, populations, unnamed, faults };
  }
  return null;
}

/** The column with the surest heading. */
function indexOf(name: NamedColumn, headings: readonly string[]): number {
  const found = HEADINGS[name].map((pattern) => headings.findIndex((heading) => pattern.test(heading)));
  return found.find((column) => column >= 0) ?? -1;
}

/** The columns of populations, one of each year. A heading of another column may name a census that it is based on. */
function populationsOf(headings: readonly string[], faults: string[]): Columns['populations'] {
  const patterns = Object.values(HEADINGS).flat();
  const byYear = new Map<number, number>();
  for (const [column, heading] of headings.entries()) {
    if (patterns.some((pattern) => pattern.test(heading)) || NO_COUNT.test(heading)) continue;
    if (!POPULATION.test(heading.replace(/\(?\bbased on\b.*$/, ''))) continue;
    const year = YEAR.exec(heading)?.[1];
    if (year === undefined) faults.push(`the heading "${heading}" names no year; its column is left out`);
    else if (byYear.has(Number(year))) faults.push(`a second column has the population of ${year}; it is left out`);
    else byYear.set(Number(year), column);
  }
  if (byYear.size === 0) faults.push('there is no column of populations with a year, which stay unknown');
  return [...byYear].map(([year, column]) => ({ column, year })).sort((a, b) => a.year - b.year);
}
