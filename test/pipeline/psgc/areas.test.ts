import { describe, expect, it } from 'vitest';
import type { Release } from '../../../scripts/pipeline/psgc/area.ts';
import { toRelease } from '../../../scripts/pipeline/psgc/areas.ts';
import type { PublishedRow } from '../../../scripts/pipeline/psgc/publication.ts';
import { ILOCOS, publication, row } from './rows.ts';

function release(rows: readonly PublishedRow[]): Release {
  return toRelease(publication(rows));
}

function areaOf(rows: readonly PublishedRow[], code: string) {
  return release(rows).areas.find((area) => area.code === code);
}

describe('toRelease', () => {
  it('orders areas by level and code, whatever the order of the rows', () => {
    const codes = (rows: readonly PublishedRow[]) => release(rows).areas.map((area) => area.code);
    expect(codes(ILOCOS.toReversed())).toEqual(codes(ILOCOS));
    expect(codes(ILOCOS).slice(0, 4)).toEqual(['0100000000', '0105500000', '0105501000', '0105503000']);
  });

  it('counts the children of a region, a province and a city', () => {
    expect(areaOf(ILOCOS, '0100000000')).toMatchObject({ provinceCount: 1, municityCount: 3, barangayCount: 4 });
    expect(areaOf(ILOCOS, '0105500000')).toMatchObject({
      municityCount: 2,
      hostedMunicityCount: 1,
      barangayCount: 3,
    });
    expect(areaOf(ILOCOS, '0105503000')).toMatchObject({ barangayCount: 2 });
  });

  it('derives the class of a city if the list lacks it, and else takes the list’s', () => {
    expect(areaOf(ILOCOS, '0105518000')?.cityClass).toBe('ICC');
    expect(areaOf(ILOCOS, '0105503000')?.cityClass).toBe('CC');
    expect(areaOf(ILOCOS, '0105501000')?.cityClass).toBeNull();
    const rows = ILOCOS.map((it) => (it.code === '0105518000' ? { ...it, cityClass: 'CC' as const } : it));
    expect(areaOf(rows, '0105518000')).toMatchObject({
      cityClass: 'CC',
      provinceCode: '0105500000',
      hostProvinceCode: null,
    });
  });

  it('finds the host after city and province have moved to another region', () => {
    for (const region of ['06', '18']) {
      const rows = [
        row('Reg', `${region}00000000`, 'Region'),
        row('Prov', `${region}04500000`, 'Negros Occidental', { correspondence: '064500000' }),
        row('City', `${region}30200000`, 'City of Bacolod', { correspondence: '064501000' }),
      ];
      expect(areaOf(rows, `${region}30200000`)?.hostProvinceCode).toBe(`${region}04500000`);
      expect(release(rows).problems).toEqual([]);
    }
  });

  it('skips a former name that the current one covers', () => {
    const { names, formerNames } = release([
      row('City', '0105503000', 'City of Alaminos', { formerNames: ['Alaminos', 'City of Alaminos', 'Suyo'] }),
    ]);
    expect(formerNames.map((it) => it.name)).toEqual(['Alaminos', 'Suyo']);
    expect(names.filter((it) => it.former).map((it) => it.key)).toEqual(['suyo']);
  });

  it('keeps data that only workbooks have', () => {
    const barangay = row('Bgy', '0105501001', 'Allabon', { urbanRural: 'R', population: 1234 });
    expect(areaOf([barangay], '0105501001')).toMatchObject({ urbanRural: 'R', population: 1234 });
  });
});

describe('former codes', () => {
  const aliases = (rows: readonly PublishedRow[], alias: string) =>
    release(rows)
      .aliases.filter((it) => it.alias === alias)
      .map((it) => it.code);

  it('prefer a published correspondence to a derived one', () => {
    const moved = [row('Bgy', '0908304019', 'Guintolan', { correspondence: '098311008' })];
    expect(aliases(moved, '098311008')).toEqual(['0908304019']);
    expect(aliases(moved, '0908311008')).toEqual(['0908304019']);
  });

  it('hold a change back while its old code is in the list', () => {
    const old = row('Bgy', '1380100176', 'Barangay 176');
    const parts = ['189', '190', '191', '192', '193', '194'].map((it) => row('Bgy', `1380100${it}`, 'Barangay 176'));
    expect(aliases(parts, '1380100176')).toHaveLength(6);
    expect(aliases([...parts, old], '1380100176')).toEqual([]);
    // As a nine-digit code it is the old one's and not abolished.
    expect(aliases([...parts, old], '137501176')).toEqual(['1380100176']);
  });

  it('hold a change back until every successor is in the list', () => {
    expect(aliases([row('Prov', '1908700000', 'Maguindanao del Norte')], '1903800000')).toEqual([]);
  });
});
