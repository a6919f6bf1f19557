import type { PublishedLevel } from './publication.ts';

/**
 * Removes from a published name what is certainly no part of it: repeated and trailing spaces, and a trailing footnote
 * mark (`Bagid*`, `Naibuan 3/`). Corrects three errors of the PSA's title case that can't be intended: `Tagoloan Ii`, `Brooke'S
 * Point`, `Region In Muslim Mindanao`. Other capitals (`City of Cagayan De Oro`, `Pio Del Pilar`) stay as published.
 */
export function tidyName(published: string, level: PublishedLevel): string {
  const name = collapseSpaces(published)
    .replace(MARK_AT_END, '')
    .replace(/\s*\*+$/, '')
    .replace(/\bIi{1,2}\b/g, (numeral) => numeral.toUpperCase())
    .replace(/'S\b/g, "'s");
  return level === 'Reg' ? name.replaceAll(' In ', ' in ') : name;
}

/** A footnote mark as the PSA writes it, behind a space: `3/`, `ab/`. */
const MARK_AT_END = /\s+(?:\d{1,3}|[a-z]{1,2})\/$/;

/** The footnote mark of a cell that has nothing else in it, or that ends with one; null where there is none. */
export function footnoteMark(cell: string): string | null {
  return /(?:^|\s)(\d{1,3}|[a-z]{1,2})\/$/.exec(cell)?.[1] ?? null;
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
