import { describe, expect, inject, it } from 'vitest';
import { version } from '../../package.json' with { type: 'json' };
import { get, workerWith } from '../support/api.ts';
import { apart, publish } from '../support/snapshot.ts';

describe.each(['', '/v1'])('with the prefix "%s"', (prefix) => {
  it('greets at the root', async () => {
    const { status, body } = await get(prefix || '/');
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'ok', version, message: 'Philippine Geographic Data Service' });
  });

  it('names the build', async () => {
    const { body } = await get(`${prefix}/version`);
    expect(body).toMatchObject({ version, environment: 'development', name: 'Philippine Geographic Data Service' });
    expect(body.label).toContain(version);
  });

  it('is healthy while the database answers, and says which release it serves', async () => {
    const { status, body, headers } = await get(`${prefix}/healthcheck`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'ok', version, release: '2026-3q-1', preparing: null });
    expect(headers.get('Cache-Control')).toBe('no-store');
  });
});

describe('a server for development that opens its database', () => {
  const DATABASE_URL = inject('faultyDatabases')['is starting'];
  const LOCAL_PROGRESS_URL = `${inject('files')}preparing.json`;
  const preparing = [{ what: 'database', progress: 0.5 }];
  const being = 'The database is not open yet, and nothing that is ready can answer this. Try again in a few seconds.';

  it('is degraded while it answers geography, unavailable before, and says what it prepares', async () => {
    const before = await workerWith({ DATABASE_URL, LOCAL_PROGRESS_URL, FILES: apart() })('/healthcheck');
    expect(before).toMatchObject({ status: 503, body: { status: 'unavailable', release: null, preparing } });
    expect(before.headers.get('Retry-After')).toBe('5');
    const bucket = apart();
    await publish({ active: true, bucket });
    const facts = { release: '2026-3q-1', preparing, code: 'database_unavailable', message: being };
    const after = await workerWith({ DATABASE_URL, LOCAL_PROGRESS_URL, FILES: bucket })('/healthcheck');
    expect(after).toMatchObject({ status: 200, body: { status: 'degraded', ...facts } });
  });

  it('refuses with 503, a time to come back and a sentence that says so', async () => {
    const ask = workerWith({ DATABASE_URL, FILES: apart() });
    for (const path of ['/v1/regions', '/v1/search?q=naga', '/v1/sources', '/healthcheck']) {
      const { status, headers, body } = await ask(path);
      expect([path, status, headers.get('Retry-After'), body.code, body.message]).toEqual([
        path,
        503,
        '5',
        'database_unavailable',
        being,
      ]);
    }
  });

  it('is asked by nobody in production: the setting is refused there', async () => {
    for (const ENVIRONMENT of ['preview', 'production']) {
      const { status } = await workerWith({ ENVIRONMENT, LOCAL_PROGRESS_URL })('/healthcheck');
      expect([ENVIRONMENT, status]).toEqual([ENVIRONMENT, 500]);
    }
    const elsewhere = workerWith({ LOCAL_PROGRESS_URL: 'http://elsewhere.example/' });
    expect((await elsewhere('/healthcheck')).status).toBe(500);
  });

  it('has nothing to prepare where nobody says so', async () => {
    const { status, body } = await workerWith({ LOCAL_PROGRESS_URL: 'http://127.0.0.1:9/' })('/healthcheck');
    expect([status, body.preparing]).toEqual([200, null]);
  });
});
