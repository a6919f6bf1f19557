/** No number that means anything is written longer than this. */
const MAX_LENGTH = 64;

/** There is one way only to match any text: digits that could be two things would be tried in all their combinations. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The decimal number that a text says, without white space around it; undefined where it says none. */
export function numberOf(text: string): number | undefined {
  return text.length <= MAX_LENGTH && NUMBER.test(text) ? Number(text) : undefined;
}
