import { describe, expect, it } from 'vitest';
import { version } from '../../package.json' with { type: 'json' };
import { get } from '../support/api.ts';

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
    expect(body).toMatchObject({ status: 'ok', version, release: '2025-2q-1' });
    expect(headers.get('Cache-Control')).toBe('no-store');
  });
});
