/** The control characters of ASCII, as the inside of a character class. */
const ALL = String.raw`\u0000-\u001f\u007f`;

/** Any control character. */
export const CONTROL_CHARACTER = new RegExp(`[${ALL}]`);

/** A control character that has no place in text of several lines, where tabs and line ends do. */
export const CONTROL_CHARACTER_IN_LINES = new RegExp(`(?![\\t\\n\\r])[${ALL}]`);

/** What a text with control characters is refused with. */
export const CONTROL_RULE = 'must not contain control characters';

const RUNS = new RegExp(`[${ALL}]+`, 'g');

/** A text with something else in place of each run of control characters. */
export function replaceControlCharacters(text: string, replacement: string): string {
  return text.replaceAll(RUNS, replacement);
}
