import {
  codeOf,
  isCode,
  isMissing,
  isNumbering,
  MAX_DIGITS,
  MINUS,
  numberOf,
  saysNoNumber,
  saysYear,
  textOf,
  wordOfValue,
} from '../../shared/values.ts';
import { type Filters, passes } from './filters.ts';
import type { ReadFeature } from './tasks.ts';

/** A feature of a dataset, as a row of its table. Its id stays the same when it is read again. */
export interface Row extends ReadFeature {
  /** Its place in the dataset. */
  readonly index: number;
  /** All of its values in small letters, where texts are found. */
  readonly folded: string;
}

export interface Column {
  readonly name: string;
  /** Whether its values are numbers, but for a few that are none. */
  readonly isNumeric: boolean;
  /** Whether its numbers are amounts, and neither years nor codes. */
  readonly isAmount: boolean;
}

/** How the rows of a table are chosen and ordered. */
export interface Order {
  /** Rows that have this text in a value; all rows if it is empty. */
  readonly find: string;
  /** What rows must have, by column. */
  readonly filters: Filters;
  /** The column to sort by; undefined for the order of the dataset. */
  readonly sort: string | undefined;
  readonly isDescending: boolean;
}

export function rowOf(feature: ReadFeature, index: number): Row {
  // A line break stands between values, so that no text is found in two of them.
  const folded = Object.values(feature.properties).map(textOf).join('\n').toLowerCase();
  // Without a prototype a property has no value where a feature has none, not even one named `constructor`.
  const properties = Object.assign(Object.create(null), feature.properties) as Row['properties'];
  return { ...feature, properties, index, folded };
}

/** Among so many values of a column of numbers, one may be none: a note, or a number that was mistyped. */
const NUMBERS_PER_OTHER = 10;

/** A column of years has nothing but these numbers, if it is not called so. */
const YEARS = { first: 1900, last: 2100 } as const;

function isYear(value: number): boolean {
  return Number.isInteger(value) && value >= YEARS.first && value <= YEARS.last;
}

/** What the features with a place are. */
export function kindOf(rows: readonly Row[]): 'areas' | 'points' | 'features' {
  const types = new Set(rows.flatMap(({ type }) => type ?? []).map((type) => type.replace('Multi', '')));
  if (types.size !== 1) return 'features';
  return types.has('Polygon') ? 'areas' : types.has('Point') ? 'points' : 'features';
}

/** Whether a column was added to a table when its places were found. */
export function isAddedByMatch({ name }: Pick<Column, 'name'>): boolean {
  return name === 'psgc' || name.startsWith('psgc_');
}

/** The names of all properties, in the order in which they come first. */
export function columnsOf(rows: readonly Row[]): Column[] {
  const kinds = new Map<string, { numbers: number; others: number; years: number; codes: number; hasCode: boolean }>();
  for (const { properties } of rows) {
    for (const [name, value] of Object.entries(properties)) {
      const kind = kinds.get(name) ?? { numbers: 0, others: 0, years: 0, codes: 0, hasCode: false };
      kinds.set(name, kind);
      const number = numberOf(value);
      if (number !== undefined) {
        kind.numbers += 1;
        if (isYear(number)) kind.years += 1;
        if (codeOf(value) !== undefined) kind.codes += 1;
      } else if (!saysNoNumber(value)) kind.others += 1;
      kind.hasCode ||= isCode(value);
    }
  }
  return [...kinds].map(([name, { numbers, others, years, codes, hasCode }]) => {
    const isNumeric = !hasCode && numbers > 0 && numbers + others >= NUMBERS_PER_OTHER * others;
    const isNamed = isAddedByMatch({ name }) || saysYear(name) || isNumbering(name);
    return { name, isNumeric, isAmount: isNumeric && !isNamed && years < numbers && codes < numbers };
  });
}

/** The names of the properties of a feature, with their values for people. */
export function factsOf({ properties }: Row, columns: readonly Column[]): (readonly [name: string, value: string])[] {
  const amounts = new Set(columns.filter(({ isAmount }) => isAmount).map(({ name }) => name));
  return Object.entries(properties).map(([name, value]) => [name, wordOfValue(value, amounts.has(name))]);
}

/** The texts in a column of numbers that are none, each once; without those that stand for no value. */
export function textsAmong(rows: readonly Row[], name: string): { count: number; texts: readonly string[] } {
  const texts = rows
    .map(({ properties }) => properties[name])
    .filter((value) => numberOf(value) === undefined && !saysNoNumber(value))
    .map(textOf);
  return { count: texts.length, texts: [...new Set(texts)] };
}

/** The rows that an order chooses, in its order. Rows without a value come last, whatever the direction. */
export function ordered(rows: readonly Row[], columns: readonly Column[], order: Order): Row[] {
  const wanted = order.find.trim().toLowerCase();
  // Amounts are shown with commas and a minus, which files seldom have.
  const plain = wanted.replace(/(?<=\d),(?=\d{3})/g, '').replace(MINUS, '-');
  const isFound = ({ folded }: Row) => folded.includes(wanted) || folded.includes(plain);
  const chosen = rows.filter((row) => isFound(row) && passes(row, order.filters));
  const column = columns.find(({ name }) => name === order.sort);
  if (!column) return chosen;
  const { name, isNumeric } = column;
  const isWithout = ({ properties }: Row) =>
    isNumeric ? numberOf(properties[name]) === undefined : isMissing(properties[name]);
  const keyed = chosen
    .filter((row) => !isWithout(row))
    .map((row) => ({ row, key: isNumeric ? (numberOf(row.properties[name]) ?? 0) : keyOf(row.properties[name]) }));
  const sign = order.isDescending ? -1 : 1;
  keyed.sort(({ key: a }, { key: b }) => (a < b ? -sign : a > b ? sign : 0));
  return [...keyed.map(({ row }) => row), ...chosen.filter(isWithout)];
}

const ACCENTS = /\p{Mn}/gu;
const DIGITS = /\d+/g;

/**
 * A text that stands where people look for a value: without case and accents, and numbers in it by their size. A collator
 * compares two texts a hundred times slower than their keys, and a long table would stand still.
 */
function keyOf(value: unknown): string {
  const plain = textOf(value).toLowerCase().normalize('NFD').replace(ACCENTS, '');
  return plain.replace(DIGITS, (digits) => digits.replace(/^0+(?=\d)/, '').padStart(MAX_DIGITS, '0'));
}

/** Rows of a long list that are in sight, with some before and behind them. */
export function rowsInSight(
  { scrolled, height, rowHeight }: { scrolled: number; height: number; rowHeight: number },
  total: number,
): { from: number; to: number } {
  const spare = 6;
  const first = Math.floor(scrolled / rowHeight) - spare;
  const from = Math.max(0, Math.min(first, total - Math.ceil(height / rowHeight) - spare));
  return { from, to: Math.min(total, Math.ceil((scrolled + height) / rowHeight) + spare) };
}
