import { exports } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { type Answer, api, get, MASTER, ORIGIN, undeclared, workerWith } from '../support/api.ts';
import { linesOf } from '../support/log-lines.ts';

describe('every answer', () => {
  it('has a request id of the service’s own; the log has the caller’s beside it, where it is a sound one', async () => {
    const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const sent = [undefined, 'mine-1234', 'mine-1234', '<script>', 'x'.repeat(256)];
    const answers: Answer[] = [];
    for (const id of sent) answers.push(await get('/version', id ? { 'X-Request-Id': id } : {}));
    answers.push(await undeclared('/nowhere'));
    const ids = answers.map(({ headers }) => headers.get('X-Request-Id'));
    const lines = linesOf(printed, answers);
    printed.mockRestore();
    expect(new Set(ids).size).toBe(6);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(lines.map(({ request_id: id }) => id)).toEqual(ids);
    const noted = [undefined, 'mine-1234', 'mine-1234', undefined, undefined, undefined];
    expect(lines.map(({ client_request_id: id }) => id)).toEqual(noted);
  });

  it('asks for HTTPS from now on where it came by it, and not where it did not', async () => {
    const headersOf = async (url: string, init: RequestInit = {}) => {
      const response = await exports.default.fetch(new Request(url, init));
      await response.body?.cancel();
      return response.headers.get('Strict-Transport-Security');
    };
    for (const [path, init] of [
      ['/version'],
      ['/nowhere'],
      ['/v1/regions', { method: 'OPTIONS' }],
      ['/v1/regions?limit=0'],
    ] as const) {
      expect([path, await headersOf(`https://geo.example${path}`, init)]).toEqual([path, 'max-age=31536000']);
      expect([path, await headersOf(`http://geo.example${path}`, init)]).toEqual([path, null]);
    }
  });

  it('to an address that is too long is an error like others', async () => {
    const longest = (more: string) => `/version?${'x'.repeat(16 * 1024 - ORIGIN.length - '/version?'.length)}${more}`;
    expect((await get(longest(''))).status).toBe(200);
    for (const answer of [await get(longest('x')), await undeclared(`/nowhere/${'x'.repeat(20_000)}`)]) {
      expect([answer.status, answer.body.code]).toEqual([414, 'address_too_long']);
      expect(answer.body.message).toMatch(/at most 16384 characters \(got \d+\)/);
      expect(answer.headers.get('Cache-Control')).toBe('no-store');
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(answer.headers.get('X-Request-Id')).toBeTruthy();
    }
  });

  it('may be read by scripts of any origin, with the headers that they need', async () => {
    const { headers } = await get('/v1/regions', { Origin: 'https://elsewhere.example' });
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(headers.get('Access-Control-Allow-Credentials')).toBeNull();
    for (const name of ['ETag', 'X-Request-Id', 'X-Data-Release', 'RateLimit', 'Content-Range', 'X-Missing-Codes']) {
      expect(headers.get('Access-Control-Expose-Headers')).toContain(name);
    }
    // The name of an export's file.
    expect(headers.get('Access-Control-Expose-Headers')).toContain('Content-Disposition');
    const preflight = await api('/v1/regions/search', {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://elsewhere.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('Access-Control-Allow-Headers')).toContain('Authorization');
  });
});

it.each([
  ['GET', '/', api],
  ['GET', '/v1/regions', api],
  ['HEAD', '/v1/regions', api],
  ['GET', '/v1/regions?format=geojson', api],
  ['GET', '/openapi.json', undeclared],
  ['GET', '/nowhere', undeclared],
  ['DELETE', '/v1/regions', undeclared],
  ['OPTIONS', '/v1/regions', api],
  ['GET', '/dashboard/sign-in', undeclared],
])('%s %s has the header that keeps browsers from guessing its type', async (method, path, ask) => {
  const { headers } = await ask(path, { method });
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
});

describe('what is not there', () => {
  it.each(['/nowhere', '/v1/nowhere', '/v1/regions/', '/v2/regions', '/v1/regions/0700000000/children'])(
    '%s is 404 route_not_found',
    async (path) => {
      const { status, body } = await undeclared(path);
      expect([status, body.code]).toEqual([404, 'route_not_found']);
    },
  );

  it.each([
    ['DELETE', '/v1/regions', 'GET, HEAD, OPTIONS'],
    ['POST', '/v1/regions/0700000000', 'GET, HEAD, OPTIONS'],
    ['PUT', '/v1/municities/search', 'GET, HEAD, POST, OPTIONS'],
    ['POST', '/', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/openapi.json', 'GET, HEAD, OPTIONS'],
    ['GET', '/v1/tiles/sessions', 'POST, OPTIONS'],
  ])('%s %s is 405 with what is allowed', async (method, path, allow) => {
    const { status, body, headers } = await undeclared(path, { method });
    expect([status, body.code]).toEqual([405, 'method_not_allowed']);
    expect(new Set(headers.get('Allow')?.split(', '))).toEqual(new Set(allow.split(', ')));
  });

  it('answers HEAD as GET, without the body', async () => {
    const { status, headers, text } = await api('/v1/regions', { method: 'HEAD' });
    expect([status, text]).toEqual([200, '']);
    expect(headers.get('ETag')).toBe((await get('/v1/regions')).headers.get('ETag'));
  });
});

describe('conditional requests', () => {
  const paths = [
    '/v1/regions',
    '/v1/provinces/0604500000',
    '/v1/municities?province=Cebu&page=2',
    '/v1/municities/search?q=naga',
    '/v1/barangays/1380300003/hierarchy',
  ];

  it.each(paths)('%s has a strong validator, and is 304 for a client that has it', async (path) => {
    const first = await get(path);
    const etag = first.headers.get('ETag') ?? '';
    expect(etag).toMatch(/^"2026-3q-1-[0-9a-f]+\.[0-9a-f]{8}"$/);
    expect(first.headers.get('X-Data-Release')).toBe('2026-3q-1');
    expect(first.headers.get('Cache-Control')).toMatch(/^public, max-age=\d+$/);
    const older = etag.replace('2026-3q-1', '2024-1q-1');
    for (const held of [etag, `W/${etag}`, `"other", ${etag}`, `${older}, ${etag}`, `${etag}, ${older}`, '*']) {
      const again = await get(path, { 'If-None-Match': held });
      expect([held, again.status, again.text]).toEqual([held, 304, '']);
      for (const name of ['ETag', 'Cache-Control', 'Content-Location', 'Vary', 'X-Data-Release']) {
        expect(again.headers.get(name), name).toBe(first.headers.get(name));
      }
    }
    for (const other of ['"other"', etag.replace('2026-3q-1', '2024-1q-1'), etag.slice(0, -2), 'garbage', '"']) {
      expect([other, (await get(path, { 'If-None-Match': other })).status]).toEqual([other, 200]);
    }
  });

  it('have another entity tag for every build: what an older one has answered is sent again', async () => {
    const [older, newer] = ['1', '2'].map((build) => workerWith({ COMMIT: build.repeat(40) })) as [
      typeof api,
      typeof api,
    ];
    for (const path of paths) {
      const etag = (await older(path)).headers.get('ETag') as string;
      const headers = { 'If-None-Match': etag };
      expect([(await older(path, { headers })).status, (await newer(path, { headers })).status]).toEqual([304, 200]);
    }
  });

  it('have another entity tag for every address', async () => {
    const tags = await Promise.all(paths.map(async (path) => (await get(path)).headers.get('ETag')));
    expect(new Set(tags).size).toBe(paths.length);
  });

  it('are 404, not 304, for an area that does not exist', async () => {
    const etag = (await get('/v1/regions')).headers.get('ETag') as string;
    for (const held of [etag, '*'])
      expect((await get('/v1/regions/9900000000', { 'If-None-Match': held })).status).toBe(404);
  });

  it('are private behind credentials', async () => {
    const { headers } = await get('/v1/regions', MASTER);
    expect(headers.get('Cache-Control')).toMatch(/^private/);
    expect(headers.get('Vary')).toContain('Authorization');
  });

  it('errors are not stored, and say which release they are about', async () => {
    const { headers } = await get('/v1/regions/9900000000');
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('ETag')).toBeNull();
    expect(headers.get('X-Data-Release')).toBe('2026-3q-1');
  });
});

describe('credentials', () => {
  it.each([
    ['/v1/regions?format=geojson'],
    ['/v1/regions?output=geojson'],
    ['/v1/regions?geometry=simple'],
    ['/v1/provinces/0702200000?geometry=true'],
    ['/v1/municities/0730600000?geometry=detailed&format=json'],
    ['/v1/barangays?municity_code=1380600000&format=geojson'],
  ])('%s needs them', async (path) => {
    const { status, body } = await get(path);
    expect([status, body.code]).toEqual([401, 'authentication_required']);
  });

  it.each([
    ['another token', 'Bearer wrong', 'invalid_token'],
    ['more than the token', `${MASTER.Authorization}x`, 'invalid_token'],
    ['no token', 'Bearer', 'invalid_authorization_header'],
    ['spaces for a token', 'bearer  ', 'invalid_authorization_header'],
    ['two tokens', 'Bearer a b', 'invalid_authorization_header'],
    ['two headers', `${MASTER.Authorization}, ${MASTER.Authorization}`, 'invalid_authorization_header'],
    ['9,000 characters', `Bearer ${'x'.repeat(9000)}`, 'invalid_authorization_header'],
    ['another scheme', 'Basic dGVzdA==', 'unsupported_auth_scheme'],
    ['no scheme', MASTER.Authorization.slice(7), 'unsupported_auth_scheme'],
  ])('%s is 401, also where none are needed', async (_, authorization, code) => {
    const { status, body, headers } = await get('/v1/regions', { Authorization: authorization });
    expect([status, body.code]).toEqual([401, code]);
    expect(headers.get('WWW-Authenticate')).toContain('invalid_token');
  });

  it('of the master are accepted everywhere, in any case of the scheme', async () => {
    expect((await get('/v1/regions?format=geojson', MASTER)).status).toBe(200);
    expect((await get('/v1/regions', { Authorization: MASTER.Authorization.replace('Bearer', 'bearer') })).status).toBe(
      200,
    );
  });
});

it('marks the use of output as deprecated, and prefers format', async () => {
  const { headers, body } = await get('/v1/regions?output=geojson&format=json');
  expect(headers.get('Deprecation')).toBe('@1767225600');
  expect(body.data).toHaveLength(10);
  expect((await get('/v1/regions?format=json')).headers.get('Deprecation')).toBeNull();
});

it.each(['X-Forwarded-Host', 'Forwarded', 'X-Original-Host'])(
  'takes no address for its links from %s',
  async (name) => {
    const { body } = await get('/v1/regions?limit=1', { [name]: 'host=evil.example' });
    expect(body.meta.links.next.startsWith(ORIGIN)).toBe(true);
  },
);

describe('configuration', () => {
  it.each(['DATABASE_URL', 'MASTER_TOKEN', 'ENVIRONMENT'])(
    'without %s nothing is served, and the caller is not told why',
    async (name) => {
      const production = { ENVIRONMENT: 'production', [name]: undefined };
      const { status, body, text } = await workerWith(production)('/v1/regions');
      expect([status, body.code]).toEqual([500, 'internal_error']);
      expect(text).not.toContain(name);
    },
  );
});
