import { codeIn, matchCode, namesOfCode } from './codes.ts';
import { matchColumns, OWN_SHARE } from './columns.ts';
import { explained, hasLeft } from './explain.ts';
import { isNameOf } from './find.ts';
import { fold, unescaped } from './fold.ts';
import { cutParentheses } from './forms.ts';
import { isStreet, Reader, type Reading } from './free-text.ts';
import type { NameIndex } from './index.ts';
import { compareMatches, type Field, type Fields, isDecided, LEVEL_ORDER, type Match, NO_MATCH } from './result.ts';
import type { NameLevel } from './source.ts';

/** A row of a list. Columns may be missing, empty, wrong, or hold PSGC codes of ten or nine digits. */
export type MatchInput = { readonly [field in Field]?: string | null | undefined };

/** What is filled in where there is nothing. */
const BLANK =
  /^\(?(?:[-–—.]*|n\/?a|null|none|nan|nil|undefined|unknown|#n\/a|blank|not (?:available|specified|applicable|stated|indicated))\)?$/i;

/** What a result is worth that needed another reading than the columns as they stand. */
const REARRANGED = 0.95;

/** The most characters of a cell that are read. */
const MOST_CHARACTERS = 300;

/**
 * Finds the area that a row of a list means.
 *
 * @param level the level that is wanted; by default that of the finest column which is filled
 */
export function matchRow(index: NameIndex, row: MatchInput, level?: NameLevel): Match {
  const fields = filledFields(row);
  const byCode = matchCode(index, fields, level);
  if (byCode) return besideCode(index, fields, byCode);
  const { text, ...columns } = withoutCodes(index, fields);
  if (text !== undefined) return matchText(index, { text, columns, level });
  const lost = LEVEL_ORDER.findLast((it) => fields[it] !== undefined && columns[it] === undefined);
  const first = withoutLost(matchColumns(index, columns, { level }), { lost, text: lost && fields[lost] });
  if (first.match === 'exact') return first;
  if (hasPieces(columns)) {
    const read = rearranged(index, { first: NO_MATCH, columns, level });
    if (isDecided(read)) return read;
  } else if (isDecided(first) && first.score > PLAIN) return first;
  return rearranged(index, { first, columns, level });
}

/** The result of a code, and what of the row contradicts it. */
function besideCode(
  index: NameIndex,
  fields: Fields,
  { match, rows, field }: NonNullable<ReturnType<typeof matchCode>>,
): Match {
  const [row] = rows;
  if (row === undefined || rows.length > 1) return match;
  const { text, municity, ...others } = { ...fields, [field]: undefined };
  // Old codes stand beside the cities of their time.
  const isOld = municity !== undefined && hasLeft(index, municity, row);
  const { matched, notes } = explained(index, filled(isOld ? others : { ...others, municity }), row);
  if (text !== undefined && contradicts(index, matchText(index, { text, columns: {} }), row)) {
    notes.push(`text ${quoted(text)} was passed over: it contradicts the code of ${index.source.nameOf(row)}.`);
  }
  const all = { ...match, matched: { ...matched, ...match.matched }, notes: [...match.notes, ...notes] };
  return notes.length > 0 && match.match === 'exact' ? { ...all, match: 'likely' } : all;
}

/** Whether a result is decided and leads elsewhere than to an area, those that it lies in and those in it. */
function contradicts(index: NameIndex, match: Match, row: number): boolean {
  if (!isDecided(match) || match.code === null || match.level === null) return false;
  const other = index.rowOf(match.level, match.code);
  return !index.isIn(row, other) && !index.isIn(other, row);
}

function quoted(text: string): string {
  return `"${text.slice(0, 80)}"`;
}

/** A likely result with a score above this needs no other reading. */
const PLAIN = 0.8;

/** Whether a column seems to hold more than its own name. */
function hasPieces({ municity = '', barangay = '' }: Fields): boolean {
  return [municity, barangay].some((text) => /[,;/|]| - /.test(text) || cutParentheses(text).inner.length > 0);
}

/** The result where a column held a code that leads nowhere: what is coarser than that is not what was asked for. */
function withoutLost(match: Match, { lost, text }: { lost: NameLevel | undefined; text: string | undefined }): Match {
  if (lost === undefined || !isDecided(match) || match.level === null) return match;
  if (LEVEL_ORDER.indexOf(match.level) >= LEVEL_ORDER.indexOf(lost)) return match;
  return { ...match, match: 'ambiguous', needs: lost, notes: [...match.notes, `${lost} "${text}" is no known code.`] };
}

function filledFields(row: MatchInput): Fields {
  const fields: { [field in Field]?: string } = {};
  for (const field of FIELDS) {
    const given = row[field]?.slice(0, MOST_CHARACTERS);
    const value = given === undefined ? undefined : unescaped(given).trim();
    if (value !== undefined && !BLANK.test(value)) fields[field] = value;
  }
  return fields;
}

const FIELDS: readonly Field[] = [...LEVEL_ORDER, 'text'];

/** The fields with names in place of codes of parents, and without codes that lead nowhere. */
function withoutCodes(index: NameIndex, fields: Fields): Fields {
  const named: { [field in Field]?: string } = {};
  let parents: Fields = {};
  for (const field of FIELDS) {
    const value = fields[field];
    if (value === undefined) continue;
    const code = codeIn(value);
    if (code !== undefined) parents = { ...parents, ...namesOfCode(index, code) };
    else {
      const name = /\d{8}/.test(value) ? value.replace(/(?<!\d)\d{8,10}(?!\d)/g, ' ').trim() : value;
      if (fold(name) !== '') named[field] = name;
    }
  }
  return { ...named, ...parents };
}

/** The result of columns that were filled otherwise than they should be, where that decides what they don't as they stand. */
function rearranged(
  index: NameIndex,
  { first, columns, level }: { first: Match; columns: Fields; level: NameLevel | undefined },
): Match {
  const finest = LEVEL_ORDER.findLast((it) => columns[it] !== undefined);
  let best = first;
  const consider = (fields: Fields) => {
    const match = matchColumns(index, fields, { level, isGuess: true });
    // A reading that leaves the finest column out says less than the columns do as they stand.
    if (!isDecided(match) || (match.level !== finest && match.level !== level)) return;
    const weaker = weakened(match);
    if (compareMatches(weaker, best) > 0) best = weaker;
  };
  const { region, province, municity, barangay } = columns;
  if (municity !== undefined && isNameOf(index, municity, 'province')) {
    if (province !== undefined) {
      if (isNameOf(index, province, 'municity')) {
        consider(filled({ region, province: municity, municity: province, barangay }));
      }
    } else if (barangay !== undefined) consider(filled({ region, province: municity, barangay }));
    else if (!isNameOf(index, municity, 'municity'))
      return matchColumns(index, filled({ region, province: municity }), { level });
  }
  if (municity !== undefined && barangay !== undefined && isNameOf(index, barangay, 'municity')) {
    consider({ ...columns, municity: barangay, barangay: municity });
  }
  // A cell may hold the parents of its name too: `Argao, Cebu`.
  for (const column of ['municity', 'barangay'] as const) {
    const text = columns[column];
    const isAlone = column === 'municity' ? province === undefined && !isDecided(first) : municity === undefined;
    if (text === undefined || (!hasPieces({ [column]: text }) && !isAlone)) continue;
    for (const { fields, rest } of new Reader(index, text).all()) {
      const isSplit = fields[column] !== undefined && fields[column] !== text && rest === '';
      const isFiner = column === 'municity' && fields.barangay !== undefined;
      if (isSplit && !isFiner) consider({ ...fields, ...columns, [column]: fields[column] as string });
    }
  }
  return isDecided(best) ? best : (shifted(index, columns) ?? best);
}

/** The result of columns that are filled with the names of another level, which together are spelled right. */
function shifted(index: NameIndex, { region, province, municity, barangay }: Fields): Match | undefined {
  const cells = [barangay, municity, province, region].filter((it) => it !== undefined);
  if (cells.length < 2) return undefined;
  for (const { fields, rest } of new Reader(index, cells.join(', ')).fromTheRight()) {
    if (rest !== '') continue;
    const match = matchColumns(index, fields, { isGuess: true, isStrict: true });
    if (match.match === 'exact') return weakened(match);
  }
  return undefined;
}

function filled(fields: { readonly [field in Field]?: string | undefined }): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}

/** The result of a text, by the reading that explains most of it. Other columns say what the text doesn't. */
function matchText(
  index: NameIndex,
  { text, columns, level }: { text: string; columns: Fields; level?: NameLevel | undefined },
): Match {
  const reads = readAll(index, text, (fields, how) =>
    matchColumns(index, { ...fields, ...columns }, { level, ...how }),
  );
  const [best] = reads;
  if (!best) return NO_MATCH;
  const { match, rest } = best;
  const rival = reads.find((read) => isRival(read, best));
  if (rival) {
    const candidates = [...match.candidates.slice(0, 3), ...rival.match.candidates.slice(0, 2)];
    return { ...NO_MATCH, match: 'ambiguous', score: match.score, candidates, needs: 'municity' };
  }
  if (rest === '' || !isDecided(match)) return match;
  const notes = [...match.notes, `"${rest}" was passed over.`];
  // A street may be passed over. What else stands before a city is a barangay that was not found.
  return isStreet(rest) || match.level === 'barangay'
    ? { ...match, match: 'likely', notes }
    : { ...match, match: 'ambiguous', needs: match.level === 'municity' ? 'barangay' : 'municity', notes };
}

interface Read {
  readonly match: Match;
  /** What of the text the reading leaves over, and how much that is. */
  readonly rest: string;
  readonly over: number;
}

type MatchReading = (fields: Fields, how: { isGuess: boolean; isStrict: boolean }) => Match;

/** What the readings of a text mean, as far as they have to be looked at, the best first. */
function readAll(index: NameIndex, text: string, match: MatchReading): Read[] {
  const reader = new Reader(index, text);
  const readSome = (readings: readonly Reading[], { isGuess, isStrict }: { isGuess: boolean; isStrict: boolean }) => {
    const reads: Read[] = [];
    let first: Read | undefined;
    for (const { fields, rest, over } of readings) {
      // What leaves more over is worse, and no rival.
      if (first && over > first.over && rest.length > first.rest.length) continue;
      const read = { match: match(fields, { isGuess, isStrict }), rest, over };
      reads.push(read);
      if (isStrict ? explainsAll(read) : isDecided(read.match)) first ??= read;
    }
    return { reads: reads.sort((a, b) => compareReadings(b, a)), isEnough: first !== undefined };
  };
  // Most addresses are spelled right, and slips cost a hundred times as much to look for.
  const spelled = reader.fromTheRight().filter(({ rest }) => rest === '' || isStreet(rest));
  const strict = readSome(spelled, { isGuess: true, isStrict: true });
  if (strict.isEnough) return strict.reads;
  const turned = readSome(
    reader.fromTheLeft().filter(({ rest }) => rest === ''),
    { isGuess: true, isStrict: true },
  );
  if (turned.isEnough) return turned.reads.map((read) => ({ ...read, match: weakened(read.match) }));
  const all = reader.all();
  const guessed = readSome(all, { isGuess: true, isStrict: false });
  if (guessed.isEnough) return guessed.reads;
  const whole = all.filter(({ rest }) => rest === '');
  const { reads } = readSome(whole, { isGuess: false, isStrict: false });
  return [...guessed.reads, ...reads].sort((a, b) => compareReadings(b, a));
}

function weakened(match: Match): Match {
  return isDecided(match) ? { ...match, match: 'likely', score: match.score * REARRANGED } : match;
}

/** Whether a reading is sure, and leaves nothing over but a street. */
function explainsAll({ match, rest }: Omit<Read, 'over'>): boolean {
  return match.match === 'exact' && (rest === '' || (match.level === 'barangay' && isStreet(rest)));
}

/** How much less another reading's score has to be. */
const RIVAL = 0.1;

/** The score of a result's own name: that of a barangay holds its city's too. */
function ownScore({ level, score }: Match): number {
  return level === 'barangay' ? (score - (1 - OWN_SHARE)) / OWN_SHARE : score;
}

/** Whether another reading of the whole text leads elsewhere and is about as good. */
function isRival({ match, rest }: Read, best: Read): boolean {
  if (!isDecided(match) || !isDecided(best.match) || match.code === best.match.code) return false;
  if (rest.length > best.rest.length || match.match !== best.match.match) return false;
  return ownScore(match) > ownScore(best.match) - RIVAL;
}

/** Above zero where one reading says more than another: whether it decides, what it leaves over, then how surely. */
function compareReadings(a: Read, b: Read): number {
  const decided = Number(isDecided(a.match)) - Number(isDecided(b.match));
  const exact = Number(a.match.match === 'exact') - Number(b.match.match === 'exact');
  return decided || b.over - a.over || exact || a.match.score - b.match.score || compareMatches(a.match, b.match);
}
