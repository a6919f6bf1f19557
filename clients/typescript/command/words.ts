import { BARRED } from '../../../src/control-characters.ts';

/** Control characters, which a terminal would interpret. */
const CONTROLS = new RegExp(`[${BARRED.inName}]+`, 'g');

/** Removes control characters from a text for a terminal. */
export function plain(text: string): string {
  return text.replaceAll(CONTROLS, ' ');
}

/** A number with separated thousands. */
export function number(value: number): string {
  return value.toLocaleString('en-US');
}

/** Min width of a table's last column on a terminal, characters. */
const LEAST = 12;

/**
 * Formats a table with aligned columns. On a terminal lines are cut to its width.
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
      const max = Math.max(columns ?? Number.POSITIVE_INFINITY, LEAST);
      return letters.length > max ? `${letters.slice(0, max - 1).join('')}…` : line;
    })
    .map((line) => `${line}\n`)
    .join('');
}

interface Named {
  readonly name: string;
}

/** The ancestors of an area, nearest first: `Cebu, Region VII (Central Visayas)`. */
export function parentsText(ancestors: readonly Named[]): string {
  return ancestors
    .map(({ name }) => name)
    .reverse()
    .join(', ');
}
