import { beforeAll, describe, expect, it } from 'vitest';
import { type MatchInput, matchRow } from '../../../src/names/match.ts';
import { zipsIn } from '../../../src/names/zip-hint.ts';
import { zipCodesOf } from '../../../src/zip-codes.ts';
import { type NamedCountry, namedCountry } from './country.ts';

let country: NamedCountry;
beforeAll(async () => {
  country = await namedCountry();
});
const match = (row: MatchInput) => matchRow(country.index, row);

describe('a ZIP code', () => {
  it.each<[MatchInput, string, string]>([
    [{ municity: 'San Juan', zip: '1500' }, '1381400000', 'City of San Juan'],
    [{ municity: 'Naga', zip: ' 4400 ' }, '0501724000', 'City of Naga'],
    [{ municity: 'Santa Cruz', zip: '4009' }, '0403426000', 'Santa Cruz'],
    [{ text: 'San Fernando 2000' }, '0305416000', 'City of San Fernando'],
    [{ text: 'San Fernando, 2500, Philippines' }, '0103314000', 'City of San Fernando'],
    [{ text: 'Brgy. San Antonio, 1605' }, '1381200019', 'City of Pasig'],
    [{ barangay: 'Poblacion', municity: 'San Isidro', zip: '3106' }, '0304925006', 'San Isidro'],
    [{ text: 'Tacloban', zip: '6500' }, '0831600000', 'City of Tacloban'],
    [{ text: 'Imus 4103' }, '0402109000', 'City of Imus'],
    [{ text: 'Session Rd., Baguio 2600' }, '1430300000', 'City of Baguio'],
    [{ text: 'Quezon 4332' }, '0405637000', 'Quezon'],
    [{ text: 'ZAMBOANGA 7000' }, '0931700000', 'City of Zamboanga'],
    [{ text: 'Tarlac 2300' }, '0306916000', 'City of Tarlac'],
  ])('chooses in %j among places that fit as well, and says so', (row, code, town) => {
    const found = match(row);
    expect([found.match, found.code]).toEqual(['likely', code]);
    expect(found.notes.join()).toContain(`is of ${town}, which decides.`);
    expect(found.candidates.length).toBeGreaterThan(1);
    expect(found.candidates.length).toBeLessThanOrEqual(12);
    const { zip: _, text, ...others } = row;
    expect(match({ ...others, text: text?.replace(/\d{4}/, '') }).match).toBe('ambiguous');
  });

  it.each<MatchInput>([{ zip: '1605' }, { text: '1605' }, { text: 'ZIP 4114' }])('alone is no place: %j', (row) => {
    expect(match(row)).toMatchObject({ match: 'none', code: null, candidates: [] });
  });

  it.each<[MatchInput, MatchInput]>([
    [{ text: 'Brgy. San Antonio, Pasig' }, { text: 'Brgy. San Antonio, Pasig 4114' }],
    [
      { province: 'Cebu', municity: 'Argao' },
      { province: 'Cebu', municity: 'Argao', zip: '1605' },
    ],
  ])('that contradicts %j changes nothing but a note', (row, withZip) => {
    const [plain, found] = [match(row), match(withZip)];
    expect(found).toEqual({
      ...plain,
      notes: [expect.stringMatching(/^ZIP code \d{4} was passed over: it is of City of /)],
    });
  });

  it.each<MatchInput>([
    { text: 'Brgy. San Antonio, Pasig 1605' },
    { province: 'Cavite', zip: '4114' },
    { municity: 'Tondo', province: 'Manila', zip: '1012' },
    { province: 'Cebu', municity: 'Argao', zip: '0000' },
    { province: 'Cebu', municity: 'Argao', zip: 'none' },
  ])('that fits, or that nobody knows, leaves no note: %j', (row) => {
    expect(match(row).notes.join()).not.toContain('ZIP');
  });

  it('finds every city whose bare name is written with it', () => {
    const { index } = country;
    const { first, end } = index.source.rowsOf('municity');
    for (let row = first; row < end; row += 1) {
      const name = /^City of (.+?)(?: \(.+\))?$/.exec(index.source.nameOf(row))?.[1];
      if (name === undefined) continue;
      const text = `12 Rizal St., ${name} ${zipCodesOf(index.codeOf(row))[0]}`;
      expect([text, match({ text }).code]).toEqual([text, index.codeOf(row)]);
    }
  });

  it('leaves a barangay open that its city does not have', () => {
    const found = match({ text: 'Brgy. Foo Bar, Tarlac 2300' });
    expect([found.match, found.code]).toEqual(['ambiguous', '0306916000']);
  });

  it('of none of the candidates leaves them', () => {
    expect(match({ municity: 'San Juan', zip: '4114' })).toEqual(match({ municity: 'San Juan' }));
  });
});

describe('zipsIn', () => {
  it.each<[string, string[]]>([
    ['Pasig 1605', ['1605']],
    ['Pasig City, 1605', ['1605']],
    ['1234 Rizal Ave., Manila', []],
    ['Rizal Ave., 1550 Mandaluyong City', ['1550']],
    ['Makati 1200 Philippines', ['1200']],
    ['Makati 1200 PHL', ['1200']],
    ['Blk 4 Lot 1234, Makati', []],
    ['Unit 1605, Pasig', []],
    ['P.O. Box 1234, Manila', []],
    ['Tel. 8123-4567, Manila', []],
    ['0917 123 4567, Manila', []],
    ['12345, Manila', []],
  ])('has of %j %j', (text, zips) => {
    const found = zipsIn(text);
    expect(found.map(({ zip }) => zip)).toEqual(zips);
    for (const { zip, at } of found) expect(text.slice(at, at + 4)).toBe(zip);
  });
});
