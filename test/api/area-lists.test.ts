import { describe, expect, it } from 'vitest';
import { type Body, get, ORIGIN } from '../support/api.ts';
import { some } from '../support/some.ts';

const codes = (body: Body): string[] => body.data.map((record: Body) => record.code);

/** Every record of a list, page by page. */
async function all(path: string): Promise<Body[]> {
  const records: Body[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await get(`${path}${path.includes('?') ? '&' : '?'}limit=100&page=${page}`);
    records.push(...body.data);
    if (body.meta.next === null) return records;
  }
}

describe('GET /v1/regions', () => {
  it('lists the 18 regions, ten to a page unless told otherwise', async () => {
    const { status, body } = await get('/v1/regions');
    expect(status).toBe(200);
    expect(body.error).toBeNull();
    expect(body.data).toHaveLength(10);
    expect(body.meta).toEqual({
      total: 18,
      page: 1,
      limit: 10,
      totalPages: 2,
      next: 2,
      prev: null,
      links: { self: `${ORIGIN}/v1/regions`, next: `${ORIGIN}/v1/regions?page=2`, prev: null },
    });
    expect(codes(body)).toEqual([...codes(body)].sort());
  });

  it('keeps the rest of the query in its links', async () => {
    const { body } = await get('/v1/regions?limit=5&search=region&page=2');
    expect(new URL(body.meta.links.prev).searchParams.toString()).toBe('limit=5&search=region&page=1');
    expect(new URL(body.meta.links.next).searchParams.toString()).toBe('limit=5&search=region&page=3');
  });

  it('answers a page past the end with nothing, and a way back to the last page', async () => {
    const { status, body } = await get('/v1/regions?page=2147483647&limit=7');
    expect(status).toBe(200);
    expect(body.data).toEqual([]);
    expect(body.meta).toMatchObject({ total: 18, totalPages: 3, next: null, prev: 3 });
  });

  it('has no geometry unless it is asked for', async () => {
    const { body } = await get('/v1/regions');
    for (const region of some(body.data)) expect(region).not.toHaveProperty('geometry');
  });

  it.each([
    ['VISAYAS', ['0600000000', '0700000000', '0800000000']],
    ['ncr', ['1300000000']],
    ['%', []],
    ['_', []],
    ["'", []],
  ])('finds "%s" as part of a name', async (search, expected) => {
    const { body } = await get(`/v1/regions?search=${encodeURIComponent(search)}`);
    expect(codes(body)).toEqual(expected);
    expect(body.meta.total).toBe(expected.length);
  });

  it.each([
    'codes=0700000000&codes=1300000000',
    'codes[]=1300000000&codes[]=0700000000',
    'codes=1300000000,0700000000',
  ])('takes codes as %s', async (query) => {
    expect(codes((await get(`/v1/regions?${query}`)).body)).toEqual(['0700000000', '1300000000']);
  });

  it('takes old codes of regions', async () => {
    expect(codes((await get('/v1/regions?codes=150000000,070000000')).body)).toEqual(['0700000000', '1900000000']);
  });

  it('names codes that no area of the level has', async () => {
    const { body } = await get('/v1/regions?codes=9999999999,0702200000,0700000000');
    expect(codes(body)).toEqual(['0700000000']);
    expect(body.meta.notices).toEqual([
      {
        code: 'area_not_found',
        parameter: 'codes',
        message: 'No region has the PSGC code 9999999999, 0702200000.',
        successors: [],
      },
    ]);
    expect((await get('/v1/regions?codes=0700000000&codes=0700000000')).body.meta.notices).toBeUndefined();
  });
});

describe('GET /v1/provinces', () => {
  it('has the 82 provinces, none of them in NCR, no city among them', async () => {
    const provinces = await all('/v1/provinces');
    expect(provinces).toHaveLength(82);
    expect(provinces.filter(({ r_code }) => r_code === '1300000000')).toEqual([]);
    expect(provinces.filter(({ name }) => /city/i.test(name))).toEqual([]);
  });

  it('is filtered by the beginning of the name, without accents and case', async () => {
    const names = async (query: string) =>
      (await get(`/v1/provinces?${query}`)).body.data.map(({ name }: Body) => name);
    expect(await names('name=NEGROS')).toEqual(['Negros Occidental', 'Negros Oriental']);
    expect(await names('name=o&region=1800000000')).toEqual([]);
    expect(await names('name=negros%20or&region=1800000000')).toEqual(['Negros Oriental']);
  });

  it.each(['0700000000', '070000000', 'Region VII (Central Visayas)', 'central visayas', 'REGION VII'])(
    'is filtered by the region "%s"',
    async (region) => {
      const { body } = await get(`/v1/provinces?region=${encodeURIComponent(region)}`);
      expect(body.data.map(({ name }: Body) => name)).toEqual(['Bohol', 'Cebu']);
    },
  );

  it('has Negros Island Region with its three provinces', async () => {
    const { body } = await get('/v1/provinces?region=1800000000');
    expect(codes(body)).toEqual(['1804500000', '1804600000', '1806100000']);
  });

  it.each(['NCR', '9900000000', 'Atlantis'])('answers the region "%s" with nothing', async (region) => {
    const { body } = await get(`/v1/provinces?region=${region}`);
    expect(body).toMatchObject({ data: [], meta: { total: 0, totalPages: 0, next: null, prev: null } });
  });
});

describe('GET /v1/municities', () => {
  it.each([
    ['province_code=0702200000', 53],
    ['province_code=0702200000&scope=geographic', 53],
    ['province_code=0702200000&scope=admin', 50],
    ['province=cebu', 53],
    ['province=CEBU&scope=admin', 50],
    ['province_code=072200000', 53],
    ['province_code=0702200000&province=Bohol', 53],
    ['province_code=0702200000&region=0700000000', 53],
    ['province_code=0702200000&region=0800000000', 0],
    ['province=Nowhere', 0],
    ['province_code=0799900000', 0],
  ])('counts %s as %i', async (query, total) => {
    const { status, body } = await get(`/v1/municities?${query}`);
    expect(status).toBe(200);
    expect(body.meta.total).toBe(total);
  });

  it.each([
    'province_code=1300000000',
    'province_code=130000000',
    'province=NCR',
    'province=metro%20manila',
    'province=National+Capital+Region',
    'region=NCR',
    'region=1300000000',
  ])('takes the National Capital Region as %s: sixteen cities and Pateros', async (query) => {
    const { body } = await get(`/v1/municities?${query}&limit=100`);
    expect(body.meta.total).toBe(17);
    expect(body.data.filter(({ type }: Body) => type === 'Municipality').map(({ name }: Body) => name)).toEqual([
      'Pateros',
    ]);
    for (const { p_code, host_province_code } of some(body.data))
      expect([p_code, host_province_code]).toEqual([null, null]);
    expect(body.data.map(({ name }: Body) => name)).not.toContain('Tondo I/II');
  });

  it('has neither parent nor province: 400 missing_province', async () => {
    const { status, body } = await get('/v1/municities?name=San');
    expect(status).toBe(400);
    expect(body.code).toBe('missing_province');
    expect(body.message).toContain('province_code');
  });

  it('is filtered by the beginning of the name, without accents and case', async () => {
    const { body } = await get('/v1/municities?province_code=0702200000&name=SAN%20f');
    expect(body.data.map(({ name }: Body) => name)).toEqual(['San Fernando', 'San Francisco']);
    const wild = await get('/v1/municities?province_code=0702200000&name=%25a');
    expect(wild.body.data).toEqual([]);
  });

  it('takes a type and a class in any case', async () => {
    const codesOf = async (query: string) =>
      codes((await get(`/v1/municities?region=0700000000&limit=100&${query}`)).body);
    expect(await codesOf('type=city&city_class=huc')).toEqual(await codesOf('type=City&city_class=HUC'));
    expect(await codesOf('type=CITY')).not.toEqual([]);
    const { status, body } = await get('/v1/municities?region=0700000000&type=town');
    expect([status, body.error.issues[0].message]).toEqual([
      422,
      'type: must be one of City, Municipality, SGU, SubMun (got "town")',
    ]);
  });

  it('counts 149 cities by class and 1,493 municipalities in all regions', async () => {
    const regions = await all('/v1/regions');
    const lists = await Promise.all(regions.map(({ code }) => all(`/v1/municities?region=${code}`)));
    const municities = lists.flat();
    const count = (test: (m: Body) => boolean) => municities.filter(test).length;
    expect(count(({ type }) => type === 'City')).toBe(149);
    expect(count(({ type }) => type === 'Municipality')).toBe(1493);
    expect(count(({ city_class }) => city_class === 'HUC')).toBe(33);
    expect(count(({ city_class }) => city_class === 'ICC')).toBe(5);
    expect(count(({ city_class }) => city_class === 'CC')).toBe(111);
    expect(count(({ type, city_class }) => type === 'Municipality' && city_class !== null)).toBe(0);
  });
});

describe('GET /v1/barangays', () => {
  it('counts the 897 barangays of Manila across its fourteen sub-municipalities', async () => {
    const { body } = await get('/v1/barangays?municity_code=1380600000');
    expect(body.meta.total).toBe(897);
    for (const { m_code, p_code, r_code } of some(body.data)) {
      expect({ m_code, p_code, r_code }).toEqual({ m_code: '1380600000', p_code: null, r_code: '1300000000' });
    }
  });

  it.each([
    'municity_code=1381000000',
    'municity_code=137604000',
    'municity=City+of+Para%C3%B1aque',
    'municity=paranaque+city',
  ])('finds the barangays of Parañaque by %s', async (query) => {
    expect((await get(`/v1/barangays?${query}`)).body.meta.total).toBe(16);
  });

  it('refuses a name that several have, and says which: 400 ambiguous_name', async () => {
    const { status, body } = await get('/v1/barangays?municity=San+Fernando');
    expect(status).toBe(400);
    expect(body.code).toBe('ambiguous_name');
    expect(body.candidates.map(({ code }: Body) => code)).toContain('0702241000');
    expect(body.message).toContain('municity_code');
  });

  it('takes a name that several have with what it lies in', async () => {
    const { status, body } = await get('/v1/barangays?municity=San+Fernando&province_code=0702200000&limit=1');
    expect([status, body.data[0].m_code, body.meta.total]).toEqual([200, '0702241000', 21]);
    // The name that comes with a code is not looked at.
    const other = await get('/v1/barangays?municity=San+Fernando&municity_code=1380600000&limit=1');
    expect([other.status, other.body.data[0].m_code]).toEqual([200, '1380600000']);
  });

  it('is also of a province, with the cities that lie in it or without, or of a region', async () => {
    const total = async (query: string) => (await get(`/v1/barangays?${query}&limit=1`)).body.meta.total;
    const ofProvince = (await get('/v1/provinces/0702200000')).body.data.barangay_count;
    const cities = ['0730600000', '0731100000', '0731300000'];
    const hosted = await Promise.all(cities.map((code) => total(`municity_code=${code}`)));
    expect(await total('province_code=0702200000&scope=admin')).toBe(ofProvince);
    expect(await total('province=Cebu')).toBe(hosted.reduce((sum, count) => sum + count, ofProvince));
    expect(await total('province_code=0702200000&region=0600000000')).toBe(0);
    const { barangay_count } = (await get('/v1/regions/1300000000')).body.data;
    for (const query of ['region=NCR', 'region=1300000000', 'province_code=1300000000'])
      expect(await total(query), query).toBe(barangay_count);
    const { body } = await get('/v1/barangays?region=0700000000&name=capitol');
    expect(body.data.map(({ name }: Body) => name)).toContain('Capitol Site');
  });

  it('needs a city or municipality: 400 missing_municity', async () => {
    const { status, body } = await get('/v1/barangays');
    expect(status).toBe(400);
    expect(body.code).toBe('missing_municity');
  });

  it('is filtered by the beginning of the name', async () => {
    const { body } = await get('/v1/barangays?municity_code=1380300000&name=FOR');
    expect(body.data.map(({ name }: Body) => name)).toEqual(['Forbes Park']);
  });
});

describe('a parameter that an operation does not have', () => {
  const noticesIn = async (path: string) => {
    const { status, body } = await get(path);
    expect(status).toBe(200);
    return body.meta?.notices?.map(({ code, parameter }: Body) => [code, parameter]);
  };

  it.each([
    '/v1/provinces',
    '/v1/provinces/search?q=cebu',
    '/v1/provinces/0702200000',
    '/v1/provinces/0702200000/hierarchy',
    '/v1/provinces/0702200000/neighbors',
  ])('changes nothing of %s, which says so', async (path) => {
    const [plain, withMore] = [path, `${path}${path.includes('?') ? '&' : '?'}codes=0702200000&edition=2026-3q`];
    expect(await noticesIn(plain)).toBeUndefined();
    expect(await noticesIn(withMore)).toEqual([['parameter_unknown', 'codes']]);
    expect((await get(withMore)).body.data).toEqual((await get(plain)).body.data);
  });

  it('is told beside what else there is to say, five of them at most', async () => {
    const many = Array.from({ length: 9 }, (_, i) => `${'x'.repeat(80)}${i}=1`).join('&');
    const { meta } = (await get(`/v1/provinces?region=Atlantis&${many}`)).body;
    expect(meta.notices.map(({ code }: Body) => code)).toEqual([
      'area_not_found',
      ...Array.from({ length: 5 }, () => 'parameter_unknown'),
    ]);
    expect(meta.notices[1]).toMatchObject({ parameter: 'x'.repeat(64), successors: [] });
  });
});
