import { slipsBetween } from '../names/edits.ts';
import { compact, foldWords, isDigits } from '../names/fold.ts';

/** Words that lists add and leave out without giving an area another name. */
const BESIDE: ReadonlySet<string> = new Set(['barangay', 'city', 'de', 'mga', 'ng', 'of', 'poblacion']);

/**
 * Whether two names of an area differ in more than their spelling, so that it was renamed. Spelling is: accents, short
 * forms, punctuation, Roman numerals, a remark in parentheses, words such as `Barangay`, and few letters of a word.
 * Another number is another name. Pure.
 */
export function isRenamed(before: string, after: string): boolean {
  const [one, other] = [wordsOf(before), wordsOf(after)];
  if (compact(one.join(' ')) === compact(other.join(' '))) return false;
  return one.length !== other.length || one.some((word, i) => isOtherWord(word, other[i] as string));
}

/** The words by which names are compared. */
function wordsOf(name: string): string[] {
  const words = foldWords(name.replace(/(?<=.)\([^()]*\)/g, ' '));
  const own = words.filter((word) => !BESIDE.has(word));
  return own.length > 0 ? own : words;
}

function isOtherWord(word: string, other: string): boolean {
  if (word === other) return false;
  if (isDigits(word) || isDigits(other)) return true;
  const length = Math.min(word.length, other.length);
  return slipsBetween(word, other) > (length < 4 ? 0 : length < 6 ? 1 : length < 8 ? 2 : 3);
}
