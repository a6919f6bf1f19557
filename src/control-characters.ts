/** The control characters of ASCII, as the inside of a character class. */
const ALL = String.raw`\u0000-\u001f\u007f`;

/** The same without tabs and line ends, which text of several lines has. */
const IN_LINES = String.raw`\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f`;

/** The control characters of Unicode that ASCII does not have. */
const C1 = String.raw`\u0080-\u009f`;

/** White space beyond ASCII, and the byte order mark. */
const SPACES = String.raw`\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff`;

/**
 * What text may not contain, as the inside of a character class. Patterns in the document have these ranges, and no names
 * of properties such as `\p{Cc}`, because few programs that make values for a pattern can read those.
 */
export const BARRED = { inText: ALL, inLines: IN_LINES, inName: ALL + C1, inDescription: IN_LINES + C1 } as const;

/** Any control character. */
export const CONTROL_CHARACTER = new RegExp(`[${ALL}]`);

/** What a text with control characters is refused with. */
export const CONTROL_RULE = 'must not contain control characters';

/** Text without the characters of a class. */
export function textWithout(barred: string): RegExp {
  return new RegExp(`^[^${barred}]*$`, 'u');
}

/**
 * Text without the characters of a class, with a character that can be seen. Only the blanks at its beginning are matched
 * by themselves, so no text can be matched in two ways, which would take time for each.
 */
export function visibleTextWithout(barred: string): RegExp {
  const lineEnds = barred.startsWith(ALL) ? '' : String.raw`\t\n\r`;
  const spaces = ` ${barred.endsWith(C1) ? SPACES.replace(String.raw`\u0085`, '') : SPACES}`;
  return new RegExp(`^[${lineEnds}${spaces}]*[^${ALL}${spaces}${barred}][^${barred}]*$`, 'u');
}

/** Punctuation of ASCII and Latin-1 without control characters, `%` and `_`. */
const PUNCTUATION = String.raw`\u0020-\u0024\u0026-/:-@\[-^\u0060\u007b-\u007e\u0080-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf`;

/**
 * Text without control characters that has two letters or digits, as near as a pattern without names of properties comes to
 * it: all characters beyond Latin-1 count as letters.
 */
export const TWO_LETTERS = `^(?:[${PUNCTUATION}]*[^${ALL}${PUNCTUATION}]){2}[^${ALL}]*$`;

const RUNS = new RegExp(`[${ALL}]+`, 'g');

/** A text with something else in place of each run of control characters. */
export function replaceControlCharacters(text: string, replacement: string): string {
  return text.replaceAll(RUNS, replacement);
}
