import { isAbroad } from './abroad.ts';
import { isBlankCell } from './blank.ts';
import { centreBeside } from './cells.ts';
import { codeIn, matchCode, namesOfCode } from './codes.ts';
import { matchColumns } from './columns.ts';
import { typedName } from './compare.ts';
import { doubted } from './doubt.ts';
import { namesIt } from './explain.ts';
import { findSpelled, isNameOf } from './find.ts';
import { fold, unescaped } from './fold.ts';
import type { NameIndex } from './index.ts';
import { filled, hasPieces, readTurned, rearranged } from './rearranged.ts';
import {
  atLevel,
  between,
  candidateOf,
  FIELDS,
  type Field,
  type Fields,
  isDecided,
  isFiner,
  MAX_CANDIDATES,
  type Match,
  type MatchCandidate,
  madeAmbiguous,
  NO_MATCH,
  noted,
  quoted,
  rowOf,
  shareRight,
  weakened,
} from './result.ts';
import { explainedAsGiven, explainedCode, withNamesForCodes, withUnknownCode } from './row-codes.ts';
import { COLUMNS, columnOf, type NameLevel } from './source.ts';
import { partsOf } from './text-words.ts';
import { matchText } from './texts.ts';
import { townOfCell } from './town-cells.ts';
import { besideZip, zipOf } from './zip-hint.ts';

/** A row of a list. Columns may be missing, empty, wrong, or hold PSGC codes of ten or nine digits. */
export type MatchInput = { readonly [field in Field | 'zip']?: string | null | undefined };

/** The error that a spreadsheet shows in a cell in place of its value. */
const CELL_ERROR = /^#(?:n\/a|div\/0!|name\?|[a-z_]+!)$/i;

/** Max characters read of a cell, and of an address. */
const MAX_LENGTH = 300;
const MAX_TEXT_LENGTH = 500;

/** Min score of a likely result that needs no other reading. */
const MIN_SURE = 0.8;

/**
 * Finds the area that a row of a list means. Its score is the share of such results that are right; candidates' scores are the
 * similarity of their names.
 *
 * @param level requested level. Default: that of the finest filled column
 */
export function matchRow(index: NameIndex, row: MatchInput, level?: NameLevel): Match {
  const fields = filledFields(row);
  const errors = FIELDS.filter((it) => CELL_ERROR.test(fields[it] ?? ''));
  const known = filled({ ...fields, ...Object.fromEntries(errors.map((it) => [it, undefined])) });
  const match = errors.reduce(
    (found, field) => withCellError(found, { field, text: fields[field] as string, level }),
    matchFields(index, known, level),
  );
  const zip = zipOf(index, { zip: row.zip, text: known.text });
  const found = zip === undefined ? match : besideZip(index, match, { zip, matchIn: inArea(index, known, level) });
  return withoutNamesakes(index, known, { ...found, score: shareRight(found) });
}

/** Returns a function that matches a row as if it also named an area and its parents. */
function inArea(index: NameIndex, fields: Fields, level: NameLevel | undefined) {
  return (area: number) => matchFields(index, { ...namesOfCode(index, index.codeOf(area)), ...fields }, level);
}

/**
 * An ambiguous result that falls back to an area, without the candidates of its level that lie outside the province or region of
 * the row, or have another code than the row.
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

/** The result of a row with an error in a cell, whose value may have named a smaller area than the result. */
function withCellError(
  match: Match,
  { field, text, level }: { field: Field; text: string; level: NameLevel | undefined },
): Match {
  const column = field === 'text' ? 'barangay' : field;
  if (level !== undefined && isFiner(column, level)) return match;
  const found = noted(match, [`${field} "${text}" is an error of a spreadsheet.`]);
  if (!isDecided(match) || match.level === null || !isFiner(column, match.level)) return found;
  return { ...found, match: 'ambiguous', needs: column };
}

/** Matches a row without its ZIP code. */
function matchFields(index: NameIndex, fields: Fields, level: NameLevel | undefined): Match {
  const byCode = matchCode(index, fields, level);
  if (byCode) return doubted(atLevel(explainedCode(index, fields, byCode), level), fields);
  const { text, ...columns } = withNamesForCodes(index, fields);
  let match: Match;
  if (text === undefined) {
    match = matchNames(index, { fields, columns, level });
    if (level === undefined) match = atOwnLevel(index, match, columns);
  } else if (Object.keys(columns).length === 0) match = matchText(index, { text, columns, level });
  else match = matchTextBeside(index, { text, columns, level });
  return doubted(atLevel(besideCentre(index, fields, explainedAsGiven(index, fields, match)), level), fields);
}

/**
 * The result of columns whose smallest has the name of a larger area: `Cagayan` in the column of cities is not surely the
 * province. A region may stand in the column of provinces if it has none, like the capital.
 */
function atOwnLevel(index: NameIndex, match: Match, columns: Fields): Match {
  const row = rowOf(index, match);
  // Beside another region than its own it may be short for a city: `Cagayan, Region X`.
  const isElsewhere =
    columns.municity !== undefined && columns.region !== undefined && match.matched.region === undefined;
  if (match.level === 'province' && isDecided(match) && isElsewhere) return madeAmbiguous(match);
  const finest = COLUMNS.findLast((it) => columns[it] !== undefined);
  const isRegion = match.level === 'region' && finest === 'province';
  if (match.match !== 'exact' && !(isRegion && isDecided(match))) return match;
  const { first, end } = index.source.rowsOf('province');
  const hasProvinces = row !== undefined && index.source.regions.subarray(first, end).includes(row);
  return isRegion && !hasProvinces ? match : atLevel(match, finest);
}

/** Matches the columns of a row. `fields` are as they were filled, `columns` have names in place of codes. */
function matchNames(
  index: NameIndex,
  { fields, columns, level }: { fields: Fields; columns: Fields; level: NameLevel | undefined },
): Match {
  const { region, province, municity, barangay, ...others } = columns;
  // `Barangay` alone is the label of a form that was left empty.
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
  const unknown = COLUMNS.findLast((it) => fields[it] !== undefined && columns[it] === undefined);
  const first = withUnknownCode(matchColumns(index, columns, { level }), fields, unknown);
  if (first.match === 'exact') return first;
  // A cell that names two barangays means neither for certain.
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
  } else if (isDecided(first) && first.score > MIN_SURE) return first;
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
  // A single name that is not exact may be that of a street or a house.
  const isPlace = alone.match === 'exact' || Object.keys(alone.matched).length > 1;
  if (isPlace && contradicts(index, alone, row)) {
    const notes = [...base.notes, `text ${quoted(text)} contradicts the columns, which mean ${base.name}.`];
    const candidates = [...base.candidates.slice(0, 1), ...alone.candidates.slice(0, 1)];
    return { ...NO_MATCH, match: 'ambiguous', score: base.score, candidates, needs: base.level, notes };
  }
  return beside(index, joined.match === 'none' ? wanted : joined, { text, alone, row });
}

/**
 * The result of columns beside a text that it does not use. A text that names another barangay of the town makes it ambiguous;
 * one that names nothing that the result lies in makes it less sure.
 */
function beside(
  index: NameIndex,
  match: Match,
  { text, alone, row }: { text: string; alone: Match; row: number },
): Match {
  if (!isDecided(match)) return match;
  const isNamed =
    alone.code !== null && alone.level !== null && index.areRelated(index.rowOf(alone.level, alone.code), row);
  if (isNamed || partsOf(text).every((part) => namesIt(index, part, row))) return match;
  const town = index.ancestorAt(row, 'municity');
  const within = town === undefined ? [] : barangaysIn(index, text, town);
  if (within.includes(row)) return match;
  const unread = noted(match, [`text ${quoted(text)} was passed over.`]);
  const [other] = match.level === 'barangay' ? within : [];
  if (other === undefined) return unread;
  const { notes } = unread;
  const candidates = [...match.candidates.slice(0, 1), candidateOf(index, other, 1)];
  return madeAmbiguous(match, { candidates, needs: 'barangay', notes });
}

/** The barangays of a town that a part of a text names. */
function barangaysIn(index: NameIndex, text: string, town: number): number[] {
  const barangays = index.childrenOf('barangay', town);
  return partsOf(text).flatMap((part) =>
    findSpelled(index, typedName(index, part, 'barangay'), barangays).map(({ row }) => row),
  );
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

/** Whether a result means an area that is unrelated to another one. */
function contradicts(index: NameIndex, match: Match, row: number): boolean {
  const other = rowOf(index, match);
  return other !== undefined && !index.areRelated(row, other);
}

function filledFields(row: MatchInput): Fields {
  const fields: { [field in Field]?: string } = {};
  for (const field of FIELDS) {
    // The end of an address says most.
    const given = field === 'text' ? row.text?.slice(-MAX_TEXT_LENGTH) : row[field]?.slice(0, MAX_LENGTH);
    const value = given === undefined ? undefined : unescaped(given).trim();
    if (value !== undefined && !isBlankCell(value)) fields[field] = value;
  }
  return fields;
}
