import { describe, expect, it } from 'vitest';
import { compared, differences, type Piece } from '../../../pages/match/differences.ts';
import type { Fields, Place } from '../../../pages/match/groups.ts';

const VII = { code: '0700000000', level: 'region', name: 'Region VII (Central Visayas)' } as const;
const CEBU = { code: '0702200000', level: 'province', name: 'Cebu' } as const;
const ARGAO: Place = { code: '0702205000', level: 'municity', name: 'Argao', ancestors: [VII, CEBU] };
const POBLACION: Place = {
  code: '0702205035',
  level: 'barangay',
  name: 'Poblacion',
  ancestors: [VII, CEBU, { code: ARGAO.code, level: 'municity', name: 'Argao' }],
};

const MANILA = { code: '1380600000', level: 'municity', name: 'City of Manila' } as const;
const TONDO: Place = { code: '1380601000', level: 'submunicipality', name: 'Tondo I/II', ancestors: [MANILA] };

/** The pieces as one text, what is marked between asterisks. */
const text = (pieces: readonly Piece[]) => pieces.map(([part, differs]) => (differs ? `*${part}*` : part)).join('');
const both = (one: string, other: string) => differences(one, other).map(text);
const beside = (fields: Fields, place?: Place) => {
  const { written, place: best } = compared({ fields }, place);
  return [text(written), text(best)];
};

describe('two names', () => {
  it.each([
    ['Argaw', 'Argao', 'Arga*w*', 'Arga*o*'],
    ['Tubigion', 'Tubigon', 'Tubig*i*on', 'Tubigon'],
    ['Maasin', 'Masin', 'Ma*a*sin', 'Masin'],
    ['Vrac', 'Virac', 'Vrac', 'V*i*rac'],
  ])('differ in letters: %s, %s', (one, other, ...marked) => {
    expect(both(one, other)).toEqual(marked);
  });

  it.each([
    ['DASMARINAS', 'City of Dasmariñas'],
    ['Cebu City', 'City of Cebu (Capital)'],
    ['Mun. of Argao', 'Argao'],
    ['MINDORO ORIENTAL', 'Oriental Mindoro'],
    ['Bay (Mun.)', 'Bay'],
    ['Mindoro, Oriental', 'Oriental Mindoro'],
    ['Niño, Sto.', 'Sto. Nino'],
    ['M lang', 'M’Lang'],
    ['City of', 'City of'],
  ])('do not differ in case, accents, punctuation, order and what kind of place it is: %s, %s', (one, other) => {
    expect(both(one, other)).toEqual([one, other]);
  });

  it.each([
    ['Cam Norte', 'Camarines Norte', 'Cam Norte', 'Cam*arines* Norte'],
    ['Cam. Sur', 'Camarines Sur', 'Cam. Sur', 'Cam*arines* Sur'],
    ['Camarines Nor', 'Camarines Norte', 'Camarines Nor', 'Camarines Nor*te*'],
    ['Cam Nortte', 'Camarines Norte', 'Cam Nort*t*e', 'Cam*arines* Norte'],
    ['Zambo City', 'City of Zamboanga', 'Zambo City', 'City of Zambo*anga*'],
    ['Sto Nin\u0303o Nor', 'Santo Niño Norte', 'Sto Nin\u0303o Nor', 'S*an*to Niño Nor*te*'],
    ['Lapulapu', 'Lapu-Lapo', 'Lapulap*u*', 'Lapu-Lap*o*'],
  ])('differ in letters of words at the same place: %s, %s', (one, other, ...marked) => {
    expect(both(one, other)).toEqual(marked);
  });

  it.each([
    ['Quezon City (District 2)', 'Quezon City', 'Quezon City (*District 2*)', 'Quezon City'],
    ['Marawi (Dansalan', 'Marawi', 'Marawi (*Dansalan*', 'Marawi'],
    ['Malay - Boracay', 'Malay', 'Malay - *Boracay*', 'Malay'],
    ['Boracay, Malai', 'Malay', '*Boracay, Malai*', '*Malay*'],
    ['San Jose del Monte', 'San Jose', 'San Jose *del Monte*', 'San Jose'],
    ['Pilar Pilar', 'Pilar', 'Pilar *Pilar*', 'Pilar'],
    ['C. Norte', 'Camarines Norte', '*C*. Norte', '*Camarines* Norte'],
  ])('differ only in words that one of them lacks: %s, %s', (one, other, ...marked) => {
    expect(both(one, other)).toEqual(marked);
    expect(both(other, one)).toEqual(marked.toReversed());
  });

  it('differ as a whole where they have little in common', () => {
    expect(both('QC', 'Quezon City')).toEqual(['*QC*', '*Quezon* City']);
    expect(both('Davao Oriental', 'La Union')).toEqual(['*Davao Oriental*', '*La Union*']);
  });
});

describe('a row beside a place', () => {
  it('is compared level by level, from the smallest place to the largest', () => {
    expect(beside({ province: 'Cebo', municity: 'Argao', barangay: 'Poblacion' }, POBLACION)).toEqual([
      'Poblacion, Argao, Ceb*o*',
      'Poblacion, Argao, Ceb*u*',
    ]);
    expect(beside({ region: 'Region VI (Central Visayas)', municity: 'Argao' }, ARGAO)).toEqual([
      'Argao, Region VI (Central Visayas)',
      'Argao, Cebu, Region VI*I* (Central Visayas)',
    ]);
  });

  it('is compared level by level too where one cell has the city and its province', () => {
    expect(beside({ municity: 'Argaw, Cebu' }, ARGAO)).toEqual(['Arga*w*, Cebu', 'Arga*o*, Cebu']);
    expect(beside({ municity: 'Poblacion, Argao', province: 'Cebu' }, ARGAO)[0]).toBe('*Poblacion*, Argao, Cebu');
  });

  it('has no mark at a name of its region, in whichever column it stands', () => {
    const region = { code: '1300000000', level: 'region', name: 'National Capital Region (NCR)' } as const;
    const makati: Place = { code: '1380300000', level: 'municity', name: 'City of Makati', ancestors: [region] };
    for (const fields of [
      { municity: 'Makati, NCR' },
      { province: 'NCR', municity: 'Makati' },
      { region: 'NCR', municity: 'Makati' },
    ]) {
      expect(beside(fields, makati)).toEqual(['Makati, NCR', 'City of Makati, National Capital Region (NCR)']);
    }
    expect(beside({ province: 'Central Visayas', municity: 'Argao' }, ARGAO)).toEqual([
      'Argao, Central Visayas',
      'Argao, Cebu',
    ]);
    expect(beside({ province: 'NCR', municity: 'Argao' }, ARGAO)[0]).toBe('Argao, *NCR*');
  });

  it('is compared with a sub-municipality where its cell of the city has that, and else with the city', () => {
    expect(beside({ municity: 'Tondoo I/II' }, TONDO)).toEqual(['Tondo*o* I/II', 'Tondo I/II, City of Manila']);
    expect(beside({ municity: 'Manilla' }, TONDO)).toEqual(['Manil*l*a', 'Tondo I/II, City of Manila']);
    const barangay: Place = {
      code: '1380601001',
      level: 'barangay',
      name: 'Barangay 1',
      ancestors: [MANILA, { code: TONDO.code, level: 'submunicipality', name: TONDO.name }],
    };
    expect(beside({ municity: 'Tondoo I/II', barangay: 'Barangay 1' }, barangay)).toEqual([
      'Barangay 1, Tondo*o* I/II',
      'Barangay 1, Tondo I/II, City of Manila',
    ]);
  });

  it('has marked what the place has nothing for', () => {
    expect(beside({ province: 'Cebu', municity: 'Argao', barangay: 'Nowhere' }, ARGAO)).toEqual([
      '*Nowhere*, Argao, Cebu',
      'Argao, Cebu',
    ]);
  });

  it('is an address that lacks words of the name, or no place is known', () => {
    expect(beside({ text: 'Brgy. Poblacio, Argao' }, POBLACION)).toEqual([
      'Brgy. Poblacio, Argao',
      '*Poblacion*, Argao, Cebu',
    ]);
    expect(beside({ municity: 'Qwxzt' })).toEqual(['Qwxzt', '']);
  });
});
