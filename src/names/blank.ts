/** Placeholders for empty cells, in English and Filipino. */
const BLANK = new RegExp(
  `^\\(?(?:${[
    ...['[-–—.?]*', 'n/?a', 'null', 'none', 'undefined', 'unknown', 'blank', 'wala', 'hindi alam'],
    'not (?:available|specified|applicable|stated|indicated|given|known|provided|reported)',
    'no (?:answer|data|response)',
  ].join('|')})\\)?$`,
  'i',
);

/** Spellings of no value by programs. `Nan` is a typed name, and `Nil` may be Nilo. */
const NO_VALUE = /^(?:nan|NaN|NAN|nil|NIL)$/;

/** Whether a cell, without spaces around, has nothing but a placeholder. */
export function isBlankCell(text: string): boolean {
  return BLANK.test(text) || NO_VALUE.test(text);
}
