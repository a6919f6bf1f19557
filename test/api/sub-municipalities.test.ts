import { describe, expect, it } from 'vitest';
import { api, type Body, get, MASTER, post } from '../support/api.ts';
import { some } from '../support/some.ts';

// Manila's fourteen sub-municipalities lie between the city and its barangays.

const [MANILA, ERMITA] = ['1380600000', '1380608000'];
const codesOf = (areas: Body[]) => some(areas).map(({ code }) => code);
const search = async (query: string) => (await get(`/v1/search?${query}`)).body.data as Body[];

/** All areas of a list, page after page. */
async function all(path: string): Promise<Body[]> {
  const areas: Body[] = [];
  for (let page: number | null = 1; page !== null; ) {
    const { body }: { body: Body } = await get(`${path}&limit=100&page=${page}`);
    areas.push(...body.data);
    page = body.meta.next;
  }
  return areas;
}

describe('GET /v1/search', () => {
  it('finds a sub-municipality by its name and its city, with its level and ancestors', async () => {
    const [hit] = await search('q=Ermita,+Manila');
    expect(hit).toMatchObject({ code: ERMITA, level: 'submunicipality', name: 'Ermita', match: 'exact' });
    expect(codesOf(hit?.ancestors)).toEqual(['1300000000', MANILA]);
  });

  it('finds sub-municipalities for their level alone and beside others', async () => {
    expect(codesOf(await search('q=ermita&level=submunicipality'))).toEqual([ERMITA]);
    const levels = (await search('q=ermita&level=submunicipality&level=barangay')).map(({ level }) => level);
    expect(new Set(levels)).toEqual(new Set(['submunicipality', 'barangay']));
    expect(codesOf(await search('q=ermita&level=municity'))).toEqual([MANILA]);
  });

  it('finds only barangays of the sub-municipality in parent, with it among their ancestors', async () => {
    const hits = await search(`q=barangay+6&parent=${ERMITA}`);
    for (const { code, ancestors } of some(hits)) {
      expect(code).toMatch(/^1380608/);
      expect(codesOf(ancestors)).toEqual(['1300000000', MANILA, ERMITA]);
    }
  });
});

describe('POST /v1/match', () => {
  const match = async (row: Body, level?: string) =>
    (await post('/v1/match', { rows: [row], ...(level && { level }) }, {})).body.data[0];

  it.each([
    [{ text: 'Ermita, Manila' }, ERMITA],
    [{ text: 'Ermita, City of Manila, Metro Manila' }, ERMITA],
    [{ region: 'NCR', municity: 'Ermita' }, ERMITA],
    [{ province: 'Metro Manila', municity: 'Sampaloc' }, '1380606000'],
    [{ province: 'Manila', municity: 'Ermita' }, ERMITA],
    [{ municity: 'TONDO I/II, MANILA' }, '1380601000'],
    [{ municity: '133908000' }, ERMITA],
  ])('is exact for %j', async (row, code) => {
    expect(await match(row)).toMatchObject({ match: 'exact', level: 'submunicipality', code });
  });

  it.each([
    [{ municity: 'Ermita', barangay: 'Barangay 660' }],
    [{ text: 'Brgy. 660, Ermita, Manila' }],
    [{ municity: 'Manila', barangay: 'Barangay 660' }],
    [{ municity: ERMITA, barangay: 'Barangay 660' }],
  ])('finds the barangay of %j, with the sub-municipality among its ancestors', async (row) => {
    const found = await match(row);
    expect(found).toMatchObject({ match: 'exact', level: 'barangay', code: '1380608003' });
    expect(codesOf(found.ancestors)).toEqual(['1300000000', MANILA, ERMITA]);
  });

  it('is not exact where another sub-municipality is named, or a town is called so, or a barangay', async () => {
    expect(await match({ text: 'Barangay 660, Malate, Manila' })).toMatchObject({
      match: 'likely',
      code: '1380608003',
    });
    expect(await match({ municity: 'Sampaloc' })).toMatchObject({ match: 'ambiguous', code: null });
    expect(await match({ text: 'Ermita' })).toMatchObject({ match: 'ambiguous', code: null });
    expect(await match({ text: 'Ermita, Cebu City' })).toMatchObject({ level: 'barangay', code: '0730600028' });
    expect(await match({ municity: 'Sampaloc', province: 'Quezon' })).toMatchObject({ level: 'municity' });
  });

  it('answers the level that is wanted', async () => {
    expect(await match({ text: 'Ermita, Manila' }, 'municity')).toMatchObject({ level: 'municity', code: MANILA });
    const barangay = { municity: 'Manila', barangay: 'Barangay 660' };
    expect(await match(barangay, 'submunicipality')).toMatchObject({ match: 'exact', code: ERMITA });
    expect(await match({ text: 'Makati' }, 'submunicipality')).toMatchObject({
      match: 'ambiguous',
      level: 'municity',
      code: '1380300000',
    });
  });

  it('matches sub-municipalities in tables', async () => {
    const { text } = await api('/v1/match', {
      method: 'POST',
      headers: { ...MASTER, 'Content-Type': 'text/csv' },
      body: 'City,Barangay\n"Ermita, Manila",\nErmita,Barangay 660\n',
    });
    const lines = text.trim().split('\n').slice(1);
    expect(lines).toEqual([
      `"Ermita, Manila",,${ERMITA},submunicipality,Ermita,exact,1,`,
      'Ermita,Barangay 660,1380608003,barangay,Barangay 660,exact,1,',
    ]);
  });
});

describe('GET /v1/municities', () => {
  it.each([[ERMITA], ['133908000']])(
    'answers %s with the record of the sub-municipality, its type and its city',
    async (code) => {
      const { status, body } = await get(`/v1/municities/${code}`);
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ code: ERMITA, name: 'Ermita', type: 'SubMun', m_code: MANILA, p_code: null });
      expect(body.data.barangay_count).toBe((await get(`/v1/barangays?municity_code=${ERMITA}`)).body.meta.total);
      const { body: hierarchy } = await get(`/v1/municities/${code}/hierarchy`);
      expect(hierarchy.data).toMatchObject({
        region: { code: '1300000000' },
        municity: { code: MANILA, m_code: null },
        sub_municipality: { code: ERMITA, name: 'Ermita' },
        barangay: null,
      });
    },
  );

  it('answers boundaries of sub-municipalities, and those that touch as neighbours', async () => {
    for (const geometry of ['simple', 'medium', 'detailed']) {
      const { body } = await get(`/v1/municities/${ERMITA}?format=geojson&geometry=${geometry}`, MASTER);
      expect([body.id, body.geometry.type]).toEqual([ERMITA, expect.stringMatching(/Polygon$/)]);
    }
    const { body } = await get(`/v1/municities/${ERMITA}/neighbors`);
    for (const { code, type } of some(body.data)) expect([code.slice(0, 5), type]).toEqual(['13806', 'SubMun']);
  });

  it('nests the boundaries of the barangays of a sub-municipality', async () => {
    const { body } = await get(`/v1/municities/${ERMITA}?geometry=true`, MASTER);
    const nested = some(body.geojson.features).map((feature: Body) => feature.properties.sm_code);
    expect(new Set(nested)).toEqual(new Set([ERMITA]));
    expect(nested).toHaveLength(body.data.barangay_count);
  });

  it('has sub-municipalities in batches beside cities, by old codes too', async () => {
    const { body } = await post('/v1/municities/search', { codes: [MANILA, '133908000', '1380609000'] });
    expect(body.map(({ code, type, geometry }: Body) => [code, type, geometry.type])).toEqual([
      [MANILA, 'City', expect.any(String)],
      [ERMITA, 'SubMun', expect.any(String)],
      ['1380609000', 'SubMun', expect.any(String)],
    ]);
    expect(body[1].requested_code).toBe('133908000');
  });

  it('lists sub-municipalities with type=SubMun only', async () => {
    const listed = await all('/v1/municities?province_code=1300000000');
    expect(codesOf(listed)).not.toContain(ERMITA);
    const subMunicipalities = await all('/v1/municities?province_code=1300000000&type=SubMun');
    expect(subMunicipalities).toHaveLength(14);
    for (const { code, m_code } of subMunicipalities) expect([code.slice(0, 5), m_code]).toEqual(['13806', MANILA]);
    expect((await get('/v1/municities/search?q=Ermita')).body.data.map(({ type }: Body) => type)).not.toContain(
      'SubMun',
    );
    expect((await get('/v1/regions/1300000000')).body.data.municity_count).toBe(listed.length);
  });
});

describe('GET /v1/barangays', () => {
  it('lists the barangays of a sub-municipality by its code, its old code or its name', async () => {
    const barangays = await all(`/v1/barangays?municity_code=${ERMITA}`);
    for (const { code, m_code, sm_code } of some(barangays)) {
      expect([code.slice(0, 7), m_code, sm_code]).toEqual(['1380608', MANILA, ERMITA]);
    }
    expect(await all('/v1/barangays?municity_code=133908000')).toEqual(barangays);
    expect(await all('/v1/barangays?municity=ermita')).toEqual(barangays);
  });

  it('takes a name for the town rather than for the sub-municipality', async () => {
    const barangays = await all('/v1/barangays?municity=Sampaloc');
    expect(new Set(some(barangays).map(({ m_code }) => m_code))).toEqual(new Set(['0405639000']));
  });

  it('has each barangay of Manila in one of its 14 sub-municipalities', async () => {
    const subMunicipalities = await all('/v1/municities?province_code=1300000000&type=SubMun');
    const { body } = await get(`/v1/barangays?municity_code=${MANILA}`);
    const counts = await Promise.all(subMunicipalities.map(({ code }) => get(`/v1/municities/${code}`)));
    expect(counts.reduce((sum, { body: { data } }) => sum + data.barangay_count, 0)).toBe(body.meta.total);
    expect(body.meta.total).toBe(897);
  });

  it('has no sub-municipality outside Manila', async () => {
    expect((await get('/v1/barangays/0730600001')).body.data.sm_code).toBeNull();
  });
});

describe('GET /v1/geocode/reverse', () => {
  const at = async (code: string, query = '') => {
    const [west = 0, south = 0, east = 0, north = 0] = (await get(`/v1/barangays/${code}`)).body.data.bbox;
    const point = `lat=${((south + north) / 2).toFixed(7)}&lon=${((west + east) / 2).toFixed(7)}`;
    return (await get(`/v1/geocode/reverse?${point}${query}`, MASTER)).body.data;
  };

  it('answers the sub-municipality of a barangay of Manila, and none elsewhere or above barangays', async () => {
    const place = await at('1380608003');
    expect([place.municity.code, place.barangay.code]).toEqual([MANILA, '1380608003']);
    expect(place.submunicipality).toMatchObject({ code: ERMITA, type: 'SubMun' });
    expect((await at('1380608003', '&level=municity')).submunicipality).toBeNull();
    expect((await at('0730600001')).submunicipality).toBeNull();
  });

  it('has no barangay with level=submunicipality, and has the boundary of the finest level', async () => {
    const place = await at('1380608003', '&level=submunicipality&geometry=simple');
    expect([place.match, place.municity.code, place.submunicipality.code, place.barangay]).toEqual([
      'contains',
      MANILA,
      ERMITA,
      null,
    ]);
    expect(place.submunicipality.geometry.type).toMatch(/Polygon$/);
    expect(place.municity.geometry).toBeUndefined();
    const elsewhere = await at('0730600001', '&level=submunicipality&geometry=simple');
    expect([elsewhere.submunicipality, elsewhere.barangay, elsewhere.municity.code]).toEqual([
      null,
      null,
      '0730600000',
    ]);
    expect(elsewhere.municity.geometry.type).toMatch(/Polygon$/);
    const { lat, lon } = place;
    const many = await post('/v1/geocode/reverse', { points: [{ lat, lon }], level: 'submunicipality' });
    expect([many.body.data[0].submunicipality.code, many.body.data[0].barangay]).toEqual([ERMITA, null]);
    const table = await api('/v1/geocode/reverse?level=submunicipality', {
      method: 'POST',
      headers: { ...MASTER, 'Content-Type': 'text/csv' },
      body: `lat,lon\n${lat},${lon}\n`,
    });
    expect(table.text).toContain(`,${MANILA},City of Manila,,,contains,0,${ERMITA},Ermita`);
  });
});
