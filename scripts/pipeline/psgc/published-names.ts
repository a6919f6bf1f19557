import type { PublishedLevel } from './publication.ts';

/**
 * Removes from a published name what is certainly no part of it: repeated and trailing spaces, and a trailing footnote
 * mark (`Bagid*`). Corrects three errors of the PSA's title case that can't be intended: `Tagoloan Ii`, `Brooke'S
 * Point`, `Region In Muslim Mindanao`. Other capitals (`City of Cagayan De Oro`, `Pio Del Pilar`) stay as published.
 */
export function tidyName(published: string, level: PublishedLevel): string {
  const name = collapseSpaces(published)
    .replace(/\s*\*+$/, '')
    .replace(/\bIi{1,2}\b/g, (numeral) => numeral.toUpperCase())
    .replace(/'S\b/g, "'s");
  return level === 'Reg' ? name.replaceAll(' In ', ' in ') : name;
}

/** Replaces every run of white space by one space, and removes it at both ends. */
export function collapseSpaces(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/**
 * The names in a cell of former names. Slashes (`Sayad/Bimekel`), semicolons and line breaks separate names; commas and
 * ampersands are part of names (`Quirino-Magsaysay, Lower`, `1st & 3rd`).
 */
export function formerNamesOf(cell: string, level: PublishedLevel): string[] {
  const names = cell
    .split(/[/;\r\n]+/)
    .map((name) => tidyName(name, level))
    .filter((name) => name !== '' && name !== '-');
  return [...new Set(names)];
}
