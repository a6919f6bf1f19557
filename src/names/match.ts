import { codeIn, matchCode } from './codes.ts';
import { matchColumns } from './columns.ts';
import { fold } from './fold.ts';
import { readText } from './free-text.ts';
import type { NameIndex } from './index.ts';
import { findPlaces } from './parents.ts';
import { compareMatches, type Field, type Fields, isDecided, LEVEL_ORDER, type Match, NO_MATCH } from './result.ts';
import type { NameLevel } from './source.ts';

/** A row of a list. Columns may be missing, empty, wrong, or hold PSGC codes of ten or nine digits. */
export type MatchInput = { readonly [field in Field]?: string | null | undefined };

/** What is filled in where there is nothing. */
const BLANK = /^(?:[-–—.]*|n\/?a|null|none|nan|undefined|unknown|#n\/a)$/i;

/** What a result is worth that needed another reading than the columns as they stand. */
const REARRANGED = 0.95;

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
  const first = matchColumns(index, columns, level);
  return isDecided(first) ? first : bestOf(index, { first, readings: rearranged(index, columns), level });
}

function filledFields(row: MatchInput): Fields {
  const fields: { [field in Field]?: string } = {};
  for (const field of [...LEVEL_ORDER, 'text'] as const) {
    const value = row[field]?.slice(0, 500).trim();
    if (value !== undefined && !BLANK.test(value)) fields[field] = value;
  }
  return fields;
}

/** The fields without codes that stand beside names, or that lead nowhere. */
function withoutCodes(fields: Fields): Fields {
  const entries = Object.entries(fields).flatMap(([field, value]) => {
    if (codeIn(value) !== undefined) return [];
    const named = value.replace(/(?<!\d)\d{8,10}(?!\d)/g, ' ').trim();
    return fold(named) === '' ? [] : [[field, named]];
  });
  return Object.fromEntries(entries) as Fields;
}

function bestOf(
  index: NameIndex,
  { first, readings, level }: { first: Match; readings: Iterable<Fields>; level: NameLevel | undefined },
): Match {
  let best = first;
  for (const fields of readings) {
    const match = matchColumns(index, fields, level);
    // What was read otherwise than it stands is never sure.
    const weaker: Match =
      match.match === 'exact' ? { ...match, match: 'likely', score: match.score * REARRANGED } : match;
    if (compareMatches(weaker, best) > 0) best = weaker;
  }
  return best;
}

/** Other ways in which columns can be meant: the province in the city's, both in one, the barangay with its city. */
function* rearranged(index: NameIndex, columns: Fields): Iterable<Fields> {
  const { region, province, municity, barangay } = columns;
  if (municity !== undefined) {
    const isProvince = findPlaces(index, municity, 'province').some(
      ({ row, score }) => score > 0.8 && index.levelOf(row) === 'province',
    );
    if (isProvince) {
      const rest = { ...(region === undefined ? {} : { region }), ...(barangay === undefined ? {} : { barangay }) };
      yield { ...rest, province: municity, ...(province === undefined ? {} : { municity: province }) };
    }
  }
  const texts = [barangay, municity, province, region].filter((it) => it !== undefined);
  for (const reading of readText(index, texts.join(', '))) yield reading.fields;
}

/** The result of a text, by the reading that explains most of it. Other columns say what the text doesn't. */
function matchText(
  index: NameIndex,
  { text, columns, level }: { text: string; columns: Fields; level: NameLevel | undefined },
): Match {
  let best = NO_MATCH;
  let left = Number.POSITIVE_INFINITY;
  for (const { fields, rest } of readText(index, text)) {
    const match = matchColumns(index, { ...fields, ...columns }, level);
    const isMore = compareMatches(match, best);
    if (isMore > 0 || (isMore === 0 && rest.length < left)) {
      best = match;
      left = rest.length;
    }
  }
  return best;
}
