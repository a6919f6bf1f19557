import { beforeAll, describe, expect, it } from 'vitest';
import { isBlankCell } from '../../../src/names/blank.ts';
import { fold } from '../../../src/names/fold.ts';
import { type MatchInput, matchRow } from '../../../src/names/match.ts';
import type { NameLevel } from '../../../src/names/source.ts';
import { type NamedCountry, namedCountry } from './country.ts';

let country: NamedCountry;
beforeAll(async () => {
  country = await namedCountry();
});

const match = (row: MatchInput, level?: Parameters<typeof matchRow>[2]) => matchRow(country.index, row, level);

describe('matchRow', () => {
  const EXACT: [MatchInput, string][] = [
    [{ region: 'Region VII' }, '0700000000'],
    [{ province: 'Davao de Oro' }, '1108200000'],
    [{ municity: 'Cebu City', province: 'Cebu' }, '0730600000'],
    [{ municity: 'CITY OF CEBU', province: 'CEBU', region: 'Region 7' }, '0730600000'],
    [{ municity: 'Makati' }, '1380300000'],
    [{ municity: 'San Juan', province: 'Metro Manila' }, '1381400000'],
    [{ municity: 'Las Pinas', province: 'MM' }, '1380200000'],
    [{ municity: 'Pateros', region: 'NCR' }, '1381701000'],
    [{ municity: 'Isabela City', province: 'Basilan' }, '0990101000'],
    [{ municity: 'Dagupan City', province: 'Pangasinan' }, '0105518000'],
    [{ municity: 'Upi', province: 'Maguindanao' }, '1908713000'],
    [{ municity: 'Kadayangan', province: 'Cotabato' }, '1999903000'],
    [{ barangay: 'Bgy. Sto. Niño', municity: 'Marikina City' }, '1380700010'],
    [{ barangay: 'Brgy 659', municity: 'Manila', province: 'NCR' }, '1380608001'],
    [{ barangay: 'General Luna, Lower', municity: 'Baguio City' }, '1430300039'],
    [{ barangay: 'Cembo', municity: 'Taguig' }, '1381500029'],
    [{ barangay: 'Poblacion Sur', municity: 'Burgos', province: 'Ilocos Sur' }, '0102904018'],
    [{ text: 'Brgy. Poblacion, Makati' }, '1380300020'],
    [{ text: 'CAR' }, '1400000000'],
    [{ municity: 'Argao (Cebu)', province: 'Cebu' }, '0702205000'],
    [{ municity: 'Gen. Mariano Alvarez (GMA)', province: 'Cavite' }, '0402123000'],
    [{ text: 'Cainta, Rizal, Philippines' }, '0405805000'],
  ];
  it.each(EXACT)('is exact for %j', (row, code) => {
    expect(match(row)).toMatchObject({ match: 'exact', code, name: expect.any(String) });
  });

  it.each<[MatchInput, string]>([
    [{ municity: 'Baguio City', province: 'CAR' }, '1430300000'],
    [{ municity: 'Baguio City', province: 'CAR', region: 'Cordillera' }, '1430300000'],
    [{ municity: 'Cotabato City', province: 'BARMM' }, '1908703000'],
    [{ municity: 'Jolo', province: 'BARMM' }, '0906602000'],
    [{ municity: 'Argao', province: 'Region VII' }, '0702205000'],
    [{ municity: 'Argao', province: 'VII' }, '0702205000'],
    [{ municity: 'Calamba', province: 'CALABARZON' }, '0403405000'],
    [{ municity: '0702205000', province: 'Region VII' }, '0702205000'],
    [{ barangay: 'Irisan', municity: 'Baguio City', province: 'CAR' }, '1430300050'],
  ])('takes a region in place of the province for what it is: %j', (row, code) => {
    expect(match(row)).toMatchObject({ match: 'exact', code, notes: [] });
  });

  it.each<[MatchInput, string]>([
    [{ municity: 'Navotas City - 2020 data, NCR' }, 'City of Navotas'],
    [{ municity: 'Navotas City - 2020 data', province: 'NCR' }, 'City of Navotas'],
    [{ municity: 'Argao - pls check', province: 'Cebu' }, 'Argao'],
  ])('has but the candidate that a remark leaves: %j', (row, name) => {
    const { match: kind, code, candidates } = match(row);
    expect([kind, code, candidates.map((it) => it.name)]).toEqual(['ambiguous', null, [name]]);
  });

  it('has no candidate for a name that is only a little like that of a town anywhere', () => {
    expect(match({ municity: 'Zambo City' }).candidates).toEqual([]);
    // A namesake in another province is one.
    expect(match({ municity: 'Argao', province: 'Palawan', region: 'NCR' }).candidates[0]?.name).toBe('Argao');
  });

  it.each<MatchInput>([
    { municity: 'Baguio City', province: 'NCR' },
    { municity: 'Baguio City', province: 'NCR', region: 'CAR' },
    { municity: 'Boac', province: 'Region IV-A' },
    { municity: 'Argao', province: '7' },
  ])('is not exact where another region, or a number, stands in place of the province: %j', (row) => {
    const found = match(row);
    expect(found.match).toBe('likely');
    expect(found.notes.join()).toContain('province ');
  });

  it.each(['Valencia', 'San Isidro', 'Parang'])(
    'is as undecided by a region in place of the province: %s',
    (municity) => {
      const region = { Valencia: 'Region VII', 'San Isidro': 'Region XI', Parang: 'BARMM' }[municity] as string;
      expect(match({ municity, province: region })).toEqual(match({ municity, region }));
      expect(match({ municity, region }).match).toBe('ambiguous');
    },
  );

  it('keeps an unknown code where a region stands in place of the province', () => {
    for (const [barangay, municity, region] of [
      ['9999999999', 'Baguio City', 'CAR'],
      ['0123456789', 'Cebu City', 'Central Visayas'],
    ] as const) {
      const { matched, ...read } = match({ barangay, municity, province: region });
      expect(read).toEqual({ ...match({ barangay, municity, region }), matched: undefined });
      expect(read.match).toBe('ambiguous');
    }
  });

  it('offers both towns of a cell that names two', () => {
    const names = (row: MatchInput) => match(row).candidates.map(({ name }) => name);
    expect(names({ municity: 'Calamba / Los Banos', province: 'Laguna' })).toEqual(['City of Calamba', 'Los Baños']);
    expect(names({ municity: 'Gatarann/Lallo', province: 'Cagayan' })).toContain('Gattaran');
  });

  it.each([
    ['Ilocos N.', '0102800000'],
    ['Ilocos S.', '0102900000'],
    ['Ilocos Nte', '0102800000'],
    ['N. Ilocos', '0102800000'],
    ['Camarines del Norte', '0501600000'],
    ['Agusan N', '1600200000'],
    ['Davao del S.', '1102400000'],
    ['Mindoro Occ.', '1705100000'],
    ['Negros Or.', '1804600000'],
    ['Samar N.', '0804800000'],
    ['Leyte So.', '0806400000'],
    ['Metro Manila', '1300000000'],
    ['Metro Mnila', '1300000000'],
  ])('reads %j in the column of provinces as the code %s', (province, code) => {
    const found = match({ province });
    expect(['exact', 'likely']).toContain(found.match);
    expect(found.code).toBe(code);
  });

  it.each<[MatchInput, string, string]>([
    [{ province: 'Sorsogon', municity: 'Bacon' }, '0506216000', 'City of Sorsogon'],
    [{ text: 'Bacon, Sorsogon' }, '0506216000', 'City of Sorsogon'],
    [{ province: 'Davao del Norte', municity: 'Kaputian' }, '1102317000', 'Island Garden City of Samal'],
    [{ province: 'Samar', municity: 'Oquendo' }, '0806003000', 'City of Calbayog'],
  ])(
    'has the city of today for a municipality that was merged into it, before what is spelled like it: %j',
    (row, code, name) => {
      const note = `"${row.municity ?? 'Bacon'}" has no code of its own; it lies in ${name}.`;
      expect(match(row)).toMatchObject({ match: 'likely', code, notes: [note] });
    },
  );

  it('finds a barangay by the municipality that was merged into its city', () => {
    const row = { province: 'Sorsogon', municity: 'Bacon', barangay: 'Caricaran' };
    expect(match(row)).toMatchObject({ match: 'likely', code: '0506216045', notes: [] });
  });

  it.each(['Ilocos', 'Ilocos Reg', 'Ilocos X.', 'Calabarzn', 'Cagayan Valey', 'Zamboanga Penn.', 'Leyte N.'])(
    'decides for no region and no province where that of provinces has %j',
    (province) => {
      expect(['ambiguous', 'none']).toContain(match({ province }).match);
    },
  );

  it('finds every province by the short forms of its direction, wherever they stand', () => {
    const SHORT = {
      Norte: ['N.', 'N', 'Nte', 'Nor.'],
      Sur: ['S.', 'S'],
      Oriental: ['Or.', 'Or'],
      Occidental: ['Occ.', 'Occ'],
    };
    const ofToday = country.release.areas.filter(({ level }) => level === 'province');
    const missed = ofToday.flatMap(({ name, code }) => {
      const [direction = ''] = /(?:Norte|Sur|Oriental|Occidental)$|^(?:Oriental|Occidental)/.exec(name) ?? [];
      const bare = name.replace(new RegExp(` ?(?:del )?${direction}(?: |$)`), '');
      return (SHORT[direction as keyof typeof SHORT] ?? [])
        .flatMap((short) => [`${bare} ${short}`, `${bare} del ${short}`, `${short} ${bare}`])
        .filter((province) => match({ province }).code !== code);
    });
    expect(missed).toEqual([]);
  });

  it.each<[MatchInput, string]>([
    [{ region: 'Region III', municity: 'Anao Tarlac' }, '0306901000'],
    [{ region: 'Region V', municity: 'Sorsogon Bulan' }, '0506203000'],
    [{ region: 'Region IV-A', municity: 'San Jose Batangas' }, '0401022000'],
    [{ region: 'Region III', municity: 'City of Tarlac Tarlac' }, '0306916000'],
  ])('reads a town with its province in %j', (row, code) => {
    expect(match(row)).toMatchObject({ match: 'likely', code });
  });

  it.each<[MatchInput]>([
    [{ region: 'Region III', municity: 'Caas Tarlac' }],
    [{ region: 'Region IV-A', municity: 'Batangas Baete' }],
  ])('does not take the city of a province for a town of it that is misspelled: %j', (row) => {
    expect(match(row)).toMatchObject({ match: 'ambiguous', code: null });
  });

  it.each<[MatchInput, string]>([
    [{ municity: 'Municpiality of Odiongan', province: 'Romblon' }, '1705909000'],
    [{ municity: 'Baayn ng Batad', province: 'Iloilo' }, '0603009000'],
    [{ municity: 'Lungsood ng Cavite' }, '0402105000'],
    [{ municity: 'Municipalit yof Moncada', province: 'Tarlac' }, '0306909000'],
    [{ municity: 'Bayan n gKalawit, Zamboanga del Norte' }, '0907227000'],
    [{ municity: 'Gnattaran, Cagayan' }, '0201513000'],
    [{ municity: 'Gnattaran, Cagayan Valley' }, '0201513000'],
    [{ municity: 'Legaspy, Bicol' }, '0500506000'],
    [{ municity: 'Brgy. Camp 4, Tubba, Cordillera' }, '1401113004'],
    [{ municity: 'Santa Lucia, Ilocos uSr' }, '0102925000'],
    [{ municity: 'Cadiz Ciyt, Negros Occidental' }, '1804504000'],
    [{ municity: 'Quezon, N. Vizcaya' }, '0205011000'],
    [{ municity: 'Bayan ng Dulag, Leytee' }, '0803718000'],
    [{ municity: 'Brgy. Camp 4, Tuba, Benguet' }, '1401113004'],
    [{ municity: 'Brgy. Pinay, Mambusao', province: 'Caspiz' }, '0601908021'],
    [{ municity: 'Brgy. Zzyzx, Tuba, Benguet' }, '1401113000'],
  ])('is likely for %j, where a word in the cell is misspelled or unknown', (row, code) => {
    expect(match(row)).toMatchObject({ match: 'likely', code });
  });

  it.each<MatchInput>([
    { municity: 'Coron, Apayao' },
    { municity: 'Calamba, Tarlac' },
    { municity: 'Gnattaran, Bicol' },
    { municity: 'Brgy. Zzyzx, San Isidro' },
    { municity: 'Bayang N. Samar' },
    { municity: 'TBD', province: 'Abra' },
  ])('decides nothing for the cell of %j', (row) => {
    expect(match(row)).toMatchObject({ code: null });
  });

  it('leaves the choice of a province that a text has a misspelled word of, and offers none for other words', () => {
    for (const province of ['Muontain Province', 'Mountian Prov.']) {
      expect(match({ province })).toMatchObject({
        ...{ match: 'ambiguous', code: null },
        candidates: [{ code: '1404400000', name: 'Mountain Province' }],
      });
    }
    for (const province of ['Luzon', 'Abroad', 'Atlantis']) expect(match({ province }).match).toBe('none');
  });

  it('has the candidates of the province of a row before those of others', () => {
    const names = (row: MatchInput) => match(row).candidates.map(({ name }) => name);
    expect(names({ municity: 'Bkao', province: 'Mountain Province' })).toEqual(['Bauko', 'Besao', 'Baao']);
    expect(names({ municity: 'Lrui, Camarines Sur' })[0]).toBe('Lupi');
    expect(names({ municity: 'Coron, Apayao' })[0]).toBe('Coron');
    expect(names({ municity: 'Gnattaran, Bicol' })).toEqual(['Gattaran']);
    expect(names({ municity: 'San Jose' })).toHaveLength(10);
  });

  it.each([
    'nan',
    'NaN',
    'NAN',
    'nil',
    'NA',
    'N/A',
    'None',
    '-',
    ' ',
    'Wala',
    '???',
    'Not given',
    'No data',
    'Total',
    'Grand total:',
    'Kabuuan',
    'Subtotal, Argao',
    'Pilipinas',
  ])('takes %j for an empty cell', (blank) => {
    expect(match({ province: 'Cebu', municity: 'Argao', barangay: blank })).toMatchObject({
      match: 'exact',
      level: 'municity',
    });
  });

  it.each([
    ...['TOTAL', 'Subtotal', 'grand total', 'none', 'nan', 'unknown', 'n/a', '-', ' Wala ', 'Kabuuan', '???'],
    ...[
      'Subtotal, Bohol',
      'Sub-total (Bohol)',
      'SUB TOTAL BOHOL',
      'Bohol - Total',
      'Total for Bohol',
      'Kabuuan ng Bohol',
    ],
    ...['All municipalities', '0'],
  ])('finds no town in %j, and takes no province for it', (municity) => {
    expect(match({ province: 'Bohol', municity })).toMatchObject({
      match: 'none',
      code: null,
      score: 0,
      candidates: [],
    });
    expect(match({ region: 'Region VII', municity }, 'municity')).toMatchObject({ match: 'none', code: null });
    expect(match({ province: 'Bohol', municity }, 'province')).toMatchObject({ match: 'exact', code: '0701200000' });
  });

  it('finds no place in a total, whatever it is of, and takes no name for one', () => {
    for (const text of [
      'Subtotal, Ilocos Norte',
      'Grand total',
      'Total for Region VII, Central Visayas',
      'Kabuuang bilang, Bohol',
    ]) {
      for (const field of ['text', 'municity', 'province'] as const) {
        expect([text, match({ [field]: text })]).toMatchObject([text, { match: 'none', candidates: [] }]);
      }
    }
    expect(match({ text: 'Total Gas Station, Talibon, Bohol' })).not.toMatchObject({ match: 'none' });
    const { release } = country;
    expect(release.areas.filter(({ name }) => isBlankCell(name))).toEqual([]);
  });

  it.each<[MatchInput, string]>([
    [{ text: 'Maguing, Lanao Sur' }, '1903634000'],
    [{ municity: 'Maguing, Lanao Sur' }, '1903634000'],
    [{ municity: 'Maguing', province: 'Lanao del Sur' }, '1903634000'],
  ])('is likely for %j, whose name a town of the province had before all editions', (row, code) => {
    const note = 'Lumba-Bayabao was once called so.';
    expect(match(row)).toMatchObject({ match: 'likely', code, notes: expect.arrayContaining([note]) });
  });

  it('leaves the choice of such a town where there is no province, and takes its own name for it', () => {
    const row = { municity: 'Lumba-Bayabao (Maguing)', province: 'Lanao del Sur' };
    expect(match(row)).toMatchObject({ match: 'exact', code: '1903611000' });
    expect(match({ municity: 'Maguing' })).toMatchObject({ match: 'ambiguous', code: null });
  });

  it('says which word names no town, and needs none where another cell names one', () => {
    expect(match({ province: 'Bohol', municity: ' TOTAL' }).notes).toEqual(['municity "TOTAL" names no place.']);
    // Lists have highly urbanised cities among the provinces.
    expect(match({ province: 'Cebu City', municity: '-' })).toMatchObject({ code: '0730600000' });
    expect(match({ province: 'Cebu', municity: 'n/a', text: 'Argao' })).toMatchObject({ code: '0702205000' });
    for (const municity of ['', ' ', '\u00a0', null]) {
      expect(match({ province: 'Bohol', municity })).toMatchObject({ match: 'exact', code: '0701200000' });
    }
  });

  it.each(['#N/A', ' #REF! ', '#VALUE!', '#DIV/0!', '#NAME?', '#NULL!', '#NUM!', '#n/a'])(
    'takes %j for an unknown name, which is not left out',
    (error) => {
      const row = { province: 'Cebu', municity: 'Carmen', barangay: error };
      const found = match(row);
      expect(found).toMatchObject({ match: 'ambiguous', code: '0702215000', needs: 'barangay' });
      expect(found.notes).toEqual([`barangay "${error.trim()}" is an error of a spreadsheet.`]);
      expect(match(row, 'municity')).toMatchObject({ match: 'exact', code: '0702215000' });
      expect(match({ ...row, municity: '0702215000' })).toMatchObject({ match: 'ambiguous', code: '0702215000' });
      expect(match({ province: 'Cebu', text: error })).toMatchObject({ match: 'ambiguous', code: '0702200000' });
      expect(match({ province: error, municity: 'Cebu City' })).toMatchObject({ match: 'likely', code: '0730600000' });
      expect(match({ text: error })).toMatchObject({ match: 'none', candidates: [] });
    },
  );

  it.each<MatchInput>([
    { province: 'Cebu', municity: 'Carmen' },
    { province: 'Cebuu', municity: 'Carmen' },
    { province: 'Cebu', municity: 'Carmen', barangay: 'Zzyzx' },
    { municity: '0702215000' },
  ])('names no town outside the province of a row without a barangay: %j', (row) => {
    const found = match(row, 'barangay');
    expect(found).toMatchObject({ match: 'ambiguous', code: '0702215000', needs: 'barangay' });
    expect(found.candidates.map(({ code }) => code)).toEqual(['0702215000']);
  });

  it('takes Nan and Nil for names, which nothing writes so for an empty cell', () => {
    const found = match({ province: 'Cebu', municity: 'Argao', barangay: 'Nan' });
    expect(found).toMatchObject({ match: 'ambiguous', needs: 'barangay', level: 'municity' });
    const nilo = match({ province: 'Zamboanga del Sur', municity: 'Tigbao', barangay: 'Nil' });
    expect(['exact', 'none']).not.toContain(nilo.match);
  });

  const LIKELY: [MatchInput, string][] = [
    [{ municity: 'Dasmarinyas', province: 'Cavite' }, '0402106000'],
    [{ municity: 'Montalban', province: 'Rizal' }, '0405808000'],
    [{ municity: 'Argao, Cebu' }, '0702205000'],
    [{ municity: 'Bay (Mun.), Laguna' }, '0403402000'],
    [{ municity: 'Cebu', province: 'Argao' }, '0702205000'],
    [{ municity: 'Argao', province: 'Bohol' }, '0702205000'],
    [{ barangay: 'Sampaloc', municity: 'Manila' }, '1380606000'],
    [{ region: 'Cebu', province: 'Region VII' }, '0702200000'],
    [{ text: 'Unit 5, San Jose St., Cabangcalan, Miagao, Iloilo' }, '0603030025'],
    [{ text: 'Iloilo, Miagao, Cabangcalan' }, '0603030025'],
    [{ municity: 'S. Roque', province: 'Northern Samar' }, '0804820000'],
    [{ municity: 'Makatii', province: 'Metro Manila' }, '1380300000'],
    [{ municity: 'Cit y of Manila', province: 'Metro Manila' }, '1380600000'],
    // Isabel in Leyte would be turned round and a slip.
    [{ municity: 'Leyte', province: 'Isabela' }, '0803729000'],
    [{ barangay: 'Pobalcion', municity: 'Makati City' }, '1380300020'],
    [{ barangay: 'San Isidro, Cainta', province: 'Rizal' }, '0405805015'],
    // A letter behind a name is short for a direction.
    [{ barangay: 'Mabusag N.', municity: 'Badoc', province: 'Ilocos Norte' }, '0102803020'],
    [{ text: 'Santa Cruz N, Badoc, Ilocos Norte' }, '0102803034'],
    // A city of the name has no such town, a province that begins so has.
    [{ text: 'Dipolog, Zamboanga' }, '0907202000'],
    [{ text: 'Barangay 1, Dapa, Surigao' }, '1606707002'],
    [{ barangay: 'Baoa E', municity: 'Batac' }, '0102805005'],
    // It sounds the same, though barangays elsewhere are spelled so.
    [{ barangay: 'Bagakay', municity: 'Calatrava', province: 'Negros Occidental' }, '1804505003'],
    [{ text: '12 Rizal St., San Isidro, Cainta, Rizal 1900' }, '0405805015'],
  ];
  it.each(LIKELY)('is likely for %j', (row, code) => {
    expect(match(row)).toMatchObject({ match: expect.stringMatching(/^likely$|^exact$/), code });
  });

  it.each<[MatchInput, string]>([
    // Bucal II with a letter missing looks the same.
    [{ barangay: 'Bucali', municity: 'Maragondon', province: 'Cavite' }, '0402113002'],
    // A name such as Carmen can lose letters at its end.
    [{ text: 'Car' }, '1400000000'],
    [{ text: 'Gma' }, '0402123000'],
    [{ text: 'Mambulao' }, '0501605000'],
    // The number of a house in a street of that name, or a postal code.
    [{ text: '1521 Mabini, Tanauan City' }, '0401031024'],
    [{ municity: 'Quezon', province: 'Quezon City' }, '1381300000'],
    // Parents that are misspelled, two, or have a number beside them; a type that contradicts; an alias alone.
    [{ municity: 'Argao', province: 'Bohol / Cebu' }, '0702205000'],
    [{ municity: 'Argao', province: 'Ceebu' }, '0702205000'],
    [{ barangay: 'Tagboan', municity: 'Cataingan', province: 'Masbate 2' }, '0504105036'],
    [{ province: 'Cebu City, Cebu' }, '0702200000'],
    [{ province: 'Leyte, Southern' }, '0806400000'],
    [{ province: 'Quezon (City)' }, '1381300000'],
    [{ barangay: 'Lahug (Province)', municity: 'Cebu City' }, '0730600041'],
    [{ municity: 'Gamu District 2', province: 'Isabela' }, '0203113000'],
    [{ municity: 'Opon' }, '0731100000'],
    [{ province: 'Sugbo' }, '0702200000'],
    [{ text: 'Libon A' }, '1001311000'],
    [{ municity: 'Bay, Bay' }, '0403402000'],
    // Nobody knows what stands in parentheses.
    [{ municity: 'Argao (Blabla)', province: 'Cebu' }, '0702205000'],
    // Two provinces begin so, and one of them has the city.
    [{ municity: 'San Carlos City', province: 'Negros' }, '1804524000'],
  ])('is no more than likely for %j', (row, code) => {
    expect(match(row)).toMatchObject({ match: 'likely', code });
  });

  it.each([
    [{ municity: 'San Juan' }, 'province'],
    [{ municity: 'Quezon' }, 'province'],
    [{ barangay: 'Poblacion', municity: 'San Jose' }, 'province'],
    [{ barangay: 'San Jose', municity: 'Iloilo City' }, 'barangay'],
  ] as [MatchInput, string][])('names what would decide %j', (row, needs) => {
    const result = match(row);
    expect(result).toMatchObject({ match: 'ambiguous', needs });
    expect(result.candidates.length).toBeGreaterThan(1);
    expect(result.candidates.length).toBeLessThanOrEqual(12);
  });

  it.each<[MatchInput, string | null, string | null]>([
    // A name of several places decides nothing by itself, and cities come first.
    [{ municity: 'Naga' }, null, '0501724000'],
    [{ text: 'Naga' }, null, '0501724000'],
    [{ text: 'Danao' }, null, '0702223000'],
    [{ text: 'Infanta' }, null, '0105520000'],
    [{ text: 'Quezon' }, null, '0405600000'],
    [{ text: 'Leyte' }, null, '0803700000'],
    [{ text: 'Poblacion, Naga' }, null, '0908309012'],
    [{ barangay: 'Poblacion', municity: 'Naga' }, null, '0908309012'],
    [{ barangay: 'Bagong Silang' }, null, '0203114101'],
    [{ barangay: 'Santo Rosario' }, null, '0102929007'],
    [{ text: 'Barangay 20' }, null, '0401005067'],
    // The city is known, the barangay is not.
    [{ text: 'Bagong Silang, Caloocan' }, '1380100000', null],
    [{ text: 'Brgy. 176, Caloocan City, Metro Manila' }, '1380100000', null],
    [{ text: 'Barangay 9, Silang, Cavite' }, '0402118000', null],
    [{ text: 'Barangay 9, Aurora, Isabela' }, '0203103000', null],
    [{ text: 'Barangay 20, Bataan' }, '0300800000', null],
    [{ text: 'Fort Bonifacio, Makati' }, '1380300000', null],
    [{ barangay: 'Brgy. 310', municity: 'Santa Cruz', province: 'Laguna' }, '0403426000', null],
    [{ barangay: 'Barangay 109-Z', municity: 'Pasay City' }, '1381100000', null],
    // A direction is that of several barangays.
    [{ barangay: 'Sur', municity: 'Burgos', province: 'Ilocos Sur' }, '0102904000', null],
    [{ text: 'Sur, Burgos, Ilocos Sur' }, '0102904000', null],
    // What is left of `Santa Veronica District` is like `Saranay District`.
    [{ barangay: 'Santa District', municity: 'Guimba', province: 'Nueva Ecija' }, '0304911000', null],
    // Neither is in the other, and Quezon City is no reading of the two.
    [{ municity: 'Rizal', province: 'Quezon' }, null, null],
    // One letter away from Maasim, of which South Cotabato was once the province, and the name of two others.
    [{ municity: 'Maasin', province: 'South Cotabato' }, null, '1208004000'],
    // Tapaz is only like it, and other provinces have a La Paz with a Poblacion.
    [{ barangay: 'Poblacion', municity: 'La Paz', province: 'Capiz' }, null, '0601917032'],
    // The same without a barangay: a wrong province is as likely as a slip.
    [{ municity: 'La Paz', province: 'Capiz' }, null, '0601917000'],
    // Two barangays are called so with one more word.
    [{ barangay: 'Don Carlos', municity: 'Don Carlos', province: 'Bukidnon' }, '1001304000', '1001304005'],
    // San Juan was San Juan I.
    [{ barangay: 'Santa I', municity: 'City of Dasmariñas', province: 'Cavite' }, '0402106000', null],
    // Santa Cruz has two barangays that are called so with one more word, San Pablo one that is called Santa Cruz.
    [{ barangay: 'San Pablo', municity: 'Santa Cruz', province: 'Laguna' }, '0403426000', '0403426021'],
    // Turned round, only a former name of San Francisco would fit.
    [{ municity: 'Quezon', province: 'Aurora' }, null, null],
    // The city has two of them, and a barangay Poblacion.
    [
      { barangay: 'SAN JUAN (POBLACION) - 5931', municity: 'City of Sorsogon', province: 'Sorsogon' },
      '0506216000',
      null,
    ],
    // Poblacion has an I B, and so has Pinagsanhan.
    [{ barangay: 'I B', municity: 'Maragondon', province: 'Cavite' }, '0402113000', null],
    // Short for two provinces, and the name of a city.
    [{ text: 'Surigao' }, null, '1606724000'],
    // The island, of which a barangay has the name.
    [{ text: 'Mindanao' }, null, '0702229010'],
    // A district, of which barangays have the name behind theirs.
    [{ text: 'Jaro, Iloilo City' }, '0631000000', '0631000000'],
    // A direction alone is no barangay.
    [{ text: 'South Valencia' }, null, null],
    [{ text: 'Baluti' }, null, '0300811005'],
    // The text and the columns mean two places.
    [{ text: 'Argao, Cebu', province: 'Cavite', municity: 'Silang' }, null, '0402118000'],
    // Of a place that nobody knows nothing is sure.
    // Other barangays have these names, which are no slips of San Jose, Mainit, Del Rosario and Antonino.
    [{ barangay: 'San Juan', municity: 'Gerona', province: 'Tarlac' }, '0306906000', '0306906038'],
    [{ barangay: 'Mabini', municity: 'Banton', province: 'Romblon' }, '1705902000', '1705902007'],
    [{ text: 'San Juan, Gerona' }, '0306906000', '0306906038'],
    [{ text: 'Brgy. Santo Rosario, Camalig, Albay' }, '0500502000', '0500502015'],
    [{ barangay: 'San Antonio', municity: 'Labason', province: 'Zamboanga del Norte' }, '0907205000', '0907205001'],
    // Jaro is a town in Leyte, and only a district of the city that has a Santo Rosario-Duran.
    [{ text: 'Santo Rosario, Jaro' }, null, null],
    // Tagoloan in another province has a Poblacion.
    [{ barangay: 'Poblacion', municity: 'Tagoloan II', province: 'Lanao del Sur' }, '1903638000', null],
    // Other towns have these names, which are no slips of Pila and Santa Maria.
    [{ text: 'Pilar, Laguna' }, null, null],
    [{ municity: 'Suyo', province: 'Palawan' }, null, '1705310000'],
    [{ text: 'Santa Marcela, Davao Occidental' }, null, null],
    // Purok D2 has the number.
    [{ barangay: 'Barangay 2', municity: 'City of Borongan', province: 'Eastern Samar' }, '0802604000', '0802604038'],
    // Two barangays in a column.
    [{ barangay: 'Campesao and Ando', municity: 'City of Borongan' }, '0802604000', null],
    // The name of a larger area in the column of a smaller one.
    [{ province: 'Davao' }, '1100000000', null],
    [{ municity: 'Cagayan' }, '0201500000', null],
    // Provinces of which the name is only the beginning.
    [{ province: 'Surigao' }, null, '1606700000'],
    [{ province: 'Nueva' }, null, null],
    [{ text: 'Agusan' }, null, null],
    // The same name is elsewhere in the province that may be meant as well as the city.
    [{ text: 'San Isidro, Surigao' }, null, null],
    [{ text: 'La Paz, Zamboanga' }, null, null],
    [{ barangay: 'San Jose', province: 'Bulacan' }, null, null],
    // Quezon City was in Rizal, and Rizal has barangays Quezon.
    [{ text: 'Quezon, Rizal' }, null, null],
    // Names that others begin with, or have with another direction.
    [{ barangay: 'San Is', municity: 'Tabaco' }, '0500517000', null],
    [{ barangay: 'Punta P', municity: 'Cebu City' }, '0730600000', null],
    [{ barangay: 'Batad Nuevo', municity: 'Gigaquit' }, '1606711000', null],
    // A town of the province in the column of barangays, of which one elsewhere has the name.
    [{ barangay: 'Imus', province: 'Cavite' }, null, null],
    [{ text: 'Poblacion, Dapa, Surigao' }, '1606707000', null],
    // Two barangays of a town.
    [{ barangay: 'San Isidro/San Jose', municity: 'Antipolo' }, '0405802000', null],
    [{ barangay: 'San Manuel & San Vicente', municity: 'Sarrat' }, '0102821000', null],
    [{ text: 'Brgy. Bagacay East', barangay: 'Bagacay West', municity: 'La Paz', province: 'Leyte' }, null, null],
    [{ text: 'Tambo', barangay: 'Antipolo', municity: 'Buhi' }, null, null],
    // A region by another number than its own, two provinces, and words that make no name.
    [{ municity: 'Naga', region: '7 Bicol Region' }, null, null],
    [{ municity: 'San Juan', province: 'Abra (La Union)' }, null, null],
    [{ municity: 'San Miguel', province: 'Leyte (Southern)' }, null, null],
    [{ region: 'Region 5/6' }, null, null],
    [{ municity: 'Alaminos (City)', province: 'Laguna' }, null, null],
    [{ municity: 'Cebu (Province)' }, '0702200000', null],
    [{ text: 'New Burgos, La Union' }, '0103308000', null],
    // Numbers that are no barangay's.
    [{ text: 'Barangay 1000, Manila' }, '1380600000', null],
    [{ text: 'Brgy 1400 Caloocan City' }, '1380100000', null],
    [{ barangay: '1400', municity: 'Caloocan City' }, '1380100000', null],
    // Several barangays have the name as a part, or had it.
    [{ barangay: 'Santa Cruz', municity: 'San Luis', province: 'Pampanga' }, '0305417000', '0305417012'],
    [{ barangay: 'Concepcion', municity: 'Marikina' }, '1380700000', '1380700013'],
    [{ barangay: 'Signal Village', municity: 'Taguig' }, '1381500000', null],
    [{ barangay: 'Magugpo', municity: 'Tagum' }, '1102319000', null],
    [{ barangay: 'Lisub', municity: 'Anini-y' }, '0600601000', null],
    [{ barangay: 'Taligue', municity: 'Abuyog' }, '0803701000', null],
    // The town is named twice, as where nobody knows the barangay.
    [{ barangay: 'Bongao', municity: 'Bongao' }, '1907002000', '1907002027'],
    [{ text: 'Dadiangas, General Santos City' }, '1230800000', null],
    [{ text: 'Pandan, Pandan, Catanduanes' }, '0502006000', null],
    // The town of the row lacks the barangay, which another town of the province has.
    [{ barangay: 'Madridejos', municity: 'Madridejos', province: 'Cebu' }, '0702228000', null],
    [{ barangay: 'Taysan', municity: 'Cultihan', province: 'Batangas' }, null, '0401022031'],
    // The last name before the province is that of a town there.
    [{ text: 'San Pablo, Santa Cruz, Laguna' }, null, null],
    [{ text: 'Dabubu, San Agustin, Isabela' }, '0203127000', null],
    // Nothing supports what is only like a name.
    [{ municity: 'Oslo' }, null, null],
    [{ municity: 'Carlos' }, null, null],
    [{ municity: 'Los Angeles', province: 'Nowhere' }, null, null],
    [{ barangay: 'Dulo', municity: 'Binangonan' }, '0405804000', null],
    // Turned round, the barangay would lie in Bulacan.
    [{ barangay: 'Santa Maria', municity: 'Catmon', province: 'Cebu' }, '0702216000', null],
  ])('is ambiguous for %j', (row, code, first) => {
    const result = match(row);
    expect(result).toMatchObject({ match: 'ambiguous', code });
    if (first) expect(result.candidates[0]?.code).toBe(first);
  });

  it.each<[MatchInput, string]>([
    [{ text: 'Kaong', municity: 'Silang', province: 'Cavite' }, '0402118018'],
    [{ text: 'Kaong', municity: '0402118000' }, '0402118018'],
    [{ text: 'Silang', barangay: 'Kaong', municity: 'Silang' }, '0402118018'],
    [{ text: '0702205035' }, '0702205035'],
    [{ text: '0702205000', province: 'Cebu' }, '0702205000'],
    // Barangays of this name lie in other provinces.
    [{ text: 'Argao', province: 'Cebu' }, '0702205000'],
  ])('reads a text beside columns and codes: %j', (row, code) => {
    expect(match(row)).toMatchObject({ match: 'exact', code });
  });

  it('falls back to the city of a barangay that is not there, and says so', () => {
    const result = match({ barangay: 'Hacienda Luisita', municity: 'Makati', province: 'Metro Manila' });
    expect(result).toMatchObject({ match: 'ambiguous', code: '1380300000', level: 'municity', needs: 'barangay' });
    expect(result.notes.join()).toContain('Hacienda Luisita');
  });

  it.each<[MatchInput, string, RegExp]>([
    [{ barangay: '0702205035', municity: 'Dasmariñas' }, '0702205035', /municity "Dasmariñas"/],
    [{ municity: '0702205000', province: 'Cavite' }, '0702205000', /province "Cavite"/],
    [{ barangay: '0702205035', municity: '0402118000' }, '0702205035', /municity "0402118000"/],
    [{ barangay: '0702205035', text: 'Silang, Cavite' }, '0702205035', /text "Silang, Cavite"/],
    [{ municity: 'Argao', province: '0402100000' }, '0702205000', /^province "0402100000" was passed over: [^"]*$/],
    [{ municity: 'Argao', province: '042100000' }, '0702205000', /^province "042100000" was passed over: [^"]*$/],
    [{ barangay: 'Kaong', municity: '0402118000', province: 'Rizal' }, '0402118018', /^province "Rizal" [^"]*$/],
    [{ municity: '9902205000' }, '0702205000', /^municity "9902205000" is no code that was published/],
    [{ text: '9902205000' }, '0702205000', /^text "9902205000" is no code that was published/],
    [
      { barangay: 'Kaong', municity: '9902118000' },
      '0402118018',
      /^municity "9902118000" is no code that was published/,
    ],
    [{ barangay: 'Poblacion', municity: 'Argao', province: 'Cebu', region: 'NCR' }, '0702205035', /region "NCR"/],
    // The names of other cities are no slips of those of the codes.
    [{ barangay: '1381100005', municity: 'Pasig' }, '1381100005', /municity "Pasig"/],
    [{ barangay: '1380601001', municity: 'Binondo' }, '1380601001', /municity "Binondo"/],
    [{ barangay: '0201506034', text: 'Brgy. Tagumpay' }, '0201506034', /text "Brgy. Tagumpay"/],
    // A text that is not read.
    [{ text: 'Blk 4 Lot 5', barangay: 'Kaong', municity: 'Silang' }, '0402118018', /text "Blk 4 Lot 5"/],
    [{ text: 'Infanta', municity: 'Banayoyo', province: 'Ilocos Sur' }, '0102902000', /text "Infanta"/],
  ])('is likely for %j, of which something contradicts the rest, and says so', (row, code, note) => {
    const result = match(row);
    expect(result).toMatchObject({ match: 'likely', code });
    expect(result.notes.join()).toMatch(note);
  });

  it.each<[MatchInput, string]>([
    [{ region: 'Region VI', province: 'Negros Occidental', municity: 'Hinigaran' }, '1804511000'],
    [{ region: 'Region IX', province: 'Sulu', municity: 'Jolo' }, '0906602000'],
    [{ region: 'BARMM', province: 'Sulu', municity: 'Jolo' }, '0906602000'],
    [{ region: 'Region IV', province: 'Aurora', municity: 'Baler' }, '0307701000'],
    [{ region: 'Region XII', municity: 'Cotabato City' }, '1908703000'],
    [{ barangay: '1380300003', municity: 'Makati' }, '1381500029'],
    [{ barangay: 'Kaong', municity: '0402118000' }, '0402118018'],
  ])('takes former regions and old codes for no contradiction: %j', (row, code) => {
    expect(match(row)).toMatchObject({ match: 'exact', code, notes: [] });
  });

  it.each([
    ['0702200000', '0702200000', 'today'],
    ['0630200000', '1830200000', 'a region that has changed'],
    ['137602003', '1381500029', 'nine digits, and another city'],
    ['1380300003', '1381500029', 'ten digits, and another city'],
    ['0604500000', '1804500000', 'a province of a former region'],
    ['702200000', '0702200000', "a spreadsheet's number"],
    ['730600000', '0730600000', "a spreadsheet's number of a city that belongs to no province"],
    ['630200000', '1830200000', 'the same of a city whose region has changed'],
    ['702200000.0', '0702200000', "a spreadsheet's number with decimals"],
    ['157011016', '1907011016', 'nine digits of the ARMM'],
    ['156601001', '0906601001', 'nine digits of the ARMM, and another region'],
  ])('takes the code %s for %s: %s', (code, today) => {
    expect(match({ barangay: code })).toMatchObject({ match: 'exact', code: today, notes: [] });
  });

  it('names all successors of a code that was split', () => {
    const result = match({ barangay: '1380100176' });
    expect(result).toMatchObject({ match: 'ambiguous', code: null });
    expect(result.candidates[0]?.code).toBe('1380100189');
  });

  it.each<[MatchInput, string]>([
    [{ municity: 'Mauban' }, '0405627000'],
    [{ municity: 'Mauban', text: 'Quezon' }, '0405627000'],
    [{ text: 'Mauban, Quezon' }, '0405627000'],
  ])('leaves the choice of a barangay whose code is unknown, beside %j', (row, code) => {
    const notes = ['barangay "9999999999" is no known code.'];
    expect(match({ ...row, barangay: '9999999999' })).toMatchObject({
      match: 'ambiguous',
      code,
      needs: 'barangay',
      notes,
    });
  });

  it('says of a code that was split among several areas that it is theirs', () => {
    const { match: kind, notes } = match({ province: '153800000', region: 'BARMM' }, 'municity');
    expect([kind, notes[0]]).toEqual(['ambiguous', 'province "153800000" is the code of several areas.']);
  });

  it('gives the level that is wanted', () => {
    const row = { barangay: 'Cembo', municity: 'Taguig' };
    expect(match(row, 'municity')).toMatchObject({ match: 'exact', code: '1381500000', level: 'municity' });
    expect(match(row, 'region').code).toBe('1300000000');
    expect(match({ barangay: '0405805015' }, 'province').code).toBe('0405800000');
    expect(match({ text: 'Cebu' }, 'municity')).toMatchObject({ match: 'exact', code: '0730600000' });
    expect(match({ text: 'Quezon' }, 'municity')).toMatchObject({ match: 'ambiguous', code: null });
  });

  it.each<[MatchInput, NameLevel, string]>([
    [{ province: 'Cebu' }, 'barangay', '0702200000'],
    [{ text: 'Makati City' }, 'barangay', '1380300000'],
    [{ municity: '0402118000' }, 'barangay', '0402118000'],
    [{ municity: 'Makati' }, 'province', '1300000000'],
  ])('falls back from the level that is wanted, and says so: %j, %s', (row, level, code) => {
    const result = match(row, level);
    expect(result).toMatchObject({ match: 'ambiguous', code, needs: level });
    expect(result.notes.join()).toContain(`No ${level} was found`);
  });

  it('says which columns it took for what, and ignores contradicting ones', () => {
    const result = match({ region: 'Region I', province: 'Rizal', municity: 'Cainta' });
    expect(result).toMatchObject({ code: '0405805000', matched: { province: { code: '0405800000' } } });
    expect(result.notes.join()).toContain('region "Region I"');
  });

  it.each([
    {},
    { municity: '' },
    { municity: ' - ', province: 'N/A', text: null },
    { municity: 'Zzyzx Qwrtp' },
    { municity: '中文' },
    { text: ',,, ;' },
    { text: 'Tokyo, Japan' },
    { text: 'Los Angeles, California' },
    { text: 'Naga Region' },
    { municity: 'Naga Region' },
    { region: '10%' },
    { region: '12 Rizal St' },
    { region: '5 Central Visayas' },
    { municity: 'Japan', province: 'Tokyo' },
    { municity: 'Barcelona', province: 'Spain' },
    { municity: 'Barangay 1' },
    { barangay: '9999999999' },
  ])('finds nothing for %j', (row) => {
    expect(match(row)).toMatchObject({ match: 'none', code: null, candidates: [] });
  });

  it('finds a numbered barangay by its number alone, and leaves the choice where another one had it', () => {
    const { release, index } = country;
    const outcomes: Record<string, number> = {};
    for (const { level, code, name, municityCode } of release.areas) {
      const number = level === 'barangay' ? /^Bgy\. (?:No\. )?(\d+(?:-[A-Z])?)(?: - |, )/.exec(name)?.[1] : undefined;
      if (number === undefined) continue;
      const municity = release.areas.find((area) => area.code === municityCode)?.name as string;
      for (const barangay of [`Brgy. ${number}`, number]) {
        const found = matchRow(index, { barangay, municity });
        const codes = found.match === 'ambiguous' ? found.candidates.map((it) => it.code) : [found.code];
        expect([barangay, municity, codes]).toEqual([barangay, municity, expect.arrayContaining([code])]);
        outcomes[found.match] = (outcomes[found.match] ?? 0) + 1;
      }
    }
    // Legazpi's numbers were given anew, so that a dozen of them are two barangays.
    expect(outcomes).toEqual({ likely: expect.any(Number), ambiguous: expect.any(Number) });
    expect(outcomes.likely).toBeGreaterThan(200);
  });

  it('leaves the choice between a name by its letters and one by its words', () => {
    const found = match({ province: 'Cavite', municity: 'Dasmariñas', barangay: 'San Ruiz II' });
    expect(found).toMatchObject({ match: 'ambiguous', needs: 'barangay' });
    expect(found.candidates.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['San Luis II', 'San Lorenzo Ruiz II']),
    );
  });

  it('is sure of no town of another name, where a common barangay has a wrong province', () => {
    const { release, index } = country;
    const towns = release.areas.filter(({ level, provinceCode }) => level === 'municity' && provinceCode !== null);
    const provinces = release.areas.filter(({ level }) => level === 'province');
    const wrong: string[] = [];
    for (const [i, { name, provinceCode }] of towns.entries()) {
      const province = provinces[(7 * i) % provinces.length];
      if (province === undefined || province.code === provinceCode) continue;
      for (const barangay of ['Poblacion', 'San Isidro']) {
        const found = matchRow(index, { barangay, municity: name, province: province.name });
        if (found.code === null || found.level !== 'barangay' || found.match === 'ambiguous') continue;
        const town = index.ancestorAt(index.rowOf('barangay', found.code), 'municity') as number;
        const called = index.namesOf(town).some((it) => fold(it.name).includes(fold(name.replace(/City|of/g, ''))));
        if (!called) wrong.push(`${barangay}, ${name}, ${province.name}: ${found.match} ${found.code}`);
      }
    }
    expect(wrong.length, wrong.join('\n')).toBeLessThan(10);
  });

  it('meets its rules over clean and damaged rows of the whole country', () => {
    const { release, index } = country;
    const names = new Map(release.areas.map(({ code, name }) => [code, name]));
    const nameOf = (code: string | null) => (code === null ? '' : (names.get(code) ?? ''));
    const sample = release.areas.filter(
      ({ level }, i) => level === 'municity' || (level === 'barangay' && i % 20 === 0),
    );
    const counts = { clean: 0, right: 0, slipped: 0, found: 0, wrongExact: 0, likely: 0, wrongLikely: 0 };
    for (const [i, area] of sample.entries()) {
      const province = nameOf(area.provinceCode ?? area.hostProvinceCode);
      const isTown = area.level === 'municity';
      const rowOf = (name: string) =>
        isTown ? { municity: name, province } : { barangay: name, municity: nameOf(area.municityCode), province };
      const clean = matchRow(index, rowOf(area.name));
      counts.clean += 1;
      if (clean.code === area.code && clean.match !== 'ambiguous') counts.right += 1;
      if (clean.match === 'exact' && clean.code !== area.code) counts.wrongExact += 1;
      if (area.name.length < 7 || /\d|\b[IVX]+\b/.test(area.name)) continue;
      const at = 2 + (i % (area.name.length - 3));
      const slipped = matchRow(index, rowOf(area.name.slice(0, at) + area.name.slice(at + 1).toUpperCase()));
      counts.slipped += 1;
      if (slipped.match === 'exact' && slipped.code !== area.code) counts.wrongExact += 1;
      if (slipped.match === 'exact' || slipped.match === 'likely') {
        if (slipped.code === area.code) counts.found += 1;
        else counts.wrongLikely += 1;
        counts.likely += 1;
      }
    }
    expect(counts.wrongExact).toBe(0);
    expect(counts.right / counts.clean).toBeGreaterThan(0.995);
    expect(counts.found / counts.slipped).toBeGreaterThan(0.97);
    expect(counts.wrongLikely / counts.likely).toBeLessThan(0.005);
  });
});
