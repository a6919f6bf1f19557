import { type Candidate, isCurrentNameSpelledRight, typedName } from './compare.ts';
import { Candidates, findLike, findNamed, findNear, findSame } from './find.ts';
import { fold } from './fold.ts';
import { partedFrom } from './former-parents.ts';
import { cutParentheses, DIRECTION, KIND } from './forms.ts';
import type { NameIndex } from './index.ts';
import { type Column, eachOf } from './source.ts';

/** Min likeness of a misspelled region or province. */
export const LIKE_PARENT = 0.7;

/** Factor for a city in the column of provinces, where lists put highly urbanised cities. */
const CITY_AS_PROVINCE = 0.9;

/** Min score of a misspelled province whose spelling is the name of a city or municipality. */
const NEAR_BESIDE_CITY = 0.8;

/** The areas that a text in the column of a region or province may mean: regions, provinces, and cities in place of a province. */
export function findPlaces(
  index: NameIndex,
  text: string | undefined,
  column: 'region' | 'province',
): readonly Candidate[] {
  if (text === undefined) return [];
  return index.cached(column, text, () => placesOf(index, text, column));
}

/** Min likeness of a place that shares only some words with a text for which `findPlaces` finds nothing. */
const LIKE_BY_WORD = 0.6;

/** The places to choose from for a text that `findPlaces` finds none for: `Muontain Province`. */
export function placesLike(index: NameIndex, text: string, column: 'region' | 'province'): Candidate[] {
  return likeIn(index, text, column).filter(({ how, score }) => how === 'part' && score >= LIKE_BY_WORD);
}

/** All areas of a level that are similar to a text. */
function likeIn(index: NameIndex, text: string, level: Column): Candidate[] {
  return findLike(index, typedName(index, text, level), eachOf(index.source.rowsOf(level)));
}

function placesOf(index: NameIndex, text: string, column: 'region' | 'province'): Candidate[] {
  const levels: readonly Column[] = column === 'region' ? ['region', 'province'] : ['province', 'region'];
  const found = findSpelledIn(index, text, { column, levels });
  const pieces = piecesOf(text);
  const joined = pieces.length === 2 && found.size < 2 ? placesOfTwo(index, pieces, column) : [];
  if (joined.length > 0) return joined;
  if (found.size > 0) return found.sorted();
  if (column === 'province') {
    const begun = provincesThatBegin(index, text);
    for (const it of begun) found.add(it);
    const cities = findNamed(index, text, 'municity');
    for (const it of cities) found.add({ ...it, score: it.score * CITY_AS_PROVINCE });
    // A misspelled province can be the name of a town: `Isabel`.
    const near =
      cities.length > 0 && begun.length === 0 ? findNear(index, typedName(index, text, column)).sorted() : [];
    for (const it of near) if (it.score >= NEAR_BESIDE_CITY) found.add(it);
    if (cities.length > 0) return found.sorted();
  }
  if (pieces.length > 1) {
    for (const piece of pieces) for (const it of placesOf(index, piece, column)) found.add(it);
    if (found.size > 0) return found.sorted();
  }
  for (const level of levels) for (const it of likeIn(index, text, level)) if (it.score >= LIKE_PARENT) found.add(it);
  const best = found.sorted();
  return best.filter((it) => it.score >= (best[0]?.score ?? 0) - 0.05);
}

/** The areas of some levels that have a text as a name. In the column of regions a number alone is also one. */
function findSpelledIn(
  index: NameIndex,
  text: string,
  { column, levels }: { column: 'region' | 'province'; levels: readonly Column[] },
): Candidates {
  const found = new Candidates();
  for (const level of levels) findSame(index, typedName(index, text, level), found);
  if (found.size === 0 && column === 'region') findNumbered(index, text, found);
  return found;
}

/**
 * The places that two pieces of a text mean together: one name with its direction behind it (`Leyte, Southern`), a province behind
 * its region (`Bicol (Albay)`), or two provinces (`Abra (La Union)`).
 */
function placesOfTwo(index: NameIndex, pieces: readonly string[], column: 'region' | 'province'): Candidate[] {
  const [first = '', second = ''] = pieces;
  const spelled = (text: string) => findNamed(index, text, column).filter(isCurrentNameSpelledRight);
  if (DIRECTION.test(fold(second))) return spelled(`${second} ${first}`);
  const [one] = spelled(first);
  const [other] = spelled(second);
  const isProvince = other !== undefined && index.levelOf(other.row) === 'province';
  if (isProvince && column === 'province' && (!one || index.levelOf(one.row) === 'region')) return [other];
  if (!one || !other || index.areRelated(one.row, other.row)) return [];
  return [
    { ...one, kind: KIND.part },
    { ...other, kind: KIND.part },
  ];
}

/** Score of each area where a text fits several equally well. */
export const SAME_NAMED = 0.98;

/** The provinces whose names begin with the words of a text: `Davao`. */
export function provincesThatBegin(index: NameIndex, text: string): Candidate[] {
  return provincesWith(index, text, (name, words) => name.startsWith(words));
}

/**
 * The provinces whose names begin or end with the words of a text.
 *
 * @param fits another rule; `name` and `words` are folded, with a space at their end
 */
export function provincesWith(
  index: NameIndex,
  text: string,
  fits = (name: string, words: string) => name.startsWith(words) || ` ${name}`.endsWith(` ${words.trimEnd()}`),
): Candidate[] {
  const words = `${fold(text)} `;
  const rows = index.source.rowsOf('province');
  const provinces = index.cached('provinces', 'folded', () =>
    eachOf(rows).map((row) => fold(index.source.nameOf(row))),
  );
  return provinces.flatMap((name, at): Candidate[] =>
    fits(name, words) ? [{ row: rows.first + at, kind: KIND.part, how: 'part', score: SAME_NAMED }] : [],
  );
}

/** A region by its number alone: `VIII`, `Reg. 4-A`, `R10 Northern Mindanao`. */
const NUMBERED = /^(?:(?:reg|rgn|ro?|region) )?(\d+(?: [ab])?)(?= |$)/;

/** Up to this number regions have the same number in names and codes. */
const SAME_IN_CODES = 12;

function findNumbered(index: NameIndex, text: string, found: Candidates): void {
  const folded = fold(text);
  const [whole = '', number] = NUMBERED.exec(folded) ?? [];
  // `10%` and `12 Rizal St` are no regions, nor is `7 Bicol Region` the seventh.
  if (number === undefined || /[^\p{L}\p{M}\p{N}\s.,:;()'"’#-]/u.test(text)) return;
  // 13 is Caraga by its name, and the capital by its code.
  if (Number.parseInt(number, 10) > SAME_IN_CODES && /^\s*\d/.test(text)) return;
  const others = folded
    .slice(whole.length)
    .split(' ')
    .filter((word) => word !== '' && word !== 'region');
  const regions = findNamed(index, `region ${number}`, 'region');
  for (const it of regions) {
    const words = index.namesOf(it.row).flatMap(({ name }) => fold(name).split(' '));
    if (others.every((word) => words.includes(word))) found.add(it);
  }
}

/**
 * Whether the text in the column of a region or province is a name of an area, spelled right, and nothing else. Only then may a match
 * be exact: not where the text is misspelled, has two names, or a number beside the name.
 */
export function isSpelledParent(index: NameIndex, text: string, column: 'region' | 'province'): boolean {
  const isSpelled = index.cached('spelled parent', `${column}\0${text}`, () => {
    const pieces = piecesOf(text);
    if (pieces.length === 2 && placesOfTwo(index, pieces, column).length > 1) return { is: false };
    const levels: readonly Column[] = column === 'region' ? ['region', 'province'] : ['province', 'region', 'municity'];
    const found = findSpelledIn(index, text, { column, levels });
    return { is: found.sorted().some(({ kind, score }) => kind !== KIND.district && score === 1) };
  });
  return isSpelled.is;
}

/** An area that a column may mean, or a former part of it. */
interface Parent extends Candidate {
  readonly isFormer?: boolean;
}

/** The areas that a text in the column of a region or province may mean, with their former parts. */
export function findParents(index: NameIndex, text: string, column: 'region' | 'province'): readonly Parent[] {
  return index.cached(`${column} and former`, text, () => {
    const places = findPlaces(index, text, column);
    const former = places
      .filter(({ row }) => index.levelOf(row) === column)
      .flatMap((place) => partedFrom(index, place.row).map((row): Parent => ({ ...place, row, isFormer: true })));
    return [...places, ...former];
  });
}

/** How many parts of a cell are read: each is compared with all areas of the level. */
const MAX_PIECES = 8;

/** The parts of a text between commas, slashes and parentheses, each once. */
function piecesOf(text: string): string[] {
  const { outer, inner } = cutParentheses(text);
  const all = [...outer.split(/[,;/|+>]|\s[-–—]\s/), ...inner]
    .map((it) => it.trim())
    .filter((it) => /[\p{L}\p{N}]/u.test(it));
  return [...new Set(all)].slice(0, MAX_PIECES);
}

/** Whether an area lies in the region named by a text. */
export function isInRegionToday(index: NameIndex, row: number, text: string): boolean {
  return findPlaces(index, text, 'region').some((place) => index.isIn(row, place.row));
}

/** Whether an area lies or lay in the region named by a text. */
export function isInRegion(index: NameIndex, row: number, text: string): boolean {
  const { agreement } = agreementOf(index, row, { text, column: 'region' });
  return agreement === 'agrees' || agreement === 'formerly';
}

/**
 * How the column of a region or province agrees with where an area lies. `formerly`: the area was part of what the column says, or
 * the column has only some words of a province's name. `unknown`: the column means no area.
 */
export type Agreement = 'agrees' | 'formerly' | 'differs' | 'unknown' | 'empty';

/**
 * Compares where an area lies with the text in a column.
 *
 * @returns also the score, from 0 to 1, of the text as the area's parent; 1 where it is no parent of the area
 */
export function agreementOf(
  index: NameIndex,
  row: number,
  { text, column }: { text: string | undefined; column: 'region' | 'province' },
): { agreement: Agreement; score: number } {
  if (text === undefined) return { agreement: 'empty', score: 1 };
  const parents = findParents(index, text, column);
  if (parents.length === 0) return { agreement: 'unknown', score: 1 };
  let best: Parent | undefined;
  for (const parent of parents) {
    if (parent.score > (best?.score ?? 0) && index.isIn(row, parent.row)) best = parent;
  }
  if (!best) return { agreement: 'differs', score: 1 };
  return { agreement: best.isFormer || best.how === 'part' ? 'formerly' : 'agrees', score: best.score };
}
