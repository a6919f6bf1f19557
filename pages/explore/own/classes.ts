import { number } from '../../shared/format.ts';
import { type Column, isMissing, numberOf, type Row, textOf } from './rows.ts';

/** One colour of features, with what it stands for. */
export interface ColorClass {
  readonly label: string;
  readonly color: string;
  readonly count: number;
}

export interface Classes {
  readonly classes: readonly ColorClass[];
  colorOf(row: Row): string;
}

/** Colours of categories, which people with any colour vision can tell apart, on light and on dark land. */
const CATEGORIES = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#d55e00', '#56b4e9', '#8a63c4', '#a39a1f'];

/** Colours of numbers, from small to large. */
const SEQUENCE = ['#f2c46d', '#f08a5d', '#d9536f', '#a83c8c', '#6f3fa5'];

const REST = '#7d8286';

/** Radii of points, pixels. Their areas grow with the number. */
const RADII = [3, 16] as const;

/** Colours for the values of a property: numbers by quantiles, anything else by the most frequent values. */
export function classesOf(rows: readonly Row[], column: Column): Classes {
  return column.isNumeric ? byQuantiles(rows, column.name) : byCategories(rows, column.name);
}

function byQuantiles(rows: readonly Row[], name: string): Classes {
  const values = rows.map(({ properties }) => numberOf(properties[name])).filter((value) => value !== undefined);
  const sorted = values.toSorted((a, b) => a - b);
  const lowest = sorted[0] ?? 0;
  const cuts = SEQUENCE.map((_, index) => sorted[Math.floor((sorted.length * index) / SEQUENCE.length)] ?? lowest);
  // Equal values stay in one class, so there may be fewer classes than colours.
  const starts = [...new Set(cuts)];
  const classAt = (value: number) => starts.findLastIndex((start) => start <= value);
  const members = starts.map((): number[] => []);
  for (const value of sorted) members[classAt(value)]?.push(value);
  const classes = members.map((inside, index) => {
    const [from = 0, to = from] = [inside[0], inside.at(-1)];
    const label = from === to ? number(from) : `${number(from)} to ${number(to)}`;
    return { label, color: SEQUENCE[index] ?? REST, count: inside.length };
  });
  const without = rows.length - sorted.length;
  return {
    classes: [...(sorted.length > 0 ? classes : []), ...rest('No value', without)],
    colorOf: ({ properties }) => {
      const value = numberOf(properties[name]);
      return (value === undefined ? undefined : SEQUENCE[classAt(value)]) ?? REST;
    },
  };
}

function byCategories(rows: readonly Row[], name: string): Classes {
  const counts = new Map<string, number>();
  for (const { properties } of rows) {
    if (isMissing(properties[name])) continue;
    const text = textOf(properties[name]);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const frequent = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, CATEGORIES.length);
  const colors = new Map(frequent.map(([text], index) => [text, CATEGORIES[index] ?? REST]));
  const shown = frequent.reduce((sum, [, count]) => sum + count, 0);
  return {
    classes: [
      ...frequent.map(([label, count]) => ({ label, color: colors.get(label) ?? REST, count })),
      ...rest(counts.size > frequent.length ? 'Other' : 'No value', rows.length - shown),
    ],
    colorOf: ({ properties }) => colors.get(textOf(properties[name])) ?? REST,
  };
}

function rest(label: string, count: number): ColorClass[] {
  return count > 0 ? [{ label, color: REST, count }] : [];
}

/** Radii of points for the numbers of a property, in pixels. */
export function radiiOf(rows: readonly Row[], name: string): (row: Row) => number {
  const [smallest, largest] = RADII;
  const most = rows.reduce((sum, { properties }) => Math.max(sum, numberOf(properties[name]) ?? 0), 0);
  return ({ properties }) => {
    const value = Math.max(0, numberOf(properties[name]) ?? 0);
    return most > 0 ? smallest + (largest - smallest) * Math.sqrt(value / most) : smallest;
  };
}
