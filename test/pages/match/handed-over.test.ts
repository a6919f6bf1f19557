import { describe, expect, it } from 'vitest';
import { groupsOf } from '../../../pages/match/groups.ts';
import { handedOver } from '../../../pages/match/handed-over.ts';
import type { Cell } from '../../../pages/match/table.ts';

const CODES: Readonly<Record<string, string>> = { Cebu: '0702200000', Bohol: '0701200000' };

function handed(headings: string[], ...rows: Cell[][]) {
  const table = { headings, rows, firstRow: 2, notes: [] };
  const columns = { province: [0] };
  const groups = groupsOf(table, columns);
  for (const group of groups) {
    const code = CODES[group.fields.province ?? ''];
    if (code) group.choice = { code, level: 'province', name: '', ancestors: [] };
  }
  return handedOver('List', table, { groups, columns });
}

describe('the places that the map gets', () => {
  it('have the sums of numbers, and texts that all rows of a place share', () => {
    const { counts, columns } = handed(
      ['Province', 'Cases', 'Kind', 'Code', ''],
      ['Cebu', '1,200', 'a', '007', new Date('2024-05-01')],
      ['Cebu', 3.5, 'b', '007', null],
      ['Bohol', '', 'a', '', null],
      ['Atlantis', '9', 'a', '1', null],
    );
    expect(counts).toEqual([
      ['0702200000', 2],
      ['0701200000', 1],
    ]);
    expect(columns).toEqual([
      { name: 'Cases', values: [['0702200000', 1203.5]] },
      { name: 'Kind', values: [['0701200000', 'a']] },
      { name: 'Code', values: [['0702200000', '007']] },
      { name: 'Column 5', values: [['0702200000', '2024-05-01']] },
    ]);
  });

  it('have numbers that people write with signs, and none where a row says that there is none', () => {
    const { columns } = handed(
      ['Province', 'Poverty', 'Note'],
      ['Cebu', '18.2%', 'n/a'],
      ['Cebu', 'wala', 'n/a'],
      ['Bohol', 'n/a', 'n/a'],
    );
    expect(columns).toEqual([
      { name: 'Poverty', values: [['0702200000', 18.2]] },
      {
        name: 'Note',
        values: [
          ['0702200000', 'n/a'],
          ['0701200000', 'n/a'],
        ],
      },
    ]);
  });

  it('have no more columns than a tab can hand over', () => {
    const wide = Array.from({ length: 60 }, (_, index) => `c${index}`);
    const { columns = [] } = handed(['Province', ...wide], ['Cebu', ...wide.map(() => 'x'.repeat(5000))]);
    expect([columns.length, columns[0]?.values[0]?.[1]]).toEqual([20, 'x'.repeat(200)]);
  });
});
