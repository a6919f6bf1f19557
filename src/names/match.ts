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

/** What is filled in where there is nothing. */
const BLANK =
  /^\(?(?:[-–—.]*|n\/?a|null|none|nil|undefined|unknown|#n\/a|blank|not (?:available|specified|applicable|stated|indicated))\)?$/i;

/** What programs write for a number that is none. `Nan` is a name that somebody has typed. */
const NOT_A_NUMBER = /^(?:nan|NaN|NAN)$/;

/** The most characters of a cell that are read, and of an address. */
const MAX_LENGTH = 300;
const MAX_TEXT_LENGTH = 500;

/**
 * Finds the area that a row of a list means. Its score is the share of such rows that are right, those of candidates are how
 * like their names are.
 *
 * @param level the level that is wanted; by default that of the finest column which is filled
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

/** What `explained` says of a column. */
const PASSED_OVER = /^(?:region|province|municity|barangay) ".*" was passed over: /s;

/** A result of names that were put in place of codes, explained by what was sent. */
function asSent(index: NameIndex, { text: _, ...fields }: Fields, match: Match): Match {
  if (match.code === null || match.level === null || !Object.values(fields).some(codeIn)) return match;
  const { matched, notes } = explained(index, fields, index.rowOf(match.level, match.code));
  const all = { ...match, matched, notes: [...notes, ...match.notes.filter((note) => !PASSED_OVER.test(note))] };
  return notes.length > 0 && match.match === 'exact' ? { ...all, match: 'likely' } : all;
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
  const code = codeIn(fields[field]) as string;
  const { matched, notes } = explained(index, filled(isOld ? others : { ...others, municity }), row);
  if (text !== undefined && contradicts(index, matchText(index, { text, columns: {} }), row)) {
    notes.push(`text ${quoted(text)} was passed over: it contradicts the code of ${index.source.nameOf(row)}.`);
  }
  if (!isRecorded(index, code, row)) notes.push(unrecorded(index, { field, code, row }));
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

/** The result where a column held a code that leads nowhere: what is coarser than that is not what was asked for. */
function withoutLost(match: Match, { lost, text }: { lost: Column | undefined; text: string | undefined }): Match {
  if (lost === undefined || !isDecided(match) || match.level === null) return match;
  if (!isFiner(lost, match.level)) return match;
  return { ...match, match: 'ambiguous', needs: lost, notes: [...match.notes, `${lost} "${text}" is no known code.`] };
}

function filledFields(row: MatchInput): Fields {
  const fields: { [field in Field]?: string } = {};
  for (const field of FIELDS) {
    // What decides of an address stands at its end.
    const given = field === 'text' ? row.text?.slice(-MAX_TEXT_LENGTH) : row[field]?.slice(0, MAX_LENGTH);
    const value = given === undefined ? undefined : unescaped(given).trim();
    if (value !== undefined && !BLANK.test(value) && !NOT_A_NUMBER.test(value)) fields[field] = value;
  }
  return fields;
}

const FIELDS: readonly Field[] = [...COLUMNS, 'text'];

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
