import { numberOf, roundedOf, textOf, wordOfValue } from '../../shared/values.ts';
import type { Choices } from './address.ts';
import { type Classes, classesOf, radiiOf, sizeKeyOf } from './classes.ts';
import { labellingColumn, namingColumn } from './column-order.ts';
import { COARSE_COUNTS, POINTS_PROPERTY } from './count-levels.ts';
import type { FeatureStyle } from './feature-tiles.ts';
import type { Features } from './features.ts';
import { isChosen, toggled } from './filters.ts';
import { nounOf } from './gathering.ts';
import { landAreasOf } from './land-areas.ts';
import { type AreaLabel, type Drawing, type Legend, zoomForName, zoomForNames } from './layers.ts';
import { type ProvinceLand, populationsOf } from './populations.ts';
import { visible } from './readable.ts';
import { type Column, kindOf, type Row } from './rows.ts';
import type { Rate, Symbology } from './symbology.ts';
import { lacksAreas } from './whole-level.ts';

/** Max areas that are named, and the most characters of a name. */
const MAX_NAMES = 5000;
const MAX_NAME = 60;
/** No map is so near. */
const NEVER = 99;

/** The columns that can be the sizes of points. Their coordinates, and a number that all have, say nothing as sizes. */
export function sizesOf(
  { coordinates, rows }: Pick<Features, 'coordinates' | 'rows'>,
  columns: readonly Column[],
): Column[] {
  const differs = (name: string) => new Set(rows.map(({ properties }) => numberOf(properties[name]))).size > 1;
  return columns.filter(({ name, isNumeric }) => isNumeric && !coordinates.includes(name) && differs(name));
}

interface Coloring {
  readonly classes: Classes['classes'];
  /** The index of the class of each feature. */
  readonly classIndexes: Uint8Array;
  readonly title: string;
  /** The number of a feature; undefined where it has none. */
  readonly numberFor: (row: Row) => number | undefined;
  /** Whether numbers are divided. No filter of one column chooses the classes of these. */
  readonly isRate: boolean;
  /** By what, in words. */
  readonly per: string;
  /** A number as the legend writes it. */
  readonly words: Classes['words'];
  readonly middle: Classes['middle'];
  readonly colorsIn: Classes['colorsIn'];
}

/** The numbers that were divided by others, for a table. */
export interface RateColumn extends Pick<Coloring, 'title' | 'numberFor'> {}

interface StylingOptions {
  readonly features: Features;
  readonly columns: readonly Column[];
  /** The name of the dataset. */
  readonly name: string;
  /** Whether the features are areas with what was counted in them. */
  readonly isCounted?: boolean;
  /** Whether that was counted by coarse boundaries. */
  readonly isCoarse?: boolean;
  /** Asks the service. */
  readonly ask: (path: string) => Promise<Response>;
  /** What lies on the land of the provinces in which points are counted; undefined for other features. */
  readonly land?: ProvinceLand | undefined;
}

/** What tiles of features show, and what their colours stand for. */
export function createStyling(options: StylingOptions) {
  const { features, columns, name: ofDataset, isCounted = false, isCoarse = false, ask, land } = options;
  const { rows } = features;
  const sizes = sizesOf(features, columns);
  const listedOf = remember((listed: readonly Row[]) =>
    listed.length === rows.length ? undefined : Uint32Array.from(listed, ({ index }) => index),
  );
  const radiiFor = remember((size: Column | undefined) => size && Uint8Array.from(rows, radiiOf(rows, size.name)));
  const divisors = new Map<Rate, Promise<Float64Array>>();
  let onAreas = '';
  const areas = async () => {
    const drawn = await features.areas();
    const { km2, remark } = await landAreasOf({ rows, columns, drawn, isOfWhole: isCounted, ask });
    onAreas = remark;
    return km2;
  };
  const divisorsOf = (rate: Rate) => {
    const known = divisors.get(rate) ?? (rate === 'area' ? areas() : populationsOf(rows, columns, ask, land));
    divisors.set(rate, known);
    known.catch(() => divisors.delete(rate));
    return known;
  };
  let last: (Coloring & { readonly color: Column; readonly key: string }) | undefined;
  const coloringOf = async (color: Column, symbology: Symbology): Promise<Coloring> => {
    // The author's words, and those on the map, change no colour.
    const words = { title: '', subtitle: '', source: '', notes: '', rest: '', unchosen: '', noun: '' };
    const key = JSON.stringify({ ...symbology, ...words, hasValues: false });
    if (last?.color === color && last.key === key) return last;
    const values = await valuesOf(color, symbology);
    // That nothing was counted is something else than little.
    const hasZero = isCounted && color.name === POINTS_PROPERTY;
    const made = classesOf(rows, { column: color, symbology, numberFor: values.numberFor, hasZero });
    last = { color, key, ...values, ...made, classIndexes: Uint8Array.from(rows, made.classOf) };
    return last;
  };
  /** The number of each feature, divided as the symbology says, with what it is. */
  const valuesOf = async ({ name, isNumeric }: Column, { rate, method }: Symbology) => {
    const own = ({ properties }: Row) => numberOf(properties[name]);
    if (!rate || !isNumeric || method === 'categories') return { title: name, numberFor: own, isRate: false, per: '' };
    const by = await divisorsOf(rate);
    const share = (row: Row) => {
      const [amount, divisor] = [own(row), by[row.index] ?? 0];
      return amount === undefined || !(divisor > 0) ? undefined : amount / divisor;
    };
    const times = rate === 'population' ? residentsFor(rows.map(share)) : 1;
    const numberFor = (row: Row) => {
      const value = share(row);
      return value === undefined ? undefined : value * times;
    };
    const per = rate === 'area' ? 'km²' : `${times.toLocaleString('en')} residents`;
    return { title: `${name} per ${per}`, numberFor, isRate: true, per };
  };
  let rest: Promise<boolean> | undefined;
  /** Whether land of the country is of none of the areas. */
  const hasRest = () => {
    rest ??= lacksAreas(rows, ask);
    return rest;
  };
  const kind = kindOf(rows);
  const isOfAreas = kind === 'areas';
  const noun = nounOf(rows);
  const labelling = labellingColumn(columns)?.name;
  const names = isOfAreas && rows.length <= MAX_NAMES ? labelling : undefined;
  const naming = labelling ?? namingColumn(columns, rows)?.name;
  /**
   * The names of areas, and their numbers as the legend writes them, where each has most room. The widest areas come first.
   *
   * @param numbers of which the numbers are shown; undefined for names alone
   */
  const labelsOf = async (listed: readonly Row[], numbers: Coloring | undefined): Promise<AreaLabel[]> => {
    if (!names && !numbers) return [];
    const insides = await features.insides();
    const labels = listed
      .flatMap((row) => {
        const [number, inside] = [numbers?.numberFor(row), insides[row.index]];
        const name = names ? visible(textOf(row.properties[names]).slice(0, MAX_NAME)) : '';
        const value = number === undefined ? '' : (numbers?.words(number) ?? '');
        if (!inside || name + value === '') return [];
        const zoomFor = (text: string) => (text ? zoomForName(text, inside.width) : NEVER);
        return [{ name, value, index: row.index, ...inside, fromZoom: zoomFor(name), valueFromZoom: zoomFor(value) }];
      })
      .sort((a, b) => b.width - a.width);
    const first = zoomForNames(labels.flatMap(({ name, fromZoom }) => (name ? fromZoom : [])));
    return labels.map((label) => ({ ...label, fromZoom: Math.max(label.fromZoom, first) }));
  };
  /** A table is often called by one of its columns, which says nothing of a map that another one colours. */
  const titleInPlaceOf = (name: string, title: string) =>
    name !== title && columns.some((column) => column.name === name) ? title : '';
  const columnOf = (name: string | undefined) => columns.find((column) => column.name === name);
  const hasPoints = rows.some(({ type }) => type === 'Point' || type === 'MultiPoint');
  const sizeKeyFor = remember((size: Column | undefined) => size && hasPoints && sizeKeyOf(rows, size));
  let latest = 0;
  let drawn: Pick<FeatureStyle, 'classes' | 'radii'> = { classes: undefined, radii: undefined };
  return {
    /** Whether all features with a place are areas. */
    isOfAreas,
    /**
     * @param onChoose called with what a click in the legend chooses; without it no class can be chosen
     * @returns what is drawn, once the tiles have it; undefined if another one was asked for since
     * @throws PsgcError if what numbers are divided by can't be read
     */
    async show(
      listed: readonly Row[],
      { color: colored, symbology, size: sized, filters, shown }: Choices,
      onChoose?: (choice: Pick<Choices, 'filters'> | Pick<Choices, 'shown'>) => void,
    ): Promise<Pick<Drawing, 'revision' | 'legend' | 'sizes' | 'labels' | 'isOfAreas'> | undefined> {
      latest += 1;
      const revision = latest;
      const color = columnOf(colored);
      const size = sizes.find(({ name }) => name === sized);
      // Colours stand for the same values, whatever is listed.
      const coloring = color && (await coloringOf(color, symbology));
      const hasValues = color?.isNumeric && symbology.hasValues && symbology.method !== 'categories';
      const [labels, isRest] = await Promise.all([
        labelsOf(listed, hasValues ? coloring : undefined),
        coloring && isOfAreas ? hasRest() : false,
      ]);
      if (revision !== latest) return undefined;
      drawn = { classes: coloring?.classIndexes, radii: radiiFor(size) };
      const sizeKey = sizeKeyFor(size) || undefined;
      await features.show({ listed: listedOf(listed), ...drawn });
      if (revision !== latest) return undefined;
      if (!color || !coloring) return { revision, legend: undefined, sizes: sizeKey, labels, isOfAreas };
      const { classes, classIndexes, title, isRate, per, middle, colorsIn } = coloring;
      const isFiltered = isOfAreas && listed.length < rows.length;
      const counts = classes.map(() => 0);
      for (const { index } of listed) {
        const classIndex = classIndexes[index] ?? 0;
        counts[classIndex] = (counts[classIndex] ?? 0) + 1;
      }
      const legend: Legend = {
        title,
        noun: symbology.noun || noun,
        isFiltered,
        rest: isFiltered ? symbology.unchosen || 'Not chosen' : isRest ? symbology.rest || 'Not in the data' : '',
        per,
        remark: isCoarse ? COARSE_COUNTS : '',
        middle,
        colorsIn,
        words: { ...symbology, title: symbology.title || titleInPlaceOf(ofDataset, title) },
        classes: classes.map((one, classIndex) => {
          const { filter } = one;
          const among = classIndex + 1;
          const toggle = isRate
            ? () => onChoose?.({ shown: toggledIn(shown, among) })
            : filter && (() => onChoose?.({ filters: toggled(filters, color.name, filter) }));
          return {
            ...one,
            count: counts[classIndex] ?? 0,
            isChosen: isRate ? shown.includes(among) : filter !== undefined && isChosen(filters, color.name, filter),
            choose: onChoose && toggle,
          };
        }),
      };
      return { revision, legend, sizes: sizeKey, labels, isOfAreas };
    },
    /** The name of a feature: empty where it has none. */
    nameOf: (row: Row) => (naming ? visible(textOf(row.properties[naming]).slice(0, MAX_NAME)) : ''),
    /** What the numbers of a column are divided to, as it was shown last; undefined where they are as they were. */
    rateOf({ color: colored }: Pick<Choices, 'color'>): RateColumn | undefined {
      if (!last?.isRate || last.color !== columnOf(colored)) return undefined;
      return { title: last.title, numberFor: last.numberFor };
    },
    /** What a reader should know of the areas that numbers were divided by last; empty where there is nothing. */
    onAreas: () => onAreas,
    /** The name of a feature and the value that colours it, each in a line. */
    hintOf(row: Row | undefined, { color: colored }: Pick<Choices, 'color'>): string {
      const color = columnOf(colored);
      if (!row) return '';
      const rate = last?.isRate && last.color === color ? last : undefined;
      const number = rate?.numberFor(row);
      const own = color && wordOfValue(row.properties[color.name], color.isAmount);
      const value = rate ? number !== undefined && roundedOf(number) : own;
      const words = color && `${rate?.title ?? color.name}: ${value || 'no value'}`;
      // A column that names features only because no other one does may be the one that colours them.
      const name = color && color.name === naming && naming !== labelling ? '' : this.nameOf(row);
      return [name, words && visible(words).slice(0, 2 * MAX_NAME)].filter((line) => line).join('\n');
    },
    /**
     * Makes the classes that `only` chooses among.
     *
     * @throws PsgcError if what numbers are divided by can't be read
     */
    async classify({ color: colored, symbology, shown }: Choices): Promise<void> {
      const color = columnOf(colored);
      if (color && shown.length > 0) await coloringOf(color, symbology);
    },
    /** Those of some features that are in the chosen classes of a rate. */
    only(listed: readonly Row[], { shown }: Choices): readonly Row[] {
      const { isRate = false, classIndexes } = last ?? {};
      return isRate && shown.length > 0
        ? listed.filter(({ index }) => shown.includes((classIndexes?.[index] ?? 0) + 1))
        : listed;
    },
    /** The index of the class of each feature, and the radius of each point, as they were shown last. */
    drawn: () => drawn,
  };
}

/** Numbers with another one or, where it is among them, without it. */
function toggledIn(numbers: readonly number[], one: number): number[] {
  return numbers.includes(one) ? numbers.filter((each) => each !== one) : [...numbers, one].sort((a, b) => a - b);
}

/** For how many residents a rate is said, so that most areas have one or more: 1,000 or 100,000. */
function residentsFor(shares: readonly (number | undefined)[]): 1000 | 100_000 {
  const sorted = Float64Array.from(shares.filter((share) => share !== undefined)).sort();
  return Math.abs(sorted[sorted.length >> 1] ?? 0) >= 0.001 ? 1000 : 100_000;
}

/** Gives the same again as long as it is asked for the same. */
function remember<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  let last: { key: Key; value: Value } | undefined;
  return (key) => {
    if (!last || last.key !== key) last = { key, value: make(key) };
    return last.value;
  };
}
