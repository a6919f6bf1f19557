import { isAbroad } from './abroad.ts';
import { liesIn, matchColumns, OWN_SHARE } from './columns.ts';
import { type Candidate, typedName } from './compare.ts';
import { explained, hasLeft } from './explain.ts';
import { findNear, findSame, isNameOf } from './find.ts';
import { KIND } from './forms.ts';
import { isWhole, type Reading, type Rest, readings } from './free-text.ts';
import type { NameIndex } from './index.ts';
import {
  atLevel,
  compareMatches,
  type Fields,
  isDecided,
  isFiner,
  type Match,
  NO_MATCH,
  rowOf,
  unsure,
  weakened,
} from './result.ts';
import { COLUMNS, type Column, columnOf, type NameLevel } from './source.ts';
import { isMarked, isStreet, partsOf } from './text-words.ts';

/** A text to be read, and the columns beside it. */
interface Given {
  readonly text: string;
  /** What the text doesn't say. */
  readonly columns: Fields;
  readonly level?: NameLevel | undefined;
  /** The area that the columns mean: a reading that contradicts them is none. */
  readonly within?: number | undefined;
}

/** How much more may speak against a second reading that is as good as the first. */
const RIVAL = 0.32;

/** The same of one that keeps the first from being exact. */
const OTHER = 0.6;

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
  if (spelled && isDecided(spelled)) return isAlone && isAbroad(text) ? undecided(spelled) : spelled;
  const barangays = isAlone ? ofOneName(index, text, { level: undefined, levels: ['barangay'] }) : undefined;
  if (barangays && !isNameOf(index, text, 'municity')) return barangays;
  return spelled && spelled.match !== 'none' ? spelled : guess(index, all, given);
}

/** The readings that name an area of the level that is wanted or of a finer one, if there are any. */
function wanted(index: NameIndex, all: readonly Reading[], level: NameLevel | undefined): readonly Reading[] {
  if (level === undefined) return all;
  const whole = all.filter(isWhole);
  const levelOf = ({ rows }: Reading) => index.levelOf(rows[0] as number);
  const same = whole.filter((it) => levelOf(it) === level);
  const fitting = same.length > 0 ? same : whole.filter((it) => isFiner(levelOf(it), level));
  return fitting.length > 0 ? fitting : all;
}

/** Whether what a text says of a level contradicts what the columns beside it mean. */
function contradicted(index: NameIndex, { fields }: Reading, { columns, within }: Given): boolean {
  if (within === undefined) return false;
  const overlap = COLUMNS.flatMap((it) => (columns[it] !== undefined && fields[it] ? [[it, fields[it]]] : []));
  return explained(index, Object.fromEntries(overlap), within).notes.length > 0;
}

/** Whether a text says that it names a barangay which a reading doesn't take. */
function lacksMarked({ fields, rest }: Pick<Reading, 'fields' | 'rest'>): boolean {
  return fields.barangay === undefined && rest.some(({ isMarked }) => isMarked);
}

/** The result of a text all of whose words but those of a street are spelled right. */
function spelledRight(index: NameIndex, all: readonly [Reading, ...Reading[]], { columns, level }: Given): Match {
  const [best] = all;
  const resultOf = ({ fields }: Reading) => {
    // A barangay of which no city is named is looked for everywhere.
    const isGuess = fields.barangay === undefined || fields.municity !== undefined;
    return atLevel(matchColumns(index, { ...fields, ...columns }, { level, isGuess, isStrict: isGuess }), level);
  };
  const match = resultOf(best);
  if (!isDecided(match)) {
    // What is not decided falls back to its city.
    const { barangay, municity } = best.fields;
    const fallen = barangay !== undefined && municity !== undefined && match.match !== 'none';
    return fallen
      ? atLevel(matchColumns(index, { ...best.fields, ...columns }, { level, isGuess: true }), level)
      : match;
  }
  const own = rowOf(index, match) as number;
  // A municipality of the name of its province is no province that is named twice.
  const isOther = (row: number) => row !== own && (match.level === 'barangay' || !index.isIn(own, row));
  const others = all.filter((it) => isWhole(it) && it.cost <= best.cost + OTHER && it.rows.some(isOther));
  const rival = others.find((it) => it !== best && it.cost <= best.cost + RIVAL);
  const second = rival && resultOf(rival);
  if (second && second.candidates.length > 0 && second.code !== match.code) return between(match, second);
  const like = likeTown(index, best.fields, own);
  if (like) return between(match, like);
  const street = best.rest.flatMap(({ text, isStreet }) => (isStreet ? [text] : [])).join(', ');
  if (match.level === 'municity' && street !== '') {
    // Some barangays are called as streets are, and may be spelled wrong.
    const likeStreet = matchColumns(index, { ...best.fields, barangay: street }, { isGuess: true });
    const { candidates } = likeStreet;
    if (candidates.some((it) => it.level === 'barangay' && ownScore(it) >= LIKE_BARANGAY)) {
      return { ...match, match: 'ambiguous', candidates, needs: 'barangay', notes: [...match.notes, notFound(street)] };
    }
  }
  const { district } = best;
  const said = district && liesIn(index, district.text, district.row);
  const notes = [
    ...match.notes,
    ...(said !== undefined && !match.notes.includes(said) ? [said] : []),
    ...(street === '' ? [] : [`"${street}" was passed over.`]),
  ];
  if (!best.isInOrder)
    return {
      ...weakened(match, best.isTurned ? READ_TURNED : READ_MIXED),
      notes: [...notes, best.isTurned ? READ_TURNED : READ_MIXED],
    };
  return street === '' && !district && others.length === 0 ? match : { ...match, match: 'likely', notes };
}

/** A result that leaves the choice between two. */
function between(match: Match, other: Match): Match {
  const candidates = [...match.candidates.slice(0, 3), ...other.candidates.slice(0, 2)];
  return { ...NO_MATCH, match: 'ambiguous', score: match.score, candidates, needs: 'municity' };
}

/** A municipality that a barangay is nearly called like of which only the province is named: `Tabang, Leyte`. */
function likeTown(index: NameIndex, { barangay, municity, ...parents }: Fields, own: number): Match | undefined {
  if (barangay === undefined || municity !== undefined || Object.keys(parents).length === 0) return undefined;
  const match = matchColumns(index, { ...parents, municity: barangay }, { isGuess: true });
  // One letter is much of a short name.
  const least = barangay.length < LETTERS_ALONE ? LIKE_AT_ALL : LIKE_ALONE;
  const isLike = isDecided(match) && match.score >= least && !index.isIn(own, rowOf(index, match) as number);
  return isLike ? match : undefined;
}

function notFound(text: string): string {
  return `"${text}" may be a street or a barangay.`;
}

const READ_TURNED = 'The text was read with the largest area first.';
const READ_MIXED = 'The text was read with its areas in an unusual order.';

/** A decided result that leaves the choice after all. */
function undecided(match: Match): Match {
  return {
    ...NO_MATCH,
    match: 'ambiguous',
    score: match.score,
    candidates: match.candidates.slice(0, 1),
    needs: match.level,
  };
}

/** What may be meant by the words of a text, and which of them are left over. */
interface Guess {
  readonly fields: Fields;
  readonly rest: readonly Rest[];
  /** The columns that were filled with words that no reading has taken. */
  readonly added: readonly Column[];
}

interface Guessed {
  readonly match: Match;
  readonly over: number;
}

/** The result of a text of which some words are spelled wrong or name no area. */
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
  // A city that is known is what a text falls back to whose barangay is not.
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

/** A reading with the words that it leaves over in the columns that it leaves empty, or beside its smallest area. */
function guessesOf(reading: Reading): Guess[] {
  const { fields, rest, whole } = reading;
  const plain: Guess = { fields, rest, added: [] };
  if (!rest.some(({ isBeside }) => isBeside)) return [plain, ...filledGuesses(plain)];
  const own = COLUMNS.findLast((it) => fields[it] !== undefined) as Column;
  const left = rest.filter(({ isBeside }) => !isBeside);
  const { [own]: _, ...parents } = fields;
  const longer: Guess[] = [{ fields: { ...parents, [own]: whole }, rest: left, added: [own] }];
  if (own === 'barangay' && fields.municity === undefined) {
    longer.push({ fields: { ...parents, municity: whole }, rest: left, added: ['municity'] });
  }
  return [plain, ...longer].flatMap((it) => [it, ...filledGuesses(it)]);
}

/** The same with words that are left over in columns that are empty. */
function filledGuesses({ fields, rest, added }: Guess): Guess[] {
  const guesses: Guess[] = [];
  const put = (more: { readonly [column in Column]?: Rest }) => {
    const used = new Set(Object.values(more));
    const texts = Object.fromEntries(Object.entries(more).map(([column, it]) => [column, (it as Rest).text]));
    guesses.push({
      fields: { ...fields, ...texts },
      rest: rest.filter((it) => !used.has(it)),
      added: [...added, ...(Object.keys(more) as Column[])],
    });
  };
  const words = rest.filter(({ isStreet }) => !isStreet);
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

/** The parts of a text in which nothing is spelled right, in the columns in which they may belong. */
function guessesOfParts(parts: readonly string[]): Guess[] {
  const guesses: Guess[] = [];
  const put = (columns: readonly Column[], texts: readonly string[]) => {
    const used = new Set(texts);
    const rest = parts
      .filter((it) => !used.has(it))
      .map((text) => ({ text, isStreet: isStreet(text), isBehind: false, isMarked: isMarked(text), isBeside: false }));
    const fields = Object.fromEntries(columns.map((column, at) => [column, texts[at] as string]));
    guesses.push({ fields, rest, added: columns });
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

function guessed(index: NameIndex, { fields, rest, added }: Guess, { text, columns, level }: Given): Guessed {
  const isGuess = fields.municity !== undefined;
  const match = atLevel(matchColumns(index, { ...fields, ...columns }, { level, isGuess }), level);
  const left = rest.filter(({ isStreet }) => !isStreet);
  const over = left.reduce((sum, { text }) => sum + text.length, 0);
  // What is put into a column has to agree with the others, or it is left over.
  const isContradicted = added.some((column) => fields[column] !== undefined && match.matched[column] === undefined);
  const row = rowOf(index, match);
  if (isDecided(match) && (isContradicted || left.some(({ text }) => isStray(index, text, row as number)))) {
    return { match: NO_MATCH, over };
  }
  if (!isDecided(match)) return { match, over };
  if (added.includes('barangay') && match.level === 'barangay' && ownScore(match) < LIKE_BARANGAY) {
    return {
      match: { ...NO_MATCH, match: 'ambiguous', score: match.score, candidates: match.candidates, needs: 'barangay' },
      over,
    };
  }
  const likely: Match = { ...match, match: 'likely', score: match.score * (1 - over / (2 * text.length)) };
  if (rest.length === 0) return { match: likely, over };
  const notes = [...match.notes, `"${rest.map(({ text }) => text).join(', ')}" was passed over.`];
  if (over === 0 && isIn(match, fields) && !lacksMarked({ fields, rest })) return { match: { ...likely, notes }, over };
  // What stands before a barangay and its city is a street or a house; other words are a place that was not found.
  const isKnown = match.level === 'barangay' && isIn(match, fields);
  const isUnknown = left.some(({ isBehind, text }) => isBehind && /\p{L}{3}/u.test(text) && !ISLANDS.test(text));
  if (isKnown && !isUnknown && !left.some(({ isMarked }) => isMarked)) return { match: { ...likely, notes }, over };
  const needs = match.level === 'municity' && !isUnknown ? 'barangay' : 'municity';
  const other: Match = { ...match, match: 'ambiguous', needs, notes };
  const isAlone = isUnknown && Object.keys(fields).length === 1;
  return { match: isAlone ? { ...other, code: null, level: null, name: null } : other, over };
}

/** Whether a result has something else than the name of a barangay that speaks for it. */
function isIn({ level }: Match, { municity, barangay }: Fields): boolean {
  return level !== 'barangay' || (municity !== undefined && barangay !== undefined);
}

/** How like a barangay words have to be that may as well be something else. */
const LIKE_BARANGAY = 0.72;

/** Whether words that are left over name a city, province or region that an area does not lie in. */
function isStray(index: NameIndex, text: string, row: number): boolean {
  const places = (['region', 'province', 'municity'] as const).flatMap((level) =>
    findSame(index, typedName(index, text, level)).sorted(),
  );
  return places.length > 0 && !places.some((it) => index.isIn(row, it.row)) && !hasLeft(index, text, row);
}

/** How like a name has to be of which nothing else is known, how much more than all others, and how long it has to be. */
const LIKE_ALONE = 0.86;
const LIKE_AT_ALL = 0.75;
const GAP_ALONE = 0.12;
const LETTERS_ALONE = 6;

/** The result of a text that is one name with slips in it: any other name that is nearly as like may be meant. */
function guessAlone(index: NameIndex, text: string, level: NameLevel | undefined): Match {
  if (text.replace(/\P{L}/gu, '').length < LETTERS_ALONE) return NO_MATCH;
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
  if (isSure) return atLevel(matchColumns(index, { [columnOf(index.levelOf(first.row))]: text }, { level }), level);
  return unsure(index, all, { needs: 'province' });
}

const ISLANDS = /^\W*(?:luzon|visayas|mindanao)\W*$/i;

/** How much less like its name another guess has to be. */
const GAP = 0.1;

/** The likeness of a result's own name: that of a barangay's is a part of its score. */
function ownScore({ level, score }: Pick<Match, 'level' | 'score'>): number {
  return level === 'barangay' ? (score - (1 - OWN_SHARE)) / OWN_SHARE : score;
}

/** Above zero where one guess says more than another: whether it decides, what it leaves over, then how like it is. */
function compareGuessed(a: Guessed, b: Guessed): number {
  const decided = Number(isDecided(a.match)) - Number(isDecided(b.match));
  const some = Number(a.match.match !== 'none') - Number(b.match.match !== 'none');
  const own = isDecided(a.match) ? ownScore(a.match) - ownScore(b.match) : 0;
  return decided || some || b.over - a.over || own || compareMatches(a.match, b.match);
}

/** A result that leaves the choice where a text is nothing but the name of several areas; undefined where it is not. */
function ofOneName(
  index: NameIndex,
  text: string,
  { level, levels }: { level: NameLevel | undefined; levels: readonly Column[] },
): Match | undefined {
  if (/[,;|/]/.test(text)) return undefined;
  const all = levels.flatMap((it) => (level === undefined || columnOf(level) === it ? sameNamed(index, text, it) : []));
  const plain = all.filter(({ kind }) => kind < KIND.alias);
  const kept = plain.length > 0 ? plain : all;
  const [first] = kept;
  // The name of a sub-municipality alone says no more than that of a barangay.
  const isDistrict = first !== undefined && index.levelOf(first.row) === 'submunicipality';
  if (kept.length === 1 && isDistrict && level === undefined) kept.push(...sameNamed(index, text, 'barangay'));
  if (kept.length < 2) return undefined;
  const isOneLevel = kept.every(({ row }) => index.levelOf(row) === index.levelOf((kept[0] as Candidate).row));
  const needs = isOneLevel && !levels.includes('barangay') ? 'province' : 'municity';
  return unsure(
    index,
    kept.map(({ row }) => ({ row, score: SAME_NAMED })),
    { needs },
  );
}

/** The score of each of several areas of one name. */
const SAME_NAMED = 0.98;

/** The areas of a level that a text is the name of today, cities first. */
function sameNamed(index: NameIndex, text: string, level: Column): Candidate[] {
  const found = findSame(index, typedName(index, text, level))
    .sorted()
    .filter(({ kind, score }) => kind < KIND.former && score === 1);
  const isTown = ({ row }: Candidate) => Number(!/\bcity\b/i.test(index.source.nameOf(row)));
  return found.sort((a, b) => isTown(a) - isTown(b));
}
