import { isAbroad } from './abroad.ts';
import { liesIn, matchColumns, OWN_SHARE } from './columns.ts';
import { type Candidate, typedName } from './compare.ts';
import { explained, hasLeft } from './explain.ts';
import { findNear, findSame, findSpelled, isNameOf } from './find.ts';
import { fold, foldWords } from './fold.ts';
import { cutParentheses, JOINS, KIND } from './forms.ts';
import { isWhole, type Reading, type Rest, readings } from './free-text.ts';
import type { NameIndex } from './index.ts';
import {
  atLevel,
  candidateOf,
  compareMatches,
  type Fields,
  isDecided,
  isFiner,
  MAX_CANDIDATES,
  type Match,
  NO_MATCH,
  rowOf,
  unsure,
  weakened,
} from './result.ts';
import { COLUMNS, type Column, columnOf, type NameLevel } from './source.ts';
import { isMarked, isStreet, partsOf } from './text-words.ts';

/** A text and the columns beside it. */
interface Given {
  readonly text: string;
  /** Fields beside the text. */
  readonly columns: Fields;
  readonly level?: NameLevel | undefined;
  /** The area of the columns; readings that contradict it are dropped. */
  readonly within?: number | undefined;
}

/** Max extra cost of a second reading that counts as equal to the first. */
const RIVAL = 0.32;

/** The same for one that keeps the first from being exact. */
const OTHER = 0.6;

/** The same where the first is a barangay: that of a city as much as one of a province, which the text may name alone. */
const OTHER_BARANGAY = 0.9;

/** The result of a text, by the reading that explains most of it. */
export function matchText(index: NameIndex, given: Given): Match {
  const { text, columns, level } = given;
  const isAlone = Object.keys(columns).length === 0;
  const several = isAlone ? ofOneName(index, text, { level, levels: ['region', 'province', 'municity'] }) : undefined;
  if (several) return several;
  const all = wanted(
    index,
    readings(index, text).filter((it) => !contradicted(index, it, given)),
    level,
  );
  const [best] = all;
  const isSpelled = best !== undefined && isWhole(best) && !lacksMarked(best);
  const spelled = isSpelled ? spelledRight(index, all as [Reading], given) : undefined;
  const parts = isAlone && !spelled ? partsOf(text) : [];
  if (parts.some(isAbroad)) return NO_MATCH;
  if (spelled && isDecided(spelled)) {
    const isLarger = isAlone && (isAbroad(text) || ISLANDS.test(text));
    return isLarger ? undecided(spelled) : spelled;
  }
  const barangays = isAlone ? ofOneName(index, text, { level: undefined, levels: ['barangay'] }) : undefined;
  if (barangays && !isNameOf(index, text, 'municity')) return barangays;
  return spelled && spelled.match !== 'none' ? spelled : guess(index, all, given);
}

/** The readings of the requested level or a finer one, if any; else all. */
function wanted(index: NameIndex, all: readonly Reading[], level: NameLevel | undefined): readonly Reading[] {
  if (level === undefined) return all;
  const whole = all.filter(isWhole);
  const levelOf = ({ rows }: Reading) => index.levelOf(rows[0] as number);
  const same = whole.filter((it) => levelOf(it) === level);
  const fitting = same.length > 0 ? same : whole.filter((it) => isFiner(levelOf(it), level));
  return fitting.length > 0 ? fitting : all;
}

/** Whether a reading contradicts the columns beside the text. */
function contradicted(index: NameIndex, { fields }: Reading, { columns, within }: Given): boolean {
  if (within === undefined) return false;
  const overlap = COLUMNS.flatMap((it) => (columns[it] !== undefined && fields[it] ? [[it, fields[it]]] : []));
  return explained(index, Object.fromEntries(overlap), within).notes.length > 0;
}

/** Whether the text marks a barangay that a reading leaves over. */
function lacksMarked({ fields, rest }: Pick<Reading, 'fields' | 'rest'>): boolean {
  return fields.barangay === undefined && rest.some(({ isMarked }) => isMarked);
}

/** The result of a text without misspelled words except those of a street. */
function spelledRight(index: NameIndex, all: readonly [Reading, ...Reading[]], { columns, level }: Given): Match {
  const [best] = all;
  const resultOf = ({ fields }: Reading) => {
    // A barangay without a city is searched everywhere.
    const isGuess = fields.barangay === undefined || fields.municity !== undefined;
    return atLevel(matchColumns(index, { ...fields, ...columns }, { level, isGuess, isStrict: isGuess }), level);
  };
  const match = resultOf(best);
  if (!isDecided(match)) {
    // An undecided barangay falls back to its city.
    const { barangay, municity } = best.fields;
    const fallen = barangay !== undefined && municity !== undefined && match.match !== 'none';
    return fallen
      ? atLevel(matchColumns(index, { ...best.fields, ...columns }, { level, isGuess: true }), level)
      : match;
  }
  const own = rowOf(index, match) as number;
  // What a town was once called, or is called too, may as well be the name of a barangay of its province.
  const isCalled = match.level !== 'municity' || isCalledToday(index, best.fields.municity ?? '', own);
  const apart = match.level === 'barangay' || !isCalled ? OTHER_BARANGAY : OTHER;
  // A municipality with its province's name is not the province named twice.
  const isOther = (row: number) => row !== own && (match.level === 'barangay' || !index.isIn(own, row));
  const others = all.filter((it) => isWhole(it) && it.cost <= best.cost + apart && it.rows.some(isOther));
  const rival = others.find((it) => it !== best && it.cost <= best.cost + (isCalled ? RIVAL : apart));
  const second = rival && resultOf(rival);
  if (second && second.candidates.length > 0 && second.code !== match.code) {
    const both = between(match, second);
    // Of `Jaro, Iloilo City` the city is sure, whatever Jaro is in it.
    const isInside = second.candidates.every((it) => index.isIn(index.rowOf(it.level, it.code), own));
    return isInside ? { ...match, match: 'ambiguous', candidates: both.candidates, needs: 'barangay' } : both;
  }
  const like =
    inOrder(index, best) ?? likeTown(index, best.fields, own) ?? inProvinceOfThatName(index, best.fields, match);
  if (like) return between(match, like);
  const street = best.rest.flatMap(({ text, isStreet }) => (isStreet ? [text] : [])).join(', ');
  if (match.level === 'municity' && street !== '') {
    // Some barangays are named like streets, and may be misspelled.
    const likeStreet = matchColumns(index, { ...best.fields, barangay: street }, { isGuess: true });
    const { candidates } = likeStreet;
    if (candidates.some((it) => it.level === 'barangay' && ownScore(it) >= LIKE_BARANGAY)) {
      return { ...match, match: 'ambiguous', candidates, needs: 'barangay', notes: [...match.notes, notFound(street)] };
    }
  }
  // A street lies in a city, which may be among its words: `Baroy Village Lanao del Norte`.
  if (street !== '' && level === undefined && (match.level === 'region' || match.level === 'province')) {
    return { ...match, match: 'ambiguous', needs: 'municity', notes: [...match.notes, passedOver(street)] };
  }
  const { district } = best;
  const note = district && liesIn(index, district.text, district.row);
  const notes = [
    ...match.notes,
    ...(note !== undefined && !match.notes.includes(note) ? [note] : []),
    ...(street === '' ? [] : [passedOver(street)]),
  ];
  if (!best.isInOrder)
    return {
      ...weakened(match, best.isTurned ? READ_TURNED : READ_MIXED),
      notes: [...notes, best.isTurned ? READ_TURNED : READ_MIXED],
    };
  const isSure = street === '' && !district && others.length === 0 && !isOtherName(index, best.fields, own);
  return isSure ? match : { ...match, match: 'likely', notes };
}

/**
 * Whether a text is nothing but a name that an area has beside its published one. A name with a letter wrong can look like
 * it: `Car` like an acronym, `Mambulao` like a former name.
 */
function isOtherName(index: NameIndex, fields: Fields, row: number): boolean {
  const [text = '', ...others] = Object.values(fields).filter((it) => it !== undefined);
  if (others.length > 0) return false;
  if (!isCalledToday(index, text, row)) return true;
  const isSmall = /^[a-z]{2,4}$/i.test(text) && /[a-z]/.test(text);
  return isSmall && !foldWords(cutParentheses(index.source.nameOf(row)).outer).includes(fold(text));
}

/** Whether an area has a text as its name today. */
function isCalledToday(index: NameIndex, text: string, row: number): boolean {
  const same = findSame(index, typedName(index, text, columnOf(index.levelOf(row)))).sorted();
  return same.some((it) => it.row === row && it.kind < KIND.alias);
}

/**
 * The result of the order of an address for a text whose last name is that of a town, but that is read in another order, as
 * a province named twice, or as one name: `San Juan, Guimba` is no barangay Guimba, nor lies a barangay of `Romblon,
 * Romblon` in another town than that, nor `Brgy. Santa Rosa, Laguna` in another province.
 */
function inOrder(index: NameIndex, { fields, isInOrder, isMarked, isRepeated }: Reading): Match | undefined {
  const { barangay, municity, ...others } = fields;
  if (barangay === undefined) return undefined;
  const guessOf = (it: Fields) => matchColumns(index, it, { isGuess: true });
  const [above, ...further] = Object.values({ municity, ...others }).filter((it) => it !== undefined);
  if (above === undefined) {
    const [last = '', ...before] = barangay.split(', ').reverse();
    const parent = (['province', 'municity'] as const).find((column) => isNameOf(index, last, column));
    if (before.length === 0 || parent === undefined) return undefined;
    return guessOf({ barangay: before.reverse().join(', '), [parent]: last });
  }
  if (further.length > 0) return undefined;
  if (!isInOrder && !isMarked && isNameOf(index, barangay, 'municity'))
    return guessOf({ barangay: above, municity: barangay });
  if (!isInOrder && !isMarked && isNameOf(index, barangay, 'province'))
    return matchColumns(index, { municity: above, province: barangay });
  const isTown = isRepeated && municity === undefined && isNameOf(index, above, 'municity');
  return isTown ? guessOf({ barangay, municity: above, ...others }) : undefined;
}

/**
 * The ambiguous result of a city or municipality beside a province in which it does not lie, of which the name is that of a
 * city too: `Calamba, Tarlac` is no barangay of the City of Tarlac. Undefined for all others.
 */
function besideProvince(index: NameIndex, { barangay, municity, ...others }: Fields, match: Match): Match | undefined {
  if (match.match !== 'ambiguous' || match.code === null || Object.keys(others).length > 0) return undefined;
  if (barangay === undefined || municity === undefined || !isNameOf(index, municity, 'province')) return undefined;
  const town = matchColumns(index, { municity: barangay, province: municity });
  return isNameOf(index, barangay, 'municity') ? between(town, match) : undefined;
}

/** An ambiguous result of two. */
function between(match: Match, other: Match): Match {
  const candidates = [...match.candidates.slice(0, 3), ...other.candidates.slice(0, 2)];
  return { ...NO_MATCH, match: 'ambiguous', score: match.score, candidates, needs: 'municity' };
}

/** A municipality named almost like a barangay, if the text names only the province: `Tabang, Leyte`. */
function likeTown(index: NameIndex, { barangay, municity, ...parents }: Fields, own: number): Match | undefined {
  if (barangay === undefined || municity !== undefined || Object.keys(parents).length === 0) return undefined;
  const match = matchColumns(index, { ...parents, municity: barangay }, { isGuess: true });
  // In a short name one letter is much.
  const least = barangay.length < LETTERS_ALONE ? LIKE_AT_ALL : LIKE_ALONE;
  const isLike = isDecided(match) && match.score >= least && !index.isIn(own, rowOf(index, match) as number);
  return isLike ? match : undefined;
}

/**
 * The barangays of a province that has the name of the city, if the text names nothing else: `San Roque, Rizal` is one of
 * five in the province Rizal as much as the one of a town Rizal.
 */
function inProvinceOfThatName(
  index: NameIndex,
  { barangay, municity, ...others }: Fields,
  meant: Match,
): Match | undefined {
  if (barangay === undefined || municity === undefined || Object.keys(others).length > 0) return undefined;
  if (!isNameOf(index, municity, 'province')) return undefined;
  const match = matchColumns(index, { barangay, province: municity });
  const least = Math.floor(100 * ownScore(meant)) / 100;
  const isOther = match.candidates.some(
    ({ level, code, score }) => level === 'barangay' && code !== meant.code && score >= least,
  );
  return isOther ? match : undefined;
}

function passedOver(text: string): string {
  return `"${text}" was passed over.`;
}

function notFound(text: string): string {
  return `"${text}" may be a street or a barangay.`;
}

const READ_TURNED = 'The text was read with the largest area first.';
const READ_MIXED = 'The text was read with its areas in an unusual order.';

/** Makes a decided result ambiguous. */
function undecided(match: Match): Match {
  return {
    ...NO_MATCH,
    match: 'ambiguous',
    score: match.score,
    candidates: match.candidates.slice(0, 1),
    needs: match.level,
  };
}

/** A guess at the columns of a text, and its leftover words. */
interface Guess {
  readonly fields: Fields;
  readonly rest: readonly Rest[];
  /** Words that a reading has left over, and that were added to a name of it. */
  readonly beside: readonly Rest[];
  /** The areas that the reading means without those. */
  readonly rows: readonly number[];
  /** Columns filled with words that no reading has used. */
  readonly added: readonly Column[];
}

interface Guessed {
  readonly match: Match;
  readonly over: number;
}

/** The result of a text in which some words are misspelled or name no area. */
function guess(index: NameIndex, all: readonly Reading[], given: Given): Match {
  const { text, columns, level } = given;
  const found: Guessed[] = [];
  const best = all[0]?.cost ?? 0;
  const read = all.filter(({ cost }) => cost <= best + RIVAL).slice(0, MAX_GUESSED);
  const parts = partsOf(text);
  if (parts.length === 1 && Object.keys(columns).length === 0) {
    const alone = guessAlone(index, text, level);
    if (alone.match !== 'none') return alone;
  }
  for (const it of read.flatMap(guessesOf)) found.push(guessed(index, it, given));
  // A text with a known city and an unknown barangay falls back to the city.
  if (!found.some(({ match }) => match.code !== null)) {
    for (const it of guessesOfParts(parts)) found.push(guessed(index, it, given));
  }
  const [first, ...others] = found.sort((a, b) => compareGuessed(b, a));
  if (!first) return atLevel(matchColumns(index, columns, { level }), level);
  const { match, over } = first;
  const rival = others.find((it) => isDecided(it.match) && it.match.code !== match.code && it.over <= over);
  if (!isDecided(match) || !rival || ownScore(rival.match) <= ownScore(match) - GAP) return match;
  return between(match, rival.match);
}

const MAX_GUESSED = 3;

/** Max groups of leftover words that columns are filled with, in pairs too: the last ones. */
const MAX_REST = 5;

/** A reading with its leftover words in empty columns, or beside its smallest area. */
function guessesOf(reading: Reading): Guess[] {
  const { fields, rest, whole, rows, isMarked: hasMark } = reading;
  const plain: Guess = { fields, rest, beside: [], rows, added: [] };
  const beside = rest.filter(({ isBeside }) => isBeside);
  if (beside.length === 0 || beside.some(({ text }) => JOINS.test(fold(text)))) return [plain, ...filledGuesses(plain)];
  const own = COLUMNS.findLast((it) => fields[it] !== undefined) as Column;
  const left = rest.filter(({ isBeside }) => !isBeside);
  const { [own]: _, ...parents } = fields;
  const longer: Guess[] = [{ fields: { ...parents, [own]: whole }, rest: left, beside, rows, added: [own] }];
  if (own === 'barangay' && fields.municity === undefined && !hasMark) {
    longer.push({ fields: { ...parents, municity: whole }, rest: left, beside, rows, added: ['municity'] });
  }
  return [plain, ...longer].flatMap((it) => [it, ...filledGuesses(it)]);
}

/** Guesses with leftover words in empty columns. */
function filledGuesses({ fields, rest, beside, rows, added }: Guess): Guess[] {
  const guesses: Guess[] = [];
  const put = (more: { readonly [column in Column]?: Rest }) => {
    const used = new Set(Object.values(more));
    const texts = Object.fromEntries(Object.entries(more).map(([column, it]) => [column, (it as Rest).text]));
    guesses.push({
      fields: { ...fields, ...texts },
      rest: rest.filter((it) => !used.has(it)),
      beside,
      rows,
      added: [...added, ...(Object.keys(more) as Column[])],
    });
  };
  const words = rest.filter(({ isStreet }) => !isStreet).slice(-MAX_REST);
  for (const it of words) {
    if (fields.barangay === undefined && fields.municity !== undefined) put({ barangay: it });
    if (fields.municity === undefined && !it.isMarked) put({ municity: it });
    if (fields.province === undefined && fields.municity !== undefined && !it.isMarked) {
      put({ province: it });
      if (fields.barangay !== undefined) continue;
      for (const other of words) if (other !== it) put({ barangay: other, province: it });
    }
    if (fields.barangay !== undefined || fields.municity !== undefined) continue;
    for (const other of words) if (other !== it && !it.isMarked) put({ barangay: other, municity: it });
  }
  return guesses;
}

/** Guesses for a text in which nothing is spelled right: its parts in the columns to which they may belong. */
function guessesOfParts(parts: readonly string[]): Guess[] {
  const guesses: Guess[] = [];
  const put = (columns: readonly Column[], texts: readonly string[]) => {
    const used = new Set(texts);
    const rest = parts
      .filter((it) => !used.has(it))
      .map((text) => ({
        text,
        isStreet: isStreet(text),
        isBehind: false,
        isMarked: isMarked(text),
        isBeside: false,
        isAttached: false,
      }));
    const fields = Object.fromEntries(columns.map((column, at) => [column, texts[at] as string]));
    guesses.push({ fields, rest, beside: [], rows: [], added: columns });
  };
  const [last, second, third] = parts.toReversed();
  if (last === undefined) return [];
  if (second !== undefined) {
    put(['barangay', 'municity'], [second, last]);
    put(['municity', 'province'], [second, last]);
  }
  if (second !== undefined && third !== undefined) put(['barangay', 'municity', 'province'], [third, second, last]);
  return guesses;
}

function guessed(index: NameIndex, guess: Guess, { text, columns, level }: Given): Guessed {
  const { fields, rest, beside, rows, added } = guess;
  const isGuess = fields.municity !== undefined;
  const match = atLevel(matchColumns(index, { ...fields, ...columns }, { level, isGuess }), level);
  const left = rest.filter(({ isStreet }) => !isStreet);
  const over = left.reduce((sum, { text }) => sum + text.length, 0);
  // A guess must agree with all that the text names, or its words are left over.
  const isContradicted = COLUMNS.some((column) => fields[column] !== undefined && match.matched[column] === undefined);
  const row = rowOf(index, match);
  if (!isDecided(match)) return { match: besideProvince(index, fields, match) ?? match, over };
  // The name of a town is no slip of that of a province.
  const others = [...left, ...beside].map((it) => it.text);
  if (added.includes('province')) others.push(fields.province as string);
  if (isContradicted || others.some((it) => namesElsewhere(index, it, row as number))) return { match: NO_MATCH, over };
  // Words that were added to a name must be as like a part of it, more so where it is the same without them.
  const least = rows.includes(row as number) ? LIKE_AS_A_WHOLE : LIKE_BARANGAY;
  if (beside.length > 0 && ownScore(match) < least) return { match: NO_MATCH, over };
  const twins = isMarked(text) && !isMarked(match.name ?? '') ? undefined : twinsOf(index, match, rest);
  if (twins) return { match: twins, over };
  // What stands beside a name belongs to it, so that another name may be meant.
  if (left.some((it) => it.isAttached && !namesIt(index, it.text, row as number)))
    return { match: undecided(match), over };
  if (added.includes('barangay') && match.level === 'barangay' && ownScore(match) < LIKE_BARANGAY) {
    return {
      match: { ...NO_MATCH, match: 'ambiguous', score: match.score, candidates: match.candidates, needs: 'barangay' },
      over,
    };
  }
  const doubted = added.includes('municity') ? besideRegion(index, fields, match) : undefined;
  if (doubted) return { match: doubted, over };
  const likely: Match = { ...match, match: 'likely', score: match.score * (1 - over / (2 * text.length)) };
  if (rest.length === 0) return { match: likely, over };
  const notes = [...match.notes, passedOver(rest.map((it) => it.text).join(', '))];
  if (over === 0 && isIn(match, fields) && !lacksMarked({ fields, rest })) return { match: { ...likely, notes }, over };
  // Words before a barangay and its city are a street or a house; other words are a place that was not found.
  const isFound = match.level === 'barangay' && isIn(match, fields);
  const isUnknown = left.some(({ isBehind, text }) => isBehind && /\p{L}{3}/u.test(text) && !ISLANDS.test(text));
  if (isFound && !isUnknown && !left.some(({ isMarked }) => isMarked)) return { match: { ...likely, notes }, over };
  const needs = match.level === 'municity' && !isUnknown ? 'barangay' : 'municity';
  const other: Match = { ...match, match: 'ambiguous', needs, notes };
  const isAlone = isUnknown && Object.keys(fields).length === 1;
  return { match: isAlone ? { ...other, code: null, level: null, name: null } : other, over };
}

/**
 * The ambiguous result of a misspelled name that stands beside a region alone, where it may be the name of a barangay as
 * well as that of the city that was found; undefined where the city is likely.
 */
function besideRegion(index: NameIndex, { municity, barangay, province }: Fields, match: Match): Match | undefined {
  if (match.level !== 'municity' || municity === undefined || barangay !== undefined || province !== undefined) return;
  if (typedName(index, municity, 'municity').says !== undefined) return;
  const region = index.ancestorAt(rowOf(index, match) as number, 'region');
  const name = typedName(index, municity, 'barangay');
  const like = findNear(index, name, findSame(index, name))
    .sorted()
    .filter(({ row, score }) => score > match.score - GAP_ALONE && index.ancestorAt(row, 'region') === region);
  const isLikely = match.score >= LIKE_IN_REGION && lettersOf(municity) >= LETTERS_ALONE && like.length === 0;
  if (isLikely) return;
  const { candidates } = unsure(index, like, {});
  const all = [...match.candidates, ...candidates].sort((a, b) => b.score - a.score).slice(0, MAX_CANDIDATES);
  return { ...NO_MATCH, match: 'ambiguous', score: match.score, candidates: all, needs: 'province' };
}

/** Whether anything besides a barangay's name supports a result. */
function isIn({ level }: Match, { municity, barangay }: Fields): boolean {
  return level !== 'barangay' || (municity !== undefined && barangay !== undefined);
}

/** Min likeness of words to a barangay if they may be something else. */
const LIKE_BARANGAY = 0.72;

/** Min likeness of a name to one that has a part of its words: `Scienc City of Muñoz`. A number is no such part. */
const LIKE_AS_A_WHOLE = 0.91;

/** Whether leftover words name a city, province or region in which an area does not lie. */
function namesElsewhere(index: NameIndex, text: string, row: number): boolean {
  const places = (['region', 'province', 'municity'] as const).flatMap((level) =>
    findSame(index, typedName(index, text, level)).sorted(),
  );
  return places.length > 0 && !places.some((it) => index.isIn(row, it.row)) && !hasLeft(index, text, row);
}

/** The ambiguous result of a text that names two barangays of a town; undefined for all others. */
function twinsOf(index: NameIndex, match: Match, rest: readonly Rest[]): Match | undefined {
  const row = rowOf(index, match) as number;
  const town = index.ancestorAt(row, 'municity');
  if (match.level !== 'barangay' || town === undefined) return undefined;
  const barangays = index.childrenOf('barangay', town);
  const others = rest
    .filter(({ isStreet }) => !isStreet)
    .flatMap(({ text }) => findSpelled(index, typedName(index, text, 'barangay'), barangays))
    .filter((it) => it.row !== row && it.kind < KIND.alias);
  if (others.length === 0) return undefined;
  const { code, level, name } = candidateOf(index, town, 1);
  return { ...between(match, unsure(index, others, {})), code, level, name, needs: 'barangay' };
}

/** Whether leftover words are a further name of an area or of what it lies in: `176-A Bagong Silang`. */
function namesIt(index: NameIndex, text: string, row: number): boolean {
  return COLUMNS.some((level) =>
    findSame(index, typedName(index, text, level))
      .sorted()
      .some((it) => index.isIn(row, it.row)),
  );
}

/** For a name without parents: min likeness, min distance to all others, and min length. */
const LIKE_ALONE = 0.86;
const LIKE_AT_ALL = 0.75;
/** Min likeness beside a region alone. */
const LIKE_IN_REGION = 0.8;
const GAP_ALONE = 0.12;
const LETTERS_ALONE = 6;

function lettersOf(text: string): number {
  return text.replace(/\P{L}/gu, '').length;
}

/** The result of a text that is one misspelled name; any other name that is nearly as similar may be meant. */
function guessAlone(index: NameIndex, text: string, level: NameLevel | undefined): Match {
  if (lettersOf(text) < LETTERS_ALONE) return NO_MATCH;
  const best = new Map<number, number>();
  for (const column of COLUMNS) {
    const name = typedName(index, text, column);
    const found = findNear(index, name, findSame(index, name));
    for (const { row, score } of found.sorted()) if (score >= LIKE_AT_ALL) best.set(row, score);
  }
  const all = [...best].map(([row, score]) => ({ row, score })).sort((a, b) => b.score - a.score || a.row - b.row);
  const [first, second] = all;
  if (!first) return NO_MATCH;
  const isSure = first.score >= LIKE_ALONE && first.score - (second?.score ?? 0) >= GAP_ALONE;
  // `Samar Island` is no slip of Samal Island: Samar is a province.
  const own = index.namesOf(first.row).flatMap(({ name }) => foldWords(name));
  const isOther = foldWords(text).some((word) => !own.includes(word) && isNameOf(index, word, 'province'));
  if (isSure && !isOther)
    return atLevel(matchColumns(index, { [columnOf(index.levelOf(first.row))]: text }, { level }), level);
  return unsure(index, all, { needs: 'province' });
}

const ISLANDS = /^\W*(?:luzon|visayas|mindanao)\W*$/i;

/** Required distance of another guess. */
const GAP = 0.1;

/** The likeness of a result's own name, which for a barangay is only a part of its score. */
function ownScore({ level, score }: Pick<Match, 'level' | 'score'>): number {
  return level === 'barangay' ? (score - (1 - OWN_SHARE)) / OWN_SHARE : score;
}

/** Comparator; above zero if `a` says more: by whether it decides, then leftover words, then likeness. */
function compareGuessed(a: Guessed, b: Guessed): number {
  const decided = Number(isDecided(a.match)) - Number(isDecided(b.match));
  const some = Number(a.match.match !== 'none') - Number(b.match.match !== 'none');
  const own = isDecided(a.match) ? ownScore(a.match) - ownScore(b.match) : 0;
  return decided || some || b.over - a.over || own || compareMatches(a.match, b.match);
}

/** An ambiguous result if a text is only the name of several areas; else undefined. */
function ofOneName(
  index: NameIndex,
  text: string,
  { level, levels }: { level: NameLevel | undefined; levels: readonly Column[] },
): Match | undefined {
  if (/[,;|/]/.test(text)) return undefined;
  const all = levels.flatMap((it) => (level === undefined || columnOf(level) === it ? sameNamed(index, text, it) : []));
  const plain = all.filter(({ kind }) => kind < KIND.alias);
  const candidates = plain.length > 0 ? plain : all;
  const [first] = candidates;
  // Without the word the name of a city is as well short for that of a province: `Surigao`.
  if (level === undefined && candidates.length === 1 && levels.includes('province'))
    candidates.push(...provincesThatBegin(index, text));
  // The name of a sub-municipality alone says no more than that of a barangay.
  const isDistrict = first !== undefined && index.levelOf(first.row) === 'submunicipality';
  if (candidates.length === 1 && isDistrict && level === undefined)
    candidates.push(...sameNamed(index, text, 'barangay'));
  if (candidates.length < 2) return undefined;
  const isOneLevel = candidates.every(
    ({ row }) => index.levelOf(row) === index.levelOf((candidates[0] as Candidate).row),
  );
  const needs = isOneLevel && !levels.includes('barangay') ? 'province' : 'municity';
  return unsure(
    index,
    candidates.map(({ row }) => ({ row, score: SAME_NAMED })),
    { needs },
  );
}

/** The provinces whose names begin with a text as with a word. */
function provincesThatBegin(index: NameIndex, text: string): Candidate[] {
  const begin = `${fold(text)} `;
  const { first, end } = index.source.rowsOf('province');
  const rows = Array.from({ length: end - first }, (_, i) => first + i);
  return rows
    .filter((row) => fold(index.source.nameOf(row)).startsWith(begin))
    .map((row) => ({ row, kind: KIND.part, how: 'part', score: SAME_NAMED }));
}

/** The score of each of several areas of one name. */
const SAME_NAMED = 0.98;

/** The areas of a level that have a text as their name today, cities first. */
function sameNamed(index: NameIndex, text: string, level: Column): Candidate[] {
  const found = findSame(index, typedName(index, text, level))
    .sorted()
    .filter(({ kind, score }) => kind < KIND.former && score === 1);
  const isTown = ({ row }: Candidate) => Number(!/\bcity\b/i.test(index.source.nameOf(row)));
  return found.sort((a, b) => isTown(a) - isTown(b));
}
