import { BARRED } from '../../../src/control-characters.ts';

/** Control characters, which a terminal would obey. */
const CONTROLS = new RegExp(`[${BARRED.inName}]+`, 'g');

/** A text as a terminal may have it. */
export function plain(text: string): string {
  return text.replaceAll(CONTROLS, ' ');
}

/** A number with its thousands told apart. */
export function number(value: number): string {
  return value.toLocaleString('en-US');
}

/** The last column of a table on a terminal has at least so many characters. */
const LEAST = 12;

/**
 * A table in columns of one width each. On a terminal lines are as long as it is wide.
 *
 * @param rows the headings first
 */
export function tableText(rows: readonly (readonly string[])[], columns = process.stdout.columns): string {
  const cells = rows.map((row) => row.map(plain));
  const widths = (cells[0] ?? []).map((_, at) => Math.max(...cells.map((row) => [...(row[at] ?? '')].length)));
  return cells
    .map((row) => {
      const line = row
        .map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - [...cell].length))
        .join('  ')
        .trimEnd();
      const letters = [...line];
      const most = Math.max(columns ?? Number.POSITIVE_INFINITY, LEAST);
      return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : line;
    })
    .map((line) => `${line}\n`)
    .join('');
}

interface Named {
  readonly name: string;
}

/** What an area lies in, from near to far: `Cebu, Region VII (Central Visayas)`. */
export function parentsText(ancestors: readonly Named[]): string {
  return ancestors
    .map(({ name }) => name)
    .reverse()
    .join(', ');
}
