import { VectorTile } from '@mapbox/vector-tile';
import type { Geometry, Position } from 'geojson';
import { PbfReader } from 'pbf';
import { describe, expect, it } from 'vitest';
import {
  choicesAt,
  choicesInColor,
  fragmentOfDataset,
  fragmentOfGathering,
} from '../../../pages/explore/own/address.ts';
import { classesOf, radiiOf, sizeKeyOf } from '../../../pages/explore/own/classes.ts';
import { repeatedCoordinates } from '../../../pages/explore/own/coordinates.ts';
import { counting } from '../../../pages/explore/own/counting.ts';
import { extentOf } from '../../../pages/explore/own/extent.ts';
import { FeatureTiles } from '../../../pages/explore/own/feature-tiles.ts';
import {
  type Filter,
  filtersIn,
  isChosen,
  textOfFilters,
  toggled,
  wordsOf,
} from '../../../pages/explore/own/filters.ts';
import { datasetAt } from '../../../pages/explore/own/fragment.ts';
import {
  byPlace,
  nounOf,
  propertiesOfPlace,
  repeatedPlaces,
  sharesAmong,
} from '../../../pages/explore/own/gathering.ts';
import { zoomForNames } from '../../../pages/explore/own/layers.ts';
import { proposedColor } from '../../../pages/explore/own/proposed.ts';
import { shortened, visible } from '../../../pages/explore/own/readable.ts';
import { columnsOf, factsOf, ordered, rowOf, rowsInSight, textsAmong } from '../../../pages/explore/own/rows.ts';
import { saysShare } from '../../../pages/explore/own/shares.ts';
import { unwrapped } from '../../../pages/explore/own/unwrapped.ts';
import { lacksAreas } from '../../../pages/explore/own/whole-level.ts';
import { numberOf } from '../../../pages/shared/values.ts';

const ID = '0b9ff0f0-3b0a-4e6e-9a39-9d1a1f3b7f11';
const rowsWith = (...all: Record<string, unknown>[]) =>
  all.map((properties, index) => rowOf({ id: `f${index}`, properties, type: 'Point' }, index));
const listed = (all: Record<string, unknown>[], order: Partial<Parameters<typeof ordered>[2]>) => {
  const rows = rowsWith(...all);
  return ordered(rows, columnsOf(rows), {
    find: '',
    filters: new Map(),
    sort: undefined,
    isDescending: false,
    ...order,
  }).map(({ id }) => id);
};

describe('the columns of features', () => {
  it('are numeric where every value is a number or reads as one, and codes are none', () => {
    const rows = rowsWith(
      { depth: 4, text: '12.5', code: '0702200000', long: '12345678901234567', mixed: 1, none: null },
      { depth: null, text: '', code: '1', long: '1', mixed: 'deep', late: true },
    );
    const numeric = columnsOf(rows).filter(({ isNumeric }) => isNumeric);
    expect(numeric.map(({ name }) => name)).toEqual(['depth', 'text']);
    expect(columnsOf(rows).map(({ name }) => name)).toContain('late');
    // All digits of a double, as a formula gives them, and more digits than it has.
    expect([numberOf('0.30000000000000004'), numberOf('12345678901234567')]).toEqual([0.30000000000000004, undefined]);
    expect([numberOf('-1.5e3'), numberOf(' 1 '), numberOf('1 2'), numberOf(true)]).toEqual([
      -1500,
      1,
      undefined,
      undefined,
    ]);
    expect(['1,234,567.5', '-12,000', '12,4', '0,123', '1,23,4', '1234,567'].map(numberOf)).toEqual([
      ...[1234567.5, -12000, 12.4, 0.123, undefined, undefined],
    ]);
    expect(['18.2%', '18,2 %', '₱1,200', 'PHP 35.50', '%', '₱', '12%%'].map(numberOf)).toEqual([
      ...[18.2, 18.2, 1200, 35.5, undefined, undefined, undefined],
    ]);
  });

  it('are amounts unless they are years or codes, and only amounts have commas between their thousands', () => {
    const rows = rowsWith({
      households: 51311,
      'No. of births': '2345.5',
      cost: '₱51311',
      share: 0.12345,
      small: '12.3456',
      power: '1e10',
      grouped: '51,311',
      year: 2300,
      survey: 2020,
      id: 51311,
      'Item No.': 51311,
      zip_code: 6000,
      place: 1400100000,
      psgc_score: 1234,
      text: 'Barangay 51311',
    });
    expect(factsOf(rows[0] as (typeof rows)[number], columnsOf(rows)).map(([, text]) => text)).toEqual([
      ...['51,311', '2,345.5', '₱51,311', '0.12345', '12.3456', '1e10', '51,311'],
      ...['2300', '2020', '51311', '51311', '6000', '1400100000', '1234', 'Barangay 51311'],
    ]);
    expect(wordsOf({ from: 1500, to: 51311 }, true)).toBe('1,500 to 51,311');
    expect(wordsOf({ from: 1990, to: 2020 }, false)).toBe('1990 to 2020');
  });

  it('are numeric with words for no value, and with one other text among ten', () => {
    const words = ['n/a', 'NA', '–', '..', 'wala', '', null];
    const columnOf = (...values: unknown[]) => columnsOf(rowsWith(...values.map((a) => ({ a }))))[0]?.isNumeric;
    expect(columnOf(...words, '12,4', '18.2%', 7)).toBe(true);
    expect(columnOf(...words)).toBe(false);
    const numbers = Array.from({ length: 9 }, (_, index) => index);
    expect(columnOf(...numbers, 'see note')).toBe(true);
    expect(columnOf(...numbers.slice(1), 'see note')).toBe(false);
    // One code says what the others are.
    expect(columnOf(...numbers, '0102800000')).toBe(false);
    const rows = rowsWith(...[...numbers, 'see note', 'n/a'].map((a) => ({ a })));
    expect(textsAmong(rows, 'a')).toEqual({ count: 1, texts: ['see note'] });
    expect(listed([{ a: 'n/a' }, { a: 3 }, { a: '1%' }], { sort: 'a' })).toEqual(['f2', 'f1', 'f0']);
  });
});

describe('the coordinates among properties', () => {
  const pointWith = (properties: Record<string, unknown> | null) => ({
    type: 'Feature' as const,
    geometry: { type: 'Point' as const, coordinates: [123.5, 10.25] },
    properties,
  });

  it('are those with such a name that every point repeats', () => {
    const same = { Longitude: '123.5', LAT: 10.250001, x: 123.5, y: '10.25', depth: 123.5, lng: 10.25, long: 120 };
    expect(repeatedCoordinates([pointWith(same), pointWith(null)])).toEqual(['Longitude', 'LAT', 'x', 'y']);
    const [first, other] = [pointWith({ x: 123.5, y: 10.25, lat: null }), pointWith({ x: 8, y: '', lat: 10.25 })];
    expect(repeatedCoordinates([first, other])).toEqual(['y', 'lat']);
  });

  it('are none where no point has them', () => {
    const line = { type: 'LineString' as const, coordinates: [] };
    expect(repeatedCoordinates([{ ...pointWith({ x: 123.5 }), geometry: line }, pointWith({ lat: null })])).toEqual([]);
  });
});

describe('the rows of a table', () => {
  it('are sorted as numbers, or as texts with their numbers, and those without a value come last', () => {
    const numbers = [{ a: '10' }, { a: '9' }, {}, { a: 1 }];
    expect(listed(numbers, { sort: 'a' })).toEqual(['f3', 'f1', 'f0', 'f2']);
    expect(listed(numbers, { sort: 'a', isDescending: true })).toEqual(['f0', 'f1', 'f3', 'f2']);
    expect(listed([{ a: 'Well 10' }, { a: 'well 9' }, { a: '' }], { sort: 'a' })).toEqual(['f1', 'f0', 'f2']);
    expect(listed(numbers, { sort: 'gone' })).toEqual(['f0', 'f1', 'f2', 'f3']);
  });

  it('are found by a part of any value, in any case, within objects too', () => {
    const all = [{ a: 'Santa Ana' }, { b: { c: 'ana' } }, { a: null }, { d: 7.5 }];
    expect(listed(all, { find: ' ANA ' })).toEqual(['f0', 'f1']);
    expect(listed(all, { find: '7.5' })).toEqual(['f3']);
    // As the table shows it, whether the file has commas or not.
    expect(listed([{ a: 51311 }, { a: '51,311' }, { a: 513 }], { find: '51,3' })).toEqual(['f1']);
    expect(listed([{ a: 51311 }, { a: '51,311' }, { a: 513 }], { find: '51,311' })).toEqual(['f0', 'f1']);
  });

  it('in sight are those of the window, with some around them, and never beyond the list', () => {
    expect(rowsInSight({ scrolled: 0, height: 320, rowHeight: 32 }, 100_000)).toEqual({ from: 0, to: 16 });
    expect(rowsInSight({ scrolled: 32_000, height: 320, rowHeight: 32 }, 100_000)).toEqual({ from: 994, to: 1016 });
    expect(rowsInSight({ scrolled: 9_999_999, height: 320, rowHeight: 32 }, 100)).toEqual({ from: 84, to: 100 });
    expect(rowsInSight({ scrolled: 0, height: 320, rowHeight: 32 }, 3)).toEqual({ from: 0, to: 3 });
  });
});

describe('the colours of a property', () => {
  const coloringOf = (column: ReturnType<typeof columnsOf>[number]) => ({
    column,
    symbology: choicesAt('').symbology,
    numberFor: ({ properties }: ReturnType<typeof rowOf>) => numberOf(properties[column.name]),
  });
  it('has zero in a class of its own where it is of counts, however they are parted', () => {
    const rows = rowsWith(...[0, 0, 0, 5, 1, 12, 16, 110, 4].map((a) => ({ a })));
    const [column] = columnsOf(rows);
    if (!column) throw new Error('There is no column.');
    const labelsBy = (query: string, hasZero = true) => {
      const coloring = { ...coloringOf(column), symbology: choicesAt(`#/datasets/${ID}?${query}`).symbology, hasZero };
      const { classes, classOf } = classesOf(rows, coloring);
      return [classes.map(({ label }) => label), rows.map(classOf)];
    };
    expect(labelsBy('method=natural&classes=3', false)[0]).toEqual(['0 to 9', '10 to 99', '110']);
    expect(labelsBy('method=natural&classes=4')).toEqual([
      ['0', '1 to 9', '10 to 99', '110'],
      [0, 0, 0, 1, 1, 2, 2, 3, 1],
    ]);
    expect(labelsBy('classes=3')[0]).toEqual(['0', '1 to 9', '10 to 110']);
    expect(labelsBy('classes=2&method=equal')[0]).toEqual(['0', '1 to 110']);
    expect(labelsBy('method=equal&classes=3')[1]).toEqual([0, 0, 0, 1, 1, 1, 1, 2, 1]);
    // Zero comes and goes with the data, so the author's words are those of the other classes.
    const words = `labels=${encodeURIComponent(JSON.stringify(['Few', 'Many']))}`;
    expect(labelsBy(`method=natural&classes=3&${words}`)[0]).toEqual(['0', 'Few', 'Many']);
    expect(labelsBy(`method=natural&classes=2&${words}`, false)[0]).toEqual(['Few', 'Many']);
    // The author's own breaks stay as they are.
    expect(labelsBy('method=own&breaks=10')[0]).toEqual(labelsBy('method=own&breaks=10', false)[0]);
    const none = rowsWith({ a: 0 }, { a: 0 });
    const { classes } = classesOf(none, { ...coloringOf(column), hasZero: true });
    expect(classes.map(({ label }) => label)).toEqual(['0']);
  });

  const classesFor = (...values: unknown[]) => {
    const rows = rowsWith(...values.map((a) => ({ a })));
    const [column] = columnsOf(rows);
    if (!column) throw new Error('There is no column.');
    const { classes, classOf } = classesOf(rows, coloringOf(column));
    const counted = classes.map((one, place) => ({
      ...one,
      count: rows.filter((row) => classOf(row) === place).length,
    }));
    return { rows, classes: counted, colorOf: (row: (typeof rows)[number]) => classes[classOf(row)]?.color };
  };

  it('are as many numbers each, with the smallest and the largest of each', () => {
    const { classes, rows, colorOf } = classesFor(...Array.from({ length: 1000 }, (_, index) => index + 1), null);
    expect(classes.map(({ label, count }) => [label, count])).toEqual([
      ['1 to 200', 200],
      ['201 to 400', 200],
      ['401 to 600', 200],
      ['601 to 800', 200],
      ['801 to 1,000', 200],
      ['No value', 1],
    ]);
    for (const [at, index] of [
      [0, 0],
      [199, 0],
      [200, 1],
      [999, 4],
      [1000, 5],
    ] as const)
      expect(rows[at] && colorOf(rows[at])).toBe(classes[index]?.color);
  });

  it('are those of numbers where some are lacking, which one class chooses', () => {
    const { classes } = classesFor(...Array.from({ length: 20 }, (_, index) => index), 'n/a', '–', null);
    const last = classes.at(-1);
    expect(last).toMatchObject({ label: 'No value', count: 3, isMissing: true, filter: { values: ['', 'n/a', '–'] } });
    expect(classes).toHaveLength(6);
  });

  it('keep small numbers and years readable, and infinity is no number', () => {
    const labels = (...values: unknown[]) => classesFor(...values).classes.map(({ label }) => label);
    expect(labels(0.0001, 0.0002, 2019, 12345678)).toEqual(['0.0001', '0.0002', '2,019', '12,345,700']);
    expect(labels(2015, 2020, 2024)).toEqual(['2015', '2020', '2024']);
    expect(numberOf(Number.POSITIVE_INFINITY)).toBeUndefined();
    expect(numberOf('1e999')).toBeUndefined();
  });

  it('are of no value where a feature lacks a property of any name', () => {
    const rows = rowsWith({ constructor: 'x' }, {});
    const [column] = columnsOf(rows);
    expect(column && classesOf(rows, coloringOf(column)).classes.map(({ label }) => label)).toEqual(['x', 'No value']);
  });

  it('are fewer where many numbers are equal', () => {
    expect(classesFor(5, 5, 5, 5, 9).classes.map(({ label, count }) => [label, count])).toEqual([
      ['5', 4],
      ['9', 1],
    ]);
  });

  it('have no gaps between them, and part where few digits do', () => {
    const labels = (...values: unknown[]) => classesFor(...values).classes.map(({ label }) => label);
    expect(labels(2.6, 13.8, 14.6, 22, 23.6, 33.4, 33.6, 41, 41.1, 54.9)).toEqual([
      '2.6 to under 14.0',
      '14.0 to under 23.0',
      '23.0 to under 33.6',
      '33.6 to under 41.1',
      '41.1 to 54.9',
    ]);
    expect(labels(1234, 5678, 6001, 8700, 9456, 9700, 10_400, 10_600, 12_000, 13_000)).toEqual([
      '1,234 to 5,999',
      '6,000 to 8,999',
      '9,000 to 9,999',
      '10,000 to 11,999',
      '12,000 to 13,000',
    ]);
    expect(labels(-5.5, -4.5, -0.25, 0.25)).toEqual(['−5.50', '−4.50', '−0.25', '0.25']);
    // What was computed is written as far as it says something, in a legend of ranges as far as its bounds.
    expect(labels(1 / 3, 2)).toEqual(['0.333333', '2']);
    expect(labels(1.98123, 50, 80.5, 90, 145, 160, 239, 250, 410, 3183.4)).toEqual([
      '1 to under 80',
      '80 to under 100',
      '100 to under 200',
      '200 to under 400',
      '400 to 3,184',
    ]);
  });

  it('colour by the first column of amounts, which is no code and no year', () => {
    const rows = rowsWith(
      {
        name: 'A',
        psgc_code: '1400100000',
        id: 1,
        zip_code: 4000,
        Taon: 2023,
        survey: 2021,
        same: 1,
        poor: 5,
        rich: 1,
      },
      {
        name: 'B',
        psgc_code: '1400200000',
        id: 2,
        zip_code: 4001,
        Taon: 2023,
        survey: 2023,
        same: 1,
        poor: 7,
        rich: 2,
      },
    );
    expect(proposedColor(columnsOf(rows), rows)).toBe('poor');
    expect(proposedColor(columnsOf(rowsWith({ name: 'A' })), rows)).toBeUndefined();
    const numbered = rowsWith(
      ...[1, 2, 4, 5, 7].map((line) => ({ 'Blg.': 9 * line, Hanay: line, 'Blg. ng pamilya': 100 - line })),
    );
    expect(proposedColor(columnsOf(numbered), numbered)).toBe('Blg. ng pamilya');
    // Few amounts may count on too, and many may rise.
    const rising = rowsWith(...[1, 2, 4, 50, 70].map((cases) => ({ cases })));
    expect(proposedColor(columnsOf(rising), rising)).toBe('cases');
    const few = rowsWith({ cases: 1 }, { cases: 2 });
    expect(proposedColor(columnsOf(few), few)).toBe('cases');
  });

  it('say whether the areas are all of their level', async () => {
    const asked: string[] = [];
    const ask = async (path: string) => {
      asked.push(path);
      return Response.json({ meta: { total: 2 } });
    };
    const lacks = (...codes: string[]) => lacksAreas(rowsWith(...codes.map((psgc_code) => ({ psgc_code }))), ask);
    expect(await lacks('0100000000')).toBe(true);
    expect(await lacks('0100000000', '0200000000')).toBe(false);
    expect(await lacks('0102800000', '0102900000')).toBe(true);
    expect(await lacks('0102800000', '0102900000', '1380600000')).toBe(false);
    // The capital and a city are no provinces.
    expect(await lacks('0102800000', '1300000000')).toBe(true);
    expect(await lacks('0102800000', '0730600000', '1300000000')).toBe(true);
    expect(await lacks('0102801000')).toBe(true);
    expect(await lacks('0102801001')).toBe(true);
    expect(await lacks('a', '')).toBe(false);
    expect(asked).toEqual(
      ['regions', 'regions', 'provinces', 'provinces', 'provinces'].map((level) => `/v1/${level}?limit=1`),
    );
    expect(await lacksAreas(rowsWith({ psgc_code: '0100000000' }), () => Promise.reject(new Error('offline')))).toBe(
      false,
    );
  });

  it('are those of the most frequent values, and one for the others', () => {
    const values = Array.from({ length: 16 }, (_, index) => Array.from({ length: 16 - index }, () => `kind ${index}`));
    const { classes } = classesFor(...values.flat());
    expect(classes).toHaveLength(13);
    expect(classes[0]).toMatchObject({ label: 'kind 0', count: 16 });
    expect(classes[12]).toMatchObject({ label: 'Other', count: 4 + 3 + 2 + 1, isOther: true });
    expect(new Set(classes.map(({ color }) => color)).size).toBe(13);
    expect(classesFor('a', '', null).classes.map(({ label, count }) => [label, count])).toEqual([
      ['a', 1],
      ['No value', 2],
    ]);
    expect(classesFor(...values.flat(), null).classes.slice(12)).toMatchObject([{ label: 'Other' }, { count: 1 }]);
  });

  it('of text are none where a word says so, unless the word may be a value', () => {
    const { classes } = classesFor('low', 'n.a.', 'none', '-', 'Wala', null);
    expect(classes.map(({ label, count }) => [label, count])).toEqual([
      ...[
        ['Wala', 1],
        ['low', 1],
        ['none', 1],
      ],
      ['No value', 3],
    ]);
    expect(classes.at(-1)?.filter).toEqual({ values: ['', 'n.a.', '-'] });
  });

  it('go with sizes whose areas grow with the number', () => {
    const rows = rowsWith({ a: 0 }, { a: '25' }, { a: 100 }, { a: -4 }, {});
    expect(rows.map(radiiOf(rows, 'a'))).toEqual([3, 10, 16, 3, 3]);
    expect(rowsWith({ a: 0 }).map(radiiOf(rowsWith({ a: 0 }), 'a'))).toEqual([3]);
  });

  it('have a key of sizes with round numbers that the map draws so', () => {
    const keyOf = (...numbers: number[]) => {
      const rows = rowsWith(...numbers.map((a) => ({ a })));
      const [column] = columnsOf(rows);
      const key = column && sizeKeyOf(rows, column);
      for (const { label, radius } of key?.circles ?? []) {
        const value = Number(label.replaceAll(',', ''));
        const withIt = rowsWith({ a: value }, ...numbers.map((a) => ({ a })));
        expect([label, radiiOf(withIt, 'a')(withIt[0] as never)]).toEqual([label, radius]);
      }
      return key?.circles.map(({ label }) => label);
    };
    expect(keyOf(0, 99)).toEqual(['2', '20', '50']);
    expect(keyOf(100, 1)).toEqual(['5', '20', '100']);
    expect(keyOf(8_630_000, 12)).toEqual(['200,000', '2,000,000', '5,000,000']);
    expect(keyOf(0.7, 0.25)).toEqual(['0.02', '0.1', '0.5']);
    // Of whole numbers none is a part, and two circles are the least.
    expect(keyOf(0, 3)).toEqual(['0', '2']);
    expect(keyOf(1, 0)).toEqual(['0', '1']);
    expect(keyOf(0, -5)).toBeUndefined();
  });
});

describe('features that are being read', () => {
  it('are counted wherever their bytes are parted, and passed on as they are', async () => {
    const text = `{"features":[${Array.from({ length: 5 }, (_, index) => `{"type":"Feature","id":"ñ${index}"}`).join(',')}]}`;
    const bytes = new TextEncoder().encode(text);
    for (const size of [1, 7, 20, 1000]) {
      const counts: number[] = [];
      const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.slice(index * size, (index + 1) * size),
      );
      const parted = new ReadableStream<Uint8Array<ArrayBuffer>>({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      });
      expect(await new Response(parted.pipeThrough(counting((count) => counts.push(count)))).text()).toBe(text);
      expect([counts.length, counts.at(-1)]).toEqual([parts.length, 5]);
    }
  });
});

describe('a text of a dataset', () => {
  it('is cut where it is too long, and never within a character', () => {
    expect(shortened('drilled', 7)).toBe('drilled');
    expect(shortened('drilled well', 7)).toBe('dril…ll');
    // Names that differ at their end only stay different.
    expect(shortened('density_2020_low', 12)).not.toBe(shortened('density_2020_high', 12));
    expect(shortened('🌊'.repeat(7), 7)).toBe('🌊'.repeat(7));
    expect(shortened('🌊'.repeat(8), 7)).toBe(`${'🌊'.repeat(4)}…${'🌊'.repeat(2)}`);
  });

  it('shows a sign for what nobody sees, and keeps what words of other scripts need', () => {
    expect(visible('a\u2069\u202egnp\u200b.b\0c\u0085')).toBe('a��gnp�.b�c�');
    for (const text of ['بئر\u200f 5', 'क्\u200dष', '👩\u200d🌾', 'one\n\ttwo']) expect(visible(text)).toBe(text);
  });
});

describe('the names of areas', () => {
  it('are shown once three areas of ten have room for theirs', () => {
    expect(zoomForNames([9, 5, 7, 6, 9, 9, 9, 9, 9, 9])).toBe(7);
    expect(zoomForNames([9, 5, 7, 6])).toBe(6);
    expect([zoomForNames([5]), zoomForNames([])]).toEqual([5, 0]);
  });
});

describe('filters', () => {
  const all = [{ a: 1, k: 'x' }, { a: '5', k: 'y' }, { a: 9, k: 'x' }, { a: null }, { a: 'deep', k: '' }];
  const filtered = (...filters: [string, Filter][]) => listed(all, { filters: new Map(filters) });

  it('keep numbers between two others, which count, and one of some texts', () => {
    expect(filtered(['a', { from: 1, to: 5 }])).toEqual(['f0', 'f1']);
    expect(filtered(['a', { from: 5 }])).toEqual(['f1', 'f2']);
    expect(filtered(['k', { values: ['x', 'y'] }])).toEqual(['f0', 'f1', 'f2']);
    expect(filtered(['k', { values: ['x'] }], ['a', { to: 8 }])).toEqual(['f0']);
    expect(filtered(['gone', { values: ['x'] }])).toEqual([]);
  });

  it('are chosen by classes: values together, a range in place of another, and again to end it', () => {
    const x = toggled(new Map(), 'k', { values: ['x'] });
    const both = toggled(x, 'k', { values: ['y'] });
    expect(both.get('k')).toEqual({ values: ['x', 'y'] });
    expect(isChosen(both, 'k', { values: ['y'] })).toBe(true);
    expect(toggled(toggled(both, 'k', { values: ['x'] }), 'k', { values: ['y'] }).size).toBe(0);
    const low = toggled(x, 'a', { from: 1, to: 5 });
    expect(toggled(low, 'a', { from: 6, to: 9 }).get('a')).toEqual({ from: 6, to: 9 });
    expect([...toggled(low, 'a', { from: 1, to: 5 }).keys()]).toEqual(['k']);
  });

  it('are read from an address as they were written, and nothing else is', () => {
    const filters = new Map<string, Filter>([
      ['a&b', { from: 1, to: undefined }],
      ['__proto__', { values: ['x', ''] }],
    ]);
    expect(filtersIn(textOfFilters(filters) ?? '')).toEqual(filters);
    for (const text of [
      '{',
      '5',
      'null',
      '[1,[2],["a"],["a",{}],["a",{"values":[1]}],["a",{"from":"1"}],[3,{"to":1}]]',
    ]) {
      expect(filtersIn(text).size).toBe(0);
    }
  });
});

describe('tiles of features', () => {
  const line: Geometry = {
    type: 'LineString',
    coordinates: [
      [120, 10],
      [122, 16],
    ],
  };
  const near = (index: number): Geometry => ({ type: 'Point', coordinates: [121 + index / 1e6, 14] });
  const collection: Geometry = {
    type: 'GeometryCollection',
    geometries: [line, { type: 'Point', coordinates: [130, 5] }],
  };
  const geometries: (Geometry | null)[] = [near(0), line, near(1), null, near(2), collection];
  const all = { listed: undefined, classes: undefined, radii: undefined };
  const world = (tiles: FeatureTiles) => {
    const { layers } = new VectorTile(new PbfReader(new Uint8Array(tiles.tile(0, 0, 0) ?? [])));
    return Object.entries(layers)
      .flatMap(([name, layer]) =>
        Array.from({ length: layer.length }, (_, index) => ({ layer: name, ...layer.feature(index).properties })),
      )
      .sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
  };

  it('cluster points and no other shapes, and leave out what has no place', () => {
    const tiles = new FeatureTiles(geometries, 3);
    tiles.show(all);
    const few = new FeatureTiles(geometries);
    few.show(all);
    expect(world(few).filter(({ layer }) => layer === 'points')).toHaveLength(3);
    const [cluster, ...others] = world(tiles);
    expect(cluster).toMatchObject({ layer: 'points', point_count: 3, point_count_abbreviated: 3 });
    expect(others).toEqual([1, 5, 5].map((feature) => ({ layer: 'shapes', feature })));
    const zoom = tiles.zoomOf((cluster as unknown as { cluster_id: number }).cluster_id);
    expect(zoom).toBe(13);
    expect(tiles.tile(14, 0, 0)).toBeUndefined();
  });

  it('have the class and the radius of each feature, and of a cluster the class that most of it have', () => {
    const tiles = new FeatureTiles(geometries, 2);
    tiles.show({ ...all, classes: Uint8Array.of(2, 1, 0, 0, 2, 0), radii: Uint8Array.of(3, 3, 3, 3, 9, 3) });
    expect(world(tiles)).toMatchObject([
      { class: 2, point_count: 3 },
      { feature: 1, class: 1 },
      { class: 0 },
      { class: 0 },
    ]);
    tiles.show({ listed: Uint32Array.of(4) });
    expect(world(tiles)).toEqual([{ layer: 'points', feature: 4, class: 2, radius: 9 }]);
    tiles.show({ listed: Uint32Array.of(0, 2), classes: Uint8Array.of(2, 1, 1, 0, 2, 0) });
    expect(world(tiles)).toMatchObject([{ point_count: 2 }]);
    tiles.show({ listed: Uint32Array.of() });
    expect(tiles.tile(0, 0, 0)).toBeUndefined();
  });

  it('are drawn from the widest to the narrowest shape, and else in the order of the dataset', () => {
    const wide: Geometry = {
      type: 'LineString',
      coordinates: [
        [110, 0],
        [130, 20],
      ],
    };
    const tiles = new FeatureTiles([line, wide, line]);
    expect(tiles.inDrawOrder([2, 0, 1])).toEqual([1, 2, 0]);
    tiles.show(all);
    const { shapes } = new VectorTile(new PbfReader(new Uint8Array(tiles.tile(0, 0, 0) ?? []))).layers;
    const drawn = Array.from({ length: shapes?.length ?? 0 }, (_, index) => shapes?.feature(index).properties.feature);
    expect(drawn).toEqual([1, 0, 2]);
  });

  it('are fitted by the extent of a geometry', () => {
    expect(extentOf(line)).toEqual([120, 10, 122, 16]);
    expect(extentOf(collection)).toEqual([120, 5, 130, 16]);
    expect(extentOf(null)).toBeUndefined();
  });
});

describe('geometries across the antimeridian', () => {
  /** A ring around a box, and where it is from west to east. */
  const ring = (west: number, south: number, east: number, north: number): Position[] => [
    ...[[west, south] as Position, [east, south], [east, north], [west, north], [west, south]],
  ];
  const polygon = (...coordinates: Position[][]): Geometry => ({ type: 'Polygon', coordinates });
  const line = (...coordinates: Position[]): Geometry => ({ type: 'LineString', coordinates });

  it('run on beyond it, to the east and to the west, with the holes in them', () => {
    expect(unwrapped(line([178, 1, 5], [-178, 2, 6], [178, 3, 7]))).toEqual(
      line([178, 1, 5], [182, 2, 6], [178, 3, 7]),
    );
    expect(unwrapped(line([-170, 0], [170, 0]))).toEqual(line([-170, 0], [-190, 0]));
    const area = polygon(ring(170, 0, -170, 9), ring(172, 1, 173, 2), ring(-173, 1, -172, 2), ring(179, 4, -179, 5));
    expect(unwrapped(area)).toEqual(
      polygon(ring(170, 0, 190, 9), ring(172, 1, 173, 2), ring(187, 1, 188, 2), ring(179, 4, 181, 5)),
    );
    const many: Geometry = { type: 'MultiPolygon', coordinates: [[ring(179, 0, 180, 1)], [ring(179, 2, -179, 3)]] };
    expect(extentOf(unwrapped({ type: 'GeometryCollection', geometries: [many] }))).toEqual([179, 0, 181, 3]);
    const lines: Geometry = { type: 'MultiLineString', coordinates: [ring(179, 0, -179, 1)] };
    expect(extentOf(unwrapped(lines))).toEqual([179, 0, 181, 1]);
    const onIt = polygon([
      [179, 0],
      [180, 0],
      [-180, 0],
      [-179, 0],
      [-179, 1],
      [179, 1],
      [179, 0],
    ]);
    expect(extentOf(unwrapped(onIt))).toEqual([179, 0, 181, 1]);
  });

  it('stay as they are where they are wide, around a pole, or cut', () => {
    for (const same of [
      polygon(ring(-180, -90, 180, 90)),
      polygon(ring(-90, 0, 90, 1)),
      polygon(ring(-170, -60, 170, 60)),
      polygon(ring(-90, 0, 100, 1)),
      polygon(ring(-180, -90, 179.999, 90)),
      polygon(ring(-180, 0, -170, 1)),
      polygon([
        [0, 80],
        [120, 80],
        [-120, 80],
        [0, 80],
      ]),
      line([-180, 5], [180, 5]),
      {
        type: 'MultiPoint',
        coordinates: [
          [179, 0],
          [-179, 0],
        ],
      } satisfies Geometry,
    ])
      expect(unwrapped(same)).toEqual(same);
  });

  it('are in the tiles at both edges of the world, and in none between', () => {
    const tiles = new FeatureTiles([unwrapped(polygon(ring(170, 1, -170, 30)))]);
    tiles.show({ listed: undefined, classes: undefined, radii: undefined });
    expect([0, 1, 2, 3, 4, 5, 6, 7].filter((x) => tiles.tile(3, x, 3) !== undefined)).toEqual([0, 7]);
  });
});

describe('the address of a dataset', () => {
  it('has what is chosen, and nothing else', () => {
    const nothing = choicesAt(`#/datasets/${ID}`);
    expect(fragmentOfDataset(ID, nothing)).toBe(`#/datasets/${ID}`);
    const choices = {
      ...nothing,
      color: 'type & kind',
      size: 'depth=m',
      find: '#1?',
      filters: new Map([['kind', { values: ['dug'] }]]),
      sort: 'ñ',
      isDescending: true,
      feature: 'f1',
    };
    const hash = fragmentOfDataset(ID, choices);
    expect(choicesAt(hash)).toEqual(choices);
    expect(datasetAt(hash)).toBe(ID);
    expect(datasetAt('#/datasets/1')).toBeUndefined();
    // The list that /match hands over has choices too.
    expect(choicesAt(fragmentOfDataset('matched', choices))).toEqual(choices);
    expect(datasetAt('#/datasets/matched?size=rows')).toBe('matched');
  });
});

describe('another property in colours', () => {
  const { symbology } = choicesAt(`#/datasets/${ID}?color=cases&rate=area&method=own&breaks=1,2&labels=["a"]&middle=3`);

  it('has the rate of the one before, and neither its breaks nor its words', () => {
    expect(choicesInColor(symbology, 'deaths', false)).toMatchObject({
      color: 'deaths',
      symbology: { rate: 'area', method: 'quantiles', breaks: [], labels: [], middle: undefined },
    });
  });

  it('is not divided again where it is a share', () => {
    expect(choicesInColor(symbology, 'Poverty incidence (%)', true).symbology?.rate).toBeUndefined();
    const shares = [
      'Poverty incidence (%)',
      'percent poor',
      'poverty_percent',
      'coverage_pct',
      'Pct_Poor',
      'Per cent',
      'PCT',
    ];
    expect(shares.filter((name) => !saysShare(name))).toEqual([]);
    expect(['Cases', 'Superpct', 'pctl_rank', 'Persons'].filter(saysShare)).toEqual([]);
  });
});

describe('places that have several rows', () => {
  const rows = [
    { psgc_code: '0702201000', name: 'Alcantara', cases: 1.1, year: 2024, note: 'a' },
    { psgc_code: '0702201000', name: 'Alcantara', cases: '2.2', year: 2024, note: 'b' },
    { psgc_code: 702202000, name: 'Alcoy', cases: 5, year: 2024, note: 'a' },
    { name: 'nowhere', cases: 7, year: 2024, note: 'a' },
  ].map((properties, index) => rowOf({ id: `f${index}`, properties, type: 'Polygon' }, index));
  const gatheredBy = (gathering: 'sum' | 'mean') =>
    [...byPlace(rows)].map(([id, of]) => [id, propertiesOfPlace(of, columnsOf(rows), { gathering, shares: [] })]);

  it('are counted, and their rows are not called areas', () => {
    expect(repeatedPlaces(rows)).toBe(1);
    expect([nounOf(rows), nounOf(rows.slice(1))]).toEqual(['rows', 'areas']);
  });

  it('have the sum or the mean of amounts, and what is the same in all rows', () => {
    const alcoy = { psgc_code: 702202000, name: 'Alcoy', cases: 5, year: 2024, note: 'a', rows: 1 };
    expect(gatheredBy('sum')).toEqual([
      ['0702201000', { psgc_code: '0702201000', name: 'Alcantara', cases: 3.3, year: 2024, rows: 2 }],
      ['0702202000', alcoy],
      ['f3', { psgc_code: undefined, name: 'nowhere', cases: 7, year: 2024, note: 'a', rows: 1 }],
    ]);
    expect(gatheredBy('mean')[0]?.[1]).toMatchObject({ cases: 1.65 });
  });

  it('have no sum of shares, which are so by their name or their sign', () => {
    const own = rowsWith(
      { psgc_code: '0702201000', cases: 1, 'Poverty (%)': 20, literacy: '90%', same: '5 %' },
      { psgc_code: '0702201000', cases: 2, 'Poverty (%)': 30, literacy: '80%', same: '5 %' },
    );
    const columns = columnsOf(own);
    const shares = sharesAmong(own, columns);
    expect(shares.map(({ name }) => name)).toEqual(['Poverty (%)', 'literacy', 'same']);
    expect(propertiesOfPlace(own, columns, { gathering: 'sum', shares })).toMatchObject({
      ...{ cases: 3, 'Poverty (%)': null, literacy: null, same: '5 %', rows: 2 },
    });
    expect(propertiesOfPlace(own, columns, { gathering: 'mean', shares })).toMatchObject({
      ...{ cases: 1.5, 'Poverty (%)': 25, literacy: 85, same: 5 },
    });
  });

  it('are chosen in the address, with breaks of their own', () => {
    const id = '00000000-0000-4000-8000-000000000000';
    const choices = choicesAt(`#/datasets/${id}?color=cases&method=own&breaks=1,2&feature=f1`);
    const fragment = fragmentOfGathering(id, choices, 'sum');
    expect(fragment).toBe(`#/datasets/${id}?color=cases&rows=sum`);
    expect([choicesAt(fragment).gathering, choicesAt('#/x?rows=most').gathering]).toEqual(['sum', undefined]);
  });
});
