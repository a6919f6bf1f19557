import { isAbroad } from './abroad.ts';
import { isBlankCell } from './blank.ts';
import { centreBeside } from './cells.ts';
import { codeIn, matchCode, namesOfCode, rowsOfCode } from './codes.ts';
import { matchColumns } from './columns.ts';
import { typedName } from './compare.ts';
import { doubted } from './doubt.ts';
import { explained, hasLeft, namesIt } from './explain.ts';
import { findSpelled, isNameOf } from './find.ts';
import { fold, unescaped } from './fold.ts';
import type { NameIndex } from './index.ts';
import { passedColumn } from './passed-over.ts';
import { filled, hasPieces, readTurned, rearranged } from './rearranged.ts';
import { isRecorded, unrecorded } from './recorded.ts';
import {
  atLevel,
  between,
  candidateOf,
  type Field,
  type Fields,
  isDecided,
  isFiner,
  MAX_CANDIDATES,
  type Match,
  type MatchCandidate,
  meant,
  NO_MATCH,
  noted,
  rowOf,
  shareRight,
  undecided,
  weakened,
} from './result.ts';
import { COLUMNS, type Column, columnOf, type NameLevel } from './source.ts';
import { partsOf } from './text-words.ts';
import { matchText } from './texts.ts';
import { townOfCell } from './town-cells.ts';
import { besideZip, zipOf } from './zip-hint.ts';

/** A row of a list. Columns may be missing, empty, wrong, or hold PSGC codes of ten or nine digits. */
export type MatchInput = { readonly [field in Field | 'zip']?: string | null | undefined };

/** What a spreadsheet has in place of a value that it could not find. */
const ERROR = /^#(?:n\/a|div\/0!|name\?|[a-z_]+!)$/i;

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
  const fields = filledFields(row);
  const errors = FIELDS.filter((it) => ERROR.test(fields[it] ?? ''));
  const known = filled({ ...fields, ...Object.fromEntries(errors.map((it) => [it, undefined])) });
  const match = errors.reduce(
    (found, field) => withoutValue(found, { field, text: fields[field] as string, level }),
    likeliest(index, known, level),
  );
  const zip = zipOf(index, { zip: row.zip, text: known.text });
  const found = zip === undefined ? match : besideZip(index, match, { zip, matchIn: inArea(index, known, level) });
  return withoutNamesakes(index, known, { ...found, score: shareRight(found) });
}

/** Matches a row as one that also names an area and what it lies in. */
function inArea(index: NameIndex, fields: Fields, level: NameLevel | undefined) {
  return (area: number) => likeliest(index, { ...namesOfCode(index, index.codeOf(area)), ...fields }, level);
}

/**
 * A result that falls back to an area, without the candidates of its level that are outside the province or region of the row, or
 * that have another code than the row.
 */
function withoutNamesakes(index: NameIndex, fields: Fields, match: Match): Match {
  const { code, level, matched, candidates } = match;
  if (match.match !== 'ambiguous' || code === null || level === null) return match;
  const own = codeIn(fields[columnOf(level)]) === undefined ? undefined : { code, level };
  const above = own ?? matched.province ?? matched.region;
  if (above === undefined) return match;
  const parent = index.rowOf(above.level, above.code);
  const isOutside = (it: MatchCandidate) =>
    it.level === level && it.code !== code && !index.isIn(index.rowOf(it.level, it.code), parent);
  return { ...match, candidates: candidates.filter((it) => !isOutside(it)) };
}

/** The result of a row without the value of a field, which may be the name of a smaller area than the result. */
function withoutValue(
  match: Match,
  { field, text, level }: { field: Field; text: string; level: NameLevel | undefined },
): Match {
  const lost = field === 'text' ? 'barangay' : field;
  if (level !== undefined && isFiner(lost, level)) return match;
  const found = noted(match, [`${field} "${text}" is an error of a spreadsheet.`]);
  if (!isDecided(match) || match.level === null || !isFiner(lost, match.level)) return found;
  return { ...found, match: 'ambiguous', needs: lost };
}

function likeliest(index: NameIndex, fields: Fields, level: NameLevel | undefined): Match {
  const byCode = matchCode(index, fields, level);
  if (byCode) return doubted(atLevel(besideCode(index, fields, byCode), level), fields);
  const { text, ...columns } = withoutCodes(index, fields);
  let match: Match;
  if (text === undefined) {
    match = matchNames(index, { fields, columns, level });
    if (level === undefined) match = atOwnLevel(index, match, columns);
  } else if (Object.keys(columns).length === 0) match = matchText(index, { text, columns, level });
  else match = matchTextBeside(index, { text, columns, level });
  return doubted(atLevel(besideCentre(index, fields, asSent(index, fields, match)), level), fields);
}

/**
 * The result of columns where the smallest has the name of a larger area: `Cagayan` in the column of cities is the
 * province only perhaps. The capital has no provinces, so that it stands in their column.
 */
function atOwnLevel(index: NameIndex, match: Match, columns: Fields): Match {
  const row = rowOf(index, match);
  // In another region than the row's it is perhaps short for a city: `Cagayan, Region X`.
  const isAstray = columns.municity !== undefined && columns.region !== undefined && match.matched.region === undefined;
  if (match.level === 'province' && isDecided(match) && isAstray) return undecided(match);
  const finest = COLUMNS.findLast((it) => columns[it] !== undefined);
  // What is only like a region is no more a province than the name of one is.
  const isRegion = match.level === 'region' && finest === 'province';
  if (match.match !== 'exact' && !(isRegion && isDecided(match))) return match;
  const { first, end } = index.source.rowsOf('province');
  const hasProvinces = row !== undefined && index.source.regions.subarray(first, end).includes(row);
  return isRegion && !hasProvinces ? match : atLevel(match, finest);
}

/** A code beside a name. One of nine digits may have lost its first zero. */
const CODE_BESIDE = /(?<!\d)\d{8,10}(?!\d)/;

/**
 * The result of a row whose cells have codes beside names, in which they do not lead. A code of an area within the result
 * says more than the names, one of another area leaves the choice: `Datag (0102812006)`.
 */
function withCodesBeside(index: NameIndex, fields: Fields, { match, row }: { match: Match; row: number }): Match {
  let result = match;
  for (const [field, text] of Object.entries(fields)) {
    const code = codeIn(text) === undefined ? CODE_BESIDE.exec(text)?.[0] : undefined;
    const rows = code === undefined ? [] : rowsOfCode(index, code);
    if (rows.length === 0 || rows.some((it) => index.isIn(row, it))) continue;
    const within = rows.filter((it) => index.isIn(it, row));
    const [only] = within;
    const all = (within.length > 0 ? within : rows).map((it) => candidateOf(index, it, 1));
    const note = `${field} ${quoted(code as string)} is the code of ${all.map(({ name }) => name).join(' and of ')}.`;
    if (only !== undefined && within.length === 1) {
      result = noted({ ...match, ...meant(index, 'likely', [{ row: only, score: 1 }]), notes: match.notes }, [note]);
    } else {
      const candidates = [...match.candidates.slice(0, 3), ...all.slice(0, 3)];
      const notes = [...match.notes, note];
      return { ...NO_MATCH, match: 'ambiguous', score: match.score, candidates, needs: match.level, notes };
    }
  }
  return result;
}

/** The result of a row, explained by the row as sent where codes in it were replaced by names. */
function asSent(index: NameIndex, fields: Fields, match: Match): Match {
  if (match.code === null || match.level === null) return match;
  const row = index.rowOf(match.level, match.code);
  const { text: _, ...columns } = fields;
  if (!Object.values(columns).some(codeIn)) return withCodesBeside(index, fields, { match, row });
  const { matched, notes } = explained(index, columns, row);
  const own = match.notes.filter((note) => passedColumn(note) === undefined);
  const all = noted({ ...match, matched, notes: [] }, notes);
  return withCodesBeside(index, fields, { match: { ...all, notes: [...all.notes, ...own] }, row });
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
  const { region, province, municity, barangay, ...others } = columns;
  // `Barangay` alone is a form that nobody has filled in.
  if (barangay !== undefined && fold(barangay) === 'barangay' && municity !== undefined) {
    const above = filled({ ...others, region, province, municity });
    return atLevel(matchNames(index, { fields: above, columns: above, level }), level ?? 'barangay');
  }
  if ([region, province, municity].some((it) => it !== undefined && isOnlyAbroad(index, it))) return NO_MATCH;
  if (region && province && isNameOf(index, province, 'region') && isNameOf(index, region, 'province')) {
    return weakened(
      matchColumns(index, { ...columns, region: province, province: region }, { level }),
      readTurned('region', 'province'),
    );
  }
  const lost = COLUMNS.findLast((it) => fields[it] !== undefined && columns[it] === undefined);
  const first = withoutLost(matchColumns(index, columns, { level }), { lost, text: lost && fields[lost] });
  if (first.match === 'exact') return first;
  // One of two barangays in a cell is no answer.
  const named = first.candidates.filter((it) => it.level === 'barangay' && it.score === 1);
  if (first.needs === 'barangay' && first.code !== null && named.length > 1) return first;
  // The columns may hold each other's names: `Quezon` beside `Mauban`.
  const isSwapped =
    first.matched.province === undefined &&
    province !== undefined &&
    municity !== undefined &&
    isNameOf(index, province, 'municity') &&
    isNameOf(index, municity, 'province');
  if (isSwapped && isDecided(first)) {
    const turned = matchColumns(index, { ...columns, province: municity, municity: province }, { level });
    if (isDecided(turned) && turned.code !== first.code) return between(turned, first);
  }
  if (hasPieces(columns)) {
    const read = rearranged(index, { first: NO_MATCH, columns, level });
    if (isDecided(read)) return read;
  } else if (isDecided(first) && first.score > PLAIN) return first;
  const other = rearranged(index, { first, columns, level });
  return isDecided(other) ? other : townOfCell(index, other, { columns, level });
}

/** Whether a text names a country or a city abroad, and no place here: `Mexico` is a municipality too. */
function isOnlyAbroad(index: NameIndex, text: string): boolean {
  return (
    isAbroad(text) && !(['region', 'province', 'municity'] as const).some((column) => isNameOf(index, text, column))
  );
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
  return beside(index, joined.match === 'none' ? wanted : joined, { text, alone, row });
}

/**
 * The result of columns beside a text that it does not use. A text that names another barangay of the town leaves the
 * choice; any other that names nothing the result lies in makes it less sure.
 */
function beside(
  index: NameIndex,
  match: Match,
  { text, alone, row }: { text: string; alone: Match; row: number },
): Match {
  if (!isDecided(match)) return match;
  const isNamed =
    alone.code !== null && alone.level !== null && areRelated(index, index.rowOf(alone.level, alone.code), row);
  if (isNamed || partsOf(text).every((part) => namesIt(index, part, row))) return match;
  const town = index.ancestorAt(row, 'municity');
  const within = town === undefined ? [] : barangaysIn(index, text, town);
  if (within.includes(row)) return match;
  const unread = noted(match, [`text ${quoted(text)} was passed over.`]);
  const [other] = match.level === 'barangay' ? within : [];
  if (other === undefined) return unread;
  const { notes } = unread;
  const candidates = [...match.candidates.slice(0, 1), candidateOf(index, other, 1)];
  return { ...NO_MATCH, match: 'ambiguous', score: match.score, candidates, needs: 'barangay', notes };
}

/** Whether of two areas one lies in the other, or both are the same. */
function areRelated(index: NameIndex, one: number, other: number): boolean {
  return index.isIn(one, other) || index.isIn(other, one);
}

/** The barangays of a town that a part of a text names. */
function barangaysIn(index: NameIndex, text: string, town: number): number[] {
  const barangays = index.childrenOf('barangay', town);
  return partsOf(text).flatMap((part) =>
    findSpelled(index, typedName(index, part, 'barangay'), barangays).map(({ row }) => row),
  );
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
  const named = filled(isOld ? others : { ...others, municity });
  const { matched, notes } = explained(index, named, row, { isStrict: true });
  const { candidates } = text === undefined ? NO_MATCH : matchText(index, { text, columns: {} });
  if (
    text !== undefined &&
    candidates.length > 0 &&
    !candidates.some((it) => areRelated(index, index.rowOf(it.level, it.code), row))
  ) {
    notes.push(`text ${quoted(text)} was passed over: it contradicts the code of ${index.source.nameOf(row)}.`);
  }
  if (!isRecorded(index, code, row)) notes.push(unrecorded(index, { field, code, row }));
  return noted({ ...match, matched: { ...matched, ...match.matched } }, notes);
}

/** The result of a barangay beside which the row names the centre of the town: `Bawa/Poblacion`, `Brgy. Poblacion, Bawa, Gerona`. */
function besideCentre(index: NameIndex, { barangay, text }: Fields, match: Match): Match {
  const row = match.level === 'barangay' ? rowOf(index, match) : undefined;
  if (row === undefined) return match;
  const centres = [barangay, text].map((it) => (it === undefined ? it : centreBeside(index, it, row)));
  const rows = centres.find((it) => it !== undefined);
  if (rows === undefined) return match;
  const note = 'The poblacion was passed over.';
  if (rows.length === 0) return noted(match, [note]);
  const { code, level, name } = candidateOf(index, index.ancestorAt(row, 'municity') as number, 1);
  const candidates = [row, ...rows].slice(0, MAX_CANDIDATES).map((it) => candidateOf(index, it, 1));
  return {
    ...match,
    match: 'ambiguous',
    code,
    level,
    name,
    candidates,
    needs: 'barangay',
    notes: [...match.notes, note],
  };
}

/** Whether a decided result is neither an area, nor its ancestor, nor within it. */
function contradicts(index: NameIndex, match: Match, row: number): boolean {
  const other = rowOf(index, match);
  return other !== undefined && !areRelated(index, row, other);
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
    if (value !== undefined && !isBlankCell(value)) fields[field] = value;
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
