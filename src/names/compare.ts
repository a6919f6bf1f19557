import { maskOf, mayBeNear, Pattern, slipsBetween, slipsOf } from './edits.ts';
import { compact, fold, foldWords, isDigits, unglued } from './fold.ts';
import { bareOf, baseOf, cutParentheses, JOINS, KIND, type Kind } from './forms.ts';
import type { NameIndex } from './index.ts';
import { withType } from './labels.ts';
import type { Column } from './source.ts';
import { isType } from './text-words.ts';

/** How a typed name and a key agree: `same` letters, `near` with slips, or `part` of their words. */
export type How = 'same' | 'near' | 'part';

/** An area that a typed name may mean. */
export interface Candidate {
  readonly row: number;
  /** From 0 to 1. */
  readonly score: number;
  readonly how: How;
  readonly kind: Kind;
}

/** Whether the typed name is a name that the area has today, spelled right. */
export function isCurrentNameSpelledRight({ how, kind, score }: Pick<Candidate, 'how' | 'kind' | 'score'>): boolean {
  return how === 'same' && kind < KIND.former && score === 1;
}

/** A number beside a name: a row number of a list, or a postal code. */
const BESIDE = /^(?:\d+ )+(?=[a-z])|(?: \d+)+$/g;

/** Words around the name of a province or city: congressional district, local government. */
const AROUND =
  /^[bcmp]?lgu (?=.)| (?:\d+|lone|first|second|third|fourth|fifth|sixth)(?: (?:legislative|congressional))? district$| district \d+$/g;

/** Cities number their barangays and count them by zones too: `Barangay 183 Zone 20`. */
const ZONED = /^(barangay \d+(?: [a-z])?) zone (\d+)$/;

/** The same behind a barangay, whose name may end with a short number. */
const LONG_BESIDE = /(?: \d{4,})+$/;

/** The number beside a name. */
function beside(folded: string): string {
  return /\d+$/.exec(folded)?.[0] ?? /^\d+/.exec(folded)?.[0] ?? '';
}

/** What the letter of a direction behind a name is short for. */
const DIRECTIONS: Readonly<Record<string, readonly string[]>> = {
  n: ['norte', 'north'],
  s: ['sur', 'south'],
  e: ['este', 'east'],
  w: ['weste', 'west', 'oeste'],
};

/** The forms of a folded name with a direction in place of its last letter: `mabusag n` → `mabusag norte`. */
function writtenOut(base: string): string[] {
  const [, name, letter = ''] = /^(.+) ([nsew])$/.exec(base) ?? [];
  return name === undefined ? [] : (DIRECTIONS[letter] ?? []).map((word) => `${name} ${word}`);
}

/** A typed name, ready to be compared with the keys of one column. */
export class TypedName {
  readonly level: Column;
  /** Folded forms to compare with keys, best first. */
  readonly forms: readonly string[];
  /** Those of them in which a numeral was read out of a word, or a letter as a direction. */
  readonly unglued: readonly string[];
  /** What stands in parentheses in it, folded, without remarks. */
  readonly inner: readonly string[];
  /** Whether the text has a separator of names. */
  readonly hasSeparator: boolean;
  /** Whether a word of the text was left out that says what it is: a district, or the type of a barangay. */
  readonly isCut: boolean = false;
  /** The type of place that the text names. */
  readonly placeType: ReturnType<typeof baseOf>['placeType'] | 'barangay';
  /** The form without such words, for comparisons with slips. */
  readonly base: string;
  /** The number beside the name, which was ignored; empty if none. */
  readonly beside: string = '';
  #pattern: Pattern | undefined;
  #words: readonly string[] | undefined;
  #numbers: string | undefined;
  #opposites: number | undefined;

  constructor(text: string, level: Column) {
    this.level = level;
    this.hasSeparator = /[,;/|]/.test(text);
    const folded = fold(text);
    const cut = cutParentheses(text);
    const outer = fold(cut.outer) || folded;
    this.inner = outer === folded ? [] : cut.inner.map(fold);
    const forms = [folded];
    const add = (form: string) => {
      if (form !== '' && !forms.includes(form)) forms.push(form);
    };
    if (cut.type === '' || level === 'barangay') add(outer);
    if (level === 'barangay') {
      add(bareOf(folded));
      const alone = outer.replace(LONG_BESIDE, '');
      add(alone);
      this.base = bareOf(alone);
      this.isCut = cut.type !== '';
      if (alone !== outer) this.beside = beside(outer);
      if (isType(text, this.base)) this.placeType = 'city';
      const zoned = ZONED.exec(outer);
      if (zoned) {
        add(zoned[1] as string);
        this.beside = zoned[2] as string;
      }
    } else {
      const type = cut.type === 'huc' ? 'city' : cut.type;
      const without = outer.replace(AROUND, '');
      this.isCut = without !== outer;
      const alone = type === '' ? without : `${without} ${type}`;
      if (type === '') add(without);
      const typed = level === 'municity' ? withType(alone) : alone;
      if (typed !== alone) this.isCut = true;
      const named = baseOf(typed);
      const isCity = named.placeType === 'city';
      if (isCity) add(`${named.base} city`);
      add(named.base);
      const again = baseOf(level === 'region' ? named.base : named.base.replace(BESIDE, ''));
      if (level !== 'region' && again.base !== named.base) this.beside = beside(named.base);
      this.placeType = /^(?:barangay|poblacion) ./.test(folded) ? 'barangay' : (named.placeType ?? again.placeType);
      if (this.placeType === 'city') add(`${again.base} city`);
      this.base = again.base;
    }
    add(this.base);
    const others = level === 'barangay' ? [...unglued(this.base), ...writtenOut(this.base)] : [];
    this.unglued = others.filter((form) => !forms.includes(form));
    for (const form of this.unglued) add(form);
    // A stray space can split a name such as `Mateo`.
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

  /** Bits of the words that tell it apart from names which are alike in all others. */
  get opposites(): number {
    this.#opposites ??= oppositeBits(this.words);
    return this.#opposites;
  }
}

/** The `TypedName` of a text, cached because lists repeat names. */
export function typedName(index: NameIndex, text: string, level: Column): TypedName {
  return index.cached(`name of a ${level}`, text, () => new TypedName(text, level));
}

/** Numbers and single letters: `176 a`. They distinguish places, so slips in them are not allowed. */
function numbersOf(words: readonly string[]): string {
  return words.filter((word) => word.length === 1 || isDigits(word)).join(' ');
}

/** Whether two names have the same numbers. A slip may separate a letter in one of them. */
function haveSameNumbers(a: string, b: string): boolean {
  return a === b || (/^[a-z]$/.test(a) && b === '') || (a === '' && /^[a-z]$/.test(b));
}

/** How well a key that is not a form of a typed name agrees with it; undefined if not at all. */
export function likeness(
  index: NameIndex,
  key: number,
  { name, max }: { name: TypedName; max: number },
): { score: number; how: How } | undefined {
  if (max > 0 && index.keys.slipsTo(key, name.pattern, max) <= max) {
    const score = nearScore(name, index.keys.at(key));
    if (score > 0) return { score, how: 'near' };
  }
  // The longest names have nine words. Comparing long texts word by word with all names takes long.
  if (name.words.length > MAX_TYPED_WORDS || !index.keys.mayShareWords(key, name.pattern.mask)) return undefined;
  const words = index.keys.at(key).split(' ');
  const score = areOpposite(name, words) ? 0 : partScore(name.words, words, name.level);
  return score > 0 ? { score, how: 'part' } : undefined;
}

/**
 * Words that tell names apart which are alike in all others, by kind: `North Upi` is no slip of South Upi, nor is `Batad
 * Nuevo` another form of Batad Viejo.
 */
const OPPOSITES: readonly (readonly string[])[] = [
  [
    'n north norte northern hilaga',
    's so south sur southern timog',
    'e east este eastern silangan',
    'w west weste oeste western kanluran',
  ],
  ['upper itaas ilaya', 'lower ibaba'],
  ['new nuevo nueva bago bagong', 'old viejo vieja luma lumang'],
  ['daku dako grande malaki', 'diot diyot gamay pequeno munti'],
];

/** The bit of each such word: opposites of one kind have bits in the same four places. */
const OPPOSITE_BITS = new Map(
  OPPOSITES.flatMap((kind, at) =>
    kind.flatMap((words, side) => words.split(' ').map((word): [string, number] => [word, 1 << (4 * at + side)])),
  ),
);

function oppositeBits(words: readonly string[]): number {
  return words.reduce((bits, word) => bits | (OPPOSITE_BITS.get(word) ?? 0), 0);
}

/** Whether two names are told apart by words of one kind, as by the directions that they have. */
function areOpposite(name: TypedName, words: readonly string[]): boolean {
  const one = name.opposites;
  const other = one === 0 ? 0 : oppositeBits(words);
  for (let kind = 0xf; other > 0 && kind <= 0xf000; kind <<= 4) {
    if (one & kind && other & kind && !(one & other & kind)) return true;
  }
  return false;
}

/** Whether typed words are those of a name and others, which no slip adds: `Fort Lahug`, `Lahug-A`. */
function isLonger(typed: readonly string[], words: readonly string[]): boolean {
  if (typed.length <= words.length || !words.every((word) => typed.includes(word))) return false;
  return typed.some((word, at) => (word.length > 1 || at === typed.length - 1) && !words.includes(word));
}

/** From 0 to 1 by the slips between a typed name and a key; 0 where their numbers or directions differ. */
export function nearScore(name: TypedName, key: string): number {
  const words = key.split(' ');
  const numbers = numbersOf(words);
  // The letter of a short form of a province is no slip: `Ilocos` is neither `Ilocos N.` nor `Ilocos S.`
  if (name.level === 'province' ? name.numbers !== numbers : !haveSameNumbers(name.numbers, numbers)) return 0;
  if (words.length > 1 && areOpposite(name, words)) return 0;
  if (name.level === 'barangay' && isLonger(name.words, words)) return 0;
  const text = compact(key);
  const slips = slipsBetween(name.pattern.text, text);
  return Math.max(0, 1 - (2 * slips) / (name.pattern.text.length + text.length));
}

/** Words that say little about the place. */
const MINOR = new Set(
  'de del dela delos la las los el of the ng na sa y and city barangay barrio poblacion district zone san santa santo main proper'.split(
    ' ',
  ),
);

function weightOf(word: string): number {
  return word.length * (MINOR.has(word) ? 0.4 : 1);
}

/** Score of a word that a name has only as an initial: `C. P. Garcia`. */
const INITIAL = 0.8;

/** Max words of a typed name of which some are those of another name. */
const MAX_TYPED_WORDS = 14;

/** Max share of a typed name that the other may lack. */
const MAX_LEFT_OVER = 0.4;

/** Penalty for a name with more words left over: `Ayala Alabang` is not `Alabang`, nor are `Buli and Alabang`. */
const LEFT_OVER = 0.25;

/** From 0 to 1 by the shared words of a typed name and a key, if one contains all words of the other; else 0. */
function partScore(typed: readonly string[], key: readonly string[], level: Column): number {
  const [few, many] = typed.length <= key.length ? [typed, key] : [key, typed];
  const left = [...many];
  let shared = 0;
  let major = 0;
  for (const [i, word] of few.entries()) {
    const at = left.findIndex((other) => isWordLike(word, other));
    if (at !== -1) {
      const same = left.splice(at, 1)[0] === word;
      shared += weightOf(word) * (same ? 1 : 0.6);
      if (isMajor(word) && word.length > 2) major += 1;
      continue;
    }
    // The last word is no initial, nor the letter behind a number: `Poblacion A`, `33-B`.
    const full =
      i < few.length - 1 && !isSuffix(word, few)
        ? left.findIndex((other, i) => i < left.length - 1 && isInitial(word, other))
        : -1;
    if (full !== -1) {
      const [other = ''] = left.splice(full, 1);
      shared += (INITIAL * (weightOf(word) + weightOf(other))) / 2;
    } else if (isMajor(word) && (word.length > 1 || level === 'barangay' || isDigits(word))) return 0;
  }
  // A typed number must match.
  if (many === typed && left.some((word) => isDigits(word))) return 0;
  if (typed.length > key.length && left.some((word) => isSuffix(word, typed))) return 0;
  if (major === 0) return 0;
  const sum = (words: readonly string[]) => words.reduce((total, word) => total + weightOf(word), 0);
  const score = 0.45 + (0.4 * 2 * shared) / (sum(typed) + sum(key));
  if (many !== typed) return score;
  const last = typed.at(-1) as string;
  const isSecond =
    left.some((word) => JOINS.test(word) || OPPOSITE_BITS.has(word)) || (last.length === 1 && left.includes(last));
  return isSecond || sum(left) > MAX_LEFT_OVER * sum(typed) ? score - LEFT_OVER : score;
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

/** Whether a name has a word that says something about the place: the rest of a truncated `Santa Veronica District` has none. */
export function saysPlace({ words }: TypedName): boolean {
  return words.some((word) => isMajor(word) && !isDigits(word));
}

/** Whether a text has a distinctive word: `Santa` alone is the rest of a truncated name. */
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

/** Max slips allowed in a typed name; one more within known parents, where there are few candidates. */
export function forgiven({ pattern }: TypedName, isWithin: boolean): number {
  const { length } = pattern.text;
  return slipsOf(length) + (isWithin && length > 4 ? 1 : 0);
}
