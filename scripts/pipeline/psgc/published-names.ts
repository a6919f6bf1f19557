import type { PublishedLevel } from './publication.ts';

/**
 * A name as published, without what is plainly no part of it: repeated and trailing spaces, a trailing footnote mark
 * (`Bagid*`), and the three slips of the PSA's title-casing that can't be meant: `Tagoloan Ii`, `Brooke'S Point`,
 * `Region In Muslim Mindanao`. Other capitals (`City of Cagayan De Oro`, `Pio Del Pilar`) stay as published.
 */
export function tidyName(published: string, level: PublishedLevel): string {
  const name = spaced(published)
    .replace(/\s*\*+$/, '')
    .replace(/\bIi{1,2}\b/g, (numeral) => numeral.toUpperCase())
    .replace(/'S\b/g, "'s");
  return level === 'Reg' ? name.replaceAll(' In ', ' in ') : name;
}

/** The text with every run of white space as one space and none at its ends. */
export function spaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/**
 * The names in a cell of former names. Alternatives stand between slashes (`Sayad/Bimekel`), semicolons or line breaks;
 * commas and ampersands belong to names (`Quirino-Magsaysay, Lower`, `1st & 3rd`).
 */
export function formerNamesOf(cell: string, level: PublishedLevel): string[] {
  const names = cell
    .split(/[/;\r\n]+/)
    .map((name) => tidyName(name, level))
    .filter((name) => name !== '' && name !== '-');
  return [...new Set(names)];
}
