import { faultsOf } from '../../src/env.ts';

/** Values that are well formed, in place of secrets, which nobody can read back. */
const STAND_INS: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgresql://user:password@ep-name.neon.tech/database',
  MASTER_TOKEN: 'x'.repeat(32),
  TILE_SESSION_SECRET: 'x'.repeat(32),
  SESSION_ISSUER: 'https://identity.example',
  SESSION_JWKS_URL: 'https://identity.example/jwks',
  SESSION_JWKS: '{"keys":[{"kty":"OKP"}]}',
};

/**
 * What an environment lacks or has wrong, in sentences, by the Worker's own rules.
 *
 * @param variables of wrangler.toml
 * @param secrets the names of those that are set
 */
export function settingFaults(variables: Readonly<Record<string, unknown>>, secrets: readonly string[]): string[] {
  const standIns = Object.entries(STAND_INS).filter(([name]) => secrets.includes(name));
  return faultsOf({ ...variables, ...Object.fromEntries(standIns) }).map(({ setting, message }) => {
    const isSet = variables[setting] !== undefined || secrets.includes(setting);
    return isSet
      ? `${setting} ${message}.`
      : `${setting} is not set: add it to the variables in wrangler.toml, or as a secret.`;
  });
}
