import { describe, expect, it } from 'vitest';
import { pointColumns, pointRows } from '../../../pages/match/point-columns.ts';

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
    expect(columnsOf(['x', 'y'], [500_000, 1_100_000])).toBeUndefined();
    expect(columnsOf(['latitude', 'longitude'])).toBeUndefined();
  });

  it('are the only columns that an upload takes for a geometry, and each column has a name of its own', () => {
    const headings = ['', 'Latitud', 'lng', 'x', 'WKT', 'A', 'A'];
    const rows = [[1, 10, 123, 7, '', 'a', 'b']];
    expect(pointRows({ headings, rows }, { latitude: 1, longitude: 2 })).toEqual([
      ['Column 1', 'latitude', 'longitude', 'x (list)', 'WKT (list)', 'A', 'A 2'],
      ...rows,
    ]);
  });
});
