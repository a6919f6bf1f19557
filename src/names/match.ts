import { isAbroad } from './abroad.ts';
import { isBlankCell } from './blank.ts';
import { poblacionsBeside } from './cells.ts';
import { matchBesideCode } from './code-column.ts';
import { codeIn, matchCode, namesOfCode } from './codes.ts';
import { matchColumns } from './columns.ts';
import { typedName } from './compare.ts';
import { doubted } from './doubt.ts';
import { namesIt } from './explain.ts';
import { findSpelled, isNameOf } from './find.ts';
import { fold, unescaped } from './fold.ts';
import type { NameIndex } from './index.ts';
import { withLastCandidates } from './last-candidates.ts';
import { findPlaces, isSpelledParent } from './parents.ts';
import { filled, hasPieces, readTurned, rearranged } from './rearranged.ts';
import {
  areaOf,
  atMostLikely,
  between,
  calibratedScore,
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
  quoted,
  requireLevel,
  weakened,
} from './result.ts';
import { explainedAsGiven, explainedCode, withNamesForCodes, withUnknownCode } from './row-codes.ts';
import { COLUMNS, type Column, columnOf, type NameLevel } from './source.ts';
import { partsOf } from './text-words.ts';
import { matchText } from './texts.ts';
import { townOfCell } from './town-cells.ts';
import { withZip, zipOf } from './zip-hint.ts';

/** A row of a list. Columns may be missing, empty, wrong, or hold PSGC codes of ten or nine digits. */
export type MatchInput = { readonly [field in Field | 'zip']?: string | null | undefined };

/** The error that a spreadsheet shows in a cell in place of its value. */
const CELL_ERROR = /^#(?:n\/a|div\/0!|name\?|[a-z_]+!)$/i;

/** Max characters read of a cell, and of an address. */
const MAX_LENGTH = 300;
const MAX_TEXT_LENGTH = 500;

/** Min score of a likely result at which the columns are not tried in another order. */
const MIN_SURE = 0.8;

/**
 * Finds the area that a row of a list means. Its `score` is calibrated: the share of results with this score that are right
 * (docs/matching.md). Candidates' scores are the similarity of their names.
 *
 * @param level requested level. Default: that of the finest filled column
 */
export function matchRow(index: NameIndex, row: MatchInput, level?: NameLevel): Match {
  const fields = filledFields(row);
  const errors = FIELDS.filter((it) => CELL_ERROR.test(fields[it] ?? ''));
  const known = filled({ ...fields, ...Object.fromEntries(errors.map((it) => [it, undefined])) });
  const match = errors.reduce(
    // A row without a code is as good as one.
    (found, field) =>
      field === 'code' ? found : withCellError(found, { field, text: fields[field] as string, level }),
    matchFields(index, known, level),
  );
  const placeholder = level !== undefined && isFiner('municity', level) ? undefined : placeholderOf(row.municity);
  if (placeholder !== undefined && isAboveTowns(match)) {
    return { ...NO_MATCH, notes: [`municity ${quoted(placeholder)} names no place.`] };
  }
  const zip = zipOf(index, { zip: row.zip, text: known.text });
  const found = zip === undefined ? match : withZip(index, match, { zip, matchIn: inArea(index, known, level) });
  return withoutCandidatesOutside(index, known, { ...found, score: calibratedScore(found) });
}

/** The text of a cell that has but a word for no value or for a total; undefined for others and for an empty one. */
function placeholderOf(cell: string | null | undefined): string | undefined {
  const text = unescaped(cell?.slice(0, MAX_LENGTH) ?? '').trim();
  return text !== '' && isBlankCell(text) ? text : undefined;
}

/**
 * Whether a result has the code of a province or region. A total or an unknown town is none: its row must not count as that of the
 * province.
 */
function isAboveTowns({ level }: Match): boolean {
  return level === 'province' || level === 'region';
}

/** Returns a function that matches a row as if it also named an area and its parents. */
function inArea(index: NameIndex, fields: Fields, level: NameLevel | undefined) {
  return (area: number) => matchFields(index, { ...namesOfCode(index, index.codeOf(area)), ...fields }, level);
}

/**
 * Leaves candidates out of an ambiguous result that has the code of an area: those of the area's level that lie outside the
 * province or region of the row, or have another code than the row.
 */
function withoutCandidatesOutside(index: NameIndex, fields: Fields, match: Match): Match {
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
  { field, text, level }: { field: Exclude<Field, 'code'>; text: string; level: NameLevel | undefined },
): Match {
  const column = field === 'text' ? 'barangay' : field;
  if (level !== undefined && isFiner(column, level)) return match;
  const found = atMostLikely(match, [`${field} "${text}" is an error of a spreadsheet.`]);
  if (!isDecided(match) || match.level === null || !isFiner(column, match.level)) return found;
  return { ...found, match: 'ambiguous', needs: column };
}

/** Matches a row without its ZIP code. */
function matchFields(index: NameIndex, { code, ...names }: Fields, level: NameLevel | undefined): Match {
  const matchPlain = (fields: Fields) => matchNamesOrCode(index, fields, level);
  if (code === undefined) return matchPlain(names);
  if (Object.keys(names).length > 0) return matchBesideCode(index, { code, names, level, matchFields: matchPlain });
  // A name in a column of codes says more than nothing.
  return matchPlain(codeIn(code) === undefined ? { text: code } : { code });
}

/** Matches a row that has no code beside its names. The cells of names may hold codes too. */
function matchNamesOrCode(index: NameIndex, fields: Fields, level: NameLevel | undefined): Match {
  const byCode = matchCode(index, fields, level);
  if (byCode) return doubted(requireLevel(explainedCode(index, fields, byCode), level), fields);
  const { text, ...columns } = withNamesForCodes(index, fields);
  let match: Match;
  if (text === undefined) {
    match = matchNames(index, { given: fields, named: columns, level });
    if (level === undefined) match = atOwnLevel(index, match, columns);
  } else {
    const isAlone = Object.keys(columns).length === 0;
    const found = (isAlone ? matchText : matchTextWithColumns)(index, { text, columns, level });
    match = withUnknownCode(index, found, { fields, column: unknownCodeColumn(fields, columns) });
  }
  return doubted(requireLevel(withPoblacion(index, fields, explainedAsGiven(index, fields, match)), level), fields);
}

/**
 * The result of columns whose finest one holds the name of a larger area.
 *
 * 1. A province in the column of cities, with a region that it does not lie in, is ambiguous: `Cagayan, Region X` may mean
 *    Cagayan de Oro.
 * 2. A region in the column of provinces is ambiguous, unless it has no provinces, as the National Capital Region.
 * 3. Any other result that is exact becomes ambiguous at the level of the finest column: `Cagayan` in the column of cities.
 */
function atOwnLevel(index: NameIndex, match: Match, columns: Fields): Match {
  const isInOtherRegion =
    columns.municity !== undefined && columns.region !== undefined && match.matched.region === undefined;
  if (match.level === 'province' && isDecided(match) && isInOtherRegion) return madeAmbiguous(match);
  const finest = COLUMNS.findLast((it) => columns[it] !== undefined);
  if (match.level === 'region' && finest === 'province' && isDecided(match))
    return hasProvinces(index, areaOf(index, match)) ? requireLevel(match, finest) : match;
  return match.match === 'exact' ? requireLevel(match, finest) : match;
}

/** Whether a region has provinces. */
function hasProvinces(index: NameIndex, region: number | undefined): boolean {
  const { first, end } = index.source.rowsOf('province');
  return region !== undefined && index.source.regions.subarray(first, end).includes(region);
}

/** Matches a row without its text. `given` has the cells as they were filled, `named` has names in place of known codes. */
function matchNames(
  index: NameIndex,
  { given, named, level }: { given: Fields; named: Fields; level: NameLevel | undefined },
): Match {
  const { region, province, municity, barangay, ...others } = named;
  // `Barangay` alone is the label of a form that was left empty.
  if (barangay !== undefined && fold(barangay) === 'barangay' && municity !== undefined) {
    const above = filled({ ...others, region, province, municity });
    return requireLevel(matchNames(index, { given: above, named: above, level }), level ?? 'barangay');
  }
  if ([region, province, municity].some((it) => it !== undefined && isOnlyAbroad(index, it))) return NO_MATCH;
  if (region && province && isNameOf(index, province, 'region') && isNameOf(index, region, 'province')) {
    return weakened(
      matchColumns(index, { ...named, region: province, province: region }, { level }),
      readTurned('region', 'province'),
    );
  }
  const inRegion = withRegionInPlace(index, named);
  if (inRegion) {
    // What was typed keeps its codes, so that an unknown one is not forgotten.
    const typed = filled({ ...given, province: undefined, region: inRegion.region });
    const match = matchNames(index, { given: typed, named: inRegion, level });
    if (!isDecided(match) || match.matched.region !== undefined) return match;
  }
  const column = unknownCodeColumn(given, named);
  const first = withUnknownCode(index, matchColumns(index, named, { level }), { fields: given, column });
  if (first.match === 'exact') return first;
  // A cell that names two barangays means neither for certain.
  const barangays = first.candidates.filter((it) => it.level === 'barangay' && it.score === 1);
  if (first.needs === 'barangay' && first.code !== null && barangays.length > 1) return first;
  // The columns may hold each other's names: `Quezon` beside `Mauban`.
  const isSwapped =
    first.matched.province === undefined &&
    province !== undefined &&
    municity !== undefined &&
    isNameOf(index, province, 'municity') &&
    isNameOf(index, municity, 'province');
  if (isSwapped && isDecided(first)) {
    const turned = matchColumns(index, { ...named, province: municity, municity: province }, { level });
    if (isDecided(turned) && turned.code !== first.code) return between(turned, first);
  }
  // A cell with separators more often holds a name and its parents, so any other reading that decides wins over the columns as
  // they stand.
  if (hasPieces(named)) {
    const read = rearranged(index, { first: NO_MATCH, columns: named, level });
    if (isDecided(read)) return read;
  } else if (isDecided(first) && first.score > MIN_SURE) return first;
  const other = rearranged(index, { first, columns: named, level });
  return isDecided(other)
    ? other
    : withLastCandidates(index, townOfCell(index, other, { columns: named, level }), named);
}

/**
 * Columns with the region in its place that stands in the column of provinces: `Baguio City, CAR`. Undefined for other rows, such as
 * those with the capital, which lists have among the provinces as it has none, and those with another region.
 */
function withRegionInPlace(index: NameIndex, { province, ...columns }: Fields): Fields | undefined {
  if (province === undefined || (columns.municity ?? columns.barangay) === undefined) return undefined;
  // A number alone may be anything.
  const isRegion = !/^\W*\d+\W*$/.test(province) && isSpelledParent(index, province, 'region');
  if (!isRegion || isNameOf(index, province, 'province') || isNameOf(index, province, 'municity')) return undefined;
  const regions = findPlaces(index, province, 'region').map(({ row }) => row);
  if (!regions.some((row) => hasProvinces(index, row))) return undefined;
  if (columns.region === undefined) return { ...columns, region: province };
  return findPlaces(index, columns.region, 'region').some(({ row }) => regions.includes(row)) ? columns : undefined;
}

/** The finest column whose code leads to no single area. */
function unknownCodeColumn(given: Fields, named: Fields): Column | undefined {
  return COLUMNS.findLast((it) => given[it] !== undefined && named[it] === undefined);
}

/** Whether a text names a country or a city abroad, and no place here: `Mexico` is a municipality too. */
function isOnlyAbroad(index: NameIndex, text: string): boolean {
  return (
    isAbroad(text) && !(['region', 'province', 'municity'] as const).some((column) => isNameOf(index, text, column))
  );
}

/** The result of a text, with columns for what the text lacks. */
function matchTextWithColumns(
  index: NameIndex,
  { text, columns, level }: { text: string; columns: Fields; level: NameLevel | undefined },
): Match {
  const base = matchNames(index, { given: columns, named: columns, level: undefined });
  const area = areaOf(index, base);
  if (area === undefined) return matchText(index, { text, columns, level });
  const columnsAtLevel = level === undefined ? base : matchNames(index, { given: columns, named: columns, level });
  const together =
    columns.barangay === undefined ? matchText(index, { text, columns, level, within: area }) : columnsAtLevel;
  if (isDecided(together) && together.level !== null && isFiner(together.level, base.level)) return together;
  const alone = matchText(index, { text, columns: {} });
  // A single name that is not exact may be that of a street or a house.
  const isPlace = alone.match === 'exact' || Object.keys(alone.matched).length > 1;
  if (isPlace && contradicts(index, alone, area)) {
    const notes = [...base.notes, `text ${quoted(text)} contradicts the columns, which mean ${base.name}.`];
    const candidates = [...base.candidates.slice(0, 1), ...alone.candidates.slice(0, 1)];
    return { ...NO_MATCH, match: 'ambiguous', score: base.score, candidates, needs: base.level, notes };
  }
  return withUnusedText(index, together.match === 'none' ? columnsAtLevel : together, { text, alone, area });
}

/**
 * Checks a result of columns against a text that added nothing. If the text names another barangay of the municity, the result
 * is ambiguous. If a part of the text names nothing that the result lies in, the result is at most likely.
 *
 * @param alone the result of the text without the columns
 * @param area the area that the columns mean
 */
function withUnusedText(
  index: NameIndex,
  match: Match,
  { text, alone, area }: { text: string; alone: Match; area: number },
): Match {
  if (!isDecided(match)) return match;
  const isNamed =
    alone.code !== null && alone.level !== null && index.areRelated(index.rowOf(alone.level, alone.code), area);
  if (isNamed || partsOf(text).every((part) => namesIt(index, part, area))) return match;
  const municity = index.ancestorAt(area, 'municity');
  const within = municity === undefined ? [] : barangaysIn(index, text, municity);
  if (within.includes(area)) return match;
  const likely = atMostLikely(match, [`text ${quoted(text)} was passed over.`]);
  const [other] = match.level === 'barangay' ? within : [];
  if (other === undefined) return likely;
  const candidates = [...match.candidates.slice(0, 1), candidateOf(index, other, 1)];
  return madeAmbiguous(match, { candidates, needs: 'barangay', notes: likely.notes });
}

/** The barangays of a municity that a part of a text names. */
function barangaysIn(index: NameIndex, text: string, municity: number): number[] {
  const barangays = index.childrenOf('barangay', municity);
  return partsOf(text).flatMap((part) =>
    findSpelled(index, typedName(index, part, 'barangay'), barangays).map(({ row }) => row),
  );
}

/** The result of a barangay if the row also names a poblacion: `Bawa/Poblacion`, `Brgy. Poblacion, Bawa, Gerona`. */
function withPoblacion(index: NameIndex, { barangay, text }: Fields, match: Match): Match {
  const area = match.level === 'barangay' ? areaOf(index, match) : undefined;
  if (area === undefined) return match;
  const named = [barangay, text].map((it) => (it === undefined ? it : poblacionsBeside(index, it, area)));
  const poblacions = named.find((it) => it !== undefined);
  if (poblacions === undefined) return match;
  const note = 'The poblacion was passed over.';
  // No barangay has this name, so the poblacion only says where the barangay lies.
  if (poblacions.length === 0) return atMostLikely(match, [note]);
  const { code, level, name } = candidateOf(index, index.ancestorAt(area, 'municity') as number, 1);
  const candidates = [area, ...poblacions].slice(0, MAX_CANDIDATES).map((it) => candidateOf(index, it, 1));
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
function contradicts(index: NameIndex, match: Match, area: number): boolean {
  const other = areaOf(index, match);
  return other !== undefined && !index.areRelated(area, other);
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
