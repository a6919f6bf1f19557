import { describe, expect, it } from 'vitest';
import { type Body, get, post } from '../support/api.ts';
import { some } from '../support/some.ts';

const municity = async (code: string) => (await get(`/v1/municities/${code}`)).body.data;

/** City or municipality, and the province in which it lies without belonging to it. */
const HOSTING: [string, string, string, string | null][] = [
  ['Angeles', '0330100000', '0305400000', 'HUC'],
  ['Olongapo', '0331400000', '0307100000', 'HUC'],
  ['Lucena', '0431200000', '0405600000', 'HUC'],
  ['Puerto Princesa', '1731500000', '1705300000', 'HUC'],
  ['Baguio', '1430300000', '1401100000', 'HUC'],
  ['Iloilo', '0631000000', '0603000000', 'HUC'],
  ['Bacolod', '1830200000', '1804500000', 'HUC'],
  ['Cebu', '0730600000', '0702200000', 'HUC'],
  ['Lapu-Lapu', '0731100000', '0702200000', 'HUC'],
  ['Mandaue', '0731300000', '0702200000', 'HUC'],
  ['Tacloban', '0831600000', '0803700000', 'HUC'],
  ['Iligan', '1030900000', '1003500000', 'HUC'],
  ['Davao', '1130700000', '1102400000', 'HUC'],
  ['General Santos', '1230800000', '1206300000', 'HUC'],
  ['Butuan', '1630400000', '1600200000', 'HUC'],
  ['Zamboanga', '0931700000', '0907300000', 'HUC'],
  ['Cagayan', '1030500000', '1004300000', 'HUC'],
  ['Dagupan', '0105518000', '0105500000', 'ICC'],
  ['Santiago', '0203135000', '0203100000', 'ICC'],
  ['Naga', '0501724000', '0501700000', 'ICC'],
  ['Ormoc', '0803738000', '0803700000', 'ICC'],
  ['Cotabato', '1908703000', '1908700000', 'ICC'],
  ['Isabela', '0990101000', '1900700000', 'CC'],
  ...Array.from({ length: 8 }, (_, i): [string, string, string, null] => ['', `199990${i + 1}000`, '1204700000', null]),
];

describe('areas that belong to no province', () => {
  it.each(HOSTING)('%s %s lies in %s', async (name, code, host, cityClass) => {
    const record = await municity(code);
    expect(record.name).toContain(name);
    expect(record).toMatchObject({ code, p_code: null, host_province_code: host, city_class: cityClass });
    const listed = await get(`/v1/municities?province_code=${host}&limit=100`);
    expect(listed.body.data.map((m: Body) => m.code)).toContain(code);
    const administered = await get(`/v1/municities?province_code=${host}&limit=100&scope=admin`);
    expect(some(administered.body.data).map((m: Body) => m.code)).not.toContain(code);
  });

  it('Isabela City is administered by Region IX', async () => {
    expect(await municity('0990101000')).toMatchObject({ r_code: '0900000000', barangay_count: 45 });
  });

  it('the Special Geographic Area is 63 barangays of BARMM in eight municipalities', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, (_, i) => municity(`199990${i + 1}000`)));
    expect(all.map(({ r_code }) => r_code)).toEqual(Array(8).fill('1900000000'));
    expect(all.reduce((sum, { barangay_count }) => sum + barangay_count, 0)).toBe(63);
  });

  it('Pateros is a municipality of NCR without province or host', async () => {
    expect(await municity('1381701000')).toMatchObject({
      type: 'Municipality',
      city_class: null,
      p_code: null,
      host_province_code: null,
      r_code: '1300000000',
    });
  });

  it('the sixteen cities of NCR are highly urbanized and hosted by nobody', async () => {
    const { body } = await get('/v1/municities?province=NCR&limit=100');
    const cities = body.data.filter(({ type }: Body) => type === 'City');
    expect(cities).toHaveLength(16);
    for (const { city_class, host_province_code } of cities)
      expect([city_class, host_province_code]).toEqual(['HUC', null]);
  });
});

describe('counts of a single record', () => {
  it('count its administrative children, and apart from them what it hosts', async () => {
    expect((await get('/v1/provinces/0702200000')).body.data).toMatchObject({
      municity_count: 50,
      hosted_municity_count: 3,
    });
    expect((await get('/v1/regions/1300000000')).body.data).toMatchObject({
      province_count: 0,
      municity_count: 17,
      barangay_count: 1710 + 5,
    });
    expect(await municity('1380600000')).toMatchObject({ barangay_count: 897 });
  });

  it('add up to the release: 82 provinces, 1,642 cities and municipalities, 42,010 barangays', async () => {
    const { body } = await get('/v1/regions?limit=100');
    const regions = await Promise.all(
      body.data.map(async ({ code }: Body) => (await get(`/v1/regions/${code}`)).body.data as Body),
    );
    const sum = (field: string) => regions.reduce((total, region) => total + region[field], 0);
    expect([sum('province_count'), sum('municity_count'), sum('barangay_count')]).toEqual([82, 1642, 42010]);
  });
});

describe('codes that changed', () => {
  it.each([
    ['provinces', '0604500000', '1804500000', 'Negros Occidental, now in the Negros Island Region'],
    ['provinces', '0704600000', '1804600000', 'Negros Oriental'],
    ['provinces', '064500000', '1804500000', 'Negros Occidental by its nine-digit code'],
    ['provinces', '0906600000', '0906600000', 'Sulu'],
    ['provinces', '1906600000', '0906600000', 'Sulu by its code in BARMM'],
    ['provinces', '156600000', '0906600000', 'Sulu by its nine-digit code, of the ARMM that is no more'],
    ['provinces', '1806100000', '1806100000', 'Siquijor'],
    ['provinces', '0706100000', '1806100000', 'Siquijor before the Negros Island Region'],
    ['provinces', '072200000', '0702200000', 'Cebu by its nine-digit code'],
    ['provinces', '0405300000', '1705300000', 'Palawan in a region that was divided'],
    ['municities', '0630200000', '1830200000', 'Bacolod'],
    ['municities', '064501000', '1830200000', 'Bacolod by its nine-digit code'],
    ['municities', '072217000', '0730600000', 'Cebu City by its nine-digit code'],
    ['municities', '133900000', '1380600000', 'Manila by its nine-digit code'],
    ['municities', '137606000', '1381701000', 'Pateros by its nine-digit code'],
    ['municities', '099701000', '0990101000', 'Isabela City by its nine-digit code'],
    ['municities', '129804000', '1908703000', 'Cotabato City by its nine-digit code'],
    ['municities', '042103000', '0402103000', 'Bacoor by its nine-digit code'],
    ['municities', '1903801000', '1908801000', 'Ampatuan before Maguindanao was split'],
    ['barangays', '1380300003', '1381500029', 'Cembo, once of Makati'],
    ['barangays', '1380300032', '1381500038', 'West Rembo, once of Makati'],
    ['barangays', '137602003', '1381500029', 'Cembo by its nine-digit code'],
    ['barangays', '0730600001', '0730600001', 'a barangay of Cebu City'],
    ['barangays', '072217001', '0730600001', 'a barangay of Cebu City by its nine-digit code'],
    ['barangays', '133901001', '1380601001', 'a barangay of Tondo by its nine-digit code'],
  ])('%s/%s leads to %s (%s)', async (level, old, current, _) => {
    const { status, headers, body } = await get(`/v1/${level}/${old}`);
    expect(status).toBe(200);
    expect(body.data.code).toBe(current);
    expect(headers.get('Content-Location')).toBe(old === current ? null : `/v1/${level}/${current}`);
  });

  it('all ten EMBO barangays are of Taguig', async () => {
    const { body } = await get('/v1/barangays?municity_code=1381500000&limit=100');
    const embo = body.data.filter(({ code }: Body) => code >= '1381500029' && code <= '1381500038');
    expect(embo.map(({ name }: Body) => name)).toEqual([
      'Cembo',
      'Comembo',
      'East Rembo',
      'Pembo',
      'Pitogo',
      'Post Proper Northside',
      'Post Proper Southside',
      'Rizal',
      'South Cembo',
      'West Rembo',
    ]);
  });

  it.each([
    ['barangays', '1380100176', ['1380100189', '1380100190', '1380100191', '1380100192', '1380100193', '1380100194']],
    ['barangays', '137501176', ['1380100189', '1380100190', '1380100191', '1380100192', '1380100193', '1380100194']],
    ['barangays', '0402103006', ['0402103078']],
    ['barangays', '042103009', ['0402103078']],
    ['provinces', '1903800000', ['1908700000', '1908800000']],
    ['provinces', '153800000', ['1908700000', '1908800000']],
  ])('%s/%s was abolished: 404 with its successors', async (level, old, successors) => {
    const { status, body } = await get(`/v1/${level}/${old}`);
    expect(status).toBe(404);
    expect(body.code).toBe('area_abolished');
    expect(body.successors.map(({ code }: Body) => code)).toEqual(successors);
    for (const { code, href } of body.successors) {
      expect(href).toBe(`/v1/${level}/${code}`);
      expect((await get(href)).status).toBe(200);
    }
  });

  it('keeps the query in Content-Location, and works for hierarchies', async () => {
    const { headers } = await get('/v1/provinces/0604500000?format=json');
    expect(headers.get('Content-Location')).toBe('/v1/provinces/1804500000?format=json');
    const line = await get('/v1/provinces/0604500000/hierarchy');
    expect(line.headers.get('Content-Location')).toBe('/v1/provinces/1804500000/hierarchy');
  });

  it.each(['0500000000', '9900000000', '0000000000', '1', '999999999999999'])(
    'never resolves the code of a region by the digits after its first two (%s)',
    async (code) => {
      expect((await get(`/v1/regions/${code}`)).status).toBe(code === '0500000000' ? 200 : 404);
    },
  );
});

describe('a code that begins with the digits of no region names nothing', () => {
  const HINT = 'was it 0';

  it.each([
    ['provinces', '9902200000', false],
    ['provinces', '0002200000', false],
    ['provinces', '2002200000', false],
    ['provinces', '992200000', true],
    ['provinces', '002200000', false],
    ['provinces', '702200000', true],
    ['provinces', '730600000', true],
    ['provinces', '380600000', true],
    ['provinces', '330100000', true],
    ['municities', '730600000', true],
    ['municities', '9930600000', false],
    ['barangays', '9930600001', false],
    ['barangays', '730600001', true],
  ])('%s/%s is 404, whatever follows', async (level, code, lacksZero) => {
    for (const rest of ['', '/hierarchy', '/neighbors']) {
      const { status, body } = await get(`/v1/${level}/${code}${rest}`);
      expect([rest, status, body.code]).toEqual([rest, 404, 'area_not_found']);
      expect(body.message.includes(HINT)).toBe(lacksZero);
    }
  });

  it.each(['9902200000', '0002200000', '992200000', '730600000', '330100000'])(
    'a filter or a search by it finds nothing (%s)',
    async (code) => {
      const none = async (path: string) => expect([path, (await get(path)).body.data]).toEqual([path, []]);
      await none(`/v1/municities?province_code=${code}`);
      await none(`/v1/barangays?municity_code=${code}`);
      await none(`/v1/barangays/search?q=san&province_code=${code}`);
      await none(`/v1/barangays/search?q=san&municity_code=${code}`);
      for (const level of ['provinces', 'municities', 'barangays']) {
        const { body, headers } = await post(`/v1/${level}/search`, { codes: [code] });
        expect([level, body, headers.get('X-Missing-Codes')]).toEqual([level, [], code]);
      }
    },
  );
});

describe('a code of something else', () => {
  it.each([
    ['provinces', '0730600000', '/v1/municities/0730600000'],
    ['municities', '0702200000', '/v1/provinces/0702200000'],
    ['provinces', '1380601000', '/v1/municities/1380601000'],
    ['barangays', '1300000000', '/v1/regions/1300000000'],
    ['provinces', '0990100000', '/v1/municities/0990101000'],
    ['provinces', '1999900000', 'begin with 19999'],
  ])('%s/%s is 404 and points to %s', async (level, code, hint) => {
    const { status, body } = await get(`/v1/${level}/${code}`);
    expect(status).toBe(404);
    expect(body.code).toBe('area_not_found');
    expect(body.message).toContain(hint);
  });
});

describe('GET /v1/{level}/{id}/hierarchy', () => {
  const line = async (path: string) => {
    const { body } = await get(`/v1/${path}/hierarchy`);
    return Object.fromEntries(
      Object.entries(body.data).map(([part, record]) => [part, (record as Body)?.code ?? null]),
    );
  };

  it.each([
    ['regions/0700000000', { region: '0700000000' }],
    ['provinces/0702200000', { region: '0700000000', province: '0702200000' }],
    ['municities/0702241000', { region: '0700000000', province: '0702200000', municity: '0702241000' }],
    ['municities/0730600000', { region: '0700000000', host_province: '0702200000', municity: '0730600000' }],
    ['municities/1381701000', { region: '1300000000', municity: '1381701000' }],
    ['municities/0990101000', { region: '0900000000', host_province: '1900700000', municity: '0990101000' }],
    [
      'barangays/1999901001',
      { region: '1900000000', host_province: '1204700000', municity: '1999901000', barangay: '1999901001' },
    ],
    ['municities/1380601000', { region: '1300000000', municity: '1380600000', sub_municipality: '1380601000' }],
    [
      'barangays/1380601001',
      { region: '1300000000', municity: '1380600000', sub_municipality: '1380601000', barangay: '1380601001' },
    ],
    [
      'barangays/0102801001',
      { region: '0100000000', province: '0102800000', municity: '0102801000', barangay: '0102801001' },
    ],
  ])('%s', async (path, expected) => {
    const nothing = { province: null, host_province: null, municity: null, sub_municipality: null, barangay: null };
    expect(await line(path)).toEqual({ ...nothing, ...expected });
  });

  it('is 404 for a code that names nothing', async () => {
    expect((await get('/v1/municities/0702299000/hierarchy')).status).toBe(404);
  });
});
