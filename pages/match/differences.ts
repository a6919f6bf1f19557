import { columnOf } from '../../src/names/source.ts';
import { parentsOf } from '../shared/find-places.ts';
import { FIELDS, type Fields, type Group, type Place } from './groups.ts';

type Area = Pick<Place, 'level' | 'name'>;

/** A part of a text, and whether it differs from the text that it was compared with. */
export type Piece = readonly [text: string, differs: boolean];

/** A row beside a place that it may mean. */
export interface Comparison {
  /** What the row says, from the smallest place to the largest. */
  readonly written: readonly Piece[];
  /** The place, and what it lies in. */
  readonly place: readonly Piece[];
}

/** Words that say what a place is, and not which one. They may be left out or stand elsewhere. */
const KINDS =
  /\b(?:city of|island garden|city|municipality of|municipality|mun\.? of|mun|province of|bayan ng|lungsod ng|capital|barangay|brgy|bgy)\b/giu;

/** The least share of the longer text that both must have, so that single letters are marked and not all of it. */
const ALIKE = 0.5;

/** What a row says of places, compared level by level with a place and what it lies in. */
export function compared(group: Pick<Group, 'fields'>, place: Place | undefined): Comparison {
  const fields = withProvince(group.fields);
  const areas = areasOf(fields, place);
  const written = FIELDS.toReversed().flatMap((field): Piece[][] => {
    const text = fields[field];
    if (text === undefined) return [];
    // An address has more than names, so the words that it lacks are marked in the name of the place instead. A code may be one of another edition.
    if (!place || field === 'text' || field === 'code') return [[[text, false]]];
    const area = areas[field];
    return [area === undefined ? [[text, true]] : areaDifferences(text, area)[0]];
  });
  if (!place) return { written: joined(written), place: [] };
  const near = parentsOf(place);
  const fieldOf = (area: Area) => FIELDS.findLast((field) => fields[field] !== undefined && areas[field] === area);
  const shown = [place, ...place.ancestors.toReversed()].filter(
    (one, at) => at === 0 || near.includes(one.name) || (one.level === 'region' && fields.region !== undefined),
  );
  const parts = shown.map((area): readonly Piece[] => {
    const { level, name } = area;
    const field = fieldOf(area);
    if (field !== undefined) return areaDifferences(fields[field] as string, area)[1];
    return fields.text !== undefined && level === place.level ? lackedBy(fields.text, name) : [[name, false]];
  });
  return { written: joined(written), place: joined(parts) };
}

/**
 * The levels at which a row calls a place, or what it lies in, by another name, from the smallest.
 *
 * @returns with each level whether most letters of the longer name are in both (a spelling), or fewer (another name)
 */
export function nameDifferences(fields: Fields, place: Place): { level: Place['level']; isAlike: boolean }[] {
  const cells = withProvince(fields);
  const areas = areasOf(cells, place);
  return [place, ...place.ancestors.toReversed()].flatMap((area) => {
    const { level, name } = area;
    const text = cells[columnOf(level)];
    // Regions have many names, all of which are as good.
    if (text === undefined || level === 'region' || areas[columnOf(level)] !== area) return [];
    const isOther = differences(text, name)
      .flat()
      .some(([, differs]) => differs);
    return isOther ? [{ level, isAlike: lettersInCommon(text, name).share >= ALIKE }] : [];
  });
}

/**
 * The area that each cell of a row is compared with: a place or what it lies in. The cell of the city may have a sub-municipality of
 * Manila in place of the city, and is compared with the one whose name is more like it. The cell of the province may have the region.
 */
function areasOf(fields: Fields, place: Place | undefined): Readonly<Partial<Record<keyof Fields, Area>>> {
  const areas: Partial<Record<keyof Fields, Area>> = {};
  for (const area of place ? [...place.ancestors, place] : []) {
    const column = columnOf(area.level);
    const [text = '', other] = [fields[column], areas[column]];
    if (!other || lettersInCommon(text, area.name).share > lettersInCommon(text, other.name).share)
      areas[column] = area;
  }
  const { province } = fields;
  const region = place?.ancestors.find(({ level }) => level === 'region');
  const isOfRegion = province !== undefined && region !== undefined && isPartOf(province, region.name);
  if (isOfRegion && !sharesWord(province, areas.province?.name ?? '')) areas.province = region;
  return areas;
}

/** The fields of a row, with a province of their own where the cell of the city has it too: `Argao, Cebu`. */
export function withProvince(fields: Fields): Fields {
  const [, municity, province] = /^([^,]*\S) *, *([^,]+)$/.exec(fields.municity ?? '') ?? [];
  return municity && province && fields.province === undefined ? { ...fields, municity, province } : fields;
}

/** What a row calls an area, and its name, in pieces. A region has several names, and each is as good: `CAR`, `Region VII`. */
function areaDifferences(text: string, { level, name }: Area): readonly [Piece[], Piece[]] {
  return level === 'region' && isPartOf(text, name) ? [[[text, false]], [[name, false]]] : differences(text, name);
}

/**
 * Two texts in pieces, of which those that only one of them has are marked. Case, accents, punctuation and the order of words are no
 * difference, and no word is marked that both have.
 */
export function differences(one: string, other: string): readonly [Piece[], Piece[]] {
  if (wordsInOrder(one) === wordsInOrder(other)) return [[[one, false]], [[other, false]]];
  const all = [wordsOf(one), wordsOf(other)] as const;
  const isByWord = commonByWord(...all) !== undefined && inCommon(...all).share >= ALIKE;
  const [a, b] = isByWord ? all : ownWords(...all);
  const { common, share } = inCommon(a, b);
  const differs = (letter: Letter) => share < ALIKE || !common.has(letter);
  return [piecesOf(one, a.flat().filter(differs)), piecesOf(other, b.flat().filter(differs))];
}

/** The letters that two texts have in common, and the share of the longer text that these are, from 0 to 1. */
function lettersInCommon(one: string, other: string) {
  return inCommon(wordsOf(one), wordsOf(other));
}

function inCommon(one: readonly Letter[][], other: readonly Letter[][]) {
  const [a, b] = [one.flat(), other.flat()];
  const common = commonByWord(one, other) ?? commonOf(a, b);
  // A letter in common is in the set twice, as one of each text.
  return { common, share: common.size / 2 / Math.max(a.length, b.length, 1) };
}

/** The words that only one of two texts has. A word that is there twice in one of them is its own once. */
function ownWords(one: readonly Letter[][], other: readonly Letter[][]): readonly [Letter[][], Letter[][]] {
  const left = [...other];
  const own = one.filter((word) => {
    const at = left.findIndex((it) => keyOf(it) === keyOf(word));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return [own, left];
}

/** Whether all words of a text are in another one. */
function isPartOf(text: string, whole: string): boolean {
  return ownWords(wordsOf(text), wordsOf(whole))[0].length === 0;
}

function sharesWord(one: string, other: string): boolean {
  const words = wordsOf(one);
  return ownWords(words, wordsOf(other))[0].length < words.length;
}

/** A word without accents and case. */
function keyOf(word: readonly Letter[]): string {
  return word.map(({ letter }) => letter).join('');
}

/** The words of a text, without those in `KINDS` unless it has no others. */
function wordsOf(text: string): Letter[][] {
  return wordsIn(text, lettersOf(text));
}

/** The words of a text from A to Z, without accents, case and punctuation. */
function wordsInOrder(text: string): string {
  const words = text.split(/[^\p{L}\p{M}\p{N}]+/u).map(foldedOf);
  return words.sort().join(' ').trim();
}

function foldedOf(text: string): string {
  return keyOf(allLettersOf(text));
}

/** A letter or digit without accent and case, and where it stands in its text. */
interface Letter {
  readonly letter: string;
  /** UTF-16 code units. */
  readonly from: number;
  readonly to: number;
}

/** The letters and digits of a text, without those of words in `KINDS` unless it has no others. */
function lettersOf(text: string): Letter[] {
  const letters = allLettersOf(text);
  const kinds = [...text.matchAll(KINDS)].map(({ index, 0: word }) => [index, index + word.length] as const);
  const own = letters.filter(({ from }) => !kinds.some(([start, end]) => start <= from && from < end));
  return own.length > 0 ? own : letters;
}

function allLettersOf(text: string): Letter[] {
  let from = 0;
  return [...text].flatMap((character) => {
    const start = from;
    from += character.length;
    const [letter = ''] = character.normalize('NFKD').toLowerCase();
    return /[\p{L}\p{N}]/u.test(letter) ? [{ letter, from: start, to: from }] : [];
  });
}

/** Letters of a text, word by word. */
function wordsIn(text: string, letters: readonly Letter[]): Letter[][] {
  const words: Letter[][] = [];
  let end = -1;
  for (const letter of letters) {
    const isNext = end === -1 || /\P{M}/u.test(text.slice(end, letter.from));
    if (isNext) words.push([letter]);
    else words.at(-1)?.push(letter);
    end = letter.to;
  }
  return words;
}

/**
 * The letters that each word has in common with the one at its place in the other text, so that of `Cam Norte` beside Camarines Norte
 * one part is marked; undefined where a word is too unlike the other one, and no beginning of it.
 */
function commonByWord(one: readonly Letter[][], other: readonly Letter[][]): ReadonlySet<Letter> | undefined {
  if (one.length !== other.length) return undefined;
  const all = new Set<Letter>();
  for (const [at, a] of one.entries()) {
    const b = other[at] as Letter[];
    const common = commonOf(a, b);
    const isBeginning = a.every(({ letter }, i) => i >= b.length || letter === b[i]?.letter);
    if (!isBeginning && common.size / 2 / Math.max(a.length, b.length) < ALIKE) return undefined;
    for (const letter of common) all.add(letter);
  }
  return all;
}

/** The letters of both texts that are in their longest common subsequence. */
function commonOf(a: readonly Letter[], b: readonly Letter[]): ReadonlySet<Letter> {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const isSame = a[i]?.letter === b[j]?.letter;
      lengths[i * width + j] = isSame ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const common = new Set<Letter>();
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [one, other] = [a[i] as Letter, b[j] as Letter];
    if (one.letter === other.letter) {
      common.add(one).add(other);
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return common;
}

/** A name in pieces, of which the words that an address lacks are marked. */
function lackedBy(address: string, name: string): Piece[] {
  return piecesOf(name, ownWords(wordsOf(name), wordsOf(address))[0].flat());
}

/** A text in pieces, of which the letters that are given are marked. */
function piecesOf(text: string, marked: readonly Letter[]): Piece[] {
  const pieces: [string, boolean][] = [];
  let end = 0;
  const add = (part: string, differs: boolean) => {
    const last = pieces.at(-1);
    if (part === '') return;
    if (last?.[1] === differs) last[0] += part;
    else pieces.push([part, differs]);
  };
  for (const { from, to } of marked) {
    const between = text.slice(end, from);
    // What differs in two words that follow each other is one difference.
    add(between, end > 0 && !/[\p{L}\p{N}]/u.test(between));
    add(text.slice(from, to), true);
    end = to;
  }
  add(text.slice(end), false);
  return pieces;
}

function joined(parts: readonly (readonly Piece[])[]): Piece[] {
  return parts.flatMap((part, at): Piece[] => (at === 0 ? [...part] : [[', ', false], ...part]));
}
