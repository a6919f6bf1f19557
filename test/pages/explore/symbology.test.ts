import fc from 'fast-check';
import { ckmeans, equalIntervalBreaks, quantileSorted } from 'simple-statistics';
import { describe, expect, it } from 'vitest';
import { GREY, greyOf, paletteFor } from '../../../pages/explore/map-colors.ts';
import { choicesAt, fragmentOfDataset } from '../../../pages/explore/own/address.ts';
import { lowerBounds, type Method } from '../../../pages/explore/own/breaks.ts';
import { classesOf } from '../../../pages/explore/own/classes.ts';
import { landAreasOf } from '../../../pages/explore/own/land-areas.ts';
import { populationsOf, remarkOnResidents } from '../../../pages/explore/own/populations.ts';
import { columnsOf, rowOf } from '../../../pages/explore/own/rows.ts';
import {
  CATEGORIES,
  colorsOf,
  DARK_CATEGORIES,
  DIVERGING_SCHEMES,
  MISSING,
  REST,
  SEQUENTIAL_SCHEMES,
} from '../../../pages/explore/own/schemes.ts';
import { breaksIn, faultsOfBreaks, type Symbology } from '../../../pages/explore/own/symbology.ts';
import { numberOf, roundedOf, wordOfValue } from '../../../pages/shared/values.ts';

const ID = '0b9ff0f0-3b0a-4e6e-9a39-9d1a1f3b7f11';
const USUAL = choicesAt('').symbology;

const boundsOf = (values: readonly number[], method: Exclude<Method, 'categories'>, count: number) =>
  lowerBounds(Float64Array.from(values).sort(), { method, count, breaks: [] });

/** Numbers in the classes that lower bounds make. */
function grouped(values: readonly number[], bounds: readonly number[]): number[][] {
  const groups: number[][] = bounds.map(() => []);
  for (const value of [...values].sort((a, b) => a - b))
    groups[bounds.findLastIndex((bound) => bound <= value)]?.push(value);
  return groups;
}

const spreadOf = (groups: readonly (readonly number[])[]) =>
  groups.reduce((sum, group) => {
    const mean = group.reduce((a, b) => a + b, 0) / group.length;
    return sum + group.reduce((all, value) => all + (value - mean) ** 2, 0);
  }, 0);

const numbers = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 60 });
/** Many of these are equal. */
const tied = fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 1, maxLength: 60 });
const counts = fc.integer({ min: 2, max: 9 });

describe('classes of numbers', () => {
  it('are natural breaks with the spread of the reference implementation, ties or not', () => {
    const holds = (values: number[], count: number) => {
      const distinct = new Set(values).size;
      const ours = grouped(values, boundsOf(values, 'natural', count));
      const reference = ckmeans(values, Math.min(count, values.length));
      // The reference may part equal numbers into several classes of no spread.
      expect(spreadOf(ours)).toBeCloseTo(spreadOf(reference), distinct <= count ? 9 : 3);
      expect(ours.every((group) => group.length > 0)).toBe(true);
      expect(ours.length).toBe(Math.min(count, distinct));
    };
    fc.assert(fc.property(tied, counts, holds));
    fc.assert(
      fc.property(numbers, counts, (values, count) => {
        const ours = spreadOf(grouped(values, boundsOf(values, 'natural', count)));
        const reference = spreadOf(ckmeans(values, Math.min(count, values.length)));
        // Sums of squares of large numbers are exact to some fifteen digits.
        const digits = 1e-15 * values.reduce((sum, value) => sum + value ** 2, 0);
        expect(Math.abs(ours - reference)).toBeLessThanOrEqual(1e-6 * (1 + reference) + digits);
      }),
    );
    expect(grouped([1, 2, 3, 10, 11, 12, 50], boundsOf([1, 2, 3, 10, 11, 12, 50], 'natural', 3))).toEqual([
      ...[[1, 2, 3], [10, 11, 12], [50]],
    ]);
  });

  it('are made of very many numbers, for which steps that grow with the square would take minutes', () => {
    const values = Array.from({ length: 100_000 }, (_, index) => Math.sin(index) * 1000);
    expect(boundsOf(values, 'natural', 9)).toHaveLength(9);
  });

  it('are quantiles and equal steps as the reference has them', () => {
    const whole = fc.array(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(whole, counts, (values, count) => {
        const sorted = [...new Set(values)].sort((a, b) => a - b);
        const ours = grouped(sorted, boundsOf(sorted, 'quantiles', count));
        const cuts = Array.from({ length: count - 1 }, (_, index) => quantileSorted(sorted, (index + 1) / count));
        const reference = new Map<number, number[]>();
        for (const value of sorted) {
          const place = cuts.filter((cut) => cut <= value).length;
          reference.set(place, [...(reference.get(place) ?? []), value]);
        }
        expect(ours).toEqual([...reference.values()]);
      }),
    );
    fc.assert(
      fc.property(numbers, counts, (values, count) => {
        const distinct = new Set(values).size > 1;
        const bounds = boundsOf(values, 'equal', count);
        const reference = equalIntervalBreaks(values, count);
        expect(bounds).toHaveLength(distinct ? count : 1);
        for (const [index, bound] of bounds.entries()) expect(bound).toBeCloseTo(reference[index] ?? 0, 5);
      }),
    );
  });

  it('are none of no number, and one of one', () => {
    for (const method of ['quantiles', 'equal', 'natural', 'own'] as const) {
      expect([method, boundsOf([], method, 5)]).toEqual([method, []]);
      expect([method, boundsOf([7, 7], method, 5)]).toEqual([method, [7]]);
    }
    expect(lowerBounds(Float64Array.of(1, 5), { method: 'own', count: 5, breaks: [3, 4] })).toEqual([-Infinity, 3, 4]);
  });
});

const rowsWith = (values: readonly unknown[]) =>
  values.map((a, index) => rowOf({ id: `f${index}`, properties: { a }, type: 'Polygon' }, index));

function classesFor(values: readonly unknown[], symbology: Partial<Symbology>) {
  const rows = rowsWith(values);
  const [column = { name: 'a', isNumeric: true, isAmount: true }] = columnsOf(rows);
  const numberFor = ({ properties }: (typeof rows)[number]) => numberOf(properties.a);
  const { classes, classOf, middle } = classesOf(rows, { column, symbology: { ...USUAL, ...symbology }, numberFor });
  return { classes, labels: classes.map(({ label }) => label), places: rows.map(classOf), middle };
}

describe('the legend of classes', () => {
  it('says where equal steps and own breaks part, and keeps classes without a number', () => {
    const steps = classesFor([0, 10, 40], { method: 'equal', count: 4 });
    expect(steps.labels).toEqual(['0 to under 10', '10 to under 20', '20 to under 30', '30 to 40']);
    expect(steps.places).toEqual([0, 1, 3]);
    const own = classesFor([5, 10, 30, null], { method: 'own', breaks: [10, 20] });
    expect(own.labels).toEqual(['under 10', '10 to under 20', '20 to 30', 'No value']);
    expect(own.places).toEqual([0, 1, 2, 3]);
    expect(own.classes.map(({ filter }) => filter)).toEqual([
      ...[{ from: 5, to: 5 }, { from: 10, to: 10 }, { from: 30, to: 30 }, { values: [''] }],
    ]);
    expect(classesFor([5], { method: 'own', breaks: [10] }).labels).toEqual(['under 10', '10 or more']);
  });

  it('writes equal steps with as many decimals each, so that they are equal as they are read', () => {
    const labelsFor = (values: readonly number[], count = 5) => classesFor(values, { method: 'equal', count }).labels;
    expect(labelsFor([2.9, 8.8, 64.7])).toEqual([
      '2.90 to under 15.26',
      '15.26 to under 27.62',
      '27.62 to under 39.98',
      '39.98 to under 52.34',
      '52.34 to 64.70',
    ]);
    expect(labelsFor([427, 8968])).toEqual([
      '427 to under 2,135',
      '2,135 to under 3,843',
      '3,843 to under 5,552',
      '5,552 to under 7,260',
      '7,260 to 8,968',
    ]);
    // A number on a break stands in the class above it.
    expect(classesFor([0.1, 0.3, 0.7], { method: 'equal', count: 3 }).places).toEqual([0, 1, 2]);
    // A number below a break is below it as written too.
    expect(labelsFor([0, 3.33, 10], 3)[0]).toBe('0.000 to under 3.333');
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1e5, max: 1e5, noNaN: true }), { minLength: 2 }), (values) => {
        const numbers = values.map((value) => Math.round(value * 100) / 100);
        const { labels, places } = classesFor(numbers, { method: 'equal', count: 4 });
        if (labels.length < 4) return;
        const starts = labels.map((label) => numberOf(label.split(' to ')[0]) ?? Number.NaN);
        const slack = (starts[1] ?? 0) - (starts[0] ?? 0) > 0.01 ? 1e-9 : 1;
        for (const [index, place] of places.entries())
          expect((numbers[index] ?? 0) - (starts[place] ?? 0)).toBeGreaterThanOrEqual(-slack);
      }),
    );
  });

  it('has bounds of a rate with as few digits as its numbers have, and as many decimals each', () => {
    const labelsFor = (...values: number[]) => classesFor(values, { count: 3, rate: 'area' }).labels;
    expect(labelsFor(2.0153, 10, 23.39871, 23.40212, 60, 89.7281, 89.7294, 300, 1071.5988)).toEqual([
      '2.0 to under 23.4',
      '23.4 to under 89.7',
      '89.7 to 1,071.6',
    ]);
    expect(labelsFor(5, 6, 12.3, 12.41, 12.42, 12.431, 12.432, 12.44, 12.45)[1]).toBe('12.40 to under 12.43');
    expect(labelsFor(1.98, 50, 80.5, 81, 145, 160, 420, 500, 3181.2)).toEqual([
      '1 to under 81',
      '81 to under 400',
      '400 to 3,182',
    ]);
  });

  it('keeps the breaks of the author as they are', () => {
    expect(classesFor([12, 15.5, 20], { method: 'own', breaks: [15.5] }).labels).toEqual([
      'under 15.5',
      '15.5 to 20.0',
    ]);
  });

  it('has a minus before negative numbers, however many digits they have', () => {
    const steps = classesFor([-20, 0, 20], { method: 'equal', count: 2 });
    expect(steps.labels).toEqual(['−20 to under 0', '0 to 20']);
    expect(classesFor([-1.25, 2.5], { method: 'equal', count: 1 }).labels).toEqual(['−1.25 to 2.50']);
    expect(classesFor([-1234, '-5'], { method: 'categories' }).labels).toEqual(['−1,234', '−5']);
    expect(roundedOf(-0.12345)).toBe('−0.123');
    expect(wordOfValue('₱-1234.5', true)).toBe('₱−1,234.5');
    // What is copied from a legend is the number that it was.
    expect(numberOf('−1,234')).toBe(-1234);
  });

  it('shows what has no value, and has the words of the author in place of its own', () => {
    const { classes, labels, places } = classesFor([1, 2, null], { count: 2, labels: ['Few', '', 'Not counted'] });
    expect(labels).toEqual(['Few', '2', 'Not counted']);
    expect(places).toEqual([0, 1, 2]);
    expect(classes.at(-1)).toMatchObject({ ...MISSING, isMissing: true });
    expect(classesFor([null, ''], {}).labels).toEqual(['No value']);
  });

  it('has numbers as categories where the author wants it so', () => {
    const labelsFor = (...values: unknown[]) => classesFor(values, { method: 'categories' }).labels;
    expect(labelsFor(3, 3, 1)).toEqual(['1', '3']);
    // By size, wherever they come first and however often; words that say there is none are no value, as in classes.
    const months = [9, 5, 7, 11, 1, 12, 2, 10, 3, 8, 4, 6].map(String);
    expect(labelsFor(...months, '9', 'n.a.', 'wala', null)).toEqual([
      ...Array.from({ length: 12 }, (_, index) => String(index + 1)),
      'No value',
    ]);
    expect(labelsFor(...months.map((month) => month.padStart(2, '0')))[9]).toBe('10');
    expect(labelsFor(...months, '0.5').slice(-2)).toEqual(['11', 'Other']);
    // Beside a word, they are texts as all others.
    expect(labelsFor('10', '9', '9', 'many')).toEqual(['9', '10', 'many']);
  });

  it('has in the strip of each scheme the colours that the classes have in it', () => {
    const rows = rowsWith([1, 2, 30]);
    const [column] = columnsOf(rows);
    if (!column) throw new Error('There is no column.');
    const numberFor = ({ properties }: (typeof rows)[number]) => numberOf(properties.a);
    const symbology = { ...USUAL, method: 'own', breaks: [10, 20], middle: 10 } as const;
    const { classes, colorsIn } = classesOf(rows, { column, symbology, numberFor });
    expect(colorsIn('RdBu').map(({ color }) => color)).toEqual(colorsOf('RdBu', 4).slice(1));
    expect(colorsIn('YlGnBu')).toEqual(classes.map(({ color, dark }) => ({ color, dark })));
  });

  it('has the neutral colour around the middle, and as many steps to either side as classes lie there', () => {
    const colorsFor = (values: number[], symbology: Partial<Symbology>) =>
      classesFor(values, { scheme: 'RdBu', method: 'own', ...symbology }).classes.map(({ color }) => color);
    const five = colorsOf('RdBu', 5);
    expect(colorsFor([-9, -1, 1, 9, 4], { breaks: [-5, -0.5, 0.5, 5] })).toEqual(five);
    // Without a middle of its own it is zero where numbers lie on both sides.
    expect(colorsFor([-1, 1, 5], { breaks: [0, 2] })).toEqual(colorsOf('RdBu', 4).slice(1));
    expect(colorsFor([1, 2, 30], { breaks: [10, 20], middle: 10 })).toEqual(colorsOf('RdBu', 4).slice(1));
    expect(colorsFor([1, 2, 30], { breaks: [10, 20], middle: 15 })).toEqual(colorsOf('RdBu', 3));
    expect(colorsFor([-9, -1, 1, 9, 4], { breaks: [-5, -0.5, 0.5, 5], isReversed: true })).toEqual(five.toReversed());
    expect(colorsFor([1, 2, 3, 4, 5, 6, 7, 8, 9], { method: 'quantiles', count: 9, middle: 1 })).toHaveLength(9);
    expect(colorsFor([4, 4], { method: 'quantiles' })).toHaveLength(1);
  });

  it('says where the middle is unless the author says it', () => {
    const middleFor = (...values: number[]) => classesFor(values, {}).middle;
    expect(middleFor(-3, 1, 8)).toBe(0);
    expect(middleFor(2, 9, 4)).toBe(4);
    expect(classesFor(['', ''], {}).middle).toBeUndefined();
  });

  it('has other colours the other way round', () => {
    const colors = (isReversed: boolean) =>
      classesFor([1, 2, 3], { count: 3, isReversed }).classes.map(({ color }) => color);
    expect(colors(true)).toEqual(colors(false).toReversed());
  });
});

describe('colours', () => {
  /** Linear light of a colour. */
  const light = (hex: string) =>
    [1, 3, 5].map((at) => {
      const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
  const times = (matrix: readonly (readonly number[])[], vector: readonly number[]) =>
    matrix.map((row) => row.reduce((sum, part, index) => sum + part * (vector[index] ?? 0), 0));
  /** How people without one kind of cone see (G. M. Machado, M. M. Oliveira and L. A. F. Fernandes 2009, table 1). */
  const VISIONS = {
    all: [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
    protanopia: [
      [0.152286, 1.052583, -0.204868],
      [0.114503, 0.786281, 0.099216],
      [-0.003882, -0.048116, 1.051998],
    ],
    deuteranopia: [
      [0.367322, 0.860646, -0.227968],
      [0.280085, 0.672501, 0.047413],
      [-0.01182, 0.04294, 0.968881],
    ],
    tritanopia: [
      [1.255528, -0.076749, -0.178779],
      [-0.078411, 0.930809, 0.147602],
      [0.004733, 0.691367, 0.3039],
    ],
  };
  const SRGB_TO_XYZ = [
    [0.4124, 0.3576, 0.1805],
    [0.2126, 0.7152, 0.0722],
    [0.0193, 0.1192, 0.9505],
  ];
  const lab = (rgb: readonly number[]) => {
    const bounded = rgb.map((part) => Math.min(1, Math.max(0, part)));
    const [x = 0, y = 0, z = 0] = times(SRGB_TO_XYZ, bounded).map((part, index) => {
      const share = part / ([0.9505, 1, 1.089][index] ?? 1);
      return share > 0.008856 ? Math.cbrt(share) : 7.787 * share + 16 / 116;
    });
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
  };
  /** How far apart two colours look, in the units of CIE 1976. */
  const distance = (a: string, b: string, vision: keyof typeof VISIONS) => {
    const [one, other] = [a, b].map((hex) => lab(times(VISIONS[vision], light(hex)))) as [number[], number[]];
    return Math.hypot(...one.map((part, index) => part - (other[index] ?? 0)));
  };
  /** From this distance on people see that two colours differ. */
  const SEEN = 2.3;
  const pairs = (colors: readonly string[]) =>
    colors.flatMap((a, index) => colors.slice(index + 1).map((b) => [a, b] as const));

  it.each(Object.keys(VISIONS) as (keyof typeof VISIONS)[])('differ for people with %s', (vision) => {
    for (const scheme of [...SEQUENTIAL_SCHEMES, ...DIVERGING_SCHEMES]) {
      for (let count = 2; count <= 9; count += 1) {
        for (const isDark of [false, true]) {
          const colors = colorsOf(scheme, count, isDark);
          expect([scheme, count, colors.length, new Set(colors).size]).toEqual([scheme, count, count, count]);
          // Also from the land that is in no data, and on a dark map from that without a value, which is hatched.
          for (const [a, b] of pairs(isDark ? [...colors, GREY.dark, MISSING.dark] : [...colors, GREY.color]))
            expect([scheme, isDark, a, b, distance(a, b, vision) > SEEN]).toEqual([scheme, isDark, a, b, true]);
        }
      }
    }
    for (const categories of [CATEGORIES, [...DARK_CATEGORIES, GREY.dark, MISSING.dark]])
      for (const [a, b] of pairs([...categories, REST]))
        expect([a, b, distance(a, b, vision) > 9]).toEqual([a, b, true]);
  });

  it.each([...SEQUENTIAL_SCHEMES, ...DIVERGING_SCHEMES])(
    'of %s are not taken for land that is not in the data',
    (scheme) => {
      for (const isDark of [false, true]) {
        const grey = isDark ? GREY.dark : GREY.color;
        for (let count = 1; count <= 9; count += 1)
          for (const color of colorsOf(scheme, count, isDark))
            expect([isDark, count, color, distance(color, grey, 'all') > (isDark ? 15 : 10)]).toEqual([
              ...[isDark, count, color, true],
            ]);
      }
    },
  );

  it('of a diverging scheme are not taken for the sea', () => {
    const { sea } = greyOf(paletteFor(false));
    for (const scheme of DIVERGING_SCHEMES)
      for (let count = 1; count <= 9; count += 1)
        for (const color of colorsOf(scheme, count))
          expect([scheme, color, distance(color, sea, 'all') > 10]).toEqual([scheme, color, true]);
  });

  /** The contrast of two colours (WCAG 2.2). */
  const contrast = (a: string, b: string) => {
    const [less = 0, more = 0] = [a, b]
      .map((hex) => 0.05 + (times(SRGB_TO_XYZ, light(hex))[1] ?? 0))
      .sort((p, q) => p - q);
    return more / less;
  };

  it('are brightest on a dark map where they are darkest on a light one', () => {
    const { classEdge } = paletteFor(true);
    for (let count = 2; count <= 9; count += 1) {
      for (const scheme of SEQUENTIAL_SCHEMES) {
        const colors = colorsOf(scheme, count, true);
        expect(colors).toEqual(colorsOf(scheme, count).toReversed());
        const over = colors.map((color) => contrast(color, '#000000'));
        expect([scheme, over]).toEqual([scheme, over.toSorted((a, b) => a - b)]);
        expect([scheme, count, contrast(colors.at(-1) ?? '', GREY.dark) > 4.5]).toEqual([scheme, count, true]);
      }
      for (const scheme of DIVERGING_SCHEMES) {
        const over = colorsOf(scheme, count, true).map((color) => contrast(color, '#000000'));
        const half = count >> 1;
        expect([scheme, over.slice(0, half)]).toEqual([scheme, over.slice(0, half).toSorted((a, b) => b - a)]);
        expect([scheme, over.slice(-half)]).toEqual([scheme, over.slice(-half).toSorted((a, b) => a - b)]);
        for (const end of [colorsOf(scheme, count, true)[0], colorsOf(scheme, count, true).at(-1)])
          expect([scheme, end, contrast(end ?? '', GREY.dark) > 4.5]).toEqual([scheme, end, true]);
      }
    }
    // Lines part areas of the brightest class as well as those of the darkest.
    for (const scheme of SEQUENTIAL_SCHEMES)
      for (const color of [colorsOf(scheme, 5, true)[0], colorsOf(scheme, 5, true)[4]])
        expect([scheme, color, contrast(color ?? '', classEdge) > 1.5]).toEqual([scheme, color, true]);
    const [{ color, dark } = { color: '', dark: '' }] = classesFor([1, 2, 3], { count: 3 }).classes;
    expect([color, dark]).toEqual([colorsOf('YlGnBu', 3)[0], colorsOf('YlGnBu', 3)[2]]);
    const turned = classesFor([1, 2, 3], { count: 3, isReversed: true }).classes;
    expect(turned.map((one) => one.dark)).toEqual(colorsOf('YlGnBu', 3));
  });

  it('have one neutral colour in the middle of a diverging scheme on a dark map', () => {
    expect(colorsOf('RdBu', 3, true)).toEqual(['#f4a582', '#505355', '#92c5de']);
    expect(colorsOf('RdBu', 1, true)).toEqual(['#505355']);
    expect(classesFor(['', ''], {}).classes).toMatchObject([MISSING]);
  });

  it('lie between those of a scheme beyond its largest', () => {
    const many = colorsOf('RdBu', 18);
    expect([many[0], many.at(-1), many.length]).toEqual(['#67001f', '#053061', 18]);
    expect(colorsOf('YlGnBu', 1)).toEqual(['#7fcdbb']);
  });
});

describe('a symbology in an address', () => {
  const symbology: Symbology = {
    rate: 'population',
    method: 'own',
    count: 7,
    breaks: [-1.5, 0, 20],
    scheme: 'PuOr',
    isReversed: true,
    middle: 0,
    labels: ['Few', '', 'Many & more'],
    rest: 'Wala sa datos',
    unchosen: 'Hindi napili',
    noun: 'lalawigan',
    hasValues: true,
    title: 'Wells <b>',
    subtitle: 'Per 1,000 & year',
    source: 'Census & survey',
    notes: 'Of 2020\nand 2024',
  };

  it('is read as it was written, and what is as usual is left out', () => {
    const choices = { ...choicesAt(''), color: 'a', symbology, shown: [1, 3], bbox: [120, 10.5, 121.25, 12] as const };
    expect(choicesAt(fragmentOfDataset(ID, choices))).toEqual(choices);
    expect(fragmentOfDataset(ID, { ...choicesAt(''), color: 'a' })).toBe(`#/datasets/${ID}?color=a`);
  });

  it('is as usual where an address says what it can’t be', () => {
    const wrong = {
      rate: 'constructor',
      method: 'magic',
      classes: 'x',
      breaks: 'a,,NaN',
      scheme: 'toString',
      middle: 'Infinity',
      labels: '{"0":1}',
    };
    expect(choicesAt(`#/datasets/${ID}?${new URLSearchParams(wrong)}`).symbology).toEqual(USUAL);
    for (const bbox of ['1,2,3', '1,2,3,x', '3,2,1,4', '1,2,3,99', '1,2,3,4,5', ',,,'])
      expect([bbox, choicesAt(`#/datasets/${ID}?bbox=${bbox}`).bbox]).toEqual([bbox, undefined]);
    expect(choicesAt(`#/datasets/${ID}?shown=3,x,-1,0,1.5,2,3`).shown).toEqual([2, 3]);
  });

  it('says what of the breaks is no number, or one too many', () => {
    expect(breaksIn('30,20,abc')).toEqual([20, 30]);
    expect(faultsOfBreaks('30,20,abc')).toBe('“abc” is no number and is left out.');
    expect(faultsOfBreaks('1; x 2 12%')).toBe('“x”, “12%” are no numbers and are left out.');
    expect(faultsOfBreaks('9 8 7 6 5 4 3 2 1')).toBe('“9” is left out: there are at most 8 breaks.');
    expect([faultsOfBreaks(''), faultsOfBreaks(' 1, 2.5 ,'), faultsOfBreaks('5 5')]).toEqual(['', '', '']);
  });

  it('has limits', () => {
    const long = {
      classes: '1000',
      breaks: Array.from({ length: 90 }, (_, index) => index).join(','),
      labels: JSON.stringify(Array.from({ length: 90 }, () => 'x'.repeat(900))),
      title: '🌊'.repeat(900),
      notes: 'x'.repeat(9000),
    };
    const { count, breaks, labels, title, notes } = choicesAt(
      `#/datasets/${ID}?${new URLSearchParams(long)}`,
    ).symbology;
    expect([count, breaks.length, labels.length, labels[0]?.length]).toEqual([9, 8, 14, 60]);
    expect([title, notes.length]).toEqual(['🌊'.repeat(120), 500]);
    expect(breaksIn('20; 10, 10\n5.5')).toEqual([5.5, 10, 20]);
  });
});

describe('the areas that numbers are divided by', () => {
  // 705,129 residents on 1,921.2 km²: neither the city in it nor its land are in the density.
  const davao = { code: '1102400000', population: 705_129, area_km2: 4262.21982, density_km2: 367.03 };
  const ilocos = { code: '0102800000', population: 618_850, area_km2: 3269.61225, density_km2: 189.27 };
  const files: Record<string, object[]> = {
    province: [davao, ilocos, { code: '1102300000', population: null, area_km2: 3000, density_km2: null }],
    municity: [{ code: '1102403000', population: 188_376, area_km2: 287.1, density_km2: 656.13 }],
  };
  const areasOf = async (rows: Record<string, unknown>[], drawn: number[], isOfWhole = false) => {
    const all = rows.map((properties, index) => rowOf({ id: `f${index}`, properties, type: 'Polygon' }, index));
    const ask = async (path: string) => {
      const [, level] = /level=(\w+)/.exec(path) ?? [];
      if (level) return Response.json({ data: [{ id: level }] });
      const lines = files[path.slice('/v1/downloads/'.length)]?.map((area) => JSON.stringify(area)) ?? [];
      return new Response(new Blob([lines.join('\n')]).stream().pipeThrough(new CompressionStream('gzip')));
    };
    const options = { rows: all, columns: columnsOf(all), drawn: Float64Array.from(drawn), isOfWhole, ask };
    const { km2, remark } = await landAreasOf(options);
    return [[...km2], remark] as const;
  };

  it('are those of the pages of places, which is said of provinces with cities of their own', async () => {
    const ofProvinces = 'Areas of provinces are without highly urbanised cities, as their residents are.';
    const codes = [{ c: '1102400000' }, { c: '0102800000' }, { c: '1102403000' }, { c: '1102300000' }];
    const [[davaos, ...others] = [], remark] = await areasOf(codes, [4265, 3281, 280, 2990]);
    expect(davaos).toBeCloseTo(1921.2, 1);
    expect([others, remark]).toEqual([[3269.61225, 287.1, 3000], ofProvinces]);
    expect(await areasOf([{ c: '0102800000' }], [3281])).toEqual([[3269.61225], '']);
    // Points in such a city are counted in the province.
    expect(await areasOf([{ c: '1102400000' }], [4265], true)).toEqual([[4262.21982], '']);
  });

  it('are those of the shapes where these are no places, which is said', async () => {
    const ofShapes = 'Areas are those of the shapes on the map.';
    expect(await areasOf([{ name: 'x' }, { name: 'y' }], [5, 0])).toEqual([[5, 0], ofShapes]);
    // A zone within a city has the code of the city, and is not the city. A barangay is in no file.
    expect(await areasOf([{ c: '1102403000' }, { c: '1102403001' }], [12, 3])).toEqual([[12, 3], ofShapes]);
    expect(await areasOf([{ c: '1102400000' }, { c: '1102400000' }], [4265, 9])).toEqual([[4265, 9], ofShapes]);
    // An island that is drawn coarsely among places is one of them.
    const rows = [{ c: '1102400000' }, { c: '0102800000' }, { c: '1102403000' }, { c: '1102403001' }];
    const [km2, remark] = await areasOf(rows, [4265, 3281, 50, 3]);
    expect([km2.slice(1), remark]).toEqual([
      [3269.61225, 287.1, 3],
      'Areas of provinces are without highly urbanised cities, as their residents are. Areas of others are those of the shapes on the map.',
    ]);
  });
});

describe('the residents of features', () => {
  const rowsOf = (...all: Record<string, unknown>[]) =>
    all.map((properties, index) => rowOf({ id: `f${index}`, properties, type: 'Polygon' }, index));
  const read = async (rows: ReturnType<typeof rowsOf>, areas: Record<string, [string, number | null][]> = {}) => {
    const asked: string[] = [];
    const residents = await populationsOf(rows, columnsOf(rows), async (path) => {
      asked.push(path);
      const [, level = ''] = /level=(\w+)/.exec(path) ?? [];
      if (level) return Response.json({ data: areas[level] ? [{ id: level }] : [] });
      const lines = (areas[path.slice('/v1/downloads/'.length)] ?? []).map(([code, population]) =>
        JSON.stringify({ code, population }),
      );
      return new Response(new Blob([lines.join('\n')]).stream().pipeThrough(new CompressionStream('gzip')));
    });
    return { residents: [...residents], asked };
  };

  it('are those of a column of them', async () => {
    const { residents, asked } = await read(rowsOf({ Population: '1200', code: '0702200000' }, { code: '0702200000' }));
    expect([residents, asked]).toEqual([[1200, Number.NaN], []]);
  });

  it('are read by codes, from one file for each level', async () => {
    const rows = rowsOf({ psgc: '0702200000' }, { psgc: 702201000 }, { psgc: '1380600000' }, { psgc: null });
    const areas: Record<string, [string, number | null][]> = {
      province: [['0702200000', 3000]],
      municity: [
        ['0702201000', 200],
        ['1380600000', null],
      ],
    };
    const { residents, asked } = await read(rows, areas);
    expect(residents).toEqual([3000, 200, Number.NaN, Number.NaN]);
    expect(asked).toEqual([
      ...['/v1/downloads?level=province&format=ndjson.gz', '/v1/downloads/province'],
      ...['/v1/downloads?level=municity&format=ndjson.gz', '/v1/downloads/municity'],
    ]);
    const provinces = await read(rowsOf({ c: '0702200000' }), areas);
    expect([provinces.residents, provinces.asked.length]).toEqual([[3000], 2]);
  });

  it('are an error where no file has them', async () => {
    await expect(read(rowsOf({ c: '0702200000' }))).rejects.toThrow('not published yet');
  });

  it('are not known of anything else', async () => {
    expect(await read(rowsOf({ name: 'x', n: 5 }))).toEqual({ residents: [Number.NaN], asked: [] });
  });

  it('of provinces that something was counted in are those of all cities on their land', async () => {
    const municity = (code: string, population: number | null, p_code: string | null, host: string | null) => ({
      ...{ code, population, p_code, host_province_code: host },
      r_code: `${code.slice(0, 2)}00000000`,
    });
    const municities = [
      municity('0702201000', 200, '0702200000', null),
      municity('0730600000', 900, null, '0702200000'),
      municity('1900701000', 50, '1900700000', null),
      municity('0990101000', 70, null, '1900700000'),
      municity('1380600000', 5, null, null),
      municity('1204701000', 8, '1204700000', null),
      municity('1999901000', null, null, '1204700000'),
    ];
    const rows = rowsOf({ code: '0702200000' }, { code: '1900700000' }, { code: '1204700000' });
    const residentsOn = async (land: 'boundary' | 'hosted') => {
      const ask = async (path: string) =>
        path.includes('?')
          ? Response.json({ data: [{ id: 'file' }] })
          : new Response(
              new Blob([municities.map((area) => JSON.stringify(area)).join('\n')])
                .stream()
                .pipeThrough(new CompressionStream('gzip')),
            );
      return [...(await populationsOf(rows, columnsOf(rows), ask, land))];
    };
    // The boundary of Basilan has no Isabela City in it, but its points count for Basilan.
    expect(await residentsOn('boundary')).toEqual([1100, 50, 8]);
    expect(await residentsOn('hosted')).toEqual([1100, 120, Number.NaN]);
    expect(remarkOnResidents(rows, columnsOf(rows), 'hosted')).toContain('all cities and municipalities in them');
  });

  it('of provinces count no highly urbanised cities, which is said', () => {
    const remarkOn = (...all: Record<string, unknown>[]) =>
      remarkOnResidents(rowsOf(...all), columnsOf(rowsOf(...all)));
    expect(remarkOn({ c: '0700000000' }, { c: '0702200000' })).toContain('without highly urbanised cities');
    for (const none of [{ c: '0702201000' }, { c: '0700000000' }, { c: '0702200000', population: 9 }, { name: 'x' }])
      expect(remarkOn(none)).toBe('');
  });
});
