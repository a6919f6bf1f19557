import { parentsOf } from '../shared/find-places.ts';
import { FIELDS, type Fields, type Group, type Place } from './groups.ts';

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
  const fields = parted(group.fields);
  const names = new Map<string, string>();
  for (const { level, name } of [...(place?.ancestors ?? []), ...(place ? [place] : [])]) names.set(level, name);
  const written = FIELDS.toReversed().flatMap((field): Piece[][] => {
    const text = fields[field];
    if (text === undefined) return [];
    // An address has more than names, so only what it lacks is marked, in the names of the place. A code of another edition is none less.
    if (!place || field === 'text' || field === 'code') return [[[text, false]]];
    const name = names.get(field) ?? (field === 'municity' ? names.get('submunicipality') : undefined);
    return [name === undefined ? [[text, true]] : differences(text, name)[0]];
  });
  if (!place) return { written: joined(written), place: [] };
  const near = parentsOf(place);
  const shown = [place, ...place.ancestors.toReversed()].filter(
    (one, at) => at === 0 || near.includes(one.name) || (one.level === 'region' && fields.region !== undefined),
  );
  const parts = shown.map(({ level, name }): readonly Piece[] => {
    const text = fields[level === 'submunicipality' ? 'municity' : level];
    const isCompared = text !== undefined && (level !== 'submunicipality' || level === place.level);
    if (isCompared) return differences(text, name)[1];
    return fields.text !== undefined && level === place.level ? lackedBy(fields.text, name) : [[name, false]];
  });
  return { written: joined(written), place: joined(parts) };
}

/** The levels at which a row calls a place, or what it lies in, otherwise, from the smallest. */
export function nameDifferences(fields: Fields, place: Place): { level: Place['level']; isAlike: boolean }[] {
  const cells = parted(fields);
  return [place, ...place.ancestors.toReversed()].flatMap(({ level, name }) => {
    const text = cells[level === 'submunicipality' ? 'municity' : level];
    // Regions have many names, all of which are as good.
    if (text === undefined || level === 'region' || (level === 'submunicipality' && level !== place.level)) return [];
    const isOther = differences(text, name)
      .flat()
      .some(([, differs]) => differs);
    return isOther ? [{ level, isAlike: lettersInCommon(text, name).isAlike }] : [];
  });
}

/** The same, where the cell of the city has its province too: `Argao, Cebu`. */
function parted(fields: Fields): Fields {
  const [, municity, province] = /^([^,]*\S) *, *([^,]+)$/.exec(fields.municity ?? '') ?? [];
  return municity && province && fields.province === undefined ? { ...fields, municity, province } : fields;
}

/**
 * Two texts in pieces, of which those that only one of them has are marked. Case, accents, punctuation and the order of words are no
 * difference.
 */
export function differences(one: string, other: string): readonly [Piece[], Piece[]] {
  if (inOrder(one) === inOrder(other)) return [[[one, false]], [[other, false]]];
  const { a, b, common, isAlike } = lettersInCommon(one, other);
  const differs = (letter: Letter) => !isAlike || !common.has(letter);
  return [piecesOf(one, a.filter(differs)), piecesOf(other, b.filter(differs))];
}

/** The letters of two texts, those that both have, and whether these are most of them. */
function lettersInCommon(one: string, other: string) {
  const [a, b] = [lettersOf(one), lettersOf(other)];
  const common = commonOf(a, b);
  return { a, b, common, isAlike: common.size >= 2 * ALIKE * Math.max(a.length, b.length) };
}

/** The words of a text from A to Z. */
function inOrder(text: string): string {
  return text.toLowerCase().split(/\s+/).sort().join(' ');
}

/** A letter or digit without accent and case, and where it stands. */
interface Letter {
  readonly letter: string;
  readonly from: number;
  readonly to: number;
}

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

/** The letters of both texts in the longest row that both have in this order. */
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

/** The words of a name that an address lacks are marked. */
function lackedBy(address: string, name: string): Piece[] {
  const keyOf = (word: string) =>
    lettersOf(word)
      .map(({ letter }) => letter)
      .join('');
  const words = new Set(address.split(/\s+/).map(keyOf));
  const lacked = [...name.matchAll(/\S+/g)].filter(({ 0: word }) => !words.has(keyOf(word)));
  const letters = lettersOf(name);
  return piecesOf(
    name,
    letters.filter(({ from }) => lacked.some(({ index, 0: word }) => index <= from && from < index + word.length)),
  );
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
