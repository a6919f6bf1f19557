/** Placeholders for empty cells. */
const BLANK =
  /^\(?(?:[-–—.]*|n\/?a|null|none|undefined|unknown|blank|not (?:available|specified|applicable|stated|indicated))\)?$/i;

/** Spellings of no value by programs. `Nan` is a typed name, and `Nil` may be Nilo. */
const NO_VALUE = /^(?:nan|NaN|NAN|nil|NIL)$/;

/** Whether a cell, without spaces around, has nothing but a placeholder. */
export function isBlankCell(text: string): boolean {
  return BLANK.test(text) || NO_VALUE.test(text);
}
