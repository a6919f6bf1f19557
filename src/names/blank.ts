/** Placeholders for empty cells, and words for the whole country, in English and Filipino. */
const BLANK = new RegExp(
  `^\\(?(?:${[
    ...['[-–—.?]*', 'n/?a', 'null', 'none', 'undefined', 'unknown', 'blank', 'wala', 'hindi alam'],
    'not (?:available|specified|applicable|stated|indicated|given|known|provided|reported)',
    'no (?:answer|data|response)',
    ...['lahat', 'philippines', 'pilipinas'],
  ].join('|')})\\)?$`,
  'i',
);

/** Spellings of no value by programs. `Nan` is a typed name, and `Nil` may be Nilo. */
const NO_VALUE = /^(?:nan|NaN|NAN|nil|NIL)$/;

/** Words for a total, in English and Filipino. */
const TOTAL_WORDS = '(?:(?:grand|sub|over-?all)[ -]*)?totals?|(?:pangkalahatang )?kabu[uo]an';

/**
 * A total, alone or with what it is of: `Subtotal, Bohol`, `Total for Region VII`, `Bohol - Total`. An address may have a petrol station
 * of this name, and has more than one comma or none beside it.
 */
const TOTAL = new RegExp(
  `^\\(?(?:${TOTAL_WORDS})(?:\\)|g\\s.*|\\s*[-–—,;:/(].*|\\s+(?:for|of|in|ng|sa)\\s.*|\\s[^,;/]*)?$|^[^,;/]+(?:[\\s(–—-]|[,;:/]\\s*)(?:${TOTAL_WORDS})[:)]?$`,
  'is',
);

/** Whether a cell, without spaces around, has nothing but a placeholder, or is that of a total. */
export function isBlankCell(text: string): boolean {
  return BLANK.test(text) || NO_VALUE.test(text) || TOTAL.test(text);
}
