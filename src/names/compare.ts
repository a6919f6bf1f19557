import { maskOf, mayBeNear, Pattern, slipsBetween, slipsOf } from './edits.ts';
import { compact, fold, foldWords, isDigits, unglued } from './fold.ts';
import { bareOf, baseOf, cutParentheses, type Kind } from './forms.ts';
import type { NameIndex } from './index.ts';
import type { Column } from './source.ts';

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

/** A number behind a name, by which lists count their rows or that is a postal code. */
const BESIDE = /^(?:\d+ )+(?=[a-z])|(?: \d+)+$/g;

/** What lists write around the name of a province or city: the district of the House, the local government. */
const AROUND =
  /^[bcmp]?lgu (?=.)| (?:\d+|lone|first|second|third|fourth|fifth|sixth)(?: (?:legislative|congressional))? district$| district \d+$/g;

/** Cities number their barangays and count them by zones too: `Barangay 183 Zone 20`. */
const ZONED = /^(barangay \d+(?: [a-z])?) zone (\d+)$/;

/** The same behind a barangay, where a short number may be part of the name. */
const LONG_BESIDE = /(?: \d{4,})+$/;

/** The number beside a name. */
function beside(folded: string): string {
  return /\d+$/.exec(folded)?.[0] ?? /^\d+/.exec(folded)?.[0] ?? '';
}

/** A folded name of which a slip has spoilt the word `city`: `citty of makati`, `makati ctiy`, `cityof makati`. */
function withCity(folded: string): string {
  if (/\bcity\b/.test(folded) && !/^city o?.? /.test(folded)) return folded;
  const words = folded.replace(/^cityof\b/, 'city of').split(' ');
  const [first = '', second = ''] = words;
  if (words.length > 2 && isSlipOf(first, 'city') && isSlipOf(second, 'of'))
    return `city of ${words.slice(2).join(' ')}`;
  if (words.length > 1 && isSlipOf(first, 'cityof')) return `city of ${words.slice(1).join(' ')}`;
  if (words.length > 1 && isSlipOf(words.at(-1) as string, 'city')) return `${words.slice(0, -1).join(' ')} city`;
  return folded;
}

function isSlipOf(word: string, wanted: string): boolean {
  return word === wanted || (Math.abs(word.length - wanted.length) < 2 && slipsBetween(word, wanted) <= 1);
}

/** A typed name, ready to be compared with the keys of one column. */
export class TypedName {
  readonly level: Column;
  /** The folded forms that a key may have, the best first. */
  readonly forms: readonly string[];
  /** What the text says the place is: a city, a province. */
  readonly says: ReturnType<typeof baseOf>['says'] | 'barangay';
  /** The form without such words, in which slips are looked for. */
  readonly base: string;
  /** The number that stands beside the name and was passed over, empty where there is none. */
  readonly beside: string = '';
  #pattern: Pattern | undefined;
  #words: readonly string[] | undefined;
  #numbers: string | undefined;

  constructor(text: string, level: Column) {
    this.level = level;
    const folded = fold(text);
    const outer = fold(cutParentheses(text).outer) || folded;
    const forms = [folded];
    const add = (form: string) => {
      if (form !== '' && !forms.includes(form)) forms.push(form);
    };
    add(outer);
    if (level === 'barangay') {
      add(bareOf(folded));
      const alone = outer.replace(LONG_BESIDE, '');
      add(alone);
      this.base = bareOf(alone);
      if (alone !== outer) this.beside = beside(outer);
      const zoned = ZONED.exec(outer);
      if (zoned) {
        add(zoned[1] as string);
        this.beside = zoned[2] as string;
      }
    } else {
      const alone = outer.replace(AROUND, '');
      add(alone);
      const named = level === 'municity' ? baseOf(withCity(alone)) : baseOf(alone);
      const isCity = named.says === 'city';
      if (isCity) add(`${named.base} city`);
      add(named.base);
      const again = baseOf(level === 'region' ? named.base : named.base.replace(BESIDE, ''));
      if (level !== 'region' && again.base !== named.base) this.beside = beside(named.base);
      this.says = /^barangay ./.test(folded) ? 'barangay' : (named.says ?? again.says);
      if (this.says === 'city') add(`${again.base} city`);
      this.base = again.base;
    }
    add(this.base);
    if (level === 'barangay') for (const form of unglued(this.base)) add(form);
    // A space may have come into `Mateo`.
    if (folded.includes('maria ') && /\bma\b/i.test(text)) add(folded.replace('maria ', 'ma'));
    if (this.base.startsWith('s ')) for (const saint of ['san', 'santa', 'santo']) add(saint + this.base.slice(1));
    this.forms = forms;
  }

  get pattern(): Pattern {
    this.#pattern ??= new Pattern(compact(this.base));
    return this.#pattern;
  }

  get words(): readonly string[] {
    this.#words ??= this.base.split(' ');
    return this.#words;
  }

  get numbers(): string {
    this.#numbers ??= numbersOf(this.words);
    return this.#numbers;
  }
}

/** A name that was typed, which lists and addresses repeat. */
export function typedName(index: NameIndex, text: string, level: Column): TypedName {
  return index.remembered(`name of a ${level}`, text, () => new TypedName(text, level));
}

/** Numbers and single letters: `176 a`. They tell places apart, so no slip is forgiven in them. */
function numbersOf(words: readonly string[]): string {
  return words.filter((word) => word.length === 1 || isDigits(word)).join(' ');
}

/** Whether two names have the same numbers. A letter may stand alone in one of them by a slip. */
function haveSameNumbers(a: string, b: string): boolean {
  return a === b || (/^[a-z]$/.test(a) && b === '') || (a === '' && /^[a-z]$/.test(b));
}

/** How well a key that is no form of a typed name agrees with it; undefined where it doesn't. */
export function likeness(
  index: NameIndex,
  key: number,
  { name, most }: { name: TypedName; most: number },
): { score: number; how: How } | undefined {
  if (most > 0 && index.keys.slipsTo(key, name.pattern, most) <= most) {
    const score = nearScore(name, index.keys.at(key));
    if (score > 0) return { score, how: 'near' };
  }
  if (!index.keys.mayShareWords(key, name.pattern.mask)) return undefined;
  const score = partScore(name.words, index.keys.at(key).split(' '), name.level);
  return score > 0 ? { score, how: 'part' } : undefined;
}

/** From 0 to 1 by the slips between a typed name and a key; 0 where their numbers differ. */
export function nearScore(name: TypedName, key: string): number {
  if (!haveSameNumbers(name.numbers, numbersOf(key.split(' ')))) return 0;
  const text = compact(key);
  const slips = slipsBetween(name.pattern.text, text);
  return Math.max(0, 1 - (2 * slips) / (name.pattern.text.length + text.length));
}

/** Words that say little about which place is meant. */
const MINOR = new Set(
  'de del dela delos la las los el of the ng na sa y and city barangay barrio poblacion district zone san santa santo main proper'.split(
    ' ',
  ),
);

function weightOf(word: string): number {
  return word.length * (MINOR.has(word) ? 0.4 : 1);
}

/** What a word counts that stands in a name as an initial only: `C. P. Garcia`. */
const INITIAL = 0.8;

/** How much of a typed name may be left over that the other doesn't have. */
const MAX_LEFT_OVER = 0.4;

/** What is taken away from a name of which more is left over: `Ayala Alabang` is not `Alabang`. */
const LEFT_OVER = 0.25;

/** From 0 to 1 by the words that a typed name and a key share, where all of one are in the other; 0 where they are not. */
function partScore(typed: readonly string[], key: readonly string[], level: Column): number {
  const [few, many] = typed.length <= key.length ? [typed, key] : [key, typed];
  const left = [...many];
  let shared = 0;
  let major = 0;
  for (const [place, word] of few.entries()) {
    const at = left.findIndex((other) => isWordLike(word, other));
    if (at !== -1) {
      const same = left.splice(at, 1)[0] === word;
      shared += weightOf(word) * (same ? 1 : 0.6);
      if (isMajor(word) && word.length > 2) major += 1;
      continue;
    }
    // The last word is no initial, nor the letter behind a number: `Poblacion A`, `33-B`.
    const full =
      place < few.length - 1 && !isSuffix(word, few)
        ? left.findIndex((other, i) => i < left.length - 1 && isInitial(word, other))
        : -1;
    if (full !== -1) {
      const [other = ''] = left.splice(full, 1);
      shared += (INITIAL * (weightOf(word) + weightOf(other))) / 2;
    } else if (isMajor(word) && (word.length > 1 || level === 'barangay' || isDigits(word))) return 0;
  }
  // A number that was typed has to be there.
  if (many === typed && left.some((word) => isDigits(word))) return 0;
  if (typed.length > key.length && left.some((word) => isSuffix(word, typed))) return 0;
  if (major === 0) return 0;
  const sum = (words: readonly string[]) => words.reduce((total, word) => total + weightOf(word), 0);
  const score = 0.45 + (0.4 * 2 * shared) / (sum(typed) + sum(key));
  return many === typed && sum(left) > MAX_LEFT_OVER * sum(typed) ? score - LEFT_OVER : score;
}

/** Whether a word is the letter behind a number: `109 z` is another barangay than `109`. */
function isSuffix(word: string, words: readonly string[]): boolean {
  const before = word.length === 1 ? words[words.indexOf(word) - 1] : undefined;
  return before !== undefined && isDigits(before);
}

/** Whether one of two words is the first letter of the other. */
function isInitial(a: string, b: string): boolean {
  return (a.length === 1) !== (b.length === 1) && a[0] === b[0] && !isDigits(a);
}

function isMajor(word: string): boolean {
  return !MINOR.has(word) || isDigits(word);
}

/** Whether a text says which place is meant: `Santa` alone is what a dropped word has left. */
export function hasOwnWord(text: string): boolean {
  return foldWords(text).some((word) => word.length > 3 && isMajor(word));
}

function isWordLike(a: string, b: string): boolean {
  if (a === b) return true;
  const length = Math.min(a.length, b.length);
  if (length < 4 || Math.abs(a.length - b.length) > 1 || isDigits(a)) return false;
  if (!mayBeNear(maskOf(a), maskOf(b), 2)) return false;
  return slipsBetween(a, b) <= (length < 8 ? 1 : 1.5);
}

/** The slips that are forgiven in a typed name; one more where the parents are known, which leaves few to choose from. */
export function forgiven({ pattern }: TypedName, isWithin: boolean): number {
  const { length } = pattern.text;
  return slipsOf(length) + (isWithin && length > 3 ? 1 : 0);
}
