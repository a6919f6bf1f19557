import { beforeAll, describe, expect, it } from 'vitest';
import { buildIndex } from '../../../src/names/build.ts';
import { searchNames } from '../../../src/names/search.ts';
import { sourceOf } from '../../../src/names/source.ts';
import { type NamedCountry, namedCountry } from './country.ts';

let country: NamedCountry;
beforeAll(async () => {
  country = await namedCountry();
});

const first = (q: string) => searchNames(country.index, { q, limit: 10 })[0];

describe('searchNames', () => {
  it.each([
    ['QC', '1381300000', 'alias'],
    ['CDO', '1030500000', 'alias'],
    ['GenSan', '1230800000', 'alias'],
    ['CamSur', '0501700000', 'alias'],
    ['ncr', '1300000000', 'exact'],
    ['Metro Manila', '1300000000', 'alias'],
    ['Region 4A', '0400000000', 'exact'],
    ['calabarzon', '0400000000', 'exact'],
    ['Region IV-B', '1700000000', 'alias'],
    ['Compostela Valley', '1108200000', 'alias'],
    ['Cebu City', '0730600000', 'exact'],
    ['Ｌａｈｕｇ，　Ｃｅｂｕ　Ｃｉｔｙ', '0730600041', 'exact'],
    ['City of Quezon', '1381300000', 'exact'],
    ['lapulapu', '0731100000', 'exact'],
    ['Dasmarinyas', '0402106000', 'fuzzy'],
    ['Kalookan', '1380100000', 'alias'],
    ['San Juan, Metro Manila', '1381400000', 'exact'],
    ['San Juan, Batngas', '0401023000', 'exact'],
    ['Poblacion Makati', '1380300020', 'exact'],
    ['Makati Poblacion', '1380300020', 'exact'],
    ['Bagong Silang, Caloocan', '1380100193', 'alias'],
    ['Cubao', '1381300000', 'alias'],
    ['Dakbayan sa Sugbo', '0730600000', 'alias'],
    ['Maguindanao', '1908700000', 'alias'],
    ['Brgy 176-A Caloocan', '1380100189', 'exact'],
    ['Quezon, Quezon', '0405637000', 'exact'],
    ['San Fernado, Pampanga', '0305416000', 'fuzzy'],
    ['Munoz', '0304917000', 'exact'],
    ['0630200000', '1830200000', 'exact'],
    ['730600000', '0730600000', 'exact'],
    ['9902200000', '0702200000', 'fuzzy'],
    ['Samal', '1102317000', 'exact'],
    ['Sta Rosa Laguna', '0403428000', 'exact'],
    ['137602000', '1380300000', 'exact'],
    ['0730600000', '0730600000', 'exact'],
  ])('finds %j', (q, code, match) => {
    expect(first(q)).toMatchObject({ code, match });
  });

  it('puts whole names before parts, higher levels before lower ones, and says what was found', () => {
    const hits = searchNames(country.index, { q: 'cebu', limit: 20 });
    expect(hits.slice(0, 2).map(({ code }) => code)).toEqual(['0702200000', '0730600000']);
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
    expect(first('Montalban, Rizal')).toMatchObject({ code: '0405808000', matched_name: 'Montalban', match: 'alias' });
  });

  it('puts provinces with a short name that begins with the text before barangays whose names go on', () => {
    const codes = searchNames(country.index, { q: 'samar', limit: 20 }).map(({ code }) => code);
    expect(codes[0]).toBe('0806000000');
    expect(codes.slice(1, 3).sort()).toEqual(['0802600000', '0804800000']);
  });

  it.each<[string, string]>([
    ['Unit 5, San Jose St., Cabangcalan, Miagao, Iloilo', '0603030025'],
    ['Lipa City, Batangas, Brgy. Quezon', '0401014052'],
    ['Blk 4 Lot 12 Phase 2, Brgy. Kaong, Silang, Cavite, Philippines 4118', '0402118018'],
    ['Cabangcalan Iloilo Miagao', '0603030025'],
  ])('reads %j as match does', (q, code) => {
    expect(searchNames(country.index, { q, limit: 10 }).map((hit) => hit.code)).toEqual([code]);
  });

  it.each(['Poblacion Makati', 'Cebu City', 'Dasmarinyas', 'San Juan, Batngas'])(
    'has nothing behind the first of %j that fits less than half as well',
    (q) => {
      const scores = searchNames(country.index, { q, limit: 20 }).map(({ score }) => score);
      expect(Math.min(...scores)).toBeGreaterThanOrEqual((scores[0] as number) / 2);
    },
  );

  it.each(['poblacion carcar', 'poblacion, carcar'])('has for %j the barangays of that town first', (q) => {
    const hits = searchNames(country.index, { q, levels: ['barangay'], limit: 3 });
    expect(hits.map(({ code }) => code).sort()).toEqual(['0702214012', '0702214013', '0702214014']);
    expect(hits[0]).toMatchObject({ match: 'prefix' });
  });

  it('has nothing behind a barangay that is spelled right with its city', () => {
    expect(searchNames(country.index, { q: 'Poblacion Makati', limit: 20 })).toHaveLength(1);
  });

  it('keeps to levels, parents and the limit', () => {
    const { index } = country;
    const ask = (search: Omit<Parameters<typeof searchNames>[1], 'limit'>) =>
      searchNames(index, { ...search, limit: 7 });
    expect(ask({ q: 'san', levels: ['municity'] }).map(({ level }) => level)).toEqual(Array(7).fill('municity'));
    expect(ask({ q: 'san jose', parent: '0402100000' }).every(({ code }) => code.startsWith('04021'))).toBe(true);
    // A hosted city lies in its host too.
    expect(ask({ q: 'cebu', parent: '0702200000' })[0]?.code).toBe('0730600000');
    expect(ask({ q: 'cebu', parent: '9999999999' })).toEqual([]);
    for (const q of ['', '%', '_', '中文', 'x'.repeat(5000)]) expect(ask({ q })).toEqual([]);
  });

  it('costs little for short beginnings and for many words', () => {
    const texts = ['sa', 'san', 'ba', 'barangay', 'ab eb ib ob ub ac '.repeat(10)];
    for (const q of texts) searchNames(country.index, { q, limit: 10 });
    const { user, system } = process.cpuUsage();
    for (const q of texts) for (let i = 0; i < 5; i += 1) searchNames(country.index, { q: `${q} `, limit: 10 });
    const now = process.cpuUsage();
    // Milliseconds each, which were five times as many before no more hits were kept than are asked for.
    expect((now.user + now.system - user - system) / 1000 / texts.length / 5).toBeLessThan(10);
  });

  it('prefers the larger of two places with known sizes', () => {
    const area = (code: string, population: number) =>
      ({
        level: 'municity',
        code,
        name: 'San Juan',
        regionCode: null,
        provinceCode: null,
        hostProvinceCode: null,
        municityCode: null,
        submunicipalityCode: null,
        population,
      }) as const;
    const index = buildIndex(sourceOf([area('0100101000', 5), area('0100102000', 9)]));
    expect(searchNames(index, { q: 'San Juan', limit: 1 })[0]?.code).toBe('0100102000');
  });

  it('finds any city or municipality with a letter wrong in its province', () => {
    const { release, index } = country;
    const names = new Map(release.areas.map(({ code, name }) => [code, name]));
    const towns = release.areas.filter(
      ({ level, name, provinceCode }) => level === 'municity' && provinceCode !== null && name.length > 9,
    );
    const missed = towns.filter(({ code, name, provinceCode }, i) => {
      const at = 4 + (i % (name.length - 5));
      const q = `${name.slice(0, at)}${name[at] === 'x' ? 'w' : 'x'}${name.slice(at + 1)}, ${names.get(provinceCode ?? '')}`;
      return !searchNames(index, { q, levels: ['municity'], limit: 3 }).some((hit) => hit.code === code);
    });
    expect(missed.length / towns.length).toBeLessThan(0.015);
  });
});
