import { describe, expect, it } from 'vitest';
import { configOf } from '../../src/env.ts';

const SETTINGS = {
  ENVIRONMENT: 'production',
  DATABASE_URL: 'postgresql://user:password@ep-name.neon.tech/database',
  MASTER_TOKEN: 'abcDEF012-._~+/=',
  SESSION_ISSUER: 'https://identity.example',
  SESSION_JWKS_URL: 'https://identity.example/jwks',
  TILE_SESSION_SECRET: 'x'.repeat(32),
};

describe('the configuration', () => {
  it('is accepted where every setting is right', () => {
    expect(configOf({ ...SETTINGS })).toMatchObject(SETTINGS);
  });

  it('limits each account to 600 requests a minute and 2 GiB unless it says otherwise', () => {
    expect(configOf({ ...SETTINGS })).toMatchObject({ ACCOUNT_RPM: 600, ACCOUNT_MAX_BYTES: 2 ** 31 });
    const set = { ...SETTINGS, ACCOUNT_RPM: '20', ACCOUNT_MAX_BYTES: '0' };
    expect(configOf(set)).toMatchObject({ ACCOUNT_RPM: 20, ACCOUNT_MAX_BYTES: 0 });
    for (const wrong of ['0', '-1', '1.5', 'many']) {
      expect(() => configOf({ ...SETTINGS, ACCOUNT_RPM: wrong })).toThrow('ACCOUNT_RPM');
    }
  });

  it.each(['my own master token', 'master-token-ñandú', 'master,token,12345', 'master-token-1234\n'])(
    'is refused with a master token that no header can carry: %j',
    (token) => {
      const configured = () => configOf({ ...SETTINGS, MASTER_TOKEN: token });
      expect(configured).toThrow(/MASTER_TOKEN: must consist of letters, digits and/);
      expect(configured).not.toThrow(token);
    },
  );

  it.each(['http://identity.example/jwks', 'HTTP://identity.example/jwks'])(
    'is refused with session keys from an address without TLS, except in development: %s',
    (url) => {
      for (const ENVIRONMENT of ['production', 'preview']) {
        expect(() => configOf({ ...SETTINGS, ENVIRONMENT, SESSION_JWKS_URL: url })).toThrow(
          'SESSION_JWKS_URL: must be of https',
        );
      }
      const local = { ...SETTINGS, ENVIRONMENT: 'development', SESSION_JWKS_URL: url };
      expect(configOf(local).SESSION_JWKS_URL).toBe(url);
    },
  );
});
