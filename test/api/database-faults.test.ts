import { describe, expect, inject, it, vi } from 'vitest';
import { MASTER, workerWith } from '../support/api.ts';
import { some } from '../support/some.ts';

const FAULTS = inject('faultyDatabases');

/** Every deadline that the Worker sets is set through this. */
const limits = vi.spyOn(AbortSignal, 'timeout');

const PATHS = [
  '/v1/regions',
  '/v1/provinces/0702200000',
  '/v1/municities?province=Cebu',
  '/v1/municities/search?q=naga',
  '/v1/barangays/1381500029/hierarchy',
];

describe.concurrent.each(some(Object.entries(FAULTS)))('when the database %s', (_, url) => {
  const ask = workerWith({ DATABASE_URL: url });

  it('geography is 503 within five seconds, with nothing internal', async () => {
    const answers = await Promise.all([
      ...PATHS.map(async (path) => {
        const started = Date.now();
        return { ...(await ask(path)), elapsed: Date.now() - started };
      }),
      (async () => {
        const started = Date.now();
        const init = {
          method: 'POST',
          headers: { ...MASTER, 'Content-Type': 'application/json' },
          body: '{"codes":["1"]}',
        };
        return { ...(await ask('/v1/municities/search', init)), elapsed: Date.now() - started };
      })(),
    ]);
    expect(limits.mock.calls.length).toBeGreaterThan(0);
    expect(Math.max(...limits.mock.calls.flat())).toBeLessThan(5000);
    for (const { status, body, headers, text, elapsed } of answers) {
      expect(status).toBe(503);
      expect(['database_unavailable', 'database_timeout']).toContain(body.code);
      expect(headers.get('Retry-After')).toBe('5');
      // A second attempt would end after eight seconds at the earliest.
      expect(elapsed).toBeLessThan(8000);
      expect(text).not.toMatch(/secret|password|select|127\.0\.0\.1|neon/i);
    }
  });

  it('the health check is 503, and the index is 200', async () => {
    const health = await ask('/healthcheck');
    expect(health.status).toBe(503);
    expect(health.body.status).toBe('unavailable');
    expect((await ask('/')).status).toBe(200);
  });
});

describe('configuration', () => {
  it.each(['DATABASE_URL', 'MASTER_TOKEN', 'ENVIRONMENT'])(
    'without %s nothing is served, and the caller is not told why',
    async (name) => {
      const { status, body, text } = await workerWith({ [name]: undefined })('/v1/regions');
      expect([status, body.code]).toEqual([500, 'internal_error']);
      expect(text).not.toContain(name);
    },
  );
});
