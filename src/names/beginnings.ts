import { fold, plainWords } from './fold.ts';
import type { Kind } from './forms.ts';
import type { NameIndex } from './index.ts';
import { COLUMNS, type Column, columnOf, type NameLevel, NO_PARENT } from './source.ts';
import { WRITTEN_OUT } from './spellings.ts';
import { type How, WordStarts } from './word-starts.ts';

// Texts that are the beginning of a name, alone or before the names of what it lies in.

/** Max words that are read. */
const MAX_WORDS = 12;

/** What a key may begin with. */
export interface Beginning {
  /** Folded. */
  readonly text: string;
  /** The only level of the area, where a word before its name says it. */
  readonly level?: NameLevel;
  /** Whether more is read into it than is typed. */
  readonly isGuess?: boolean;
}

/** Words before names that say what kind of place it is. */
const TYPES: readonly (readonly [RegExp, NameLevel])[] = [
  [/^(?:barangay|barrio) (?=.)/, 'barangay'],
  [/^(?:city|municipality) of (?=.)/, 'municity'],
  [/^province of (?=.)/, 'province'],
];

/** The beginnings of names that a text may be. Its last word may be unfinished: `San I` is not only San 1. */
export function beginningsOf(text: string): Beginning[] {
  const words = plainWords(text);
  if (words.length === 0) return [];
  const before = fold(words.slice(0, -1).join(' '));
  const last = words.at(-1) as string;
  if (before === '') return [...new Set([fold(last), last])].flatMap(formsOf);
  // `Manuyo U` is the beginning of Manuyo Uno, which is Manuyo 1.
  const numbers = [...WRITTEN_OUT].flatMap(([word, number]) =>
    word.startsWith(last) && word !== last ? [{ text: `${before} ${number}`, isGuess: true }] : [],
  );
  return [...[...new Set([fold(words.join(' ')), `${before} ${last}`])].flatMap(formsOf), ...numbers];
}

/** A folded text, and the same without the word for the kind of place. */
export function formsOf(text: string): Beginning[] {
  const without = TYPES.flatMap(([type, level]) => (type.test(text) ? [{ text: text.replace(type, ''), level }] : []));
  return [{ text }, ...without];
}

/** The parts in which a text may be split: before a name and behind it. A comma says where. */
export function splitsOf(text: string): { before: string; behind: string }[] {
  const words = plainWords(text).slice(0, MAX_WORDS);
  const commas = Array.from(text.matchAll(/,/g), ({ index }) => plainWords(text.slice(0, index)).length);
  const places = commas.length > 0 ? new Set(commas) : words.keys();
  const splits = [...places].filter((at) => at > 0 && at < words.length);
  return splits.map((at) => ({ before: words.slice(0, at).join(' '), behind: words.slice(at).join(' ') }));
}

/** Whether the names of areas begin with a text, one behind another. Some may be left out. */
export function begin(index: NameIndex, text: string, rows: readonly number[]): boolean {
  return rows.some((row, at) => {
    let isIt = fold(index.source.nameOf(row)).startsWith(text);
    index.eachKey(row, (key) => {
      if (isIt) return;
      const name = index.keys.at(key);
      if (name.startsWith(text)) isIt = true;
      else if (text.startsWith(`${name} `))
        isIt = formsOf(text.slice(name.length + 1)).some((rest) => begin(index, rest.text, rows.slice(at + 1)));
    });
    return isIt;
  });
}

interface Typed {
  readonly text: string;
  readonly columns: readonly Column[];
  /** Whether what an area lies in must be typed whole. */
  readonly isWhole: boolean;
  /** Whether the areas that have a key may count, by how the text fits it and the rank of the best of them. */
  readonly isWanted?: (how: How, bestRank: number) => boolean;
}

/**
 * Calls back with the areas of which a word of the name begins before the names of what they lie in: `Poblacion, Carcar` is the
 * beginning of Poblacion I in the City of Carcar.
 */
export function eachBeforeParents(
  index: NameIndex,
  { text, columns, isWhole, isWanted }: Typed,
  found: (row: number, key: number, fit: { readonly how: How; readonly kind: Kind }) => void,
): void {
  const starts = wordStartsOf(index);
  const end = Math.max(...columns.map((column) => index.endOf(column)));
  const names = new Parents(index, isWhole);
  for (const { before, behind } of splitsOf(text)) {
    const parents = names.named(behind);
    if (parents.size === 0) continue;
    for (const { text: beginning, level } of formsOf(fold(before))) {
      starts.each(beginning, (key, how, bestRank) => {
        if (key >= end || isWanted?.(how, bestRank) === false) return;
        for (const column of columns) {
          if (level && columnOf(level) !== column) continue;
          index.eachArea(key, column, (row, kind) => {
            if (liesIn(index, row, parents)) found(row, key, { how, kind });
          });
        }
      });
    }
  }
}

/** What the areas of an index may lie in, as a text names it. Each part of a text is looked up once, however it is reached. */
class Parents {
  readonly #index: NameIndex;
  readonly #isWhole: boolean;
  readonly #known = new Map<string, ReadonlySet<number>>();

  /** @param isWhole whether names must be typed whole; else the last one may be the beginning of a name */
  constructor(index: NameIndex, isWhole: boolean) {
    this.#index = index;
    this.#isWhole = isWhole;
  }

  /** The areas above barangays that a text names, alone or before the names of what they lie in. */
  named(text: string): ReadonlySet<number> {
    // No city is called by a number.
    const forms = this.#isWhole ? formsOf(fold(text)) : beginningsOf(text).filter(({ isGuess }) => !isGuess);
    return new Set(forms.flatMap((form) => [...this.#called(form.text)]));
  }

  /** @param text folded */
  #called(text: string): ReadonlySet<number> {
    const known = this.#known.get(text);
    if (known) return known;
    const found = new Set<number>();
    this.#known.set(text, found);
    const addAll = (key: number, isIt: (row: number) => boolean = () => true) => {
      for (const column of ABOVE)
        this.#index.eachArea(key, column, (row) => {
          if (isIt(row)) found.add(row);
        });
    };
    const whole = this.#index.keys.find(text);
    if (whole !== -1) addAll(whole);
    if (!this.#isWhole) {
      const end = this.#index.endOf('municity');
      wordStartsOf(this.#index).each(text, (key, how) => {
        if (key < end && how !== 'word') addAll(key);
      });
    }
    for (let at = text.indexOf(' '); at !== -1; at = text.indexOf(' ', at + 1)) {
      const key = this.#index.keys.find(text.slice(0, at));
      if (key === -1) continue;
      const around = formsOf(text.slice(at + 1)).map((form) => this.#called(form.text));
      addAll(key, (row) => around.some((parents) => liesIn(this.#index, row, parents)));
    }
    return found;
  }
}

const ABOVE = COLUMNS.filter((column) => column !== 'barangay');

/** Whether an area lies in one of others. */
function liesIn(index: NameIndex, row: number, parents: ReadonlySet<number>): boolean {
  const { municities, submunicipalities, provinces, hosts, regions } = index.source;
  const isOne = (parent = NO_PARENT) => parent !== row && parents.has(parent);
  return (
    isOne(municities[row]) ||
    isOne(provinces[row]) ||
    isOne(regions[row]) ||
    isOne(submunicipalities[row]) ||
    isOne(hosts[row])
  );
}

/** Where words begin in the names of an index. */
export function wordStartsOf(index: NameIndex): WordStarts {
  return index.cached('word starts', '', () => new WordStarts(index));
}
