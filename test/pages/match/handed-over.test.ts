import { describe, expect, it } from 'vitest';
import { repeatedPlaces } from '../../../pages/explore/own/gathering.ts';
import { featuresOfList } from '../../../pages/explore/own/matched-features.ts';
import { rowOf } from '../../../pages/explore/own/rows.ts';
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

describe('the rows that the map gets', () => {
  it('are each of those with a place, with what it says', () => {
    const { counts, rows, columns } = handed(
      ['Province', 'Cases', 'Kind', 'Code', ''],
      ['Cebu', '1,200', 'a', '007', new Date('2024-05-01')],
      ['Bohol', '', 'a', '', null],
      ['Cebu', 3.5, 'b', '007', null],
      ['Atlantis', '9', 'a', '1', null],
    );
    expect(counts).toEqual([
      ['0702200000', 2],
      ['0701200000', 1],
    ]);
    expect(rows).toEqual([0, 1, 0]);
    expect(columns).toEqual([
      { name: 'Cases', values: ['1,200', null, 3.5] },
      { name: 'Kind', values: ['a', 'a', 'b'] },
      { name: 'Code', values: ['007', null, '007'] },
      { name: 'Column 5', values: ['2024-05-01', null, null] },
    ]);
  });

  it('have no more columns than a tab can hand over', () => {
    const wide = Array.from({ length: 60 }, (_, index) => `c${index}`);
    const { columns } = handed(['Province', ...wide], ['Cebu', ...wide.map(() => 'x'.repeat(5000))]);
    expect([columns.length, columns[0]?.values[0]]).toEqual([20, 'x'.repeat(200)]);
  });

  const featuresOf = (list: ReturnType<typeof handed>, length = 1) =>
    featuresOfList(list, (code) => ({
      geometry: { type: 'LineString', coordinates: Array.from({ length }, () => [123.456, 10.123]) },
      properties: { name: code === CODES.Cebu ? 'Cebu' : 'Bohol' },
    }));

  it('are features that no number is added up in', () => {
    const list = handed(['Province', 'Poverty (%)'], ['Cebu', 20], ['Bohol', 12], ['Cebu', 30]);
    const { features, isShortened } = featuresOf(list);
    expect(isShortened).toBe(false);
    expect(features.map(({ id, properties }) => [id, properties])).toEqual([
      ['0702200000', { name: 'Cebu', 'Poverty (%)': 20, rows: 2, psgc_code: '0702200000' }],
      ['0701200000', { name: 'Bohol', 'Poverty (%)': 12, rows: 1, psgc_code: '0701200000' }],
      ['0702200000-2', { name: 'Cebu', 'Poverty (%)': 30, rows: 2, psgc_code: '0702200000' }],
    ]);
    const rows = features.map(({ id, properties }, index) =>
      rowOf({ id: String(id), properties: properties ?? {}, type: 'LineString' }, index),
    );
    // The form offers the same as for a list that was uploaded.
    expect(repeatedPlaces(rows)).toBe(1);
  });

  it('are one feature for each place where the list says nothing else, or would be too much', () => {
    const { features } = featuresOf(handed(['Province'], ['Cebu'], ['Bohol'], ['Cebu']));
    expect(features.map(({ properties }) => properties)).toEqual([
      { name: 'Cebu', rows: 2, psgc_code: '0702200000' },
      { name: 'Bohol', rows: 1, psgc_code: '0701200000' },
    ]);
    const many = Array.from({ length: 300 }, (_, index) => ['Cebu', index, 'a']);
    const large = featuresOf(handed(['Province', 'n', 'Kind'], ...many), 12_000);
    expect(large.isShortened).toBe(true);
    expect(large.features.map(({ properties }) => properties)).toEqual([
      { name: 'Cebu', n: null, Kind: 'a', rows: 300, psgc_code: '0702200000' },
    ]);
  });
});
