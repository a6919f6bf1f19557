import { performance } from 'node:perf_hooks';
import { pumpsOf } from './pumps.ts';

/** How long the longest text is, characters. What grows with the square takes a tenth of a second with it. */
const MAX_LENGTH = 12_000;

/** What no text of that length takes where time grows with it, milliseconds. */
const SLOW_MS = 8;

/** What ends a text, so that what was repeated does not match after all. */
const ENDS = ['', '\x01', '!', 'a', '\n'];

/**
 * A text on which a regular expression takes more time than in proportion to its length: twice as long a text takes more
 * than three times as long. Undefined where none of those that its parts suggest is one.
 */
export function slowText(form: RegExp): string | undefined {
  for (const { before, repeated } of pumpsOf(form)) {
    for (const end of ENDS) {
      const text = (length: number) => before + repeated.repeat(Math.ceil(length / repeated.length)) + end;
      for (let length = 16; length <= MAX_LENGTH; length *= 1.5) {
        if (time(form, text(length)) > SLOW_MS && grows(form, text, length)) {
          return `${JSON.stringify(before)} + ${JSON.stringify(repeated)} repeated + ${JSON.stringify(end)}`;
        }
      }
    }
  }
  return undefined;
}

function grows(form: RegExp, text: (length: number) => string, length: number): boolean {
  const least = (characters: number) => Math.min(...[1, 2, 3].map(() => time(form, text(characters))));
  const long = least(length);
  return long > SLOW_MS && long > 3 * least(length / 2);
}

/** How long it takes to find all matches, milliseconds. */
function time(form: RegExp, text: string): number {
  const all = form.sticky ? form : new RegExp(form, `${form.flags.replace('g', '')}g`);
  const start = performance.now();
  text.replace(all, '');
  return performance.now() - start;
}
