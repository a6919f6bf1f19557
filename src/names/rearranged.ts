import { matchColumns } from './columns.ts';
import { typedName } from './compare.ts';
import { findSame, isNameOf } from './find.ts';
import { cutParentheses, KIND } from './forms.ts';
import { readings } from './free-text.ts';
import type { NameIndex } from './index.ts';
import { compareMatches, type Field, type Fields, isDecided, type Match, rowOf, weakened } from './result.ts';
import { COLUMNS, type Column, type NameLevel } from './source.ts';

/** Max characters of a cell whose parts are read in other columns too, so that no row takes long. */
const MAX_CELL = 120;

/** Min score of a barangay in the city of its column, so that the two columns are not read the other way round. */
const LIKE_AS_IT_STANDS = 0.8;

/** Whether a result is a city that has a name today. */
function isCalledToday(index: NameIndex, match: Match, name: string): boolean {
  const row = rowOf(index, match);
  const same = findSame(index, typedName(index, name, 'municity')).sorted();
  return same.some((it) => it.row === row && it.kind < KIND.former);
}

/** Whether a column seems to hold more than its own name. */
export function hasPieces({ municity = '', barangay = '' }: Fields): boolean {
  return [municity, barangay].some((text) => /[,;/|]| - /.test(text) || cutParentheses(text).inner.length > 0);
}

/** The note for columns that hold each other's names. */
export function readTurned(a: Column, b: Column): string {
  return `The columns ${a} and ${b} were read the other way round.`;
}

/** The result of misplaced columns, if that decides what the row as it stands does not. */
export function rearranged(
  index: NameIndex,
  { first, columns, level }: { first: Match; columns: Fields; level: NameLevel | undefined },
): Match {
  if (COLUMNS.some((it) => (columns[it] ?? '').length > MAX_CELL)) return first;
  const finest = COLUMNS.findLast((it) => columns[it] !== undefined);
  let best = first;
  const consider = (fields: Fields, { isStrict = false, note }: { isStrict?: boolean; note?: string } = {}) => {
    const match = matchColumns(index, fields, { level, isGuess: true, isStrict });
    // A reading without the finest column says less than the row as it stands.
    if (!isDecided(match) || (match.level !== finest && match.level !== level)) return;
    // Another reading must agree with the province.
    if (columns.province !== undefined && fields.province !== undefined && match.matched.province === undefined) return;
    const weaker = weakened(match, note);
    if (compareMatches(weaker, best) > 0) best = weaker;
  };
  const { region, province, municity, barangay } = columns;
  if (municity !== undefined && isNameOf(index, municity, 'province')) {
    if (province !== undefined) {
      if (isNameOf(index, province, 'municity')) {
        const turned = filled({ region, province: municity, municity: province, barangay });
        // The two must fit by their names of today: turned round and misspelled is too much.
        const town = matchColumns(index, { province: municity, municity: province }, { isGuess: true, isStrict: true });
        if (isCalledToday(index, town, province) && town.matched.province !== undefined)
          consider(turned, { note: readTurned('province', 'municity') });
      }
    } else if (barangay !== undefined) consider(filled({ region, province: municity, barangay }));
    else if (!isNameOf(index, municity, 'municity'))
      return matchColumns(index, filled({ region, province: municity }), { level });
  }
  if (municity !== undefined && barangay !== undefined && isNameOf(index, barangay, 'municity')) {
    // If a city of that name has such a barangay, the row is right as it stands.
    const asTheyStand = matchColumns(index, columns, { isGuess: true, isStrict: true });
    const isLike = first.candidates.some((it) => it.level === 'barangay' && it.score >= LIKE_AS_IT_STANDS);
    if (asTheyStand.match === 'none' && !isLike) {
      consider(
        { ...columns, municity: barangay, barangay: municity },
        { isStrict: true, note: readTurned('municity', 'barangay') },
      );
    }
  }
  // A cell may hold a name with its parents: `Argao, Cebu`.
  for (const column of ['municity', 'barangay'] as const) {
    const text = columns[column];
    const isAlone = column === 'municity' ? province === undefined && !isDecided(first) : municity === undefined;
    if (text === undefined || (!hasPieces({ [column]: text }) && (!isAlone || isNameOf(index, text, column)))) continue;
    for (const { fields, rest } of readings(index, withoutRemark(text))) {
      const isSplit = fields[column] !== undefined && fields[column] !== text && rest.length === 0;
      const hasFiner = column === 'municity' && fields.barangay !== undefined;
      if (isSplit && !hasFiner) consider({ ...fields, ...columns, [column]: fields[column] as string });
    }
  }
  // A city with its name and parents in their own columns is no barangay.
  const isInPlace =
    finest === 'municity' &&
    COLUMNS.every((it) => columns[it] === undefined || isNameOf(index, columns[it] as string, it));
  if (isDecided(best) || isInPlace) return best;
  const other = shifted(index, columns);
  // A city named twice is no answer where its barangays have longer names of the same words: `Don Carlos Norte`.
  const isFiner = best.candidates.some((it) => it.level === 'barangay');
  return other === undefined || (other.code === best.code && isFiner) ? best : other;
}

/** A text without a remark such as `(Pob.)`, which is no name of a barangay. */
function withoutRemark(text: string): string {
  const { outer, hasRemark } = cutParentheses(text);
  return hasRemark ? outer : text;
}

/** The result of columns shifted to another level, if all are spelled right. */
function shifted(index: NameIndex, { region, province, municity, barangay }: Fields): Match | undefined {
  const cells = [barangay, municity, province, region].flatMap((it) => (it === undefined ? [] : [withoutRemark(it)]));
  if (cells.length < 2) return undefined;
  for (const { fields, rest, isInOrder } of readings(index, cells.join(', '))) {
    if (rest.length > 0 || !isInOrder) continue;
    const match = matchColumns(index, fields, { isGuess: true, isStrict: true });
    if (match.match === 'exact') return weakened(match);
  }
  return undefined;
}

export function filled(fields: { readonly [field in Field]?: string | undefined }): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
