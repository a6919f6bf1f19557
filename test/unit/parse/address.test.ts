import { beforeAll, describe, expect, it, vi } from 'vitest';
import { inTurns } from '../../../src/match/service.ts';
import { type ParsedAddress, parseAddress } from '../../../src/parse/address.ts';
import { parsedTexts, rowsOf } from '../../../src/parse/service.ts';
import { type NamedCountry, namedCountry } from '../names/country.ts';
import addresses from './addresses.json' with { type: 'json' };
// Of the package faker 40.63.0 for Python (MIT), its provider en_PH: the parts are known because each was drawn alone.
import generated from './generated.json' with { type: 'json' };

let country: NamedCountry;
beforeAll(async () => {
  country = await namedCountry();
});
const parse = (text: string) => parseAddress(country.index, text);

/** Parts stand in their order, none over another, and all words are of one. */
function expectWhole(text: string, { parts }: ParsedAddress): void {
  let left = '';
  let last = 0;
  for (const { text: own, value, start, end } of parts) {
    expect(text.slice(start, end)).toBe(own);
    expect(own).toContain(value);
    expect(start).toBeGreaterThanOrEqual(last);
    left += text.slice(last, start);
    last = end;
  }
  expect((left + text.slice(last)).replace(/[^\p{L}\p{N}]/gu, '')).toBe('');
}

describe('an address as people type it', () => {
  it.each(addresses.map((it) => [it.text, it] as const))('%s', (text, { code, parts }) => {
    const found = parse(text);
    expect(found.parts.map(({ part, value }) => [part, value])).toEqual(parts);
    expect(found.match.code).toBe(code);
    expectWhole(text, found);
  });
});

it('splits every address of a generator', () => {
  for (const { text, parts } of generated) {
    const found = parse(text);
    const values = found.parts.map(({ part, value }) => `${part} ${value}`);
    for (const [part, value] of Object.entries(parts))
      expect([text, values]).toEqual([text, expect.arrayContaining([`${part} ${value}`])]);
    expectWhole(text, found);
  }
});

describe('a part of an address', () => {
  it('has the code of its area, and where its words stand', () => {
    const text = 'Bgy. San Antonio, Pasig 1605';
    expect(parse(text).parts).toEqual([
      { part: 'barangay', text: 'Bgy. San Antonio', value: 'San Antonio', start: 0, end: 16, code: '1381200019' },
      { part: 'municity', text: 'Pasig', value: 'Pasig', start: 18, end: 23, code: '1381200000' },
      { part: 'zip_code', text: '1605', value: '1605', start: 24, end: 28, code: null },
    ]);
  });

  it('is counted in UTF-16 units', () => {
    const text = '🏠 Blk 4, Brgy. Salawag, Dasmariñas, Cavite';
    const block = parse(text).parts.find(({ part }) => part === 'block');
    expect([block?.start, block?.text]).toEqual([3, 'Blk 4']);
  });

  it('has no code where it is not sure which area is meant', () => {
    const { match, parts } = parse('Brgy. Foo Bar, Pasig City');
    expect(match).toMatchObject({ match: 'ambiguous', code: '1381200000' });
    expect(parts.map(({ part, code }) => [part, code])).toEqual([
      ['barangay', null],
      ['municity', '1381200000'],
    ]);
  });

  it('is a province behind words that name nothing, though a barangay elsewhere has its name', () => {
    const { match, parts } = parse('Clark Freeport Zone, Pampanga');
    expect(match).toMatchObject({ match: 'ambiguous', level: 'province', code: '0305400000', needs: 'municity' });
    expect(match.candidates.map(({ code }) => code)).toEqual(['0305400000']);
    expect(parts).toEqual([
      expect.objectContaining({ part: 'other', value: 'Clark Freeport Zone', code: null }),
      expect.objectContaining({ part: 'province', value: 'Pampanga', code: '0305400000' }),
    ]);
    for (const text of ['Pampanga, Davao City', 'Brgy. Pampanga, Davao City', 'Xyz Abc, Pampanga, Davao City'])
      expect(parse(text).match.code).toBe('1130700086');
  });

  it('is the city, not its province, where a ZIP code says so', () => {
    const town = parse('12 Rizal St., Tarlac 2300').parts.find(({ value }) => value === 'Tarlac');
    expect(town).toMatchObject({ part: 'municity', code: '0306916000' });
  });

  it('chooses by a ZIP code among places that fit as well', () => {
    const { match, parts } = parse('12 Rizal St., Brgy. San Antonio, 1605');
    expect(match).toMatchObject({ match: 'likely', code: '1381200019' });
    expect(match.notes).toEqual(['ZIP code 1605 is of City of Pasig, which decides.']);
    expect(parts.map(({ part }) => part)).toEqual(['house_number', 'street', 'barangay', 'zip_code']);
  });
});

describe('the words of another part', () => {
  it.each([
    'St. Peter St., Villa Arca Subd., Project 8, Quezon City',
    'Blk 4 Lot 5 Perez Boulevard Subd., San Carlos, Pangasinan',
  ])('name no barangay: %s', (text) => {
    expect(parse(text).match).toMatchObject({ match: 'ambiguous', level: 'municity' });
  });

  it('name a barangay that is called a zone', () => {
    const { match, parts } = parse('12 Rizal St., Poblacion Zone 3, Baybay, Leyte');
    expect(match.code).toBe('0803708059');
    expect(parts.find(({ part }) => part === 'barangay')).toMatchObject({ text: 'Poblacion Zone 3', code: match.code });
  });

  it('leave every decided code to words that name its area', () => {
    const { source } = country.index;
    const { first, end } = source.rowsOf('barangay');
    for (let row = first; row < end; row += 101) {
      const town = source.nameOf(source.municities[row] as number);
      for (const before of ['12 Rizal St., ', 'Blk 4 Lot 5 Camella Homes, ', 'Brgy. ']) {
        const text = `${before}${source.nameOf(row)}, ${town}`;
        const { match, parts } = parse(text);
        if (match.match === 'ambiguous' || match.match === 'none') continue;
        expect([text, parts.map(({ code }) => code)]).toEqual([text, expect.arrayContaining([match.code])]);
      }
    }
  });
});

describe('a town behind a street', () => {
  it.each([
    ['12 Rizal St., Tacloban', '0831600000'],
    ['Taft Ave, Manila', '1380600000'],
    ['Unit 5, 3rd Flr., Imus', '0402109000'],
  ])('is likely where few barangays have its name: %s', (text, code) => {
    const { match, parts } = parse(text);
    expect(match).toMatchObject({ match: 'likely', code, level: 'municity', needs: null });
    expect(match.score).toBeLessThan(0.95);
    expect(match.notes.join()).toMatch(/^There is a barangay ".+" too\.$/);
    expect(parts.at(-1)).toMatchObject({ part: 'municity', code });
  });

  it.each(['Tacloban', '12 Rizal St., Naga', '12 Rizal St., San Roque', 'Purok 3, Imus', 'Brgy. San Roque'])(
    'stays open in %s',
    (text) => {
      expect(parse(text).match).toMatchObject({ match: 'ambiguous', code: null });
    },
  );

  it('is never another one than the text means', () => {
    const { index } = country;
    const { first, end } = index.source.rowsOf('municity');
    let right = 0;
    for (let row = first; row < end; row += 1) {
      const name = index.source
        .nameOf(row)
        .replace(/^City of /, '')
        .replace(/ \(.*| City$/, '');
      const { match, code } = parse(`12 Rizal St., ${name}`).match;
      if (match !== 'exact' && match !== 'likely') continue;
      expect([name, code]).toEqual([name, index.codeOf(row)]);
      right += 1;
    }
    expect(right).toBeGreaterThan(1100);
  });
});

it.each(['', ' ', ',,,', '...', '#', '🏠', 'Brgy.', 'St.', 'Blk', 'Unit,', '1605', '\u0000', 'ñ'.repeat(500)])(
  'takes %j, which is no address',
  (text) => {
    const found = parse(text);
    expect(found.match.code).toBeNull();
    for (const { start, end, text: own } of found.parts) expect(text.slice(start, end)).toBe(own);
  },
);

it.each(['Blk 4 ', 'Rizal St. ', 'Brgy. San Jose, ', 'Sitio ', '1605, ', 'City of ', 'cor. ', '#1'])(
  'takes a text of many %j no hundred times as long as an address',
  (repeated) => {
    const timeOf = (text: string) => {
      const start = performance.now();
      for (let i = 0; i < 20; i += 1) parse(`${text} ${i}`);
      return performance.now() - start;
    };
    const plain = 'Blk 4 Lot 12 Phase 2 Mabuhay Homes, Brgy. Salawag, Dasmariñas, Cavite 4114';
    timeOf(plain);
    expect(timeOf(repeated.repeat(Math.ceil(490 / repeated.length)).slice(0, 490))).toBeLessThan(100 * timeOf(plain));
  },
);

describe('a list of addresses', () => {
  it('is parsed no more for a reader who has left', async () => {
    let taken = 0;
    const texts = (function* () {
      for (; taken < 1000; taken += 1) yield 'Blk 4 Lot 12, Brgy. Salawag, Dasmariñas, Cavite 4114';
    })();
    const made = parsedTexts(country.index, texts);
    const first = await made.next();
    expect([JSON.parse(first.value as string).code, taken]).toEqual(['0402106011', 0]);
    await made.return(undefined as never);
    expect((await made.next()).done).toBe(true);
    expect(taken).toBe(0);
  });

  it('counts by their length', () => {
    expect([0, 1, 100, 101, 500].map((length) => rowsOf('x'.repeat(length)))).toEqual([1, 1, 1, 2, 5]);
  });

  it('gives others a turn among rows without text too', async () => {
    const timeout = vi.spyOn(globalThis, 'setTimeout');
    await inTurns(Array(400).fill({ text: '' }), () => undefined);
    expect(timeout.mock.calls.length).toBeGreaterThan(1);
    timeout.mockRestore();
  });
});
