import { describe, expect, it } from 'vitest';
import { type Body, get } from '../support/api.ts';

const found = async (query: string): Promise<string[]> =>
  (await get(`/v1/municities/search?${query}`)).body.data.map(({ name }: Body) => name);

describe('GET /v1/municities/search', () => {
  it.each(['paranaque', 'PARAÑAQUE', 'Paran%CC%83aque', 'parañaque city', 'City of Paranaque'])(
    'finds the City of Parañaque first for "%s"',
    async (q) => {
      expect((await found(`q=${q}`))[0]).toBe('City of Parañaque');
    },
  );

  it('puts exact names before beginnings, beginnings before words, words before parts', async () => {
    const names = await found('q=naga&limit=100');
    const rank = (name: string) => {
      const key = name.toLowerCase().replace(/^city of /, '');
      if (key === 'naga' || key === 'city of naga') return 0;
      if (key.startsWith('naga')) return 1;
      return / naga/.test(key) ? 2 : 3;
    };
    const ranks = names.map(rank);
    expect(ranks[0]).toBe(0);
    expect(new Set(ranks).size).toBeGreaterThan(2);
    expect(ranks).toEqual([...ranks].sort());
  });

  it.each([
    ['sta. maria', 'Santa Maria'],
    ['STO TOMAS', 'Santo Tomas'],
    ['st. bernard', 'Saint Bernard'],
    ['gen. luna', 'General Luna'],
    ['tboli', "T'Boli"],
    ["t'boli", "T'Boli"],
    ['ｃｅｂｕ', 'City of Cebu'],
  ])('finds "%s" as %s', async (q, name) => {
    expect(await found(`q=${encodeURIComponent(q)}&limit=100`)).toContain(name);
  });

  it('finds what a city was called before', async () => {
    expect(await found('q=dadiangas')).toContain('City of General Santos');
    expect((await found('q=opon'))[0]).toBe('City of Lapu-Lapu');
  });

  it('puts present names before former ones', async () => {
    const names = await found('q=rizal&limit=100');
    const lastPresent = names.lastIndexOf('Rizal');
    const firstFormer = names.indexOf('Basilisa');
    expect(lastPresent).toBeGreaterThanOrEqual(0);
    expect(firstFormer).toBeGreaterThan(lastPresent);
  });

  it.each(['%25%25', '__', 'c%25bu', 'ceb_'])('finds nothing for "%s": wildcards are letters', async (q) => {
    const { status, body } = await get(`/v1/municities/search?q=${q}`);
    expect(status).toBe(200);
    expect(body.data).toEqual([]);
  });

  it.each([
    ['', 20],
    ['&limit=', 20],
    ['&limit=null', 20],
    ['&limit=1', 1],
    ['&limit=100', 100],
  ])('with "%s" answers at most %i', async (limit, count) => {
    expect(await found(`q=san${limit}`)).toHaveLength(count);
  });

  it('puts other spellings, other names and near misses after all that have the text in their name', async () => {
    expect(await found('q=lapulapu')).toEqual(['City of Lapu-Lapu', 'Rapu-Rapu']);
    expect((await found('q=QC&limit=1'))[0]).toBe('Quezon City');
    expect((await found(`q=${encodeURIComponent('San Juan, Metro Manila')}`))[0]).toBe('City of San Juan');
    const names = await found('q=malolo&limit=100');
    expect(names[0]).toBe('City of Malolos');
    const isOther = names.map((name) => !name.toLowerCase().includes('malolo'));
    expect(isOther).toEqual([...isOther].sort());
    expect(isOther).toContain(true);
  });

  it('never finds sub-municipalities', async () => {
    expect(await found('q=tondo')).toEqual(['Urbiztondo', 'City of Manila']);
  });
});

describe('GET /v1/barangays/search', () => {
  it('finds the many called Poblacion', async () => {
    const { body } = await get('/v1/barangays/search?q=poblacion&limit=100');
    expect(body.data).toHaveLength(100);
    expect(new Set(body.data.map(({ name }: Body) => name))).toEqual(new Set(['Poblacion']));
  });

  it.each([
    ['municity_code=1380300000', 1],
    ['province_code=1300000000', 3],
    ['province_code=0799900000', 0],
    ['municity_code=1380300000&province_code=0702200000', 0],
  ])('stays within %s', async (within, atLeast) => {
    const { body } = await get(`/v1/barangays/search?q=poblacion&limit=100&${within}`);
    expect(body.data.length).toBeGreaterThanOrEqual(atLeast);
    for (const { m_code, p_code, r_code } of body.data) expect([m_code, p_code, r_code]).toContain(within.slice(-10));
    if (atLeast === 0) expect(body.data).toEqual([]);
  });

  it('takes a province with the cities that lie in it', async () => {
    const { body } = await get('/v1/barangays/search?q=poblacion&limit=100&province_code=0702200000');
    const parents = body.data.map(({ p_code, m_code }: Body) => p_code ?? m_code);
    expect(new Set(parents)).toEqual(new Set(['0702200000', '0730600000', '0731100000']));
  });
});

describe('searches of regions and provinces', () => {
  it.each([
    ['regions', 'visayas', ['0700000000', '0600000000', '0800000000']],
    ['regions', 'Metro+Manila', ['1300000000']],
    ['provinces', 'negros', ['1804500000', '1804600000']],
    ['provinces', 'compostela+valley', ['1108200000']],
    ['provinces', 'camsur', ['0501700000']],
    ['provinces', 'pamgasinan', ['0105500000']],
  ])('%s by "%s"', async (plural, text, codes) => {
    const { status, body } = await get(`/v1/${plural}/search?q=${text}`);
    expect([status, body.data.map(({ code }: Body) => code)]).toEqual([200, codes]);
  });
});
