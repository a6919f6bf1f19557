/** Placeholders for empty cells, and words for totals and the whole country, in English and Filipino. */
const BLANK = new RegExp(
  `^\\(?(?:${[
    ...['[-–—.?]*', 'n/?a', 'null', 'none', 'undefined', 'unknown', 'blank', 'wala', 'hindi alam'],
    'not (?:available|specified|applicable|stated|indicated|given|known|provided|reported)',
    'no (?:answer|data|response)',
    '(?:(?:grand|sub)[ -]?)?totals?:?',
    ...['kabuuan', 'lahat', 'philippines', 'pilipinas'],
  ].join('|')})\\)?$`,
  'i',
);

/** Spellings of no value by programs. `Nan` is a typed name, and `Nil` may be Nilo. */
const NO_VALUE = /^(?:nan|NaN|NAN|nil|NIL)$/;

/** Whether a cell, without spaces around, has nothing but a placeholder, or is that of a total. */
export function isBlankCell(text: string): boolean {
  return BLANK.test(text) || NO_VALUE.test(text);
}
