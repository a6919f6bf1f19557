import { codeIn, matchCode } from './codes.ts';
import { matchColumns } from './columns.ts';
import { TypedName } from './compare.ts';
import { findSame } from './find.ts';
import { fold } from './fold.ts';
import { isStreet, readText } from './free-text.ts';
import type { NameIndex } from './index.ts';
import { compareMatches, type Field, type Fields, isDecided, LEVEL_ORDER, type Match, NO_MATCH } from './result.ts';
import type { NameLevel } from './source.ts';

/** A row of a list. Columns may be missing, empty, wrong, or hold PSGC codes of ten or nine digits. */
export type MatchInput = { readonly [field in Field]?: string | null | undefined };

/** What is filled in where there is nothing. */
const BLANK = /^(?:[-–—.]*|n\/?a|null|none|nan|undefined|unknown|#n\/a)$/i;

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
  if (byCode) return byCode;
  const { text, ...columns } = withoutCodes(fields);
  if (text !== undefined) return matchText(index, { text, columns, level });
  const first = matchColumns(index, columns, { level });
  return isDecided(first) ? first : rearranged(index, { first, columns, level });
}

function filledFields(row: MatchInput): Fields {
  const fields: { [field in Field]?: string } = {};
  for (const field of FIELDS) {
    const value = row[field]?.slice(0, MOST_CHARACTERS).trim();
    if (value !== undefined && !BLANK.test(value)) fields[field] = value;
  }
  return fields;
}

const FIELDS: readonly Field[] = [...LEVEL_ORDER, 'text'];

/** The fields without codes that stand beside names, or that lead nowhere. */
function withoutCodes(fields: Fields): Fields {
  const named: { [field in Field]?: string } = {};
  for (const field of FIELDS) {
    const value = fields[field];
    if (value === undefined || codeIn(value) !== undefined) continue;
    const name = /\d{8}/.test(value) ? value.replace(/(?<!\d)\d{8,10}(?!\d)/g, ' ').trim() : value;
    if (fold(name) !== '') named[field] = name;
  }
  return named;
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
    const weaker: Match = { ...match, match: 'likely', score: match.score * REARRANGED };
    if (compareMatches(weaker, best) > 0) best = weaker;
  };
  const { region, province, municity, barangay } = columns;
  if (municity !== undefined && isProvince(index, municity)) {
    if (province !== undefined && !isProvince(index, province)) {
      consider(without({ region, province: municity, municity: province, barangay }));
    } else if (province === undefined) {
      if (barangay === undefined) return matchColumns(index, without({ region, province: municity }), { level });
      consider(without({ region, province: municity, barangay }));
    }
  }
  if (isDecided(best)) return best;
  const texts = [barangay, municity, province, region].filter((it) => it !== undefined);
  for (const { fields } of readText(index, texts.join(', '))) consider(fields);
  return best;
}

function isProvince(index: NameIndex, text: string): boolean {
  return findSame(index, new TypedName(text, 'province')).size > 0;
}

function without(fields: { readonly [field in Field]?: string | undefined }): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}

/** The result of a text, by the reading that explains most of it. Other columns say what the text doesn't. */
function matchText(
  index: NameIndex,
  { text, columns, level }: { text: string; columns: Fields; level: NameLevel | undefined },
): Match {
  let best = NO_MATCH;
  let left = '';
  for (const { fields, rest } of readText(index, text)) {
    const match = matchColumns(index, { ...fields, ...columns }, { level, isGuess: true });
    if (compareReadings({ match, rest }, { match: best, rest: left }) <= 0) continue;
    best = match;
    left = rest;
    if (match.match === 'exact' && rest === '' && match.level === 'barangay') break;
  }
  if (!isDecided(best)) {
    for (const each of level === undefined ? LEVEL_ORDER : [level]) {
      const match = matchColumns(index, { [each]: text, ...columns });
      if (compareReadings({ match, rest: '' }, { match: best, rest: left }) > 0) {
        best = match;
        left = '';
      }
    }
  }
  if (left === '' || !isDecided(best)) return best;
  const notes = [...best.notes, `"${left}" was passed over.`];
  // A street may be passed over. What else stands before a city is a barangay that was not found.
  return isStreet(left) || best.level === 'barangay'
    ? { ...best, match: 'likely', notes }
    : { ...best, match: 'ambiguous', needs: best.level === 'municity' ? 'barangay' : 'municity', notes };
}

interface Read {
  readonly match: Match;
  /** What of the text the reading leaves over. */
  readonly rest: string;
}

/** Above zero where one reading says more than another: whether it decides, the finer level, then how surely. */
function compareReadings(a: Read, b: Read): number {
  const depth = ({ match: { level } }: Read) => (level === null ? -1 : LEVEL_ORDER.indexOf(level));
  const decided = Number(isDecided(a.match)) - Number(isDecided(b.match));
  return decided || depth(a) - depth(b) || compareMatches(a.match, b.match) || b.rest.length - a.rest.length;
}
