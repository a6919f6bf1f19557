import { describe, expect, it } from 'vitest';
import { groupsOf, type Outcome } from '../../../pages/match/groups.ts';
import { type Cell, tableOf } from '../../../pages/match/table.ts';
import { workbookRows } from '../../../pages/match/workbook-rows.ts';

const FOUND: Outcome = {
  ...{ match: 'likely', code: '0702205000', level: 'municity', name: 'Argao', score: 0.9994 },
  ...{ ancestors: [], candidates: [], notes: [] },
};

/** The cells of a column as they are in the workbook. */
function saved(cells: readonly Cell[], others: readonly Cell[] = []): Cell[] {
  const rows = cells.map((cell, i) => ['Argao', cell, others[i] ?? null]);
  const table = tableOf({ name: '', rows: [['Town', 'Given', 'Other'], ...rows] }, 0);
  const columns = { municity: [0] };
  const groups = groupsOf(table, columns);
  for (const group of groups) group.outcome = FOUND;
  return workbookRows({ table, columns, groups })
    .slice(1)
    .map((row) => row[1] ?? null);
}

describe('a table of text that is saved as a workbook', () => {
  it('has numbers in the columns that have no other text', () => {
    expect(saved(['24266', '1,200.5', ' -3 ', '', 'n/a'])).toEqual([24266, 1200.5, -3, '', 'n/a']);
    expect(saved(['₱ 1,000', '0.25'])).toEqual([1000, 0.25]);
  });

  it.each([
    [['1', '2', 'three']],
    // Codes, of the PSGC or with a leading zero, and what has more digits than a number keeps.
    [['1380600000', '1380300000']],
    [['0702205000', '702205000']],
    [['1', '007']],
    [['1234567890123456', '1']],
    [['12%', '8%']],
    [['2024-02-29']],
    [['', '-']],
  ])('keeps %j as text', (cells) => {
    expect(saved(cells)).toEqual(cells);
  });

  it('keeps what a workbook says of its cells, which has other cells than text', () => {
    expect(saved(['1', '2'], [5, null])).toEqual(['1', '2']);
    expect(saved([1, 2])).toEqual([1, 2]);
  });

  it('has the score as a number, and codes and places as text', () => {
    const table = tableOf(
      {
        name: '',
        rows: [
          ['Brgy', 'No'],
          ['1', '1'],
          ['2', '2'],
        ],
      },
      0,
    );
    const groups = groupsOf(table, { barangay: [0] });
    for (const group of groups) group.outcome = { ...FOUND, code: '1380608001' };
    expect(workbookRows({ table, columns: { barangay: [0] }, groups }).map((row) => row.slice(0, 7))).toEqual([
      ['Brgy', 'No', 'psgc_code', 'psgc_level', 'psgc_name', 'psgc_match', 'psgc_score'],
      ['1', 1, '1380608001', 'municity', 'Argao', 'likely', 0.999],
      ['2', 2, '1380608001', 'municity', 'Argao', 'likely', 0.999],
    ]);
  });
});
