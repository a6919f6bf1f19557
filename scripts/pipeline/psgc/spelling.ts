import { compact, foldWords } from '../../../src/names/fold.ts';

/** Words that lists add and leave out without giving an area another name. */
const BESIDE: ReadonlySet<string> = new Set(['barangay', 'city', 'de', 'mga', 'ng', 'of', 'poblacion']);

/**
 * Whether two names of an area are other words, or have other letters or numbers. The same name can be spelled otherwise:
 * with accents, short forms, punctuation, spaces, capitals, Roman numerals, a remark in parentheses, and words such as
 * `Barangay`. Pure.
 */
export function isOtherName(one: string, other: string): boolean {
  return one !== other && compact(wordsOf(one).join(' ')) !== compact(wordsOf(other).join(' '));
}

/** The words by which names are compared. */
function wordsOf(name: string): string[] {
  const words = foldWords(name.replace(/(?<=.)\([^()]*\)/g, ' '));
  const own = words.filter((word) => !BESIDE.has(word));
  return own.length > 0 ? own : words;
}
