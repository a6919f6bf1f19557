import { randomBytes } from 'node:crypto';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { publicKeys, sessionKey } from './session-key.ts';

export type Vars = Record<string, string>;

/** The `iss` of sessions that are made on this machine. */
const LOCAL_ISSUER = 'http://127.0.0.1/local-identity-provider';

/**
 * The configuration of the local server: `.dev.vars`, completed with what nobody has to choose, under what the
 * environment of the command sets. Makes the key that local sessions are signed with where there is none.
 *
 * @param root the repository
 */
export async function localVars(root: string, environment: NodeJS.ProcessEnv): Promise<Vars> {
  const keys = publicKeys(await sessionKey(join(root, '.dev.session-key')));
  const vars = await completeDevVars(join(root, '.dev.vars'), (present) => ({
    MASTER_TOKEN: () => randomBytes(32).toString('base64url'),
    TILE_SESSION_SECRET: () => randomBytes(32).toString('base64url'),
    SESSION_ISSUER: () => LOCAL_ISSUER,
    IDENTITY_WEBHOOK_SECRET: signingSecret,
    EMAIL_WEBHOOK_SECRET: signingSecret,
    ...(present.SESSION_JWKS_URL ? {} : { SESSION_JWKS: () => JSON.stringify(keys) }),
  }));
  const overrides = overridesIn(environment);
  // One takes the place of the other.
  if (overrides.SESSION_JWKS_URL) delete vars.SESSION_JWKS;
  if (overrides.SESSION_JWKS) delete vars.SESSION_JWKS_URL;
  return { ...vars, ...overrides };
}

function signingSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

/** What the environment of the command can override: the Worker's configuration but for the database. */
const OVERRIDABLE = [
  'ENVIRONMENT',
  'MASTER_TOKEN',
  'SESSION_ISSUER',
  'SESSION_JWKS_URL',
  'SESSION_JWKS',
  'SESSION_AUTHORIZED_PARTIES',
  'IDENTITY_PUBLISHABLE_KEY',
  'IDENTITY_PROVIDER',
  'EMAIL_PROVIDER',
  'IDENTITY_WEBHOOK_SECRET',
  'EMAIL_WEBHOOK_SECRET',
  'WEBHOOK_BODY_RETENTION_DAYS',
  'AUDIT_RETENTION_DAYS',
  'TILE_SESSION_SECRET',
  'FREE_TIER_RPM',
  'UPLOAD_MAX_BYTES',
  'COMMIT',
  'BUILT_AT',
];

/**
 * Reads `.dev.vars`, after it has been written or completed with the secrets that it lacks. What is in it stays as it
 * is; only its owner can read it.
 */
async function completeDevVars(
  path: string,
  generated: (present: Vars) => Record<string, () => string>,
): Promise<Vars> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '# Configuration of the local server, for `npm run dev` and `wrangler dev`.\n';
    throw error;
  });
  const present = parseEnv(text) as Vars;
  const missing = Object.entries(generated(present)).filter(([name]) => !present[name]);
  if (missing.length > 0) {
    const lines = missing.map(([name, make]) => `${name}=${quoted(name, make())}\n`).join('');
    const separator = text === '' || text.endsWith('\n') ? '' : '\n';
    await writeFile(path, `${text}${separator}${lines}`, { mode: 0o600 });
  }
  await chmod(path, 0o600);
  return parseEnv(await readFile(path, 'utf8')) as Vars;
}

/** Configuration that is set in the environment of the command. */
function overridesIn(environment: NodeJS.ProcessEnv): Vars {
  const set = OVERRIDABLE.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]]));
  return Object.fromEntries(set);
}

/** Writes an environment file for wrangler that reads back as exactly these values. Only its owner can read it. */
export async function writeEnvFile(path: string, vars: Vars): Promise<void> {
  const lines = Object.entries(vars).map(([name, value]) => `${name}=${quoted(name, value)}\n`);
  await writeFile(path, lines.join(''), { mode: 0o600 });
  await chmod(path, 0o600);
}

/** A value as dotenv takes it literally: between quotes that it doesn't hold, and with no variable to expand. */
function quoted(name: string, value: string): string {
  const quote = ["'", '`', '"'].find((mark) => !value.includes(mark));
  if (!quote) throw new Error(`${name} holds all three kinds of quotes, which an environment file can't express.`);
  return `${quote}${value.replaceAll('$', '\\$')}${quote}`;
}
