import { matchColumns } from './columns.ts';
import { typedName } from './compare.ts';
import { namesElsewhere } from './explain.ts';
import { findNamed, isNameOf } from './find.ts';
import { fold } from './fold.ts';
import { cutParentheses, KIND } from './forms.ts';
import { readings } from './free-text.ts';
import type { NameIndex } from './index.ts';
import {
  areaOf,
  compareMatches,
  type Field,
  type Fields,
  isDecided,
  type Match,
  madeAmbiguous,
  passedOver,
  weakened,
} from './result.ts';
import { COLUMNS, type Column, type NameLevel } from './source.ts';
import { isStreet } from './text-words.ts';

/** Max characters of a cell whose parts are read in other columns too, so that no row takes long. */
export const MAX_CELL = 120;

/** Min score of a barangay in the city of its column, so that the two columns are not read the other way round. */
const LIKE_AS_IT_STANDS = 0.8;

/** Whether a result is a city that has a name today. */
function isCalledToday(index: NameIndex, match: Match, name: string): boolean {
  const area = areaOf(index, match);
  const same = findNamed(index, name, 'municity');
  return same.some((it) => it.row === area && it.kind < KIND.former);
}

/** Whether a column seems to hold more than its own name. */
export function hasPieces({ municity = '', barangay = '' }: Fields): boolean {
  return [municity, barangay].some((text) => /[,;/|]| - /.test(text) || cutParentheses(text).inner.length > 0);
}

/** The note for columns that hold each other's names. */
export function readTurned(a: Column, b: Column): string {
  return `The columns ${a} and ${b} were read the other way round.`;
}

/** A numbered part of a barangay. */
const ZONE = /^(?:purok|prk|sitio|blk|block|phase) (?:\d+|[a-z])(?: [a-z])?$/;

/** How another reading of columns is considered. */
interface Consideration {
  readonly isStrict?: boolean;
  readonly note?: string | undefined;
  /** Names of parents in the cell that was divided, in which the result must lie. */
  readonly parents?: readonly string[];
}

/** The result of misplaced columns, if that decides what the row as it stands does not. */
export function rearranged(
  index: NameIndex,
  { first, columns, level }: { first: Match; columns: Fields; level: NameLevel | undefined },
): Match {
  if (COLUMNS.some((it) => (columns[it] ?? '').length > MAX_CELL)) return first;
  const finest = COLUMNS.findLast((it) => columns[it] !== undefined);
  let best = first;
  const consider = (fields: Fields, { isStrict = false, note, parents = [] }: Consideration = {}) => {
    const match = matchColumns(index, fields, { level, isGuess: true, isStrict });
    // A reading without the finest column says less than the row as it stands.
    if (!isDecided(match) || (match.level !== finest && match.level !== level)) return;
    // Another reading must agree with the province.
    if (columns.province !== undefined && fields.province !== undefined && match.matched.province === undefined) return;
    // So must it with all that its cell names: `Poblacion, Valenzuela` beside Puerto Galera.
    if (parents.some((it) => namesElsewhere(index, it, areaOf(index, match) as number))) return;
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
        // `Quezon City` beside `Quezon` is no town of the province Quezon.
        const isOfType =
          typedName(index, province, 'municity').placeType !== 'city' || /\bcity\b/i.test(town.name ?? '');
        if (isOfType && isCalledToday(index, town, province) && town.matched.province !== undefined)
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
    if (asTheyStand.match === 'none' && !isLike && !isNameOf(index, municity, 'province')) {
      consider(
        { ...columns, municity: barangay, barangay: municity },
        { isStrict: true, note: readTurned('municity', 'barangay') },
      );
    }
  }
  // A cell may hold a name with its parents: `Argao, Cebu`.
  for (const column of ['municity', 'barangay'] as const) {
    const text = columns[column];
    const isAlone = column === 'municity' ? province === undefined && first.match !== 'exact' : municity === undefined;
    const isAddress = column === 'barangay' && isStreet(text ?? '') && !isNameOf(index, text ?? '', column);
    const isLong = hasPieces({ [column]: text }) || isAddress;
    if (text === undefined || (!isLong && (!isAlone || isNameOf(index, text, column)))) continue;
    for (const { fields, leftover } of readings(index, withoutRemark(text))) {
      // A numbered zone of a barangay stands before or behind it: `Purok 3, San Isidro`.
      const zones = leftover.filter((it) => column === 'barangay' && it.isStreet && ZONE.test(fold(it.text)));
      const isSplit = fields[column] !== undefined && fields[column] !== text && leftover.length === zones.length;
      const note = zones.length === 0 ? undefined : passedOver(zones.map((it) => it.text).join(', '));
      const hasFiner = column === 'municity' && fields.barangay !== undefined;
      const { [column]: own = '', ...parents } = fields;
      if (isSplit && !hasFiner)
        consider({ ...parents, ...columns, [column]: own }, { parents: Object.values(parents), note });
    }
  }
  // A city with its name and parents in their own columns is no barangay, nor is the province of a barangay a city.
  const isInPlace =
    (finest === 'municity' || municity === undefined) &&
    COLUMNS.every((it) => columns[it] === undefined || isNameOf(index, columns[it] as string, it));
  if (province === undefined && best.match === 'likely' && hasMoreThanProvince(index, municity ?? '', best)) {
    return madeAmbiguous(best);
  }
  if (isDecided(best) || isInPlace) return best;
  const other = shifted(index, columns);
  // A city named twice is no answer where its barangays have longer names of the same words: `Don Carlos Norte`.
  const isFiner = best.candidates.some((it) => it.level === 'barangay');
  return other === undefined || (other.code === best.code && isFiner) ? best : other;
}

/** What stands beside the name of a city, and names nothing by itself. */
const TYPE_WORDS = /^(?:(?:city|cty|municipality|mun|town|lungsod|bayan|of|ng) ?)+$/;

/**
 * Whether a cell has the name of a province, by which alone a city of that name was found, and more that is no name of the city:
 * `Caas Tarlac` beside Region III is a town of Tarlac whose name is misspelled.
 */
function hasMoreThanProvince(index: NameIndex, text: string, match: Match): boolean {
  const words = fold(text).split(' ');
  const city = areaOf(index, match) as number;
  const isOfResult = (name: string) => namesOf(index, name, 'municity').includes(city);
  const isAround = (name: string) => namesOf(index, name, 'province').some((province) => index.isIn(city, province));
  return words.some((_, at) =>
    [
      [words.slice(at), words.slice(0, at)],
      [words.slice(0, at), words.slice(at)],
    ].some(([part = [], rest = []]) => {
      const [name, more] = [part.join(' '), rest.join(' ')];
      if (name === '' || more === '' || TYPE_WORDS.test(more)) return false;
      return isAround(name) && isOfResult(name) && !isNameOf(index, more, 'province') && !isOfResult(more);
    }),
  );
}

/** The rows that have a name of a level, as it is written. */
function namesOf(index: NameIndex, name: string, level: 'municity' | 'province'): number[] {
  return findNamed(index, name, level).map(({ row }) => row);
}

/** A text without a remark such as `(Pob.)`, which is no name of a barangay. */
function withoutRemark(text: string): string {
  const { outer, hasRemark } = cutParentheses(text);
  return hasRemark ? outer : text;
}

/** The result of columns shifted to another level, if all are spelled right. */
function shifted(index: NameIndex, { region, province, municity, barangay }: Fields): Match | undefined {
  const cells = [barangay, municity, province, region].flatMap((it) => (it === undefined ? [] : [withoutRemark(it)]));
  // A number has no other column: it is left out of a reading without being read.
  if (cells.length < 2 || cells.some((it) => /^\d+$/.test(fold(it)))) return undefined;
  for (const { fields, leftover, isInOrder } of readings(index, cells.join(', '))) {
    if (leftover.length > 0 || !isInOrder) continue;
    const match = matchColumns(index, fields, { isGuess: true, isStrict: true });
    if (match.match === 'exact') return weakened(match);
  }
  return undefined;
}

export function filled(fields: { readonly [field in Field]?: string | undefined }): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
