import { TypedName, typedName } from './compare.ts';
import { findNear, findSame, isNameOf } from './find.ts';
import { fold, foldWords, isDigits } from './fold.ts';
import { cutParentheses } from './forms.ts';
import type { NameIndex } from './index.ts';
import { findPlaces, piecesOf } from './parents.ts';
import type { Fields } from './result.ts';
import type { Column } from './source.ts';
import { BARANGAY_WORDS } from './spellings.ts';

/** One way to read a text. */
export interface Reading {
  readonly fields: Fields;
  /** What of the text is left over, such as a street. */
  readonly rest: string;
  /** How much that is. */
  readonly over: number;
}

/** What a letter of a street counts that is left over. */
const STREET_COUNTS = 0.3;

/** What an address ends with that names no area. */
const COUNTRY = /(?:^|\s)(?:republic of the philippines|the philippines|philippines|phils?\.?|ph|pilipinas)\W*$/i;

const MOST_READINGS = 40;

/** Words that a parent's name has at most. */
const MOST_WORDS = 6;

/** A word that says that a barangay follows. */
const MARKER = new RegExp(`\\b(?:${BARANGAY_WORDS})\\b\\.?\\s*`, 'i');

/** Whether the first name of a text is said to be that of a barangay, so that its parents follow. */
export function isMarked(text: string): boolean {
  const [first = '', ...others] = cutAtCommas(text);
  return others.length > 0 && MARKER.test(first);
}

/** Marks that stand between names. */
const MARKS = /[;\n|\t>»→•\\]| - /;

/** The same where there are commas, or no commas but slashes. */
const MARKS_AND_COMMAS = /[,;\n|\t>»→•\\]| - /;
const MARKS_AND_SLASHES = /[;\n|\t>»→•\\]| - |(?<!\d)\/(?!\d)/;

/** A text whose names have other marks than commas between them. A comma is then a part of a name. */
const WITHOUT_COMMAS = /(?:(?: - | [>|»→•] ).*){2}/s;

/** The names of a text with marks between them. */
function cutAtCommas(text: string): string[] {
  const hasCommas = text.includes(',');
  const pieces = text
    .split(hasCommas ? (WITHOUT_COMMAS.test(text) ? MARKS : MARKS_AND_COMMAS) : MARKS_AND_SLASHES)
    .map((piece) => piece.replace(COUNTRY, ''))
    .map((piece) => piece.replace(/\b\d{4}\s*$/, (zip) => (/[a-z]/i.test(piece) ? '' : zip)).trim())
    .filter((piece) => fold(piece) !== '' && !/^\d{4}$/.test(piece));
  return pieces.slice(-8);
}

const LEVELS: readonly Column[] = ['barangay', 'municity', 'province', 'region'];

/** The pieces of a text from which parents were taken. */
interface Left {
  readonly pieces: readonly string[];
  /** The parents that were taken. */
  readonly fields: Fields;
  /** The place in `LEVELS` of the lowest of them. */
  readonly above: number;
  /** What was passed over on the right. */
  readonly over?: string;
}

/**
 * The ways in which an address can be read from the right: region, province, city, barangay, each of which may be missing.
 * Commas are where it is cut; parents may also stand behind a name without one. What leaves least over comes first.
 */
export class Reader {
  readonly #index: NameIndex;
  readonly #pieces: readonly (readonly string[])[];
  readonly #readings = new Map<string, Reading>();
  /** How the ends of pieces can be read: pieces are looked at more than once. */
  readonly #known = new Map<string, readonly Ending[]>();

  constructor(index: NameIndex, text: string) {
    this.#index = index;
    const cut = text.slice(-500);
    // What stands in parentheses is part of the name, or a parent of it.
    const texts = /[([]/.test(cut) ? [cut, cut.replace(/[([]/g, ', ').replace(/[)\]]/g, ' ')] : [cut];
    this.#pieces = texts.map(cutAtCommas);
  }

  /** The readings that begin with the last word. */
  fromTheRight(): Reading[] {
    if (this.#readings.size === 0) {
      for (const pieces of this.#pieces) this.#read({ pieces, fields: {}, above: LEVELS.length });
    }
    return this.#inOrder();
  }

  /** The readings of the text turned round: `Cebu, Argao, Poblacion`. */
  fromTheLeft(): Reading[] {
    const turned = new Reader(this.#index, '');
    for (const pieces of this.#pieces) {
      if (pieces.length > 1) turned.#read({ pieces: pieces.toReversed(), fields: {}, above: LEVELS.length });
    }
    return turned.#inOrder();
  }

  /** The readings from the right, and those that pass over what stands on the right. */
  all(): Reading[] {
    this.fromTheRight();
    for (const pieces of this.#pieces) {
      for (let end = pieces.length - 1; end > 0; end -= 1) {
        const over = pieces.slice(end).join(', ');
        this.#read({ pieces: pieces.slice(0, end), fields: {}, above: LEVELS.length, over });
      }
    }
    return this.#inOrder();
  }

  #inOrder(): Reading[] {
    return [...this.#readings.values()].sort((a, b) => a.over - b.over);
  }

  /** Takes parents from the right of the pieces until a barangay or nothing is left. */
  #read({ pieces, fields, above, over = '' }: Left): void {
    if (this.#readings.size >= MOST_READINGS) return;
    const last = pieces.at(-1);
    const put = (more: Fields, left: readonly string[]) => {
      // A street is no barangay whose name is a part of it.
      const { barangay = '' } = more;
      if (STREET_LAST.test(barangay) && !isNameOf(this.#index, barangay, 'barangay')) return;
      const rest = [...left, over].filter((it) => it !== '').join(', ');
      const taken = { ...fields, ...more };
      const key = `${LEVELS.map((level) => taken[level] ?? '').join('\0')}\0${rest}`;
      if (this.#readings.has(key)) return;
      this.#readings.set(key, { fields: taken, rest, over: rest.length * (isStreet(rest) ? STREET_COUNTS : 1) });
    };
    if (last === undefined) {
      put({}, []);
      return;
    }
    const before = pieces.slice(0, -1);
    // Some lists have a region twice: `Metro Manila, National Capital Region`.
    if (this.#namesSameRegion(last, fields.region)) this.#read({ pieces: before, fields, above, over });
    for (let at = 1; at < above; at += 1) {
      const level = LEVELS[at] as Column;
      for (const { taken, left } of this.#endings(last, level)) {
        const all = { taken, pieces: left === '' ? before : [...before, left] };
        const read = level === 'municity' ? this.#withDistrict(all) : all;
        this.#read({ pieces: read.pieces, fields: { ...fields, [level]: read.taken }, above: at, over });
      }
    }
    if (fields.municity === undefined) {
      // A city with a slip in it is found where its province is known.
      const piece = pieces.at(-2);
      if (piece !== undefined) put({ municity: last, barangay: piece }, pieces.slice(0, -2));
      put({ municity: last }, before);
    }
    this.#putBarangays(pieces, put);
    if (Object.keys(fields).length > 0) put({}, pieces);
  }

  #namesSameRegion(piece: string, region: string | undefined): boolean {
    if (region === undefined || !isNameOf(this.#index, piece, 'region')) return false;
    const rowsOf = (text: string) => findSame(this.#index, typedName(this.#index, text, 'region')).sorted();
    return rowsOf(piece).some(({ row }) => rowsOf(region).some((it) => it.row === row));
  }

  /** A city and the pieces before it; with a district of it that stands there, `Tondo, Manila`, which is then one name. */
  #withDistrict(read: { taken: string; pieces: readonly string[] }): typeof read {
    const last = read.pieces.at(-1);
    if (last === undefined) return read;
    for (const { taken, left } of this.#endings(last, 'municity')) {
      const name = `${taken}, ${read.taken}`;
      if (!isNameOf(this.#index, name, 'municity')) continue;
      const before = read.pieces.slice(0, -1);
      return { taken: name, pieces: left === '' ? before : [...before, left] };
    }
    return read;
  }

  #putBarangays(pieces: readonly string[], put: (more: Fields, left: readonly string[]) => void): void {
    for (const piece of pieces.slice(-3).reverse()) {
      const others = pieces.filter((it) => it !== piece);
      put({ barangay: piece }, others);
      // Some names have a comma in them: `Lourdes Subdivision, Lower`.
      const left = pieces[pieces.indexOf(piece) - 1];
      if (left !== undefined) {
        put(
          { barangay: `${left}, ${piece}` },
          others.filter((it) => it !== left),
        );
      }
      const marked = MARKER.exec(piece);
      if (marked && marked.index > 0) put({ barangay: piece.slice(marked.index) }, others);
      for (const { taken, left } of this.#endings(piece, 'barangay')) put({ barangay: taken }, [...others, left]);
    }
  }

  /** The ends of a piece that name an area of a level: all of it but for a barangay's, or its last words. */
  #endings(piece: string, level: Column): readonly Ending[] {
    const key = `${level} ${piece}`;
    let found = this.#known.get(key);
    if (!found) {
      found = level === 'barangay' ? barangayEndings(this.#index, piece) : endings(this.#index, piece, level);
      this.#known.set(key, found);
    }
    return found;
  }
}

const STREET_LAST = /\b(?:st|str|street|ave?|avenue|rd|road|blvd|boulevard|highway|hwy|drive|lane|ext|extension)\W*$/i;

const STREET =
  /^\W*\d+\W+\w|\b(?:st|str|street|ave|avenue|rd|road|blvd|boulevard|highway|hwy|blk|block|lot|phase|purok|sitio|unit|bldg|building|floor|flr|rm|room|subd|subdivision|village|compound|corner|cor|km|house)\b/i;

/** Whether a part of an address is one that stands before the barangay. */
export function isStreet(text: string): boolean {
  return STREET.test(text) && !MARKER.test(text);
}

/** The end of a piece that names an area, and what stands before it. */
interface Ending {
  readonly taken: string;
  readonly left: string;
}

/** The ends of a piece that name an area above barangays: all of it, or its last words. */
function endings(index: NameIndex, piece: string, level: Column): Ending[] {
  const found: Ending[] = [];
  const words = piece.split(/\s+/);
  if (words.length > 1 && index.isLastWord(lastWordOf(piece))) {
    for (let count = Math.min(words.length - 1, MOST_WORDS); count > 0; count -= 1) {
      const taken = words.slice(-count).join(' ');
      const folded = foldWords(taken);
      // A number before a name belongs to what stands before it.
      if (folded.join('').length < 2 || (level !== 'region' && isDigits(folded[0] ?? ''))) continue;
      if (isNameOf(index, taken, level)) found.push({ taken, left: words.slice(0, -count).join(' ') });
    }
  }
  // The longer an ending, the surer it is.
  return isPlace(index, piece, level) ? [{ taken: piece, left: '' }, ...found] : found;
}

/** The last word of what stands outside of parentheses, folded. */
function lastWordOf(piece: string): string {
  const { outer } = cutParentheses(piece);
  return foldWords(outer).at(-1) ?? '';
}

/** The last words of a piece that name a barangay. */
function barangayEndings(index: NameIndex, piece: string): Ending[] {
  const found: Ending[] = [];
  const words = piece.split(/\s+/);
  for (let count = Math.min(words.length - 1, 3); count > 0; count -= 1) {
    const taken = words.slice(-count).join(' ');
    // A number alone is that of a lot, a block or a house.
    if (/^\d+$/.test(taken) || !isNameOf(index, taken, 'barangay')) continue;
    found.push({ taken, left: words.slice(0, -count).join(' ') });
  }
  return found;
}

function isPlace(index: NameIndex, piece: string, level: Column): boolean {
  if (isNameOf(index, piece, level)) return true;
  if (level !== 'province' && level !== 'region') return false;
  return findNear(index, typedName(index, piece, level))
    .sorted()
    .some(({ score }) => score >= 0.75);
}

/** The most words at an end of a text that are taken for the name of a parent. */
const MOST_PARENT_WORDS = 8;

/**
 * The ways in which a text can be cut into a name and its parents, the nearest parent first. With commas that is what stands
 * between them, else words at its end that name a region, province or city.
 */
export function splitParents(index: NameIndex, text: string): { name: string; parents: number[][] }[] {
  const pieces = piecesOf(text);
  const [name = '', ...others] = pieces;
  if (others.length > 0) {
    const parents = others.map((piece) => rowsNamed(index, piece)).filter((rows) => rows.length > 0);
    if (parents.length > 0) return [{ name, parents }];
  }
  const cuts: { name: string; parents: number[][] }[] = [];
  const turned: { name: string; parents: number[][] }[] = [];
  const words = name.split(/\s+/);
  for (let at = 1; at < words.length; at += 1) {
    const [left, right] = [words.slice(0, at).join(' '), words.slice(at).join(' ')];
    const parents = words.length - at <= MOST_PARENT_WORDS ? rowsNamed(index, right) : [];
    if (parents.length > 0) cuts.push({ name: left, parents: [parents] });
    // `Makati Poblacion`
    const before = at <= MOST_PARENT_WORDS && isNameOf(index, left, 'municity') ? rowsNamed(index, left) : [];
    if (before.length > 0) turned.push({ name: right, parents: [before] });
  }
  return [...cuts, ...turned];
}

/** The regions, provinces and cities that a text names; provinces that it nearly names. */
function rowsNamed(index: NameIndex, text: string): number[] {
  const rows = (['region', 'province', 'municity'] as const).flatMap((level) =>
    findSame(index, new TypedName(text, level))
      .sorted()
      .map(({ row }) => row),
  );
  return rows.length > 0 ? rows : findPlaces(index, text, 'province').map(({ row }) => row);
}
