import { codeIn, matchCode, namesOfCode } from './codes.ts';
import { matchColumns } from './columns.ts';
import { explained, hasLeft } from './explain.ts';
import { isNameOf } from './find.ts';
import { fold, unescaped } from './fold.ts';
import { cutParentheses } from './forms.ts';
import { Reader } from './free-text.ts';
import type { NameIndex } from './index.ts';
import {
  atLevel,
  compareMatches,
  type Field,
  type Fields,
  isDecided,
  isFiner,
  LEVEL_ORDER,
  type Match,
  NO_MATCH,
  rowOf,
  weakened,
} from './result.ts';
import type { NameLevel } from './source.ts';
import { matchText } from './texts.ts';

/** A row of a list. Columns may be missing, empty, wrong, or hold PSGC codes of ten or nine digits. */
export type MatchInput = { readonly [field in Field]?: string | null | undefined };

/** What is filled in where there is nothing. */
const BLANK =
  /^\(?(?:[-–—.]*|n\/?a|null|none|nan|nil|undefined|unknown|#n\/a|blank|not (?:available|specified|applicable|stated|indicated))\)?$/i;

/** The most characters of a cell that are read, and of an address. */
const MOST_CHARACTERS = 300;
const MOST_OF_TEXT = 500;

/**
 * Finds the area that a row of a list means.
 *
 * @param level the level that is wanted; by default that of the finest column which is filled
 */
export function matchRow(index: NameIndex, row: MatchInput, level?: NameLevel): Match {
  const fields = filledFields(row);
  const byCode = matchCode(index, fields, level);
  if (byCode) return atLevel(besideCode(index, fields, byCode), level);
  const { text, ...columns } = withoutCodes(index, fields);
  if (text === undefined) return atLevel(matchNames(index, { fields, columns, level }), level);
  if (Object.keys(columns).length === 0) return atLevel(matchText(index, { text, columns, level }), level);
  return atLevel(matchTextBeside(index, { text, columns, level }), level);
}

/** What the columns of a row hold, and the level that is wanted. */
interface Named {
  /** As they were filled. */
  readonly fields: Fields;
  /** With names in place of codes. */
  readonly columns: Fields;
  readonly level: NameLevel | undefined;
}

function matchNames(index: NameIndex, { fields, columns, level }: Named): Match {
  const { region, province } = columns;
  if (region && province && isNameOf(index, province, 'region') && isNameOf(index, region, 'province')) {
    return weakened(matchColumns(index, { ...columns, region: province, province: region }, { level }));
  }
  const lost = LEVEL_ORDER.findLast((it) => fields[it] !== undefined && columns[it] === undefined);
  const first = withoutLost(matchColumns(index, columns, { level }), { lost, text: lost && fields[lost] });
  if (first.match === 'exact') return first;
  if (hasPieces(columns)) {
    const read = rearranged(index, { first: NO_MATCH, columns, level });
    if (isDecided(read)) return read;
  } else if (isDecided(first) && first.score > PLAIN) return first;
  return rearranged(index, { first, columns, level });
}

/** The result of a text beside columns, which say what the text doesn't. */
function matchTextBeside(
  index: NameIndex,
  { text, columns, level }: { text: string; columns: Fields; level: NameLevel | undefined },
): Match {
  const base = matchNames(index, { fields: columns, columns, level: undefined });
  const row = rowOf(index, base);
  if (row === undefined) return matchText(index, { text, columns, level });
  const wanted = level === undefined ? base : matchNames(index, { fields: columns, columns, level });
  const joined = columns.barangay === undefined ? matchText(index, { text, columns, level, within: row }) : wanted;
  if (isDecided(joined) && joined.level !== null && isFiner(joined.level, base.level)) return joined;
  const alone = matchText(index, { text, columns: {} });
  // A single name that is not clear may be that of a street or a house.
  const isPlace = alone.match === 'exact' || Object.keys(alone.matched).length > 1;
  if (isPlace && contradicts(index, alone, row)) {
    const notes = [...base.notes, `text ${quoted(text)} contradicts the columns, which mean ${base.name}.`];
    const candidates = [...base.candidates.slice(0, 1), ...alone.candidates.slice(0, 1)];
    return { ...NO_MATCH, match: 'ambiguous', score: base.score, candidates, needs: base.level, notes };
  }
  return joined.match === 'none' ? wanted : joined;
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
  const other = rowOf(index, match);
  return other !== undefined && !index.isIn(row, other) && !index.isIn(other, row);
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
    // What decides of an address stands at its end.
    const given = field === 'text' ? row.text?.slice(-MOST_OF_TEXT) : row[field]?.slice(0, MOST_CHARACTERS);
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
  const consider = (fields: Fields, isStrict = false) => {
    const match = matchColumns(index, fields, { level, isGuess: true, isStrict });
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
    // Where the city is known, only a barangay that is spelled right says that they were swapped.
    consider({ ...columns, municity: barangay, barangay: municity }, first.code !== null);
  }
  // A cell may hold the parents of its name too: `Argao, Cebu`.
  for (const column of ['municity', 'barangay'] as const) {
    const text = columns[column];
    const isAlone = column === 'municity' ? province === undefined && !isDecided(first) : municity === undefined;
    if (text === undefined || (!hasPieces({ [column]: text }) && (!isAlone || isNameOf(index, text, column)))) continue;
    for (const { fields, rest } of new Reader(index, text).all()) {
      const isSplit = fields[column] !== undefined && fields[column] !== text && rest === '';
      const hasFiner = column === 'municity' && fields.barangay !== undefined;
      if (isSplit && !hasFiner) consider({ ...fields, ...columns, [column]: fields[column] as string });
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
