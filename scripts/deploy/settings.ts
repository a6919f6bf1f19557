import { faultsOf } from '../../src/env.ts';

/** Well-formed values in place of secrets, which nobody can read back. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgresql://user:password@ep-name.neon.tech/database',
  MASTER_TOKEN: 'x'.repeat(32),
  TILE_SESSION_SECRET: 'x'.repeat(32),
  SESSION_ISSUER: 'https://identity.example',
  SESSION_JWKS_URL: 'https://identity.example/jwks',
  SESSION_JWKS: '{"keys":[{"kty":"OKP"}]}',
};

/**
 * Checks the settings of an environment with the Worker's schema. Returns a sentence for each that is missing or malformed.
 *
 * @param variables of wrangler.toml
 * @param secrets names of the secrets that are set
 */
export function settingErrors(variables: Readonly<Record<string, unknown>>, secrets: readonly string[]): string[] {
  const placeholders = Object.entries(PLACEHOLDERS).filter(([name]) => secrets.includes(name));
  return faultsOf({ ...variables, ...Object.fromEntries(placeholders) }).map(({ setting, message }) => {
    const isSet = variables[setting] !== undefined || secrets.includes(setting);
    // The rule about SESSION_JWKS_URL also says which setting may be set instead.
    return isSet || message.startsWith('must be set')
      ? `${setting} ${message}.`
      : `${setting} is not set: add it to the variables in wrangler.toml, or as a secret.`;
  });
}
