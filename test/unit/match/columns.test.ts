import { describe, expect, it } from 'vitest';
import type { FileLevel } from '../../../src/areas/snapshot/download-names.ts';
import { columnsOf } from '../../../src/downloads/columns.ts';
import { placeColumns } from '../../../src/match/columns.ts';

describe('the columns of places', () => {
  const READ: Readonly<Record<FileLevel, object>> = {
    region: { region: ['code', 'name'] },
    province: { region: ['r_name'], province: ['code', 'name'] },
    municity: { region: ['r_name'], province: ['p_name', 'host_province_name'], municity: ['code', 'name'] },
    submunicipality: { region: ['r_name'], municity: ['code', 'name'] },
    barangay: { region: ['r_name'], province: ['p_name'], municity: ['m_name'], barangay: ['code', 'name'] },
  };

  it.each(Object.keys(READ) as FileLevel[])('of a file of a %s, as the service gives it, are known', (level) => {
    for (const kind of ['table', 'layer'] as const) {
      const headings = columnsOf(level, kind).map(({ name }) => name);
      const read = Object.entries(placeColumns(headings)).map(([field, at]) => [field, at.map((i) => headings[i])]);
      expect(Object.fromEntries(read)).toEqual(READ[level]);
      expect(placeColumns(headings, { text: 'pcode' })).toEqual({ text: [headings.indexOf('pcode')] });
    }
  });

  it('of another table are not those that a file of the service has', () => {
    expect(placeColumns(['name', 'code', 'population'])).toEqual({});
    expect(placeColumns(['Name', 'Code', 'P_Name', 'R_Name'])).toEqual({});
    expect(placeColumns(['name', 'p_name', 'r_name'])).toEqual({});
  });
});
