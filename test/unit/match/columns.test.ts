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

  it.each(['ID', 'Area', ''])(
    'have the codes under %j where no heading is known and all cells are codes',
    (heading) => {
      const of = (...cells: string[]) =>
        placeColumns(
          ['Blg', heading, 'Halaga'],
          {},
          cells.map((cell, i) => [String(i + 1), cell, '123456789']),
        );
      expect(of('0702205000', '0702205035', '')).toEqual({ code: [1] });
      expect(of('1380600000', '0702205000', '')).toEqual({ code: [1] });
      // Without their zeros codes can be amounts, and amounts codes.
      expect(of('72205035', '702205000', '133900000')).toEqual({});
      expect(of('137602001', '702205000', '133900000')).toEqual({});
      expect(of('150000000', '130000000', '100000000')).toEqual({});
      expect(of('1500000000', '1300000000', '1000000000')).toEqual({});
      // Telephone and tax numbers have as many digits.
      expect(of('9171234567', '9181234567', '9191234567')).toEqual({});
      expect(of('123456789', '234567890', '345678901')).toEqual({});
    },
  );

  it('have a column of codes under another heading only where no other heading is known', () => {
    const rows = [['0702205000', 'Argao', 'A']];
    expect(placeColumns(['ID', 'Bayan', 'Pangalan'], {}, rows)).toEqual({ municity: [1] });
    expect(placeColumns(['ID', 'x', 'Pangalan'], {}, rows)).toEqual({ code: [0], text: [2] });
    expect(placeColumns(['ID', 'x', 'y'], { code: '' }, rows)).toEqual({});
  });

  it.each([
    ['Pangalan ng Lugar', 'text'],
    ['Lugar', 'text'],
    ['Pangalan ng Bayan', 'municity'],
    ['Pangalan ng mga Barangay', 'barangay'],
  ])('have %j as %s', (heading, field) => {
    expect(placeColumns([heading])).toEqual({ [field]: [0] });
  });
});
