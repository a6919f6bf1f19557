import { type Candidate, isCurrentNameSpelledRight, typedName } from './compare.ts';
import { Candidates, findAmong, findLike, findNamed, findNear, findSame } from './find.ts';
import { fold } from './fold.ts';
import { partedFrom } from './former-parents.ts';
import { cutParentheses, DIRECTION, KIND } from './forms.ts';
import type { NameIndex } from './index.ts';
import { type Column, eachOf, rowsOfColumn } from './source.ts';

/** Min likeness of a misspelled region or province. */
export const LIKE_PARENT = 0.7;

/** Score of a city in the column of provinces, where lists put highly urbanised cities. */
const CITY_AS_PROVINCE = 0.9;

/** The columns that say where a place is. */
export interface Parents {
  readonly region?: string | undefined;
  readonly province?: string | undefined;
}

/** A candidate city or municipality, and whether the columns above agree. */
export interface Town extends Candidate {
  /** From 0 to 1, parents considered. */
  readonly joint: number;
  /** Whether the column of the province agrees or not, is unknown, or empty. */
  readonly province: Agreement;
  readonly region: Agreement;
}

/** `formerly`: the area was part of what the column says, or the column has only the beginning of a province's name. */
type Agreement = 'agrees' | 'formerly' | 'differs' | 'unknown' | 'empty';

/** The areas that a text in the column of a region or province may mean. */
export function findPlaces(
  index: NameIndex,
  text: string | undefined,
  column: 'region' | 'province',
): readonly Candidate[] {
  if (text === undefined) return [];
  return index.cached(column, text, () => placesOf(index, text, column));
}

/** Min likeness of a place of which a text has a word, where there is nothing that it is like enough. */
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
  const found = new Candidates();
  const levels: readonly Column[] = column === 'region' ? ['region', 'province'] : ['province', 'region'];
  for (const level of levels) findSame(index, typedName(index, text, level), found);
  if (found.size === 0 && column === 'region') findNumbered(index, text, found);
  const pieces = piecesOf(text);
  const turned = pieces.length === 2 && found.size < 2 ? turnedPieces(index, pieces, column) : [];
  if (turned.length > 0) return turned;
  if (found.size > 0) return found.sorted();
  if (column === 'province') for (const it of provincesThatBegin(index, text)) found.add(it);
  const towns = findNamed(index, text, 'municity');
  if (towns.length > 0 && column === 'province') {
    for (const it of towns) found.add({ ...it, score: it.score * CITY_AS_PROVINCE });
    if (found.size > towns.length) return found.sorted();
    // A misspelled province can be the name of a town: `Isabel`.
    for (const it of findNear(index, typedName(index, text, 'province')).sorted()) {
      if (it.score >= CITY_AS_PROVINCE - 0.1) found.add(it);
    }
    return found.sorted();
  }
  if (pieces.length > 1) {
    for (const piece of pieces) for (const it of placesOf(index, piece, column)) found.add(it);
    if (found.size > 0) return found.sorted();
  }
  for (const level of levels) for (const it of likeIn(index, text, level)) if (it.score >= LIKE_PARENT) found.add(it);
  const best = found.sorted();
  return best.filter((it) => it.score >= (best[0]?.score ?? 0) - 0.05);
}

/**
 * Two pieces as one name whose direction stands behind it (`Leyte, Southern`), as a province in its region (`Bicol (Albay)`), or
 * as two provinces (`Abra (La Union)`).
 */
function turnedPieces(index: NameIndex, pieces: readonly string[], column: 'region' | 'province'): Candidate[] {
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

/** The score of each of several areas of one name. */
export const SAME_NAMED = 0.98;

/** The provinces whose names begin with a text as with a word. */
export function provincesThatBegin(index: NameIndex, text: string): Candidate[] {
  return provincesWith(index, text, (name, words) => name.startsWith(words));
}

/** The provinces of whose names a text is some of the words, at the beginning or the end. */
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
 * Whether the column of a region or province has nothing but a name as it is spelled, its own or one that is used for it:
 * what is misspelled, two names, or a number beside one makes nothing exact.
 */
export function isSpelledParent(index: NameIndex, text: string, column: 'region' | 'province'): boolean {
  const isSpelled = index.cached('spelled parent', `${column}\0${text}`, () => {
    const pieces = piecesOf(text);
    if (pieces.length === 2 && turnedPieces(index, pieces, column).length > 1) return { is: false };
    const levels: readonly Column[] = column === 'region' ? ['region', 'province'] : ['province', 'region', 'municity'];
    const found = new Candidates();
    for (const level of levels) findSame(index, typedName(index, text, level), found);
    if (found.size === 0 && column === 'region') findNumbered(index, text, found);
    return { is: found.sorted().some(({ kind, score }) => kind !== KIND.district && score === 1) };
  });
  return isSpelled.is;
}

/** An area that a column may mean, or a former part of it. */
interface Parent extends Candidate {
  readonly isFormer?: boolean;
}

/** The areas that a text in the column of a region or province may mean, with their former parts. */
function findParents(index: NameIndex, text: string | undefined, column: 'region' | 'province'): readonly Parent[] {
  const places = findPlaces(index, text, column);
  if (text === undefined) return places;
  const former = () =>
    places
      .filter(({ row }) => index.levelOf(row) === column)
      .flatMap((place) => partedFrom(index, place.row).map((row): Parent => ({ ...place, row, isFormer: true })));
  return index.cached(`${column} and former`, text, () => [...places, ...former()]);
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

/** Whether an area lies in one of the places that a column means. */
function agreementOf(
  index: NameIndex,
  row: number,
  { text, places }: { text: string | undefined; places: readonly Parent[] },
): { agreement: Agreement; score: number } {
  if (text === undefined) return { agreement: 'empty', score: 1 };
  if (places.length === 0) return { agreement: 'unknown', score: 1 };
  let best: Parent | undefined;
  for (const place of places) {
    if (place.score > (best?.score ?? 0) && index.isIn(row, place.row)) best = place;
  }
  if (!best) return { agreement: 'differs', score: 0 };
  return { agreement: best.isFormer || best.how === 'part' ? 'formerly' : 'agrees', score: best.score };
}

const PROVINCE_FACTOR = { agrees: 1, formerly: 0.95, empty: 0.98, unknown: 0.92, differs: 0.62 } as const;
const REGION_FACTOR = { agrees: 1, formerly: 1, empty: 1, unknown: 0.98, differs: 0.85 } as const;

/** The score of a candidate reduced by the columns above. */
export function jointScore(index: NameIndex, candidate: Candidate, parents: Parents): Omit<Town, keyof Candidate> {
  const province = agreementOf(index, candidate.row, {
    text: parents.province,
    places: findParents(index, parents.province, 'province'),
  });
  const region = agreementOf(index, candidate.row, {
    text: parents.region,
    places: findParents(index, parents.region, 'region'),
  });
  const provinceFactor = PROVINCE_FACTOR[province.agreement] * (0.8 + 0.2 * province.score || 1);
  // Regions change more often than provinces: an outdated one costs little beside the right province.
  const regionFactor =
    region.agreement === 'differs' && province.agreement === 'agrees' ? 0.96 : REGION_FACTOR[region.agreement];
  return {
    joint:
      candidate.score * (province.agreement === 'differs' ? PROVINCE_FACTOR.differs : provinceFactor) * regionFactor,
    province: province.agreement,
    region: region.agreement,
  };
}

/** Whether an area lies in the region named by a text. */
export function isInRegionToday(index: NameIndex, row: number, text: string): boolean {
  return findPlaces(index, text, 'region').some((place) => index.isIn(row, place.row));
}

/** Whether an area lies or lay in the region named by a text. */
export function isInRegion(index: NameIndex, row: number, text: string): boolean {
  const { agreement } = agreementOf(index, row, { text, places: findParents(index, text, 'region') });
  return agreement === 'agrees' || agreement === 'formerly';
}

/** The cities and municipalities that a text may mean within the columns above, best first. */
export function findTowns(index: NameIndex, municity: string, parents: TownParents): readonly Town[] {
  const { province = '', region = '', isGuess, isStrict } = parents;
  const key = `${municity}\0${province}\0${region}`;
  return index.cached(isStrict ? 'spelled' : isGuess ? 'guessed' : 'municity', key, () =>
    townsOf(index, municity, parents),
  );
}

/** Min letters of the beginning of a town's name. */
const MIN_BEGINNING = 4;

/** The towns among `rows` whose names begin with a text, which a short column cut off: `Palom` of Palompon. */
function findCut(index: NameIndex, base: string, rows: readonly number[]): Candidate[] {
  if (base.length < MIN_BEGINNING) return [];
  return rows.flatMap((row): Candidate[] => {
    let best = 0;
    index.eachKey(row, (key, kind) => {
      const own = index.keys.at(key);
      if (kind === KIND.full && own.startsWith(base)) best = Math.max(best, 0.5 + (0.5 * base.length) / own.length);
    });
    return best > 0 && best < 1 ? [{ row, kind: KIND.part, how: 'part', score: best }] : [];
  });
}

/** The columns above a city's, and whether the text is a guess or must be spelled right. */
interface TownParents extends Parents {
  readonly isGuess: boolean;
  readonly isStrict: boolean;
}

function townsOf(index: NameIndex, municity: string, parents: TownParents): Town[] {
  const name = typedName(index, municity, 'municity');
  const found = findSame(index, name);
  const towns = () => {
    const all = found.sorted().map((it): Town => ({ ...it, ...jointScore(index, it, parents) }));
    return all.sort((a, b) => b.joint - a.joint || a.kind - b.kind || a.row - b.row);
  };
  const best = towns()[0];
  if (parents.isStrict || (best && best.joint >= 0.95)) return towns();
  // The rest of the name of two provinces is no slip of a town's: `Agusan`.
  const isShort = found.size === 0 && provincesWith(index, municity).length > 1;
  if (!parents.isGuess && !isShort) findNear(index, name, found);
  const within = new Set<number>();
  for (const column of ['province', 'region'] as const) {
    for (const { row, score } of findParents(index, parents[column], column)) {
      if (score < LIKE_PARENT || index.levelOf(row) === 'municity') continue;
      for (const child of index.childrenOf('municity', row)) within.add(child);
    }
    if (within.size > 0) break;
  }
  if (within.size > 0) {
    for (const it of findAmong(index, name, [...within])) found.add(it);
    for (const it of findCut(index, name.base, [...within])) found.add(it);
  } else if (found.size === 0 && !parents.isGuess && !isShort) {
    for (const it of findLike(index, name, eachOf(rowsOfColumn(index.source, 'municity')))) found.add(it);
  }
  return towns().slice(0, 40);
}
