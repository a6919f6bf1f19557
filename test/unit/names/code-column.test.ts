import { beforeAll, describe, expect, it } from 'vitest';
import { type MatchInput, matchRow } from '../../../src/names/match.ts';
import type { NameLevel } from '../../../src/names/source.ts';
import { type NamedCountry, namedCountry } from './country.ts';

let country: NamedCountry;
beforeAll(async () => {
  country = await namedCountry();
});

const match = (row: MatchInput, level?: NameLevel) => matchRow(country.index, row, level);
const codesOf = ({ candidates }: ReturnType<typeof match>) => candidates.map(({ code }) => code);

/** The city in Nueva Ecija, one of ten places with the name. */
const SAN_JOSE = '0304926000';

describe('the code of a row', () => {
  it('decides among the places that its names mean', () => {
    expect(match({ municity: 'San Jose' })).toMatchObject({ match: 'ambiguous', code: null });
    for (const code of [SAN_JOSE, '304926000', '304926000.0', '034926000', 'PH0304926']) {
      expect([code, match({ municity: 'San Jose', code })]).toMatchObject([
        code,
        { match: 'exact', code: SAN_JOSE, notes: [] },
      ]);
    }
    expect(match({ text: 'San Jose', code: SAN_JOSE })).toMatchObject({ match: 'exact', code: SAN_JOSE });
    expect(match({ province: 'La Union', text: 'La Union', code: '0103300000' })).toMatchObject({ match: 'exact' });
  });

  it('of another edition is that of the place of today', () => {
    const cembo = { barangay: 'Cembo', municity: 'Makati', code: '137602003' };
    expect(match(cembo)).toMatchObject({ match: 'exact', code: '1381500029', notes: [] });
    expect(match({ province: 'Maguindanao del Sur', code: '153800000' })).toMatchObject({ code: '1908800000' });
    const divided = match({ province: 'Maguindanao', code: '153800000' });
    expect([divided.match, codesOf(divided)]).toEqual(['ambiguous', ['1908700000', '1908800000']]);
  });

  it.each<[MatchInput, string, NameLevel]>([
    // A smaller place than the names say.
    [{ municity: 'Argao', province: 'Cebu', code: '0702205035' }, '0702205035', 'barangay'],
    [{ province: 'Cebu', code: '0702205000' }, '0702205000', 'municity'],
    // A larger one, in which the names are looked for.
    [{ barangay: 'Poblacion', code: '0702205000' }, '0702205035', 'barangay'],
    [{ barangay: 'Agaga', municity: 'Burgos', code: '0102806000' }, '0102806002', 'barangay'],
    [{ municity: 'San Jose', code: '0304900000' }, SAN_JOSE, 'municity'],
    [{ text: 'Abar Ist', code: SAN_JOSE }, '0304926002', 'barangay'],
    // A text with more than names of places says nothing of a smaller one.
    [{ text: 'Brgy. Abar 1st', code: SAN_JOSE }, SAN_JOSE, 'municity'],
  ])('and its names are read together: %j is %s', (row, code, level) => {
    expect(match(row)).toMatchObject({ match: 'exact', code, level, notes: [] });
  });

  it('is that of a larger place where the names are not found in it', () => {
    const found = match({ barangay: 'Nowhereland', municity: 'San Jose', code: SAN_JOSE });
    expect(found).toMatchObject({ match: 'ambiguous', code: SAN_JOSE, needs: 'barangay' });
    expect(match({ municity: 'San Jose', code: SAN_JOSE }, 'barangay')).toMatchObject({
      ...{ match: 'ambiguous', code: SAN_JOSE, needs: 'barangay' },
    });
    expect(match({ municity: 'San Jose', code: SAN_JOSE }, 'province')).toMatchObject({ code: '0304900000' });
  });

  it.each<[MatchInput, string[]]>([
    [{ municity: 'Talibon', code: SAN_JOSE }, [SAN_JOSE, '0701243000']],
    [{ municity: 'Talibon', province: 'Bohol', code: SAN_JOSE }, [SAN_JOSE, '0701243000']],
    [{ text: 'Talibon, Bohol', code: SAN_JOSE }, [SAN_JOSE, '0701243000']],
    [{ province: 'Bohol', code: '0702200000' }, ['0702200000', '0701200000']],
    [{ barangay: 'Bogo', municity: 'Argao', province: 'Cebu', code: '0702205035' }, ['0702205035', '0702205007']],
    [{ barangay: 'Poblacion', municity: 'Argao', province: 'Cebu', code: SAN_JOSE }, [SAN_JOSE, '0702205035']],
    // Names of no place are not those of the code.
    [{ municity: 'Xyzzyx', code: SAN_JOSE }, [SAN_JOSE]],
  ])('that its names contradict leaves both to choose from: %j', (row, codes) => {
    const found = match(row);
    expect(found).toMatchObject({ match: 'ambiguous', code: null });
    expect(codesOf(found)).toEqual(codes);
    expect(found.notes.at(-1)).toMatch(/^The code \d+ is .+; the names say another place\.$/);
  });

  it('that its names contradict leaves the city that both lie in', () => {
    const found = match({ barangay: 'Nowhereland', municity: 'Argao', province: 'Cebu', code: '0702205035' });
    expect(found).toMatchObject({ match: 'ambiguous', code: '0702205000', level: 'municity' });
    expect(codesOf(found)[0]).toBe('0702205035');
  });

  it('and a province in which its place does not lie are likely at most', () => {
    const note = 'province "Bohol" was passed over: San Jose City lies in Nueva Ecija.';
    const row = { municity: 'San Jose', province: 'Bohol', code: SAN_JOSE };
    expect(match(row)).toMatchObject({ match: 'likely', code: SAN_JOSE, notes: [note] });
  });

  it('that is unknown leaves the names, and says so', () => {
    for (const code of ['0999999999', 'pending']) {
      const notes = [`code "${code}" is no known code.`];
      expect(match({ municity: 'San Jose', code })).toMatchObject({ match: 'ambiguous', code: null, notes });
      const argao = match({ municity: 'Argao', province: 'Cebu', code });
      expect(argao).toMatchObject({ match: 'likely', code: '0702205000', notes });
    }
    const unrecorded = match({ municity: 'Argao', province: 'Cebu', code: '9902205000' });
    expect(unrecorded).toMatchObject({
      match: 'likely',
      notes: [expect.stringMatching(/^code "9902205000" is no code that was published/)],
    });
  });

  it('that is blank, or an error of a spreadsheet, changes nothing', () => {
    for (const code of ['', ' ', '-', 'n/a', '#N/A', null]) {
      expect(match({ municity: 'Argao', province: 'Cebu', code })).toMatchObject({ match: 'exact', notes: [] });
    }
  });

  it('is enough, and so is a name in its place', () => {
    expect(match({ code: SAN_JOSE })).toMatchObject({ match: 'exact', code: SAN_JOSE });
    expect(match({ code: 'Argao, Cebu' })).toMatchObject({ match: 'exact', code: '0702205000' });
    expect(match({ code: '0999999999' })).toMatchObject({ match: 'none' });
    expect(match({ province: 'Bohol', municity: 'TOTAL', code: '0701200000' })).toMatchObject({ match: 'none' });
  });
});
