import type { Filter } from './filters.ts';
import type { Column, Row } from './rows.ts';
import { amountOf, isMissing, numberOf, textOf } from './values.ts';

/** One colour of features, with what it stands for. */
export interface ColorClass {
  readonly label: string;
  readonly color: string;
  /** What chooses the features of this class; undefined where no filter of one column does. */
  readonly filter: Filter | undefined;
}

export interface Classes {
  readonly classes: readonly ColorClass[];
  /** The place of a feature's class among the classes. */
  classOf(row: Row): number;
}

/** Colours of categories, which people with any colour vision can tell apart, on light and on dark land. */
const CATEGORIES = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#d55e00', '#56b4e9', '#8a63c4', '#a39a1f'];

/** Colours of numbers, from small to large. */
const SEQUENCE = ['#f2c46d', '#f08a5d', '#d9536f', '#a83c8c', '#6f3fa5'];

const REST = '#7d8286';

/** Features without a value. */
const MISSING: ColorClass = { label: 'No value', color: '#b4b8bb', filter: { values: [''] } };

/** Radii of points, pixels. Their areas grow with the number. */
const RADII = [3, 16] as const;

/** Colours for the values of a property: numbers by quantiles, anything else by the most frequent values. */
export function classesOf(rows: readonly Row[], column: Column): Classes {
  return column.isNumeric ? byQuantiles(rows, column.name) : byCategories(rows, column.name);
}

function byQuantiles(rows: readonly Row[], name: string): Classes {
  const values = rows.map(({ properties }) => numberOf(properties[name])).filter((value) => value !== undefined);
  const sorted = Float64Array.from(values).sort();
  const lowest = sorted[0] ?? 0;
  const cuts = SEQUENCE.map((_, index) => sorted[Math.floor((sorted.length * index) / SEQUENCE.length)] ?? lowest);
  // Equal values stay in one class, so there may be fewer classes than colours.
  const starts = sorted.length > 0 ? [...new Set(cuts)] : [];
  const classes = starts.map((from, index): ColorClass => {
    const next = starts[index + 1];
    const to = (next === undefined ? sorted.at(-1) : sorted[sorted.indexOf(next) - 1]) ?? from;
    const label = from === to ? amountOf(from) : `${amountOf(from)} to ${amountOf(to)}`;
    return { label, color: SEQUENCE[index] ?? REST, filter: { from, to } };
  });
  const hasMissing = sorted.length < rows.length;
  return {
    classes: [...classes, ...(hasMissing ? [MISSING] : [])],
    classOf: ({ properties }) => {
      const value = numberOf(properties[name]);
      return value === undefined ? starts.length : starts.findLastIndex((start) => start <= value);
    },
  };
}

function byCategories(rows: readonly Row[], name: string): Classes {
  const counts = countsOf(rows, name);
  const frequent = frequentOf(counts, CATEGORIES.length);
  const places = new Map(frequent.map(([text], index) => [text, index]));
  const hasOthers = counts.size > frequent.length;
  const hasMissing = rows.some(({ properties }) => isMissing(properties[name]));
  const missing = frequent.length + Number(hasOthers);
  return {
    classes: [
      ...frequent.map(([label], index) => ({ label, color: CATEGORIES[index] ?? REST, filter: { values: [label] } })),
      ...(hasOthers ? [{ label: 'Other', color: REST, filter: undefined }] : []),
      ...(hasMissing ? [MISSING] : []),
    ],
    classOf: ({ properties }) =>
      isMissing(properties[name]) ? missing : (places.get(textOf(properties[name])) ?? frequent.length),
  };
}

/** How often a column has each text. */
export function countsOf(rows: readonly Row[], name: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { properties } of rows) {
    if (isMissing(properties[name])) continue;
    const text = textOf(properties[name]);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

/** The most frequent texts. */
export function frequentOf(counts: ReadonlyMap<string, number>, most: number): [string, number][] {
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, most);
}

/** Radii of points for the numbers of a property, whole pixels. */
export function radiiOf(rows: readonly Row[], name: string): (row: Row) => number {
  const [smallest, largest] = RADII;
  const most = rows.reduce((sum, { properties }) => Math.max(sum, numberOf(properties[name]) ?? 0), 0);
  return ({ properties }) => {
    const value = Math.max(0, numberOf(properties[name]) ?? 0);
    return Math.round(most > 0 ? smallest + (largest - smallest) * Math.sqrt(value / most) : smallest);
  };
}
