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

  it.each(['Kodigo', 'Kodigo ng lugar', 'Code'])(
    'have the codes under %j where nearly all of its cells are codes',
    (heading) => {
      const of = (codes: readonly string[]) =>
        placeColumns(
          ['Bayan', heading],
          {},
          codes.map((code) => ['Argao', code]),
        );
      const read = { municity: [0], code: [1] };
      expect(of(['0702205000', '702205000', '', 'PH0702205', '0702205000'])).toEqual(read);
      expect(of(['0702205000', '0702205000', '0702205000', '0702205000', '07022O5'])).toEqual(read);
      expect(of(['0702205000', '0702205000', '0702205000', '07022O5'])).toEqual({ municity: [0] });
      expect(of(['A-1', 'A-2'])).toEqual({ municity: [0] });
      expect(of(['', 'n/a'])).toEqual({ municity: [0] });
    },
  );

  it.each(['Kodigo ng PSGC', 'PSGC Kodigo', 'PSGC na kodigo'])(
    'have the codes under %j, whatever its cells',
    (heading) => {
      expect(placeColumns(['Bayan', heading])).toEqual({ municity: [0], code: [1] });
    },
  );
});
