import { Pattern, slipsBetween, slipsOf } from './edits.ts';
import { compact, fold, isDigits } from './fold.ts';
import { bareOf, baseOf, cutParentheses, type Kind } from './forms.ts';
import type { NameIndex } from './index.ts';
import type { NameLevel } from './source.ts';

/** How a typed name and a key agree: by every letter, but for slips, or in some of their words. */
export type How = 'same' | 'near' | 'part';

/** An area that a typed name may mean. */
export interface Candidate {
  readonly row: number;
  /** From 0 to 1. */
  readonly score: number;
  readonly how: How;
  readonly kind: Kind;
}

/** A typed name, ready to be compared with the keys of one level. */
export interface TypedName {
  readonly level: NameLevel;
  /** The folded text as a whole. */
  readonly folded: string;
  /** The folded forms that a key may have, the best first. */
  readonly forms: readonly string[];
  /** What the text says the place is: a city, a province. */
  readonly says: ReturnType<typeof baseOf>['says'];
  /** The form without such words, in which slips are looked for. */
  readonly base: string;
  readonly pattern: Pattern;
  readonly words: readonly string[];
  readonly numbers: string;
}

/** A number behind a name, by which lists count their rows or that is a postal code. */
const BESIDE = /^(?:\d+ )+(?=[a-z])|(?: \d+)+$/g;

export function typedName(text: string, level: NameLevel): TypedName {
  const folded = fold(text);
  const outer = fold(cutParentheses(text).outer) || folded;
  const forms = [folded, outer];
  let base = outer;
  let says: TypedName['says'];
  if (level === 'barangay') {
    base = bareOf(outer);
    forms.push(bareOf(folded), base);
  } else {
    const named = baseOf(outer);
    ({ says, base } = named);
    if (says === 'city') forms.push(`${base} city`, `${base.replace(BESIDE, '')} city`);
    forms.push(base);
    if (level !== 'region') {
      base = base.replace(BESIDE, '');
      const again = baseOf(base);
      says ??= again.says;
      base = again.base;
      if (says === 'city') forms.push(`${base} city`);
      forms.push(base);
    }
  }
  const words = base.split(' ');
  return {
    level,
    folded,
    forms: [...new Set(forms)].filter((form) => form !== ''),
    says,
    base,
    pattern: new Pattern(compact(base)),
    words,
    numbers: numbersOf(words),
  };
}

/** Numbers and single letters: `176 a`. They tell places apart, so no slip is forgiven in them. */
function numbersOf(words: readonly string[]): string {
  return words.filter((word) => word.length === 1 || isDigits(word)).join(' ');
}

/** How well a key that is no form of a typed name agrees with it; undefined where it doesn't. */
export function likeness(
  index: NameIndex,
  key: number,
  { name, most }: { name: TypedName; most: number },
): { score: number; how: How } | undefined {
  if (most > 0 && index.slipsTo(key, name.pattern, most) <= most) {
    const score = nearScore(name, index.keyAt(key));
    if (score > 0) return { score, how: 'near' };
  }
  const score = partScore(name.words, index.keyAt(key).split(' '));
  return score > 0 ? { score, how: 'part' } : undefined;
}

/** From 0 to 1 by the slips between a typed name and a key; 0 where their numbers differ. */
export function nearScore(name: TypedName, key: string): number {
  if (name.numbers !== numbersOf(key.split(' '))) return 0;
  const text = compact(key);
  const slips = slipsBetween(name.pattern.text, text);
  return Math.max(0, 1 - (2 * slips) / (name.pattern.text.length + text.length));
}

/** Words that say little about which place is meant. */
const MINOR = new Set(
  'de del dela delos la las los el of the ng na sa y and city barangay barrio poblacion district zone san santa santo'.split(
    ' ',
  ),
);

function weightOf(word: string): number {
  return word.length * (MINOR.has(word) ? 0.4 : 1);
}

/** From 0 to 1 by the words that two names share, where all of one are in the other; 0 where they are not. */
function partScore(a: readonly string[], b: readonly string[]): number {
  const [few, many] = a.length <= b.length ? [a, b] : [b, a];
  const left = [...many];
  let shared = 0;
  let major = 0;
  for (const word of few) {
    const at = left.findIndex((other) => isWordLike(word, other));
    if (at === -1) {
      if (isMajor(word)) return 0;
      continue;
    }
    const same = left.splice(at, 1)[0] === word;
    shared += weightOf(word) * (same ? 1 : 0.8);
    if (isMajor(word) && word.length > 2) major += 1;
  }
  // A number that was typed has to be there.
  if (many === a && left.some((word) => isDigits(word))) return 0;
  if (major === 0) return 0;
  const total = a.reduce((sum, word) => sum + weightOf(word), 0) + b.reduce((sum, word) => sum + weightOf(word), 0);
  return 0.45 + (0.4 * 2 * shared) / total;
}

function isMajor(word: string): boolean {
  return !MINOR.has(word) || isDigits(word);
}

function isWordLike(a: string, b: string): boolean {
  if (a === b) return true;
  const length = Math.min(a.length, b.length);
  if (length < 4 || Math.abs(a.length - b.length) > 1 || isDigits(a)) return false;
  return slipsBetween(a, b) <= (length < 8 ? 1 : 1.5);
}

/** The slips that are forgiven in a typed name; one more where the parents are known, which leaves few to choose from. */
export function forgiven({ pattern }: TypedName, isWithin: boolean): number {
  const { length } = pattern.text;
  return slipsOf(length) + (isWithin && length > 5 ? 1 : 0);
}
