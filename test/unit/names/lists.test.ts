import { beforeAll, describe, expect, it } from 'vitest';
import { type MatchInput, matchRow } from '../../../src/names/match.ts';
import type { Match } from '../../../src/names/result.ts';
import { type NamedCountry, namedCountry } from './country.ts';
// Rows as lists of many offices and people have them: the code that is meant, then region, province, municity, barangay.
import lists from './lists.json' with { type: 'json' };

let country: NamedCountry;
beforeAll(async () => {
  country = await namedCountry();
});

const isDecided = ({ match }: Match) => match === 'exact' || match === 'likely';

describe('matchRow, on rows as people type them', () => {
  it('finds the place of each', () => {
    const missed = lists.columns.flatMap(([code, region, province, municity, barangay]) => {
      const result = matchRow(country.index, { region, province, municity, barangay });
      return isDecided(result) && result.code === code ? [] : [{ code, region, province, municity, barangay, result }];
    });
    expect(missed).toEqual([]);
  });

  it('finds the place of each address', () => {
    const missed = lists.texts.flatMap(([code, text]) => {
      const result = matchRow(country.index, { text });
      // A barangay that is not known leaves its city, which the row then says.
      return result.code === code ? [] : [{ code, text, result }];
    });
    expect(missed).toEqual([]);
  });

  // Places and spellings of GeoNames (CC BY 4.0), each with its region and the cities that its positions lie in.
  it('decides for no other place than a gazetteer of others has', () => {
    const wrong = lists.gazetteer.flatMap(([text = '', ...cities]) => {
      const result = matchRow(country.index, { text });
      const isThere = cities.some((code) => code.slice(0, 7) === result.code?.slice(0, 7));
      return isDecided(result) && !isThere ? [{ text, cities, result }] : [];
    });
    expect(wrong).toEqual([]);
  });

  it.each(['Venice of the Philippines', 'the Philippines', 'Republic of the Philippines', 'Makati of the Philippines'])(
    'reads %j, which ends with the country, without a fault',
    (text) => {
      expect(() => matchRow(country.index, { text })).not.toThrow();
    },
  );

  it.each<MatchInput>([
    // Several places have the name, of which one is a city that is called so without the word.
    { municity: 'Calamba' },
    { text: 'Calamba' },
    { municity: 'Quezon City', province: 'Quezon' },
    // Two barangays of the city have the name beside another.
    { barangay: 'Molo', municity: 'Iloilo City' },
    // The number is that of a zone as much as of a barangay.
    { barangay: '1st', municity: 'Pura', province: 'Tarlac' },
    { barangay: 'Barangay 176', municity: 'Caloocan' },
    { text: 'San Isidro' },
    { text: 'Rizal St.' },
    { text: '123 Main Street' },
  ])('is not exact for %j', (row) => {
    expect(matchRow(country.index, row).match).not.toBe('exact');
  });

  it.each<[MatchInput, string]>([
    [{ barangay: 'Mariveles Cupang', municity: 'Muntinlupa' }, 'a name of which half is another'],
    [{ text: 'Commonwealth Ave, Quezon City' }, 'a street that is called as a barangay'],
  ])('takes %j for no barangay: %s', (row) => {
    const { match, level } = matchRow(country.index, row);
    expect(level).not.toBe('barangay');
    expect(match).not.toBe('exact');
  });

  it('keeps the names of a row apart from those of its former parents', () => {
    const moved = matchRow(country.index, { barangay: 'Pembo', municity: 'Makati' });
    expect(moved).toMatchObject({ match: 'likely', code: expect.stringMatching(/^13815/) });
    expect(moved.notes.join()).toContain('municity "Makati" was passed over');
    const parted = matchRow(country.index, { municity: 'Malita', province: 'Davao del Sur' });
    expect(parted).toMatchObject({ match: 'likely', code: '1108603000' });
    expect(parted.notes.join()).toContain('province "Davao del Sur" was passed over');
  });
});
