import { describe, expect, it } from 'vitest';
import { pointColumns, pointKinds, pointTable } from '../../../pages/match/point-columns.ts';

describe('the coordinates of a list', () => {
  const columnsOf = (headings: string[], ...rows: (string | number)[][]) => pointColumns({ headings, rows });

  it('are known by the names that uploads know, and by those in Filipino', () => {
    for (const [latitude, longitude] of [
      ['latitude', 'longitude'],
      ['Lat', ' LON '],
      ['y', 'x'],
      ['lat', 'lng'],
      ['LAT', 'Long'],
      ['Latitud', 'Longhitud'],
    ] as const)
      expect(columnsOf(['name', latitude, longitude], ['A', '10.5', 123.9])).toEqual({ latitude: 1, longitude: 2 });
    expect(columnsOf(['longitude', 'latitude'], ['', ''], [123, 10])).toEqual({ latitude: 1, longitude: 0 });
  });

  it('are none where one is lacking, or nothing in them is a coordinate', () => {
    expect(columnsOf(['name', 'latitude'], ['A', 10])).toBeUndefined();
    expect(columnsOf(['x', 'y'], ['yes', 'no'])).toBeUndefined();
    expect(columnsOf(['lat', 'lon'], [123.9, 10.2])).toEqual({ latitude: 0, longitude: 1 });
    expect(columnsOf(['x', 'y'], [500_000, 1_100_000])).toBeUndefined();
    expect(columnsOf(['latitude', 'longitude'])).toBeUndefined();
  });

  it('are the only columns that an upload takes for a geometry, and each column has a name of its own', () => {
    const headings = ['', 'Latitud', 'lng', 'x', 'WKT', 'A', 'A'];
    const rows = [[1, 10, 123, 7, '', 'a', 'b']];
    expect(pointTable({ headings, rows }, { latitude: 1, longitude: 2 }).rows).toEqual([
      ['Column 1', 'latitude', 'longitude', 'x (list)', 'WKT (list)', 'A', 'A 2'],
      ...rows,
    ]);
  });

  const AT = { latitude: 1, longitude: 2 };
  const ROWS = [
    ['Cebu', 10.3, 123.9],
    ['swapped', '123.9', '10.2'],
    ['London', 51.5, -0.1],
    ['no number', 'abc', 120],
    ['without', '', ' '],
    ['', '', ''],
    ['beyond the world', 14, 500],
    ['Manila', 14.6, 120.98],
  ];

  it('lie in the Philippines or far outside, look swapped, or are missing', () => {
    expect(pointKinds(ROWS, AT, new Set())).toEqual({
      ...{ swapped: [1], far: [2], blank: [4] },
      extent: [120.98, 10.3, 123.9, 14.6],
    });
    expect(pointKinds(ROWS, AT, new Set([1]))).toMatchObject({ swapped: [], extent: [120.98, 10.2, 123.9, 14.6] });
    expect(pointKinds([['Paris', 48.9, 2.3]], AT, new Set()).extent).toBeUndefined();
  });

  it('are sent as they are, or swapped, in lines that lead back to their rows', () => {
    const headings = ['two\nlines', 'Lat', 'Long'];
    const { rows, columns, lines } = pointTable({ headings, rows: ROWS }, AT, new Set([1]));
    expect(rows.slice(0, 3)).toEqual([
      ['two\nlines', 'latitude', 'longitude'],
      ['Cebu', 10.3, 123.9],
      ['swapped', '10.2', '123.9'],
    ]);
    expect(columns.get('latitude')).toBe(1);
    expect([...lines]).toEqual([
      ...[3, 4, 5, 6, 7].map((line, i) => [line, i]),
      // A row without anything is not sent.
      ...[8, 9].map((line, i) => [line, i + 6]),
    ]);
  });
});
