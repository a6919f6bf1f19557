import {
  amountOf,
  isCode,
  isMissing,
  numberOf,
  roundedOf,
  saysNoValue,
  textOf,
  withMinus,
  wordOfValue,
} from '../../shared/values.ts';
import type { Tone } from '../map-colors.ts';
import { lowerBounds, type Method } from './breaks.ts';
import type { Filter } from './filters.ts';
import type { Column, Row } from './rows.ts';
import { CATEGORIES, colorsOf, DARK_CATEGORIES, DIVERGING_SCHEMES, MISSING, REST, type Scheme } from './schemes.ts';
import type { Symbology } from './symbology.ts';

/** One colour of features, with what it stands for. */
export interface ColorClass extends Tone {
  readonly label: string;
  /** What chooses the features of this class; undefined where no filter of one column does. */
  readonly filter: Filter | undefined;
  /** Whether it is that of the features without a value. */
  readonly isMissing?: true;
  /** Whether it is that of all values that have no class of their own. */
  readonly isOther?: true;
  /** Whether it is that of zero alone. The author gives it no label, because it comes and goes with the data. */
  readonly isZero?: true;
}

export interface Classes {
  readonly classes: readonly ColorClass[];
  /** The place of a feature's class among the classes. */
  classOf(row: Row): number;
  /** A number as the legend writes it. */
  readonly words: (value: number) => string;
  /** The middle of a diverging scheme that the data suggest; undefined where there are no numbers. */
  readonly middle: number | undefined;
  /** The colours of the classes of numbers in another scheme. */
  colorsIn(scheme: Scheme): Tone[];
}

interface Coloring {
  readonly column: Column;
  readonly symbology: Symbology;
  /** The number of a feature; undefined where it has none. */
  readonly numberFor: (row: Row) => number | undefined;
  /** Whether zero has a class of its own, which holds nothing else, unless the author names the breaks. */
  readonly hasZero?: boolean;
}

/** Features without a value. */
const WITHOUT: ColorClass = { label: 'No value', ...MISSING, filter: { values: [''] }, isMissing: true };

/** A filter of the features without a number has no more texts: a URL holds it. */
const MAX_TEXTS = 20;

/** Radii of points, pixels. Their areas grow with the number. */
const RADII = [3, 16] as const;

/** Colours for the values of a property: numbers in classes, anything else by the most frequent values. */
export function classesOf(rows: readonly Row[], coloring: Coloring): Classes {
  const { column, symbology } = coloring;
  const { method, labels } = symbology;
  const { classes, ...others } =
    column.isNumeric && method !== 'categories' ? byNumbers(rows, { ...coloring, method }) : byCategories(rows, column);
  const labelled = classes.filter(({ isZero }) => !isZero);
  return {
    classes: classes.map((one) => ({ ...one, label: labels[labelled.indexOf(one)] || one.label })),
    ...others,
  };
}

type Numbers = Coloring & { readonly method: Exclude<Method, 'categories'> };

/** The lower bounds of the classes of numbers that are none below zero, the first of which has zero alone. */
function boundsBesideZero(
  sorted: Float64Array,
  { count, breaks, method }: Pick<Numbers, 'method'> & Symbology,
): number[] {
  const above = sorted.subarray(firstFrom(sorted, Number.MIN_VALUE));
  return [0, ...lowerBounds(above, { method, count: Math.max(1, count - 1), breaks })];
}

function byNumbers(rows: readonly Row[], { column, symbology, numberFor, method, hasZero }: Numbers): Classes {
  const values = rows.map(numberFor).filter((value) => value !== undefined);
  const sorted = Float64Array.from(values).sort();
  const isZeroAlone = hasZero === true && method !== 'own' && sorted[0] === 0;
  const starts = isZeroAlone
    ? boundsBesideZero(sorted, { ...symbology, method })
    : lowerBounds(sorted, { ...symbology, method });
  const colorsIn = (scheme: Scheme) => {
    const [colors = [], darks = []] = [false, true].map((isDark) =>
      colorsAround(starts, sorted, { ...symbology, scheme, isDark }),
    );
    return colors.map((color, index): Tone => ({ color, dark: darks[index] ?? color }));
  };
  const colors = colorsIn(symbology.scheme);
  // A number that was divided by another is no value of the column, so no filter chooses it.
  const isFiltered = symbology.rate === undefined;
  const words = isFiltered ? amountsLike(sorted, starts, column.isAmount) : roundedOf;
  /** Whether classes part at numbers that the method or the author names. */
  const hasSteps = method === 'equal' || method === 'own';
  const rounds = hasSteps ? starts : starts.map((start) => roundStart(sorted, start));
  const inner = isFiltered || hasSteps ? rounds.slice(1) : withFewDigits(rounds.slice(1));
  const hasGroups = column.isAmount || !isFiltered;
  const ofSteps = method === 'equal' ? wordsOfSteps(sorted, starts, hasGroups) : undefined;
  // Numbers of many digits have in a legend as few as its bounds, those at both ends too.
  const decimals = isFiltered && hasFewDecimals(sorted, starts) ? undefined : decimalsOf(inner);
  const ofBounds = ofSteps ?? (decimals === undefined ? words : wordsWith(decimals, hasGroups));
  const outward = (value: number, round: 'floor' | 'ceil') =>
    ofSteps || decimals === undefined ? value : roundedTo(value, decimals, round);
  // Of larger numbers not all digits are shown.
  const isWhole = !hasSteps && isFiltered && sorted.every(Number.isInteger) && Math.abs(sorted.at(-1) ?? 0) < 1e6;
  /** Whether each value has a class of its own. */
  const isEach = new Set(sorted).size === starts.length;
  const classes = starts.map((start, index): ColorClass => {
    const next = starts[index + 1];
    const inside = sorted.subarray(firstFrom(sorted, start), next === undefined ? undefined : firstFrom(sorted, next));
    const [from, to] = [inside[0], inside.at(-1)];
    const least = index === 0 ? outward(start, 'floor') : (inner[index - 1] ?? start);
    const bounds = [least, inner[index]] as const;
    const isOne =
      starts.length === 1 || (isZeroAlone && index === 0) || (from === to && !hasSteps && (isWhole || isEach));
    const label = isOne
      ? rangeLabel(from, to, words)
      : boundsLabel([...bounds, outward(to ?? start, 'ceil')], { words: ofBounds, isWhole });
    const filter = isFiltered && from !== undefined ? { from, to } : undefined;
    const tone = colors[index] ?? { color: REST, dark: REST };
    return { label, ...tone, filter, ...(isZeroAlone && index === 0 && { isZero: true }) };
  });
  const hasMissing = sorted.length < rows.length;
  const texts = new Set([
    '',
    ...(hasMissing ? rows : []).flatMap((row) =>
      numberFor(row) === undefined ? textOf(row.properties[column.name]) : [],
    ),
  ]);
  const without = { ...WITHOUT, filter: isFiltered && texts.size <= MAX_TEXTS ? { values: [...texts] } : undefined };
  return {
    classes: [...classes, ...(hasMissing ? [without] : [])],
    words,
    colorsIn,
    middle: middleOf(sorted),
    classOf: (row) => {
      const value = numberFor(row);
      return value === undefined
        ? starts.length
        : Math.max(
            0,
            starts.findLastIndex((start) => start <= value),
          );
    },
  };
}

/** More decimals than these were computed, and are written as far as they say something. */
const MAX_DECIMALS = 2;

/** Writes the numbers of a column with as many decimals each as the column has, where all bounds of its classes have no more. */
function amountsLike(sorted: Float64Array, starts: readonly number[], isAmount: boolean): Words {
  const decimals = decimalsOf([...sorted, ...starts]);
  return decimals && hasFewDecimals(sorted, starts)
    ? wordsWith(decimals, isAmount)
    : (value) => amountOf(value, isAmount);
}

/** Whether the numbers of a column, and the bounds of its classes, have so few decimals that all of them are written. */
function hasFewDecimals(sorted: Float64Array, starts: readonly number[]): boolean {
  return (decimalsOf([...sorted, ...starts]) ?? Infinity) <= MAX_DECIMALS;
}

/** A legend in which some bounds need more decimals has as many digits of each as say something. */
const MAX_BOUND_DECIMALS = 4;

/** How many decimals the numbers need; undefined where they are too many to be written. */
function decimalsOf(numbers: readonly number[]): number | undefined {
  const texts = numbers.filter(Number.isFinite).map(String);
  const most = texts.reduce((sum, text) => Math.max(sum, text.split('.')[1]?.length ?? 0), 0);
  return most > MAX_BOUND_DECIMALS || texts.some((text) => text.includes('e')) ? undefined : most;
}

/** Bounds with three digits, as numbers that were computed are written everywhere, or with as many more as tell them apart. */
function withFewDigits(bounds: readonly number[]): readonly number[] {
  for (let digits = 3; digits < DIGITS; digits += 1) {
    const rounded = bounds.map((bound) => Number(bound.toPrecision(digits)));
    if (new Set(rounded).size === bounds.length) return rounded;
  }
  return bounds;
}

/** Writes numbers with as many decimals each. */
function wordsWith(decimals: number, hasGroups: boolean): Words {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals, useGrouping: hasGroups };
  return (value) => withMinus(value.toLocaleString('en', digits));
}

/** A number with so many decimals that is not above it, or not below it. */
function roundedTo(value: number, decimals: number, round: 'floor' | 'ceil'): number {
  const times = 10 ** decimals;
  return Number.isFinite(value) ? Math[round](Number((value * times).toPrecision(DIGITS))) / times : value;
}

/** How many digits of a product are kept. What doubles add behind them would be rounded to the next number. */
const DIGITS = 14;

/** How far a written break of equal steps may be from the break, as a share of a step. */
const STEP_ERROR = 0.001;
const MAX_STEP_DECIMALS = 10;

/**
 * Writes the breaks of equal steps with as many decimals each, so few that the steps are yet equal as they are read, and that
 * each number is on that side of a written break on which its class lies; undefined where there are no such decimals.
 */
function wordsOfSteps(sorted: Float64Array, starts: readonly number[], hasGroups: boolean): Words | undefined {
  const [first = 0, second = first] = starts;
  for (let decimals = 0; decimals <= MAX_STEP_DECIMALS; decimals += 1) {
    const isRight = starts.every((start) => {
      const written = Number(start.toFixed(decimals));
      const at = firstFrom(sorted, start);
      const [before = -Infinity, from = Infinity] = [sorted[at - 1], sorted[at]];
      return Math.abs(written - start) <= STEP_ERROR * (second - first) && before < written && written <= from;
    });
    if (!isRight) continue;
    return wordsWith(decimals, hasGroups);
  }
  return undefined;
}

/** The place of the first number that is not less than another. */
function firstFrom(sorted: Float64Array, bound: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A number with few digits at which a class can begin as well as at its least number: it lies above all of the class before. */
function roundStart(sorted: Float64Array, start: number): number {
  const before = sorted[firstFrom(sorted, start) - 1];
  if (before === undefined || !Number.isFinite(start)) return start;
  const largest = Math.ceil(Math.log10(Math.max(Math.abs(start), Math.abs(before)))) || 0;
  for (let digits = -largest; digits < 6 - largest; digits += 1) {
    const times = 10 ** digits;
    const round = Math.floor(start * times + 1e-9) / times;
    if (round > before && round <= start) return round;
  }
  return start;
}

type Words = (value: number) => string;

/** The numbers that there are in a class. */
function rangeLabel(from: number | undefined, to: number | undefined, words: Words): string {
  if (from === undefined || to === undefined) return 'None';
  return from === to ? words(from) : `${words(from)} to ${words(to)}`;
}

/** The bounds of a class, so that nothing is between two. The upper one belongs to the next class, unless numbers are whole. */
function boundsLabel(
  [start, next, most]: readonly [number, number | undefined, number],
  { words, isWhole }: { words: Words; isWhole: boolean },
): string {
  if (start === -Infinity) return `under ${words(next ?? 0)}`;
  if (next === undefined) return most > start ? `${words(start)} to ${words(most)}` : `${words(start)} or more`;
  if (!isWhole || !Number.isInteger(start) || !Number.isInteger(next)) return `${words(start)} to under ${words(next)}`;
  return next - start > 1 ? `${words(start)} to ${words(next - 1)}` : words(start);
}

/** Where a diverging scheme has its middle unless the author says so: at zero, where numbers lie on both sides, or else the median. */
function middleOf(sorted: Float64Array): number | undefined {
  const [least = 0, most = 0] = [sorted[0], sorted.at(-1)];
  return least < 0 && most > 0 ? 0 : sorted[sorted.length >> 1];
}

/**
 * The colours of classes. Those of a diverging scheme stand on the side of the middle on which their class lies, as far
 * from it as many classes lie between; the class in which the middle lies has the neutral colour.
 */
function colorsAround(
  starts: readonly number[],
  sorted: Float64Array,
  { scheme, isReversed, middle: given, isDark }: Symbology & { readonly isDark: boolean },
): string[] {
  const turned = (colors: string[]) => (isReversed ? colors.toReversed() : colors);
  if (!DIVERGING_SCHEMES.includes(scheme)) return turned(colorsOf(scheme, starts.length, isDark));
  const middle = given ?? middleOf(sorted) ?? 0;
  const above = starts.filter((start) => start >= middle).length;
  const below = starts.filter((_, index) => (starts[index + 1] ?? Infinity) <= middle).length;
  const across = starts.length - above - below;
  const side = Math.max(above, below, 1);
  const colors = turned(colorsOf(scheme, 2 * side + across, isDark));
  return colors.slice(side - below, side - below + starts.length);
}

function byCategories(rows: readonly Row[], { name, isNumeric, isAmount }: Column): Classes {
  const isWithout = ({ properties }: Row) => saysNoValue(properties[name], isNumeric);
  const without = rows.filter(isWithout);
  const counts = countsOf(
    rows.filter((row) => !isWithout(row)),
    name,
  );
  const areNumbers = [...counts.keys()].every((text) => sizeOf(text) !== undefined);
  const bySize = ([a]: readonly [string, number], [b]: readonly [string, number]) =>
    (sizeOf(a) ?? 0) - (sizeOf(b) ?? 0);
  const all = areNumbers ? new Map([...counts].sort(bySize)) : counts;
  const frequent = frequentOf(all, CATEGORIES.length, areNumbers);
  if (areNumbers) frequent.sort(bySize);
  const indexes = new Map(frequent.map(([text], index) => [text, index]));
  const hasOthers = counts.size > frequent.length;
  const missing = frequent.length + Number(hasOthers);
  const texts = new Set(['', ...without.map(({ properties }) => textOf(properties[name]))]);
  return {
    classes: [
      ...frequent.map(([text], index) => ({
        label: wordOfValue(text, isAmount),
        filter: { values: [text] },
        color: CATEGORIES[index] ?? REST,
        dark: DARK_CATEGORIES[index] ?? REST,
      })),
      ...(hasOthers ? [{ label: 'Other', color: REST, dark: REST, filter: undefined, isOther: true as const }] : []),
      ...(without.length > 0
        ? [{ ...WITHOUT, filter: texts.size <= MAX_TEXTS ? { values: [...texts] } : undefined }]
        : []),
    ],
    words: amountOf,
    middle: undefined,
    colorsIn: () => [],
    classOf: (row) => (isWithout(row) ? missing : (indexes.get(textOf(row.properties[name])) ?? frequent.length)),
  };
}

/** The size of a text that is a number, or a code of digits; undefined for any other. */
function sizeOf(text: string): number | undefined {
  return numberOf(text) ?? (isCode(text) ? Number(text) : undefined);
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

/** The most frequent texts. @param isOrdered whether those that are as frequent stay in their order, and not in that of letters */
export function frequentOf(counts: ReadonlyMap<string, number>, most: number, isOrdered = false): [string, number][] {
  const first = (a: string, b: string) => (isOrdered ? 0 : a < b ? -1 : 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || first(a, b)).slice(0, most);
}

/** The largest number of a property, which has the largest radius. */
function mostOf(rows: readonly Row[], name: string): number {
  return rows.reduce((most, { properties }) => Math.max(most, numberOf(properties[name]) ?? 0), 0);
}

/** The radius of a point with a number, of which `most` is the largest; whole pixels. */
function radiusOf(value: number, most: number): number {
  const [smallest, largest] = RADII;
  return Math.round(most > 0 ? smallest + (largest - smallest) * Math.sqrt(Math.max(0, value) / most) : smallest);
}

/** Radii of points for the numbers of a property. */
export function radiiOf(rows: readonly Row[], name: string): (row: Row) => number {
  const most = mostOf(rows, name);
  return ({ properties }) => radiusOf(numberOf(properties[name]) ?? 0, most);
}

/** The column that gives points their sizes, with some round numbers as the map draws them, the smallest first. */
export interface SizeKey {
  readonly title: string;
  readonly circles: readonly {
    readonly label: string;
    /** Pixels. */
    readonly radius: number;
  }[];
}

/** Of the largest number, about how large those are that a legend shows; and by how many pixels their radii differ at least. */
const SHARES = [1, 1 / 4, 1 / 20] as const;
const LEAST_DIFFERENCE = 2;

/** What the radii of points stand for: two or three round numbers. Undefined where all radii are the same. */
export function sizeKeyOf(rows: readonly Row[], { name, isAmount }: Column): SizeKey | undefined {
  const most = mostOf(rows, name);
  if (most <= 0) return undefined;
  const areWhole = rows.every(({ properties }) => Number.isInteger(numberOf(properties[name]) ?? 0));
  const circles: SizeKey['circles'][number][] = [];
  const add = (value: number) => circles.unshift({ label: amountOf(value, isAmount), radius: radiusOf(value, most) });
  for (const share of SHARES) {
    const value = roundBelow(most * share);
    const larger = circles[0]?.radius ?? Number.POSITIVE_INFINITY;
    const isOther = larger - radiusOf(value, most) >= LEAST_DIFFERENCE;
    if (isOther && (!areWhole || Number.isInteger(value))) add(value);
  }
  if (circles.length === 1) add(0);
  return { title: name, circles };
}

/** The largest number of 1, 2, 5, 10, 20, 50 and so on that is not above a positive one. */
function roundBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const times = [5, 2].find((each) => each * power <= value) ?? 1;
  return Number((times * power).toPrecision(1));
}
