import type { Feature, Geometry } from 'geojson';
import { describe, expect, it } from 'vitest';
import { choicesAt, datasetAt, hashOfDataset } from '../../../pages/explore/own/address.ts';
import { classesOf, radiiOf } from '../../../pages/explore/own/classes.ts';
import { drawingOf } from '../../../pages/explore/own/layers.ts';
import { columnsOf, extentOf, numberOf, ordered, rowsInSight, rowsOf } from '../../../pages/explore/own/rows.ts';

const ID = '0b9ff0f0-3b0a-4e6e-9a39-9d1a1f3b7f11';
const POINT: Geometry = { type: 'Point', coordinates: [121, 14] };
const rowsWith = (...all: Record<string, unknown>[]) =>
  rowsOf({
    type: 'FeatureCollection',
    features: all.map((properties, id): Feature => ({ type: 'Feature', id: `f${id}`, properties, geometry: POINT })),
  });
const listed = (all: Record<string, unknown>[], order: Partial<Parameters<typeof ordered>[2]>) => {
  const rows = rowsWith(...all);
  return ordered(rows, columnsOf(rows), { find: '', sort: undefined, isDescending: false, ...order }).map(
    ({ id }) => id,
  );
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
    expect([numberOf('-1.5e3'), numberOf(' 1'), numberOf(true)]).toEqual([-1500, undefined, undefined]);
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
  });

  it('in sight are those of the window, with some around them, and never beyond the list', () => {
    expect(rowsInSight({ scrolled: 0, height: 320, rowHeight: 32 }, 100_000)).toEqual({ from: 0, to: 16 });
    expect(rowsInSight({ scrolled: 32_000, height: 320, rowHeight: 32 }, 100_000)).toEqual({ from: 994, to: 1016 });
    expect(rowsInSight({ scrolled: 9_999_999, height: 320, rowHeight: 32 }, 100)).toEqual({ from: 84, to: 100 });
    expect(rowsInSight({ scrolled: 0, height: 320, rowHeight: 32 }, 3)).toEqual({ from: 0, to: 3 });
  });
});

describe('the colours of a property', () => {
  const classesFor = (...values: unknown[]) => {
    const rows = rowsWith(...values.map((a) => ({ a })));
    const [column] = columnsOf(rows);
    if (!column) throw new Error('There is no column.');
    return { rows, ...classesOf(rows, column) };
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

  it('are fewer where many numbers are equal', () => {
    expect(classesFor(5, 5, 5, 5, 9).classes.map(({ label, count }) => [label, count])).toEqual([
      ['5', 4],
      ['9', 1],
    ]);
  });

  it('are those of the most frequent values, and one for the others', () => {
    const values = Array.from({ length: 12 }, (_, index) => Array.from({ length: 12 - index }, () => `kind ${index}`));
    const { classes } = classesFor(...values.flat());
    expect(classes).toHaveLength(9);
    expect(classes[0]).toMatchObject({ label: 'kind 0', count: 12 });
    expect(classes[8]).toMatchObject({ label: 'Other', count: 4 + 3 + 2 + 1 });
    expect(new Set(classes.map(({ color }) => color)).size).toBe(9);
    expect(classesFor('a', '', null).classes.map(({ label }) => label)).toEqual(['a', 'No value']);
  });

  it('go with sizes whose areas grow with the number', () => {
    const rows = rowsWith({ a: 0 }, { a: '25' }, { a: 100 }, { a: -4 }, {});
    expect(rows.map(radiiOf(rows, 'a'))).toEqual([3, 9.5, 16, 3, 3]);
    expect(rowsWith({ a: 0 }).map(radiiOf(rowsWith({ a: 0 }), 'a'))).toEqual([3]);
  });
});

describe('what the map draws', () => {
  it('has points apart from shapes, with the id and the looks only', () => {
    const line: Geometry = {
      type: 'LineString',
      coordinates: [
        [120, 10],
        [122, 16],
      ],
    };
    const [point] = rowsWith({ secret: 1 });
    const rows = [...(point ? [point] : []), { id: 'line', properties: {}, geometry: line }];
    const nowhere = { id: 'nowhere', properties: {}, geometry: null };
    const drawing = drawingOf([...rows, nowhere], rows[1], {
      colorOf: () => '#123456',
      radiusOf: undefined,
      legend: undefined,
    });
    expect(drawing.points.features.map(({ properties }) => properties)).toEqual([{ feature: 'f0', color: '#123456' }]);
    expect(drawing.shapes.features.map(({ properties }) => properties?.feature)).toEqual(['line']);
    expect(drawing.marked.features.map(({ geometry }) => geometry)).toEqual([line]);
    expect(extentOf(line)).toEqual([120, 10, 122, 16]);
    expect(
      extentOf({ type: 'GeometryCollection', geometries: [line, { type: 'Point', coordinates: [130, 5] }] }),
    ).toEqual([120, 5, 130, 16]);
    expect(extentOf(null)).toBeUndefined();
  });
});

describe('the address of a dataset', () => {
  it('has what is chosen, and nothing else', () => {
    const nothing = choicesAt(`#/datasets/${ID}`);
    expect(hashOfDataset(ID, nothing)).toBe(`#/datasets/${ID}`);
    const choices = {
      ...nothing,
      color: 'type & kind',
      size: 'depth=m',
      find: '#1?',
      sort: 'ñ',
      isDescending: true,
      feature: 'f1',
    };
    const hash = hashOfDataset(ID, choices);
    expect(choicesAt(hash)).toEqual(choices);
    expect(datasetAt(hash)).toBe(ID);
    expect(datasetAt('#/datasets/1')).toBeUndefined();
  });
});
