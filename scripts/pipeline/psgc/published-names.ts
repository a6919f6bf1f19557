import { collapseSpaces } from './cells.ts';
import { type Footnotes, NO_FOOTNOTES, readMarks } from './footnotes.ts';
import type { PublishedLevel } from './publication.ts';

/** Text that was decoded with the wrong encoding (`Ã±`, `Â±`, U+FFFD, `Para?aque`), and control characters. */
const GARBLED = /[ÃÂ\uFFFD?]|ï¿½|â€|\p{Cc}/u;

/** What separates former names, besides slashes, which footnote marks have too. */
export const LINES = /[;\r\n]+/;

/** Whether a name has lost letters to an encoding. */
export function isGarbled(name: string): boolean {
  return GARBLED.test(name);
}

/**
 * Removes what is certainly not part of a published name: repeated and trailing spaces, and trailing footnote marks
 * (`Bagid*`, `Naibuan 3/, 4/`). Corrects three errors of the PSA's title case that can't be intended: `Tagoloan Ii`,
 * `Brooke'S Point`, `Region In Muslim Mindanao`. Other capitals (`City of Cagayan De Oro`, `Pio Del Pilar`) stay as
 * published.
 */
export function tidyName(published: string, level: PublishedLevel): string {
  const name = readMarks(collapseSpaces(published))
    .content.replace(/\s*\*+$/, '')
    .replace(/\bIi{1,2}\b/g, (numeral) => numeral.toUpperCase())
    .replace(/'S\b/g, "'s");
  return level === 'Reg' ? name.replaceAll(' In ', ' in ') : name;
}

/**
 * The names in a cell of former names. Slashes (`Sayad/Bimekel`), semicolons and line breaks separate names; commas and
 * ampersands are part of names (`Quirino-Magsaysay, Lower`, `1st & 3rd`).
 */
export function formerNamesOf(cell: string, level: PublishedLevel, footnotes: Footnotes = NO_FOOTNOTES): string[] {
  const names = cell
    .split(LINES)
    .flatMap((line) => readMarks(line.trim(), footnotes).content.split('/'))
    .map((name) => tidyName(name, level))
    .filter((name) => name !== '' && name !== '-');
  return [...new Set(names)];
}
