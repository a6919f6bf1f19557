import { describe, expect, it } from 'vitest';
import { type Body, get, post } from '../support/api.ts';

/** A municipality of which nothing is known but that it is gone: test/support/attributes.ts. */
const GONE_CODE = '0200998000';

describe('a batch', () => {
  it('tells abolished codes apart from unknown ones, and which code each record answers', async () => {
    const codes = ['0630200000', '1380600000', '1903800000', '9912345678'];
    const { headers, body } = await post('/v1/municities/search', { codes: codes.slice(0, 2) });
    expect(body.map(({ code, requested_code }: Body) => [code, requested_code])).toEqual([
      ['1830200000', '0630200000'],
      ['1380600000', undefined],
    ]);
    expect(headers.get('X-Abolished-Codes')).toBeNull();
    const provinces = await post('/v1/provinces/search', { codes: codes.slice(2) });
    expect(provinces.headers.get('X-Missing-Codes')).toBe('1903800000,9912345678');
    expect(provinces.headers.get('X-Abolished-Codes')).toBe('1903800000=1908700000+1908800000');
    const geojson = await post('/v1/municities/search', { codes: ['0630200000'], format: 'geojson' });
    expect(geojson.body.features[0].properties.requested_code).toBe('0630200000');
  });

  it('names the further codes of a record that several codes lead to', async () => {
    const codes = ['0630200000', '1830200000', '0630200000', '1380600000', '1380600000'];
    const { headers, body } = await post('/v1/municities/search', { codes });
    expect(body.map(({ code, requested_code }: Body) => [code, requested_code])).toEqual([
      ['1830200000', '0630200000'],
      ['1380600000', undefined],
    ]);
    expect(headers.get('X-Repeated-Codes')).toBe('1830200000=1830200000');
    const reversed = await post('/v1/municities/search', { codes: codes.slice(0, 2).reverse() });
    expect(reversed.body[0]).not.toHaveProperty('requested_code');
    expect(reversed.headers.get('X-Repeated-Codes')).toBe('0630200000=1830200000');
  });
});

describe('a code of which nothing is known but that it is gone', () => {
  it('is abolished and not unknown, without successors', async () => {
    const { status, body } = await get(`/v1/municities/${GONE_CODE}`);
    expect([status, body.code, body.successors]).toEqual([404, 'area_abolished', []]);
    expect(body.message).toContain('Nothing is known to have taken its place.');
    const batch = await post('/v1/municities/search', { codes: [GONE_CODE, '9912345678'] });
    expect(batch.headers.get('X-Missing-Codes')).toBe(`${GONE_CODE},9912345678`);
    expect(batch.headers.get('X-Abolished-Codes')).toBe(`${GONE_CODE}=`);
    const { meta } = (await get(`/v1/barangays?municity_code=${GONE_CODE}`)).body;
    expect(meta.notices).toMatchObject([{ code: 'area_abolished', parameter: 'municity_code', successors: [] }]);
    const search = await get(`/v1/search?q=poblacion&parent=${GONE_CODE}`);
    expect(search.body.meta.notices).toMatchObject([{ code: 'area_abolished', parameter: 'parent', successors: [] }]);
  });

  it('matches nothing by itself', async () => {
    const { body } = await post('/v1/match', { rows: [{ municity: GONE_CODE }] });
    expect(body.data[0]).toMatchObject({ match: 'none', code: null });
  });
});

it('a single record says by which code it was asked for', async () => {
  expect((await get('/v1/provinces/0604500000')).body.data.requested_code).toBe('0604500000');
  expect((await get('/v1/provinces/1804500000')).body.data).not.toHaveProperty('requested_code');
});

describe('an empty answer', () => {
  const noticesOf = async (path: string) => (await get(path)).body.meta?.notices;
  const gone = {
    code: 'area_abolished',
    message: 'The province 1903800000 was abolished. Its successors are 1908700000, 1908800000.',
    successors: [
      { code: '1908700000', href: '/v1/provinces/1908700000' },
      { code: '1908800000', href: '/v1/provinces/1908800000' },
    ],
  };

  it.each([
    ['/v1/municities?province_code=1903800000', 'province_code'],
    ['/v1/barangays/search?q=poblacion&province_code=1903800000', 'province_code'],
    ['/v1/search?q=poblacion&parent=1903800000', 'parent'],
  ])('to %s says that the parent was abolished', async (path, parameter) => {
    expect(await noticesOf(path)).toEqual([{ ...gone, parameter }]);
  });

  it.each([
    ['/v1/municities?province_code=0999900000', 'No province has the PSGC code 0999900000.'],
    ['/v1/barangays?municity_code=0702200000', 'It is Cebu, a province'],
    ['/v1/municities?province=Zebu', 'No province is named "Zebu". There is Cebu (0702200000)'],
    ['/v1/provinces?region=9900000000', 'No region has the PSGC code 9900000000.'],
    ['/v1/search?q=poblacion&parent=9900000000', 'No area has the PSGC code 9900000000.'],
  ])('to %s says that there is no such parent', async (path, message) => {
    const [notice, ...others] = await noticesOf(path);
    expect([notice.code, notice.successors, others]).toEqual(['area_not_found', [], []]);
    expect(notice.message).toContain(message);
  });

  it.each([
    '/v1/municities?province_code=0702200000&name=Zzz',
    '/v1/municities?province=Cebu&name=Zzz',
    '/v1/municities?province=NCR&name=Zzz',
    '/v1/search?q=zzzzzzzz&parent=0702200000',
    '/v1/search?q=zzzzzzzz&parent=1380601000',
  ])('to %s says nothing of a parent that exists', async (path) => {
    expect(await noticesOf(path)).toBeUndefined();
  });
});
