import { describe, expect, it } from 'vitest';
import { type Body, MASTER, post } from '../support/api.ts';

const codes = (body: Body): string[] => body.map(({ code }: Body) => code);

describe.each([
  ['regions', 'ids', ['1300000000', '0100000000', '0700000000'], 100],
  ['provinces', 'codes', ['0702200000', '0102800000', '1804500000'], 100],
  ['municities', 'codes', ['1380600000', '0730600000', '0102805000'], 1000],
  ['barangays', 'codes', ['1381500029', '0102801001', '1999901001'], 1000],
])('POST /v1/%s/search', (plural, field, asked, max) => {
  const path = `/v1/${plural}/search`;

  it('answers a bare array in the order asked', async () => {
    const { status, body, headers } = await post(path, { [field]: asked });
    expect(status).toBe(200);
    expect(codes(body)).toEqual(asked);
    expect(headers.get('X-Missing-Codes')).toBeNull();
    expect(headers.get('Cache-Control')).toContain('private');
    expect(headers.get('X-Data-Release')).toBe('2026-3q-1');
    for (const record of body) expect(record).toHaveProperty('geometry');
  });

  it('answers each once, and lists the codes that name nothing', async () => {
    const { body, headers } = await post(path, {
      [field]: [asked[1], '9912345678', asked[0], asked[1], '7', '9912345678'],
    });
    expect(codes(body)).toEqual([asked[1], asked[0]]);
    expect(headers.get('X-Missing-Codes')).toBe('9912345678,7');
  });

  it('answers a bare FeatureCollection', async () => {
    for (const format of [{ format: 'geojson' }, { output: 'geojson' }]) {
      const { body, headers } = await post(path, { [field]: asked, ...format });
      expect(headers.get('Content-Type')).toBe('application/geo+json');
      expect(headers.get('Deprecation')).toBe('output' in format ? '@1767225600' : null);
      expect(body.type).toBe('FeatureCollection');
      expect(body.features.map(({ id }: Body) => id)).toEqual(asked);
    }
  });

  it(`takes ${max} codes and not one more`, async () => {
    const many = Array.from({ length: max }, (_, i) => String(i));
    expect((await post(path, { [field]: many })).status).toBe(200);
    const { status, body } = await post(path, { [field]: [...many, '5'] });
    expect(status).toBe(422);
    expect(body.error.issues[0].message).toContain(String(max));
  });

  it('needs credentials, and says so before it looks at the body', async () => {
    const { status, body, headers } = await post(path, '{', {});
    expect(status).toBe(401);
    expect(body.code).toBe('authentication_required');
    expect(headers.get('WWW-Authenticate')).toBe('Bearer');
  });

  it.each([
    ['null', 422],
    ['[]', 422],
    ['{}', 422],
    [`{"${field}":[]}`, 422],
    [`{"${field}":"0702200000"}`, 422],
    [`{"${field}":[702200000]}`, 422],
    [`{"${field}":[null]}`, 422],
    [`{"${field}":[""]}`, 422],
    [`{"${field}":["07022\\u0000"]}`, 422],
    [`{"${field}":["0702200000'--"]}`, 422],
    [`{"${field}":["07022\\r\\nX-Evil: 1"]}`, 422],
    [`{"${field}":["0702200000"],"geometry":"true"}`, 422],
    [`{"${field}":["0702200000"],"format":"xml"}`, 422],
    [`{"${field}":["0702200000"]`, 400],
    ['', 400],
  ])('refuses %s with %i', async (text, expected) => {
    const { status, body } = await post(path, text);
    expect(status).toBe(expected);
    if (expected === 400) expect(body.code).toBe('invalid_json');
    else expect(body).toMatchObject({ success: false, error: { name: 'ZodError' } });
  });

  it('refuses what is not JSON, and what is too large', async () => {
    const xml = await post(path, '<a/>', { ...MASTER, 'Content-Type': 'text/xml' });
    expect([xml.status, xml.body.code]).toEqual([415, 'unsupported_media_type']);
    const large = await post(path, { [field]: ['0702200000'], padding: 'x'.repeat(70_000) });
    expect([large.status, large.body.code]).toEqual([413, 'payload_too_large']);
  });
});

it('keeps the header of missing codes short enough for clients', async () => {
  const many = (digits: number) => Array.from({ length: 1000 }, (_, i) => String(9 * 10 ** (digits - 1) + i));
  const plain = await post('/v1/barangays/search', { codes: many(10) });
  expect(plain.headers.get('X-Missing-Codes')?.split(',')).toEqual(many(10));
  const long = (await post('/v1/barangays/search', { codes: many(15) })).headers.get('X-Missing-Codes') ?? '';
  expect(long.length).toBeLessThan(12_010);
  const listed = long.split(',');
  expect(listed.pop()).toBe('...');
  expect(listed).toEqual(many(15).slice(0, listed.length));
});

it('resolves old codes to the area of today, once', async () => {
  const { body, headers } = await post('/v1/provinces/search', { codes: ['0604500000', '1804500000', '064500000'] });
  expect(codes(body)).toEqual(['1804500000']);
  expect(headers.get('X-Missing-Codes')).toBeNull();
});
