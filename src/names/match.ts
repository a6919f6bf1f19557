import { codeIn, matchCode, namesOfCode } from './codes.ts';
import { matchColumns } from './columns.ts';
import { explained, hasLeft } from './explain.ts';
import { isNameOf } from './find.ts';
import { fold, unescaped } from './fold.ts';
import type { NameIndex } from './index.ts';
import { filled, hasPieces, readTurned, rearranged } from './rearranged.ts';
import { isRecorded, unrecorded } from './recorded.ts';
import {
  atLevel,
  type Field,
  type Fields,
  isDecided,
  isFiner,
  type Match,
  NO_MATCH,
  rowOf,
  shareRight,
  weakened,
} from './result.ts';
import { COLUMNS, type Column, type NameLevel } from './source.ts';
import { matchText } from './texts.ts';

/** A row of a list. Columns may be missing, empty, wrong, or hold PSGC codes of ten or nine digits. */
export type MatchInput = { readonly [field in Field]?: string | null | undefined };

/** Placeholders for empty cells. */
const BLANK =
  /^\(?(?:[-–—.]*|n\/?a|null|none|undefined|unknown|#n\/a|blank|not (?:available|specified|applicable|stated|indicated))\)?$/i;

/** Spellings of no value by programs. `Nan` is a typed name, and `Nil` may be Nilo. */
const NO_VALUE = /^(?:nan|NaN|NAN|nil|NIL)$/;

/** Max characters read of a cell, and of an address. */
const MAX_LENGTH = 300;
const MAX_TEXT_LENGTH = 500;

/**
 * Finds the area that a row of a list means. The score is the share of such rows that are right; candidates' scores are
 * the similarity of their names.
 *
 * @param level requested level. Default: that of the finest filled column
 */
export function matchRow(index: NameIndex, row: MatchInput, level?: NameLevel): Match {
  const match = likeliest(index, row, level);
  return { ...match, score: shareRight(match) };
}

function likeliest(index: NameIndex, row: MatchInput, level: NameLevel | undefined): Match {
  const fields = filledFields(row);
  const byCode = matchCode(index, fields, level);
  if (byCode) return atLevel(besideCode(index, fields, byCode), level);
  const { text, ...columns } = withoutCodes(index, fields);
  let match: Match;
  if (text === undefined) match = matchNames(index, { fields, columns, level });
  else if (Object.keys(columns).length === 0) match = matchText(index, { text, columns, level });
  else match = matchTextBeside(index, { text, columns, level });
  return atLevel(asSent(index, fields, match), level);
}

/** Matches notes of `explained` about a column. */
const PASSED_OVER = /^(?:region|province|municity|barangay) ".*" was passed over: /s;

/** The result of a row whose codes were replaced by names, explained by the row as sent. */
function asSent(index: NameIndex, { text: _, ...fields }: Fields, match: Match): Match {
  if (match.code === null || match.level === null || !Object.values(fields).some(codeIn)) return match;
  const { matched, notes } = explained(index, fields, index.rowOf(match.level, match.code));
  const all = { ...match, matched, notes: [...notes, ...match.notes.filter((note) => !PASSED_OVER.test(note))] };
  return notes.length > 0 && match.match === 'exact' ? { ...all, match: 'likely' } : all;
}

/** The fields of a row and the requested level. */
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
    return weakened(
      matchColumns(index, { ...columns, region: province, province: region }, { level }),
      readTurned('region', 'province'),
    );
  }
  const lost = COLUMNS.findLast((it) => fields[it] !== undefined && columns[it] === undefined);
  const first = withoutLost(matchColumns(index, columns, { level }), { lost, text: lost && fields[lost] });
  if (first.match === 'exact') return first;
  if (hasPieces(columns)) {
    const read = rearranged(index, { first: NO_MATCH, columns, level });
    if (isDecided(read)) return read;
  } else if (isDecided(first) && first.score > PLAIN) return first;
  return rearranged(index, { first, columns, level });
}

/** The result of a text, with columns for what the text lacks. */
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
  // A single unclear name may be a street's or a house's.
  const isPlace = alone.match === 'exact' || Object.keys(alone.matched).length > 1;
  if (isPlace && contradicts(index, alone, row)) {
    const notes = [...base.notes, `text ${quoted(text)} contradicts the columns, which mean ${base.name}.`];
    const candidates = [...base.candidates.slice(0, 1), ...alone.candidates.slice(0, 1)];
    return { ...NO_MATCH, match: 'ambiguous', score: base.score, candidates, needs: base.level, notes };
  }
  return joined.match === 'none' ? wanted : joined;
}

/** The result of a code, with what in the row contradicts it. */
function besideCode(
  index: NameIndex,
  fields: Fields,
  { match, rows, field }: NonNullable<ReturnType<typeof matchCode>>,
): Match {
  const [row] = rows;
  if (row === undefined || rows.length > 1) return match;
  const { text, municity, ...others } = { ...fields, [field]: undefined };
  // Old codes come with the cities of their time.
  const isOld = municity !== undefined && hasLeft(index, municity, row);
  const code = codeIn(fields[field]) as string;
  const { matched, notes } = explained(index, filled(isOld ? others : { ...others, municity }), row);
  if (text !== undefined && contradicts(index, matchText(index, { text, columns: {} }), row)) {
    notes.push(`text ${quoted(text)} was passed over: it contradicts the code of ${index.source.nameOf(row)}.`);
  }
  if (!isRecorded(index, code, row)) notes.push(unrecorded(index, { field, code, row }));
  const all = { ...match, matched: { ...matched, ...match.matched }, notes: [...match.notes, ...notes] };
  return notes.length > 0 && match.match === 'exact' ? { ...all, match: 'likely' } : all;
}

/** Whether a decided result is neither an area, nor its ancestor, nor within it. */
function contradicts(index: NameIndex, match: Match, row: number): boolean {
  const other = rowOf(index, match);
  return other !== undefined && !index.isIn(row, other) && !index.isIn(other, row);
}

function quoted(text: string): string {
  return `"${text.slice(0, 80)}"`;
}

/** Min score of a likely result that needs no other reading. */
const PLAIN = 0.8;

/** The result of a row with an unknown code: anything coarser than the code's level is not what the row means. */
function withoutLost(match: Match, { lost, text }: { lost: Column | undefined; text: string | undefined }): Match {
  if (lost === undefined || !isDecided(match) || match.level === null) return match;
  if (!isFiner(lost, match.level)) return match;
  return { ...match, match: 'ambiguous', needs: lost, notes: [...match.notes, `${lost} "${text}" is no known code.`] };
}

function filledFields(row: MatchInput): Fields {
  const fields: { [field in Field]?: string } = {};
  for (const field of FIELDS) {
    // The end of an address decides.
    const given = field === 'text' ? row.text?.slice(-MAX_TEXT_LENGTH) : row[field]?.slice(0, MAX_LENGTH);
    const value = given === undefined ? undefined : unescaped(given).trim();
    if (value !== undefined && !BLANK.test(value) && !NO_VALUE.test(value)) fields[field] = value;
  }
  return fields;
}

const FIELDS: readonly Field[] = [...COLUMNS, 'text'];

/** The fields with parents' codes replaced by names, and without unknown codes. */
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
