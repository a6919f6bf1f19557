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

const NEEDED_BY_SOME = [
  ...(['DATABASE_URL', 'MASTER_TOKEN', 'SESSION_ISSUER', 'SESSION_JWKS_URL', 'TILE_SESSION_SECRET'] as const),
];

/** What the Worker reads of them. */
const READ = {
  ...SETTINGS,
  MASTER_TOKEN: [SETTINGS.MASTER_TOKEN],
  TILE_SESSION_SECRET: [SETTINGS.TILE_SESSION_SECRET],
};

describe('the configuration', () => {
  it('is accepted where every setting is right', () => {
    expect(configOf({ ...SETTINGS })).toMatchObject(READ);
  });

  it('takes the new and the old one of a secret that is being replaced, and no third', () => {
    const [next, old] = ['the-next-master-token', SETTINGS.MASTER_TOKEN];
    expect(configOf({ ...SETTINGS, MASTER_TOKEN: `${next},${old}` }).MASTER_TOKEN).toEqual([next, old]);
    const configured = (MASTER_TOKEN: string) => () => configOf({ ...SETTINGS, MASTER_TOKEN });
    expect(configured(`${next},${old},${old}`)).toThrow(
      /MASTER_TOKEN: must be one or, while it is replaced, the new one/,
    );
    expect(configured(`${next},short`)).toThrow('MASTER_TOKEN: must have at least 16 characters');
    const halves = `${'x'.repeat(20)},${'y'.repeat(20)}`;
    expect(() => configOf({ ...SETTINGS, TILE_SESSION_SECRET: halves })).toThrow(
      /TILE_SESSION_SECRET: .* 32 characters/,
    );
  });

  it('limits each account to 600 requests a minute and 2 GiB unless it says otherwise', () => {
    expect(configOf({ ...SETTINGS })).toMatchObject({ ACCOUNT_RPM: 600, ACCOUNT_MAX_BYTES: 2 ** 31 });
    const set = { ...SETTINGS, ACCOUNT_RPM: '20', ACCOUNT_MAX_BYTES: '0' };
    expect(configOf(set)).toMatchObject({ ACCOUNT_RPM: 20, ACCOUNT_MAX_BYTES: 0 });
    for (const wrong of ['0', '-1', '1.5', 'many']) {
      expect(() => configOf({ ...SETTINGS, ACCOUNT_RPM: wrong })).toThrow('ACCOUNT_RPM');
    }
  });

  it.each([
    'my own master token',
    'master-token-ñandú',
    'master-token-1234, old-token-12345678',
    'master-token-1234\n',
  ])('is refused with a master token that no header can carry: %j', (token) => {
    const configured = () => configOf({ ...SETTINGS, MASTER_TOKEN: token });
    expect(configured).toThrow(/MASTER_TOKEN: must consist of letters, digits and/);
    expect(configured).not.toThrow(token);
  });

  it.each(['production', 'preview'])(
    'is refused in %s without what some requests need, each by its name',
    (ENVIRONMENT) => {
      const configured = () => configOf({ ENVIRONMENT });
      for (const name of NEEDED_BY_SOME.filter((it) => it !== 'SESSION_JWKS_URL')) {
        expect(configured).toThrow(`${name}: `);
      }
      const { SESSION_JWKS_URL: _, ...others } = SETTINGS;
      expect(() => configOf({ ...others, ENVIRONMENT })).toThrow('SESSION_JWKS_URL: must be set');
    },
  );

  it('may lack it in development, where whoever needs it is told what to run', () => {
    const config = configOf({ ENVIRONMENT: 'development' });
    expect(config.FREE_TIER_RPM).toBe(30);
    for (const name of NEEDED_BY_SOME) {
      expect(() => config[name]).toThrow(`${name} is not set here: run "npm run dev", which brings a database`);
    }
    expect(configOf({ ...SETTINGS, ENVIRONMENT: 'development' })).toMatchObject({
      ...READ,
      ENVIRONMENT: 'development',
    });
  });

  it('is refused in development where a setting is malformed, or both kinds of session keys are set', () => {
    const configured = (settings: object) => () => configOf({ ENVIRONMENT: 'development', ...settings });
    expect(configured({ MASTER_TOKEN: 'short' })).toThrow('MASTER_TOKEN: must have at least 16 characters');
    expect(configured({ DATABASE_URL: 'postgres://a:b@elsewhere/x' })).toThrow('DATABASE_URL: must name a Neon host');
    const keys = { SESSION_JWKS: '{"keys":[{"kty":"OKP"}]}', SESSION_JWKS_URL: SETTINGS.SESSION_JWKS_URL };
    expect(configured(keys)).toThrow('SESSION_JWKS_URL: must be set, or SESSION_JWKS instead of it, and not both');
  });

  it('has the value sets of PH Core, each of which may have another address', () => {
    const sets = configOf({ ...SETTINGS }).FHIR_VALUE_SETS;
    expect(sets.cities).toBe('https://fhir.doh.gov.ph/phcore/ValueSet/cities');
    const FHIR_VALUE_SETS = 'regions=urn:example:regions, cities=https://a.example/ValueSet?a=b';
    expect(configOf({ ...SETTINGS, FHIR_VALUE_SETS }).FHIR_VALUE_SETS).toEqual({
      ...sets,
      regions: 'urn:example:regions',
      cities: 'https://a.example/ValueSet?a=b',
    });
    for (const wrong of ['towns=urn:a', 'regions', 'regions=a b', 'regions=urn:a|1', 'regions=urn:a,cities=urn:a']) {
      expect(() => configOf({ ...SETTINGS, FHIR_VALUE_SETS: wrong })).toThrow('FHIR_VALUE_SETS: must be');
    }
  });

  it('has a grace for deleted accounts, which may be none', () => {
    expect(configOf({ ...SETTINGS }).ERASURE_GRACE_DAYS).toBe(30);
    expect(configOf({ ...SETTINGS, ERASURE_GRACE_DAYS: '0' }).ERASURE_GRACE_DAYS).toBe(0);
    expect(() => configOf({ ...SETTINGS, ERASURE_GRACE_DAYS: '-1' })).toThrow(
      'ERASURE_GRACE_DAYS: must be a whole number',
    );
  });

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
