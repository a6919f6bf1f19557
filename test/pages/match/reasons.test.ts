import { describe, expect, it } from 'vitest';
import type { Fields, Outcome } from '../../../pages/match/groups.ts';
import { reasonFor } from '../../../pages/match/reasons.ts';

const VII = { code: '0700000000', level: 'region', name: 'Region VII (Central Visayas)' } as const;
const CEBU = { code: '0702200000', level: 'province', name: 'Cebu' } as const;
const ARGAO = { code: '0702205000', level: 'municity', name: 'Argao' } as const;
const LIKELY = { match: 'likely', score: 0.9, candidates: [], notes: [] } as const;

const inArgao = { ...LIKELY, code: '0702205035', level: 'barangay', name: 'Poblacion', ancestors: [VII, CEBU, ARGAO] };
const argao = { ...LIKELY, ...ARGAO, ancestors: [VII, CEBU] };
const why = (fields: Fields, outcome: object) => reasonFor({ fields, outcome: outcome as Outcome });

describe('the reason why a place is only likely', () => {
  it('is what is spelled differently, or has another name', () => {
    expect(why({ province: 'Cebu', municity: 'Argaw' }, argao)).toBe('spelled differently');
    expect(why({ province: 'Cebu', municity: 'Argaw', barangay: 'Poblacion' }, inArgao)).toBe(
      'municipality spelled differently',
    );
    expect(why({ province: 'Sugbo', municity: 'Argaw', barangay: 'Poblasyon' }, inArgao)).toBe(
      'spelled differently, municipality spelled differently',
    );
    expect(why({ province: 'Xyz', municity: 'Argao' }, argao)).toBe('province by another name');
    const quezon = { code: '1381300000', level: 'municity', name: 'Quezon City' };
    const commonwealth = {
      ...LIKELY,
      code: '1381300001',
      level: 'barangay',
      name: 'Commonwealth',
      ancestors: [quezon],
    };
    expect(why({ municity: 'QC', barangay: 'Commonwealth' }, commonwealth)).toBe('city by another name');
    const manila = { code: '1380600000', level: 'municity', name: 'City of Manila' };
    const binondo = { code: '1380602000', level: 'submunicipality', name: 'Binondo' };
    expect(why({ region: 'NCR', municity: 'Binondu' }, { ...LIKELY, ...binondo, ancestors: [manila] })).toBe(
      'spelled differently',
    );
    const inBinondo = { ...commonwealth, name: 'Barangay 287', ancestors: [manila, binondo] };
    expect(why({ municity: 'Binondu', barangay: 'Barangay 287' }, inBinondo)).toBe('district spelled differently');
  });

  it('is a note of the service, shortened', () => {
    const noted = (note: string) => why({ province: 'Cebu', municity: 'Argao' }, { ...argao, notes: [note] });
    expect(noted('region "Region VI" was passed over: Argao lies in Region VII.')).toBe('region not as written');
    // What nothing is known by is not called another province.
    expect(noted('province "NE" was passed over: Cabanatuan lies in Nueva Ecija.')).toBe('province not as written');
    expect(noted('"near the market" was passed over.')).toBe('not all words used');
    expect(noted('The columns province and municity were read the other way round.')).toBe(
      'columns read the other way round',
    );
    expect(noted('ZIP code 6021 is of Argao, which decides.')).toBe('by its ZIP code');
    expect(noted('Something new.')).toBe('see the note');
  });

  it('is that what is written is a part of it', () => {
    const noted = { ...argao, notes: ['"Old Town" has no code of its own; it lies in Argao.'] };
    expect(why({ province: 'Cebu', municity: 'Old Town' }, noted)).toBe('a part of it');
  });

  it('is that nothing says where it lies, or else that it is not as it is published', () => {
    expect(why({ municity: 'Argaw' }, argao)).toBe('spelled differently, no province given');
    expect(why({ municity: 'Argao, Cebu' }, argao)).toBe('two names in one cell');
    expect(why({ municity: 'Argao, Region VII' }, argao)).toBe('two names in one cell');
    expect(why({ province: 'Cebu', municity: 'Argao' }, argao)).toBe('not as it is published');
    expect(why({ text: 'Argao Cebu' }, argao)).toBe('not as it is published');
    expect(why({ province: 'Cebu' }, { ...LIKELY, code: null, level: null, name: null, ancestors: [] })).toBe('');
  });
});
