import { beforeAll, describe, expect, it } from 'vitest';
import { type MatchInput, matchRow } from '../../../src/names/match.ts';
import { type NamedCountry, namedCountry } from './country.ts';

let country: NamedCountry;
beforeAll(async () => {
  country = await namedCountry();
});

describe('matchRow, on rows that can be read in two directions', () => {
  // Every one of the cities of the name that has the barangay is what the row says as it stands.
  it.each<[MatchInput, string[]]>([
    [{ barangay: 'San Isidro', municity: 'Naga' }, ['0501724028', '0908309013']],
    [{ barangay: 'San Jose', municity: 'San Luis' }, ['0305417004', '0307708017', '0401024021']],
    [{ barangay: 'San Miguel', municity: 'Roxas' }, ['1705212015', '1705318021']],
    [{ barangay: 'Santo Niño', municity: 'San Isidro' }, ['1102324012', '1606720011']],
  ])('leaves the choice of the city for %j', (row, codes) => {
    const { match, candidates } = matchRow(country.index, row);
    expect([match, candidates.map(({ code }) => code)]).toEqual(['ambiguous', codes]);
  });

  it.each<[string, string]>([
    ['Brgy Santa Lucia, San Juan', '1381400018'],
    ['Katipunan, Santo Niño', '1206318003'],
  ])('reads %j from the right', (text, code) => {
    expect(matchRow(country.index, { text })).toMatchObject({ match: 'likely', code, notes: [] });
  });

  it('turns no text round in which a word says that the first name is that of a barangay', () => {
    expect(matchRow(country.index, { text: 'Makati, Poblacion' }).code).toBe('1380300020');
    expect(matchRow(country.index, { text: 'Brgy. Makati, Poblacion' }).code).not.toBe('1380300020');
    expect(matchRow(country.index, { text: 'Santa Monica, Rizal' }).match).toBe('ambiguous');
  });

  it.each<[MatchInput, string, RegExp]>([
    [{ barangay: 'Makati', municity: 'Poblacion' }, '1380300020', /columns municity and barangay .* other way round/],
    [{ municity: 'Cebu', province: 'Argao' }, '0702205000', /columns province and municity .* other way round/],
    [{ region: 'Cebu', province: 'Region VII' }, '0702200000', /columns region and province .* other way round/],
    [{ text: 'Cebu, Argao, Poblacion' }, '0702205035', /largest area first/],
  ])('says that it read %j the other way round', (row, code, note) => {
    const result = matchRow(country.index, row);
    expect(result).toMatchObject({ match: 'likely', code });
    expect(result.notes.join()).toMatch(note);
  });
});
