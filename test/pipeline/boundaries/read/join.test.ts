import { describe, expect, it } from 'vitest';
import { areaFinder } from '../../../../scripts/pipeline/boundaries/read/join.ts';
import { toRelease } from '../../../../scripts/pipeline/psgc/areas.ts';
import { publication, row } from '../../psgc/rows.ts';

const join = areaFinder(
  toRelease(
    publication([
      row('Reg', '0100000000', 'Region I'),
      row('Prov', '0102800000', 'Ilocos Norte'),
      row('Mun', '0102801000', 'Adams'),
      row('Bgy', '0102801001', 'Adams'),
      row('Reg', '1300000000', 'National Capital Region'),
      row('City', '1380100000', 'City of Caloocan'),
      ...[189, 190, 191, 192, 193, 194].map((n) => row('Bgy', `1380100${n}`, `Barangay 176-${n}`)),
      row('City', '1380600000', 'City of Manila'),
      row('SubMun', '1380601000', 'Tondo I/II'),
      row('Reg', '1800000000', 'Negros Island Region'),
      row('Prov', '1804500000', 'Negros Occidental'),
      row('City', '1830200000', 'City of Bacolod'),
      row('Bgy', '1830200001', 'Barangay 1'),
      row('Reg', '1900000000', 'BARMM'),
      row('Mun', '1999901000', 'Pahamuddin'),
    ]),
  ),
);

describe('a published code', () => {
  it.each([
    ['0102801001', null, '0102801001', 'code'],
    [102801001, 'barangay', '0102801001', 'code'],
    ['PH01', 'region', '0100000000', 'code'],
    ['010000000', 'region', '0100000000', 'former code'],
    ['064501000', 'municity', '1830200000', 'former code'],
    ['133900000', 'municity', '1380600000', 'former code'],
    ['0604500000', 'province', '1804500000', 'last eight digits'],
    ['064500000', 'province', '1804500000', 'last eight digits'],
    ['0630200001', 'barangay', '1830200001', 'last eight digits'],
    ['1380601000', 'municity', '1380601000', 'code'],
    ['PH1909901', 'municity', '1999901000', 'code'],
  ] as const)('%s at level %s is found as %s by its %s', (published, level, code, by) => {
    expect(join(published, level)).toMatchObject({ kind: 'area', area: { code }, by });
  });

  it.each([
    ['0990100000', null, 'a special province code'],
    ['1999900000', 'province', 'a special province code'],
    ['PH19099', 'province', 'a special province code'],
    ['1303900000', 'province', 'a district of the National Capital Region'],
    ['137400000', 'province', 'a district of the National Capital Region'],
    ['133900000', 'province', 'a district of the National Capital Region'],
    ['1380100000', 'province', 'a city drawn among provinces'],
    ['1380100176', 'barangay', 'was abolished; now 1380100189'],
  ] as const)('%s at level %s is explained: %s', (published, level, why) => {
    expect(join(published, level)).toMatchObject({ kind: 'known exception', why: expect.stringContaining(why) });
  });

  it('of an abolished barangay names the successors', () => {
    expect(join('1380100176', 'barangay')).toMatchObject({ successors: expect.arrayContaining(['1380100194']) });
  });

  it.each([
    ['0102899001', 'barangay', '0102899001 names no area of the release'],
    ['0300000000', 'region', '0300000000 names no area of the release'],
    ['0102801001', 'municity', '0102801001 is a barangay, the file says municity'],
    ['Adams', null, '"Adams" is no PSGC code'],
  ] as const)('%s at level %s is unknown: %s', (published, level, why) => {
    expect(join(published, level)).toEqual({ kind: 'unknown', why });
  });
});
