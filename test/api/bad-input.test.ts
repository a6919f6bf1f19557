import { describe, expect, it } from 'vitest';
import { type Body, get, post } from '../support/api.ts';
import { person } from '../support/people.ts';

/** Values that are wrong for every parameter that takes a number, a word or a code. */
const NASTY = [
  '',
  '%20',
  '%00',
  'a%00b',
  '%',
  '%25',
  '_',
  "'",
  '"',
  "'; drop table areas;--",
  '%E0%A4%A',
  '%F0%9F%87%B5%F0%9F%87%AD',
  '-1',
  '0',
  '1.5',
  '1e3',
  '0x1',
  'NaN',
  'Infinity',
  'null',
  'true',
  '[]',
  '{}',
  '../..',
  '\\',
  'a'.repeat(300),
  '9'.repeat(400),
  '٣',
  '１',
];

const LISTS = [
  '/v1/regions',
  '/v1/provinces',
  '/v1/municities?province_code=0702200000',
  '/v1/barangays?municity_code=1380600000',
];
const LEVELS = ['regions', 'provinces', 'municities', 'barangays'];

/** Each of the parameters is refused, and nothing else. */
async function expectRefused(path: string, ...parameters: string[]): Promise<void> {
  const { status, body } = await get(path);
  expect([path, status]).toEqual([path, 422]);
  expect(body).toMatchObject({ success: false, error: { name: 'ZodError' } });
  const refused = Map.groupBy<string, Body>(body.error.issues, (issue) => issue.path[0]);
  expect([path, ...[...refused.keys()].sort()]).toEqual([path, ...parameters.toSorted()]);
  for (const [parameter, issues] of refused) {
    for (const { message } of issues) expect(message.replace(/\.\d+:/, ':')).toContain(`${parameter}: must`);
  }
}

const join = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`;

describe('numbers', () => {
  const wrong = NASTY.filter((value) => !['1'].includes(value));
  it.each(LISTS)('page and limit of %s', async (path) => {
    for (const value of wrong) {
      await expectRefused(join(path, `page=${value}&limit=${value}`), 'page', 'limit');
    }
    await expectRefused(join(path, 'limit=101'), 'limit');
    await expectRefused(join(path, 'page=2147483648'), 'page');
    await expectRefused(join(path, 'page=1&page=2'), 'page');
    await expectRefused(join(path, 'limit=1&limit=2'), 'limit');
  });

  it('limit of searches', async () => {
    for (const value of wrong.filter((value) => !['', 'null'].includes(value))) {
      await expectRefused(`/v1/municities/search?q=naga&limit=${value}`, 'limit');
    }
  });
});

describe('words', () => {
  it.each([...LISTS, '/v1/regions/0700000000', '/v1/provinces/0702200000'])(
    'format, output and geometry of %s',
    async (path) => {
      for (const value of [...NASTY, 'GEOJSON', 'json,geojson'].filter((value) => !['true'].includes(value))) {
        const parameters = ['format', 'output', 'geometry'];
        await expectRefused(join(path, parameters.map((name) => `${name}=${value}`).join('&')), ...parameters);
      }
      await expectRefused(join(path, 'format=json&format=geojson'), 'format');
    },
  );

  it('geometry=true where nothing is nested', async () => {
    await expectRefused('/v1/regions/0700000000?geometry=true', 'geometry');
    await expectRefused('/v1/barangays/1381500029?geometry=true', 'geometry');
    await expectRefused('/v1/provinces?geometry=true', 'geometry');
  });

  it('scope', async () => {
    for (const value of NASTY) await expectRefused(`/v1/municities?province=Cebu&scope=${value}`, 'scope');
  });
});

describe('codes', () => {
  const wrong = NASTY.filter((value) => !/^\d{1,15}$/.test(value));
  it('in paths', async () => {
    for (const level of LEVELS) {
      // An empty segment and dots are other paths.
      for (const value of wrong.filter((value) => value !== '' && !value.includes('..') && value !== '\\')) {
        for (const rest of ['', '/hierarchy']) {
          if (value.includes('/')) continue;
          await expectRefused(`/v1/${level}/${value}${rest}`, 'id');
        }
      }
      await expectRefused(`/v1/${level}/${'1'.repeat(16)}`, 'id');
      await expectRefused(`/v1/${level}/0700000000%2Fhierarchy`, 'id');
    }
  });

  it('in filters', async () => {
    for (const value of wrong) {
      await expectRefused(`/v1/municities?province_code=${value}`, 'province_code');
      await expectRefused(`/v1/barangays?municity_code=${value}`, 'municity_code');
      const both = `municity_code=${value}&province_code=${value}`;
      await expectRefused(`/v1/barangays/search?q=san&${both}`, 'municity_code', 'province_code');
      await expectRefused(`/v1/regions?codes=${value}`, 'codes');
      await expectRefused(`/v1/regions?codes[]=0700000000,${value}`, 'codes[]');
    }
    await expectRefused('/v1/municities?province_code=0702200000&province_code=0701200000', 'province_code');
    await expectRefused(`/v1/regions?codes=${Array(101).fill('0700000000').join(',')}`, 'codes');
  });
});

describe('text', () => {
  const places = [
    ['/v1/regions', 'search'],
    ['/v1/provinces', 'region'],
    ['/v1/municities', 'province'],
    ['/v1/municities', 'region'],
    ['/v1/municities?province=Cebu', 'name'],
    ['/v1/barangays', 'municity'],
    ['/v1/barangays?municity_code=1380600000', 'name'],
    ['/v1/municities/search', 'q'],
    ['/v1/barangays/search', 'q'],
  ] as const;

  it.each(places)('%s?%s takes anything that a name could be, and refuses the rest', async (path, parameter) => {
    for (const value of NASTY) {
      const { status } = await get(join(path, `${parameter}=${value}`));
      expect([200, 422], `${parameter}=${value}`).toContain(status);
    }
    await expectRefused(join(path, `${parameter}=%00`), parameter);
    await expectRefused(join(path, `${parameter}=Ce%00bu`), parameter);
    await expectRefused(join(path, `${parameter}=Ce%0Abu`), parameter);
    await expectRefused(join(path, `${parameter}=${'a'.repeat(257)}`), parameter);
    await expectRefused(join(path, `${parameter}=Cebu&${parameter}=Bohol`), parameter);
  });

  it('q has two characters at least', async () => {
    for (const q of ['a', '%20a', "d'", '--', "''"]) await expectRefused(`/v1/municities/search?q=${q}`, 'q');
    const { status, body } = await get('/v1/municities/search');
    expect(status).toBe(422);
    expect(body.error.issues[0].path).toEqual(['q']);
  });

  it('a parent must not be empty', async () => {
    await expectRefused('/v1/municities?province=', 'province');
    await expectRefused('/v1/barangays?municity=', 'municity');
  });
});

it('says what it got', async () => {
  const { body } = await get('/v1/regions?limit=many');
  expect(body.error.issues).toEqual([
    { code: 'invalid_format', path: ['limit'], message: 'limit: must be an integer from 1 to 100 (got "many")' },
  ]);
});

it('cuts a long value between characters where it says what it got', async () => {
  for (const start of ['', 'a']) {
    const { body } = await get(`/v1/regions?limit=${start}${encodeURIComponent('😀'.repeat(100))}`);
    const { message } = body.error.issues[0];
    expect(message).toContain('😀…)');
    expect(message.isWellFormed()).toBe(true);
  }
});

it.each([
  ['[]', 'body: must be a JSON object (got [])'],
  ['{"name":"x","scopes":"admin"}', 'scopes: must be an array (got "admin")'],
  [
    '{"name":"x","rate_limit_rpm":1e999}',
    'rate_limit_rpm: must be an integer from 1 to 10000, or null for the default of 60 (got a number above 9007199254740991)',
  ],
  ['{"name":-1e999}', 'name: must be text (got a number below -9007199254740991)'],
  ['{"name":"x","nmae":"y"}', 'body: must not have the member "nmae" (got an object)'],
])('says what would be right of %s', async (sent, message) => {
  const { session } = await person();
  const { status, body } = await post('/v1/api-keys', sent, session);
  expect([status, body.error.issues[0].message]).toEqual([422, message]);
});
