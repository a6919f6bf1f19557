import { performance } from 'node:perf_hooks';
import { pumpsOf } from './pumps.ts';

/** Characters of the longest text. A regular expression whose time grows with the square takes about 100 ms on it. */
const MAX_LENGTH = 12_000;

/** Milliseconds that no text of that length takes if time grows in proportion to it. */
const SLOW_MS = 8;

/** Endings of texts. With one of them the repeated part does not match in the end, so that every way to match it is tried. */
const ENDS = ['', '\x01', '!', 'a', '\n'];

/**
 * Describes a text on which the time of a regular expression grows faster than the length: a text of twice the length takes more
 * than three times as long. Undefined if no text that is made of the parts of the expression is such a text (`pumpsOf`).
 */
export function slowText(regex: RegExp): string | undefined {
  for (const { before, repeated } of pumpsOf(regex)) {
    for (const end of ENDS) {
      const text = (length: number) => before + repeated.repeat(Math.ceil(length / repeated.length)) + end;
      for (let length = 16; length <= MAX_LENGTH; length *= 1.5) {
        if (time(regex, text(length)) > SLOW_MS && grows(regex, text, length)) {
          return `${JSON.stringify(before)} + ${JSON.stringify(repeated)} repeated + ${JSON.stringify(end)}`;
        }
      }
    }
  }
  return undefined;
}

/** Whether a text of some length takes more than three times as long as one of half the length. Each is measured three times. */
function grows(regex: RegExp, text: (length: number) => string, length: number): boolean {
  const least = (characters: number) => Math.min(...[1, 2, 3].map(() => time(regex, text(characters))));
  const long = least(length);
  return long > SLOW_MS && long > 3 * least(length / 2);
}

/** Milliseconds that finding all matches takes. */
function time(regex: RegExp, text: string): number {
  const all = regex.sticky ? regex : new RegExp(regex, `${regex.flags.replace('g', '')}g`);
  const start = performance.now();
  text.replace(all, '');
  return performance.now() - start;
}
