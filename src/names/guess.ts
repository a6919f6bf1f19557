import { ownScore } from './barangay-column.ts';
import { matchColumns } from './columns.ts';
import { typedName } from './compare.ts';
import { letterCount, UNSUPPORTED_LIMITS } from './decide.ts';
import { namesElsewhere, namesIt } from './explain.ts';
import { findNear, findSame, findSpelled, isNameOf } from './find.ts';
import { fold, foldWords } from './fold.ts';
import { JOINS, KIND } from './forms.ts';
import { type Leftover, lacksMarked, MAX_RIVAL_COST, type Reading } from './free-text.ts';
import type { NameIndex } from './index.ts';
import { findPlaces } from './parents.ts';
import {
  ambiguous,
  areaOf,
  between,
  candidateOf,
  compareMatches,
  type Fields,
  isDecided,
  MAX_CANDIDATES,
  type Match,
  madeAmbiguous,
  NO_MATCH,
  passedOver,
  requireLevel,
} from './result.ts';
import { COLUMNS, type Column, columnOf, type NameLevel } from './source.ts';
import { ISLANDS, isMarked, isNumber, isStreet, partsOf } from './text-words.ts';

/** A text and the columns beside it. */
export interface GivenText {
  readonly text: string;
  /** Fields beside the text. */
  readonly columns: Fields;
  readonly level?: NameLevel | undefined;
  /** The area of the columns; readings that contradict it are dropped. */
  readonly within?: number | undefined;
}

/** A guess at the columns of a text, and its leftover words. */
interface Guess {
  readonly fields: Fields;
  readonly leftover: readonly Leftover[];
  /** Words that a reading has left over, and that were added to a name of it. */
  readonly beside: readonly Leftover[];
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
export function guess(index: NameIndex, all: readonly Reading[], given: GivenText): Match {
  const { text, columns, level } = given;
  const found: Guessed[] = [];
  const best = all[0]?.cost ?? 0;
  const read = all.filter(({ cost }) => cost <= best + MAX_RIVAL_COST).slice(0, MAX_GUESSED);
  const parts = partsOf(text);
  if (parts.length === 1 && Object.keys(columns).length === 0) {
    const alone = guessAlone(index, text, level);
    if (alone.match !== 'none') return alone;
  }
  const guesses = read.flatMap(guessesOf).filter((it) => !isProvinceBehind(it, read));
  for (const it of guesses) found.push(guessed(index, it, given));
  // A text with a known city and an unknown barangay falls back to the city.
  if (!found.some(({ match }) => match.code !== null)) {
    for (const it of guessesOfParts(parts)) found.push(guessed(index, it, given));
  }
  const [first, ...others] = found.sort((a, b) => compareGuessed(b, a));
  if (!first) return requireLevel(matchColumns(index, columns, { level }), level);
  const { match, over } = first;
  const rival = others.find((it) => isDecided(it.match) && it.match.code !== match.code && it.over <= over);
  if (!isDecided(match) || !rival || ownScore(rival.match) <= ownScore(match) - GAP) return match;
  return between(match, rival.match);
}

const MAX_GUESSED = 3;

/** Max groups of leftover words that columns are filled with, in pairs too: the last ones. */
const MAX_REST = 5;

/**
 * Whether a guess has the last words for a barangay alone that another reading has for a province, which may stand alone behind what
 * was not found: `Clark Freeport Zone, Pampanga`.
 */
function isProvinceBehind({ fields, leftover }: Guess, read: readonly Reading[]): boolean {
  const { barangay, ...parents } = fields;
  if (barangay === undefined || Object.keys(parents).length > 0 || leftover.some(({ isAfterNames }) => isAfterNames))
    return false;
  return read.some((it) => it.fields.province === barangay && Object.keys(it.fields).length === 1);
}

/** A reading with its leftover words in empty columns, or beside its smallest area. */
function guessesOf(reading: Reading): Guess[] {
  const { fields, leftover, fullName, rows, hasMarker } = reading;
  const plain: Guess = { fields, leftover, beside: [], rows, added: [] };
  const beside = leftover.filter(({ isInFullName }) => isInFullName);
  const own = COLUMNS.findLast((it) => fields[it] !== undefined) as Column;
  // What is marked as a barangay's name is no part of a city's: `Brgy 1400 Caloocan City`.
  const isOther = ({ text, followsMarker }: Leftover) =>
    JOINS.test(fold(text)) || (followsMarker && own !== 'barangay');
  if (beside.length === 0 || beside.some(isOther)) return [plain, ...filledGuesses(plain)];
  const left = leftover.filter(({ isInFullName }) => !isInFullName);
  const { [own]: _, ...parents } = fields;
  const longer: Guess[] = [{ fields: { ...parents, [own]: fullName }, leftover: left, beside, rows, added: [own] }];
  if (own === 'barangay' && fields.municity === undefined && !hasMarker) {
    longer.push({ fields: { ...parents, municity: fullName }, leftover: left, beside, rows, added: ['municity'] });
  }
  return [plain, ...longer].flatMap((it) => [it, ...filledGuesses(it)]);
}

/** Guesses with leftover words in empty columns. */
function filledGuesses({ fields, leftover, beside, rows, added }: Guess): Guess[] {
  const guesses: Guess[] = [];
  const put = (more: { readonly [column in Column]?: Leftover }) => {
    const used = new Set(Object.values(more));
    const texts = Object.fromEntries(Object.entries(more).map(([column, it]) => [column, (it as Leftover).text]));
    guesses.push({
      fields: { ...fields, ...texts },
      leftover: leftover.filter((it) => !used.has(it)),
      beside,
      rows,
      added: [...added, ...(Object.keys(more) as Column[])],
    });
  };
  const words = leftover.filter(({ isStreet }) => !isStreet).slice(-MAX_REST);
  for (const it of words) {
    // `Sampaloc 4` is no barangay 4 of another sub-municipality.
    const isBare = isNumber(fold(it.text)) && !it.followsMarker && it.touchesName;
    if (fields.barangay === undefined && fields.municity !== undefined && !isBare) put({ barangay: it });
    if (fields.municity === undefined && !it.followsMarker) put({ municity: it });
    if (fields.province === undefined && fields.municity !== undefined && !it.followsMarker) {
      put({ province: it });
      if (fields.barangay !== undefined) continue;
      for (const other of words) if (other !== it) put({ barangay: other, province: it });
    }
    if (fields.barangay !== undefined || fields.municity !== undefined) continue;
    for (const other of words) if (other !== it && !it.followsMarker) put({ barangay: other, municity: it });
  }
  return guesses;
}

/** Guesses for a text in which nothing is spelled right: its parts in the columns to which they may belong. */
function guessesOfParts(parts: readonly string[]): Guess[] {
  const guesses: Guess[] = [];
  const put = (columns: readonly Column[], texts: readonly string[]) => {
    const used = new Set(texts);
    const leftover = parts
      .filter((it) => !used.has(it))
      .map((text) => ({
        text,
        isStreet: isStreet(text),
        isAfterNames: false,
        followsMarker: isMarked(text),
        isInFullName: false,
        touchesName: false,
      }));
    const fields = Object.fromEntries(columns.map((column, at) => [column, texts[at] as string]));
    guesses.push({ fields, leftover, beside: [], rows: [], added: columns });
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

function guessed(index: NameIndex, guess: Guess, { text, columns, level }: GivenText): Guessed {
  const { fields, leftover, beside, rows, added } = guess;
  const isGuess = fields.municity !== undefined;
  const match = requireLevel(matchColumns(index, { ...fields, ...columns }, { level, isGuess }), level);
  const left = leftover.filter(({ isStreet }) => !isStreet);
  const over = left.reduce((sum, { text }) => sum + text.length, 0);
  // A guess must agree with all that the text names, or its words are left over.
  const isContradicted = COLUMNS.some((column) => fields[column] !== undefined && match.matched[column] === undefined);
  const area = areaOf(index, match);
  if (!isDecided(match)) return { match: besideProvince(index, fields, match) ?? match, over };
  // The name of a town is no slip of that of a province.
  const others = [...left, ...beside].map((it) => it.text);
  if (added.includes('province')) {
    const { province = '', municity = '' } = fields;
    others.push(province);
    // Before a town stands a barangay, be it another town's: `Caagaman, Ballesteros` names no Cagayan.
    const isBefore = text.indexOf(province) < text.indexOf(municity);
    if (isBefore && isNameOf(index, province, 'barangay')) return { match: NO_MATCH, over };
  }
  if (isContradicted || others.some((it) => namesElsewhere(index, it, area as number)))
    return { match: NO_MATCH, over };
  // Words that were added to a name must be as like a part of it, more so where it is the same without them.
  const least = rows.includes(area as number) ? LIKE_AS_A_WHOLE : LIKE_BARANGAY;
  if (beside.length > 0 && ownScore(match) < least) return { match: NO_MATCH, over };
  const twins = isMarked(text) && !isMarked(match.name ?? '') ? undefined : twinsOf(index, match, leftover);
  if (twins) return { match: twins, over };
  // What stands beside a name belongs to it, so that another name may be meant.
  if (left.some((it) => it.touchesName && !namesIt(index, it.text, area as number)))
    return { match: madeAmbiguous(match), over };
  if (added.includes('barangay') && match.level === 'barangay' && ownScore(match) < LIKE_BARANGAY) {
    return { match: madeAmbiguous(match, { candidates: match.candidates, needs: 'barangay' }), over };
  }
  // `Brgys 1 and 2` are two.
  const isSecond = left.some((it) => JOINS.test(fold(it.text))) && left.some((it) => /\d/.test(it.text));
  if (isSecond && match.level === 'barangay') return { match: madeAmbiguous(match), over };
  const isOfAnyLevel = level === undefined || level === 'barangay';
  const doubted = added.includes('municity')
    ? (besideRegion(index, fields, match) ?? (isOfAnyLevel ? nearerBarangays(index, fields, match) : undefined))
    : undefined;
  if (doubted) return { match: doubted, over };
  const likely: Match = { ...match, match: 'likely', score: match.score * (1 - over / (2 * text.length)) };
  if (leftover.length === 0) return { match: likely, over };
  const notes = [...match.notes, passedOver(leftover.map((it) => it.text).join(', '))];
  if (over === 0 && isIn(match, fields) && !lacksMarked({ fields, leftover }))
    return { match: { ...likely, notes }, over };
  // Words before a barangay and its city are a street or a house; other words are a place that was not found.
  const isFound = match.level === 'barangay' && isIn(match, fields);
  const isUnknown = left.some(
    ({ isAfterNames, text }) => isAfterNames && /\p{L}{3}/u.test(text) && !ISLANDS.test(text),
  );
  const town = isFound && left.length > 0 ? townInProvince(index, fields) : undefined;
  if (town) return { match: between(town, match), over };
  // A misspelled town may stand before the province, which has the name of another town: `Del Pilar, Plardel, Bulacan`.
  const isBetween = ({ text: it }: Leftover) => text.indexOf(it) > text.indexOf(fields.barangay ?? '');
  const isProvince = fields.province === undefined && isNameOf(index, fields.municity ?? '', 'province');
  if (isFound && isProvince && left.some(isBetween)) return { match: madeAmbiguous(match), over };
  if (isFound && !isUnknown && !left.some(({ followsMarker }) => followsMarker))
    return { match: { ...likely, notes }, over };
  const needs = match.level === 'municity' && !isUnknown ? 'barangay' : 'municity';
  const other: Match = { ...match, match: 'ambiguous', needs, notes };
  const isAlone = isUnknown && Object.keys(fields).length === 1;
  return { match: isAlone ? { ...other, code: null, level: null, name: null } : other, over };
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

/**
 * The towns that a barangay's name is, where the name of its town is that of a province: behind a word that was not found,
 * `San Agustin, Isabela` is the town rather than a barangay of a town Isabela elsewhere.
 */
export function townInProvince(index: NameIndex, { barangay, municity, ...others }: Fields): Match | undefined {
  if (barangay === undefined || municity === undefined || Object.keys(others).length > 0) return undefined;
  if (!isNameOf(index, barangay, 'municity') || !isNameOf(index, municity, 'province')) return undefined;
  return matchColumns(index, { municity: barangay, province: municity }, { isGuess: true, isStrict: true });
}

/**
 * The ambiguous result of a misspelled name that stands beside a region alone, where it may be the name of a barangay as
 * well as that of the city that was found; undefined where the city is likely.
 */
function besideRegion(index: NameIndex, { municity, barangay, province }: Fields, match: Match): Match | undefined {
  if (match.level !== 'municity' || municity === undefined || barangay !== undefined || province !== undefined) return;
  if (typedName(index, municity, 'municity').placeType !== undefined) return;
  const region = index.ancestorAt(areaOf(index, match) as number, 'region');
  const name = typedName(index, municity, 'barangay');
  const like = findNear(index, name, findSame(index, name))
    .sorted()
    .filter(
      ({ row, score }) => score > match.score - UNSUPPORTED_LIMITS.gap && index.ancestorAt(row, 'region') === region,
    );
  const isLikely =
    match.score >= LIKE_IN_REGION && letterCount(municity) >= UNSUPPORTED_LIMITS.letters && like.length === 0;
  if (isLikely) return;
  const { candidates } = ambiguous(index, like, {});
  const all = [...match.candidates, ...candidates].sort((a, b) => b.score - a.score).slice(0, MAX_CANDIDATES);
  return madeAmbiguous(match, { candidates: all, needs: 'province' });
}

/** Scores of results are rounded. */
const ROUNDED = 0.001;

/**
 * The ambiguous result of a misspelled name beside a province that is more like the name of a barangay there than that of the
 * town that was found: `Catalian, Samar`. Undefined where no barangay is.
 */
function nearerBarangays(index: NameIndex, { municity, barangay, province }: Fields, match: Match): Match | undefined {
  if (match.level !== 'municity' || municity === undefined || barangay !== undefined || province === undefined) return;
  if (typedName(index, municity, 'municity').placeType !== undefined) return;
  const town = areaOf(index, match) as number;
  const name = typedName(index, municity, 'barangay');
  const places = findPlaces(index, province, 'province');
  const nearer = findNear(index, name, findSame(index, name))
    .sorted()
    .filter(({ row, score }) => score > match.score + ROUNDED && places.some((place) => index.isIn(row, place.row)));
  if (nearer.length === 0) return;
  const all = [...nearer.slice(0, MAX_CANDIDATES - 1), { row: town, score: match.score }];
  return ambiguous(index, all, { needs: 'municity', notes: match.notes });
}

/** Whether anything besides a barangay's name supports a result. */
function isIn({ level }: Match, { municity, barangay }: Fields): boolean {
  return level !== 'barangay' || (municity !== undefined && barangay !== undefined);
}

/** Min likeness of words to a barangay if they may be something else. */
export const LIKE_BARANGAY = 0.72;

/** Min likeness of a name to one that has a part of its words: `Scienc City of Muñoz`. A number is no such part. */
const LIKE_AS_A_WHOLE = 0.91;

/** The ambiguous result of a text that names two barangays of a town; undefined for all others. */
function twinsOf(index: NameIndex, match: Match, leftover: readonly Leftover[]): Match | undefined {
  const area = areaOf(index, match) as number;
  const town = index.ancestorAt(area, 'municity');
  if (match.level !== 'barangay' || town === undefined) return undefined;
  const barangays = index.childrenOf('barangay', town);
  const others = leftover
    .filter(({ isStreet }) => !isStreet)
    .flatMap(({ text }) => findSpelled(index, typedName(index, text, 'barangay'), barangays))
    .filter((it) => it.row !== area && it.kind < KIND.alias);
  if (others.length === 0) return undefined;
  const { code, level, name } = candidateOf(index, town, 1);
  return { ...between(match, ambiguous(index, others, {})), code, level, name, needs: 'barangay' };
}

/** Min likeness of a candidate for a name without parents. */
export const LIKE_AT_ALL = 0.75;
/** Min likeness beside a region alone. */
const LIKE_IN_REGION = 0.8;

/** The result of a text that is one misspelled name; any other name that is nearly as similar may be meant. */
function guessAlone(index: NameIndex, text: string, level: NameLevel | undefined): Match {
  if (letterCount(text) < UNSUPPORTED_LIMITS.letters) return NO_MATCH;
  const best = new Map<number, number>();
  for (const column of COLUMNS) {
    const name = typedName(index, text, column);
    const found = findNear(index, name, findSame(index, name));
    for (const { row, score } of found.sorted()) if (score >= LIKE_AT_ALL) best.set(row, score);
  }
  const all = [...best].map(([row, score]) => ({ row, score })).sort((a, b) => b.score - a.score || a.row - b.row);
  const [first, second] = all;
  if (!first) return NO_MATCH;
  const isSure = first.score >= UNSUPPORTED_LIMITS.like && first.score - (second?.score ?? 0) >= UNSUPPORTED_LIMITS.gap;
  // `Samar Island` is no slip of Samal Island: Samar is a province.
  const own = index.namesOf(first.row).flatMap(({ name }) => foldWords(name));
  const isOther = foldWords(text).some((word) => !own.includes(word) && isNameOf(index, word, 'province'));
  if (isSure && !isOther)
    return requireLevel(matchColumns(index, { [columnOf(index.levelOf(first.row))]: text }, { level }), level);
  return ambiguous(index, all, { needs: 'province' });
}

/** Required distance of another guess. */
const GAP = 0.1;

/** Comparator; above zero if `a` says more: by whether it decides, then leftover words, then likeness. */
function compareGuessed(a: Guessed, b: Guessed): number {
  const decided = Number(isDecided(a.match)) - Number(isDecided(b.match));
  const some = Number(a.match.match !== 'none') - Number(b.match.match !== 'none');
  const own = isDecided(a.match) ? ownScore(a.match) - ownScore(b.match) : 0;
  return decided || some || b.over - a.over || own || compareMatches(a.match, b.match);
}
