import { afterEach, expect, it, vi } from 'vitest';
import { pointIn, readPlacesAt } from '../../../pages/explore/point.ts';

afterEach(() => void vi.unstubAllGlobals());

it.each([
  ['10.3, 123.9', 10.3, 123.9],
  ['10.3 123.9', 10.3, 123.9],
  [' 10.3;123.9 ', 10.3, 123.9],
  ['10.3167° N, 123.8907° E', 10.3167, 123.8907],
  ['123.9, 10.3', 10.3, 123.9],
  ['-5, -6', -5, -6],
])('the text %j names a point', (text, lat, lon) => {
  expect(pointIn(text)).toEqual({ lat, lon });
});

it.each(['manila', '0730600000', '10.3', 'Barangay 1, 2', '190, 191', '10, 200', '10.3, 123.9, 5'])(
  'the text %j names none',
  (text) => {
    expect(pointIn(text)).toBeUndefined();
  },
);

it('has the areas at a point, the smallest first', async () => {
  const asked: string[] = [];
  const area = (code: string, more = {}) => ({ code, name: code, ...more });
  const data = {
    ...{ region: area('07'), province: null, host_province: area('0722'), submunicipality: null },
    ...{ municity: area('0730', { type: 'City', city_class: 'HUC' }), barangay: null },
  };
  vi.stubGlobal('sessionStorage', { getItem: () => null });
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(String(url));
    return Response.json({ data, error: null });
  });
  const { signal } = new AbortController();
  const found = await readPlacesAt({ lat: 10.3, lon: 123.9 }, { edition: '2024-2q', signal });
  expect(asked).toEqual([expect.stringMatching(/\/v1\/geocode\/reverse\?lat=10\.3&lon=123\.9&edition=2024-2q$/)]);
  expect(found).toEqual([
    { place: { level: 'municity', code: '0730' }, name: '0730', about: 'Highly urbanized city' },
    { place: { level: 'province', code: '0722' }, name: '0722', about: 'Province' },
    { place: { level: 'region', code: '07' }, name: '07', about: 'Region' },
  ]);
});
