import { expect, it } from 'vitest';
import type { Value } from '../../../src/layer-files/columns.ts';
import { DbaseTable } from '../../../src/layer-files/dbase.ts';

// What GDAL reads in a table is in test/clients/exports.test.ts.

/** The letter of the type of a column of numbers, and what its rows have. */
function written(values: readonly Value[]): [letter: string, ...texts: string[]] {
  const table = new DbaseTable([{ name: 'n', type: 'number' }]);
  for (const value of values) table.add([value]);
  const rows = values.map((value) => new TextDecoder().decode(table.row([value])));
  expect(new Set(rows.map(({ length }) => length))).toEqual(new Set([25]));
  return [String.fromCharCode(table.head(new Date())[32 + 11] as number), ...rows.map((row) => row.trim())];
}

it('writes numbers without exponents, with all of their digits', () => {
  expect(written([1e-7, -1.234567890123e-7, 1.5e22, 0.1, -3, null])).toEqual([
    ...['N', '0.0000001', '-0.0000001234567890123', '15000000000000000000000', '0.1', '-3', ''],
  ]);
});

it('writes those that are too long in a column of the type that has exponents, and no others there', () => {
  expect(written([1e-30, -1.2345678901234568e-300, 1e300, 1e-7, 2])).toEqual([
    ...['F', '1e-30', '-1.2345678901234568e-300', '1e+300', '0.0000001', '2'],
  ]);
});

it('writes no number that is longer than those that were added', () => {
  const table = new DbaseTable([{ name: 'n', type: 'number' }]);
  table.add([1]);
  expect(() => table.row([1e-30])).toThrow('longer value');
});

it('knows how long its file is', () => {
  const table = new DbaseTable([
    { name: 'text', type: 'text' },
    { name: 'n', type: 'long' },
  ]);
  const rows: Value[][] = [
    ['ñ', 1n],
    [null, 2n],
  ];
  for (const row of rows) table.add(row);
  const parts = [table.head(new Date()), ...rows.map((row) => table.row(row)), DbaseTable.end];
  expect(table.bytes).toBe(parts.reduce((sum, { length }) => sum + length, 0));
});
