import { TypedName } from './compare.ts';
import { findSame } from './find.ts';
import { fold, foldWords, isDigits } from './fold.ts';
import type { NameIndex } from './index.ts';
import { findPlaces, piecesOf } from './parents.ts';
import type { Fields } from './result.ts';
import type { NameLevel } from './source.ts';

/** One way to read a text. */
export interface Reading {
  readonly fields: Fields;
  /** What of the text is left over, such as a street. */
  readonly rest: string;
}

/** What an address ends with that names no area. */
const ENDS = /^(?:philippines|phils?|ph|republic of the philippines|pilipinas)$/;

const MOST_READINGS = 40;

/** Words that a parent's name has at most. */
const MOST_WORDS = 6;

/** A word that says that a barangay follows. */
const MARKER = /\b(?:barangay|brgy|bgy|brg|barrio|bo)\b\.?\s*/i;

/**
 * The ways in which an address can be read from the right: region, province, city, barangay, each of which may be missing.
 * Commas are where it is cut; parents may also stand behind a name without one.
 */
export function readText(index: NameIndex, text: string): Reading[] {
  const readings: Reading[] = [];
  const cut = text.slice(0, 500);
  // What stands in parentheses is part of the name, or a parent of it.
  for (const each of /[([]/.test(cut) ? [cut, cut.replace(/[([]/g, ', ').replace(/[)\]]/g, ' ')] : [cut]) {
    read(index, { pieces: cutAtCommas(each), fields: {}, above: LEVELS.length }, readings);
  }
  const distinct = new Map(readings.map((it) => [JSON.stringify(it), it]));
  return [...distinct.values()];
}

function cutAtCommas(text: string): string[] {
  const pieces = text
    .split(/[,;\n|\t]| - /)
    .map((piece) => piece.replace(/\b\d{4}\s*$/, (zip) => (/[a-z]/i.test(piece) ? '' : zip)).trim())
    .filter((piece) => fold(piece) !== '' && !ENDS.test(fold(piece)) && !/^\d{4}$/.test(piece));
  return pieces.slice(-8);
}

const LEVELS: readonly NameLevel[] = ['barangay', 'municity', 'province', 'region'];

/** Takes parents from the right of the pieces until a barangay or nothing is left. */
function read(
  index: NameIndex,
  { pieces, fields, above, over = '' }: { pieces: readonly string[]; fields: Fields; above: number; over?: string },
  readings: Reading[],
): void {
  if (readings.length >= MOST_READINGS) return;
  const put = (more: Fields, left: readonly string[]) => {
    const rest = [...left, over].filter((it) => it !== '').join(', ');
    readings.push({ fields: { ...fields, ...more }, rest });
  };
  const last = pieces.at(-1);
  if (last === undefined) {
    put({}, []);
    return;
  }
  const before = pieces.slice(0, -1);
  for (let at = 1; at < above; at += 1) {
    const level = LEVELS[at] as NameLevel;
    for (const { taken, left } of endings(index, last, level)) {
      const rest = left === '' ? before : [...before, left];
      read(index, { pieces: rest, fields: { ...fields, [level]: taken }, above: at, over }, readings);
    }
  }
  if (fields.municity === undefined) {
    // A city with a slip in it is found where its province is known.
    const piece = pieces.at(-2);
    if (piece !== undefined) put({ municity: last, barangay: piece }, pieces.slice(0, -2));
    put({ municity: last }, before);
  }
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
    const words = piece.split(/\s+/);
    for (let count = Math.min(words.length - 1, 3); count > 0; count -= 1) {
      const tail = words.slice(-count).join(' ');
      const isBarangay = findSame(index, new TypedName(tail, 'barangay')).size > 0;
      if (isBarangay) put({ barangay: tail }, [...others, words.slice(0, -count).join(' ')]);
    }
  }
  if (Object.keys(fields).length > 0) put({}, pieces);
  // Nothing on the right is known, so it is passed over.
  else if (before.length > 0) {
    read(index, { pieces: before, fields, above, over: over === '' ? last : `${last}, ${over}` }, readings);
  }
}

const STREET =
  /^\W*\d+\W+\w|\b(?:st|str|street|ave|avenue|rd|road|blvd|boulevard|highway|hwy|blk|block|lot|phase|purok|sitio|unit|bldg|building|floor|flr|rm|room|subd|subdivision|village|compound|corner|cor|km|house)\b/i;

/** Whether a part of an address is one that stands before the barangay. */
export function isStreet(text: string): boolean {
  return STREET.test(text) && !MARKER.test(text);
}

/** The ends of a piece that name an area of a level: all of it, or its last words. */
function endings(index: NameIndex, piece: string, level: NameLevel): { taken: string; left: string }[] {
  const found: { taken: string; left: string }[] = [];
  if (isPlace(index, piece, level)) found.push({ taken: piece, left: '' });
  const words = piece.split(/\s+/);
  for (let count = 1; count < words.length && count <= MOST_WORDS; count += 1) {
    const taken = words.slice(-count).join(' ');
    const folded = foldWords(taken);
    // A number before a name belongs to what stands before it.
    if (folded.join('').length < 2 || (level !== 'region' && isDigits(folded[0] ?? ''))) continue;
    if (findSame(index, new TypedName(taken, level)).size > 0)
      found.push({ taken, left: words.slice(0, -count).join(' ') });
  }
  // The longer an ending, the surer it is.
  return found.sort((a, b) => b.taken.length - a.taken.length);
}

function isPlace(index: NameIndex, piece: string, level: NameLevel): boolean {
  if (findSame(index, new TypedName(piece, level)).size > 0) return true;
  if (level !== 'province' && level !== 'region') return false;
  return findPlaces(index, piece, level).some(({ row, score }) => index.levelOf(row) === level && score >= 0.75);
}

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
  const words = name.split(/\s+/);
  for (let at = 1; at < words.length; at += 1) {
    const parents = rowsNamed(index, words.slice(at).join(' '));
    if (parents.length > 0) cuts.push({ name: words.slice(0, at).join(' '), parents: [parents] });
  }
  return cuts;
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
