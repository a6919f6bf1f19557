import { beforeAll, describe, expect, it } from 'vitest';
import { MASTER, workerWith } from '../support/api.ts';
import { bearer, newKey, person } from '../support/people.ts';
import { apart, publish } from '../support/snapshot.ts';

// A server for development that nobody has given what `npm run dev` brings, as a plain `wrangler dev` is.

const NO_DATABASE = { ENVIRONMENT: 'development', DATABASE_URL: undefined };
const NOTHING = {
  ...NO_DATABASE,
  MASTER_TOKEN: undefined,
  SESSION_ISSUER: undefined,
  SESSION_JWKS: undefined,
  SESSION_JWKS_URL: undefined,
  TILE_SESSION_SECRET: undefined,
};
const GEOGRAPHY = ['/v1/regions', '/v1/search?q=naga', '/v1/provinces/0604500000', '/v1/sources'];

function missing(setting: string) {
  const message = `${setting} is not set here: run "npm run dev", which brings a database, its data and all settings.`;
  return { status: 503, body: { code: 'setting_missing', message } };
}

describe('without any setting and data', () => {
  const ask = workerWith({ ...NOTHING, FILES: apart() });

  it('index, version and health answer, and health says what to run', async () => {
    for (const path of ['/', '/version']) expect((await ask(path)).status, path).toBe(200);
    const { message } = missing('DATABASE_URL').body;
    expect(await ask('/healthcheck')).toMatchObject({
      status: 200,
      body: { status: 'degraded', release: null, code: 'setting_missing', message },
    });
  });

  it.each(GEOGRAPHY)('%s says what to run, and nothing of waiting', async (path) => {
    const answer = await ask(path);
    expect(answer).toMatchObject(missing('DATABASE_URL'));
    expect(answer.headers.get('Retry-After')).toBeNull();
  });

  it.each(['/v1/editions', '/v1/changes'])('%s, which needs no database, says what to run', async (path) => {
    const message = expect.stringContaining('"npm run dev"');
    expect(await ask(path)).toMatchObject({ status: 503, body: { code: 'storage_unavailable', message } });
  });

  it('credentials of any kind are not judged', async () => {
    for (const token of ['nonsense', 'svc_sk_live_abc_def', 'e30.e30.AAAA']) {
      expect(await ask('/v1/regions', { headers: bearer(token) })).toMatchObject(missing('MASTER_TOKEN'));
    }
  });
});

describe('without a database, with what is published', () => {
  const bucket = apart();
  const ask = workerWith({ ...NO_DATABASE, FILES: bucket });
  beforeAll(() => publish({ active: true, bucket }));

  it('geography is answered, with boundaries for the master token, and health names the release', async () => {
    for (const path of GEOGRAPHY) expect((await ask(path)).status, path).toBe(200);
    for (const path of ['/v1/provinces?format=geojson', '/v1/geocode/reverse?lat=9.1&lon=120.1']) {
      expect((await ask(path, { headers: MASTER })).status, path).toBe(200);
    }
    expect((await ask('/healthcheck')).body).toMatchObject({ status: 'degraded', release: '2026-3q-1' });
  });

  it('keys, accounts and datasets say what to run', async () => {
    const maria = await person();
    const { key } = await newKey(maria.session);
    for (const headers of [MASTER, maria.session]) {
      expect(await ask('/v1/datasets', { headers })).toMatchObject(missing('DATABASE_URL'));
    }
    expect(await ask('/v1/provinces', { headers: bearer(key) })).toMatchObject(missing('DATABASE_URL'));
  });
});

it('in production everything is refused without a setting', async () => {
  const ask = workerWith({ ...NOTHING, ENVIRONMENT: 'production' });
  expect(await ask('/v1/regions')).toMatchObject({ status: 500, body: { code: 'internal_error' } });
});
