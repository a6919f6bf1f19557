import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { SETTINGS } from '../../src/env.ts';
import { loadSessionKey, publicKeysOf } from './session-key.ts';

export type Vars = Record<string, string>;

/** The `iss` of sessions that are made on this machine. */
const LOCAL_ISSUER = 'http://127.0.0.1/local-identity-provider';

/**
 * Reads the configuration of the local server from `.dev.vars`, after adding the values there that nobody has to
 * choose. Variables in the environment of the command override it. Creates the key that signs local sessions where it
 * doesn't exist.
 *
 * @param root the repository
 */
export async function loadLocalVars(root: string, environment: NodeJS.ProcessEnv): Promise<Vars> {
  const keys = publicKeysOf(await loadSessionKey(join(root, '.dev.session-key')));
  const vars = await completeDevVars(join(root, '.dev.vars'), (present) => ({
    MASTER_TOKEN: () => randomBytes(32).toString('base64url'),
    TILE_SESSION_SECRET: () => randomBytes(32).toString('base64url'),
    SESSION_ISSUER: () => LOCAL_ISSUER,
    IDENTITY_WEBHOOK_SECRET: signingSecret,
    EMAIL_WEBHOOK_SECRET: signingSecret,
    ...(present.SESSION_JWKS_URL ? {} : { SESSION_JWKS: () => JSON.stringify(keys) }),
  }));
  const overrides = overridesIn(environment);
  // Only one of the two may be set.
  if (overrides.SESSION_JWKS_URL) delete vars.SESSION_JWKS;
  if (overrides.SESSION_JWKS) delete vars.SESSION_JWKS_URL;
  return { ...vars, ...overrides };
}

function signingSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

/** Settings of the Worker that `npm run dev` makes itself. `DATABASE_URL` in its environment is another one. */
const OWN = ['DATABASE_URL', 'LOCAL_SIGN_IN_URL', 'LOCAL_PROGRESS_URL', 'VERSION'];

/** The variables that the environment of the command can override: the Worker's configuration except its own. */
const OVERRIDABLE = SETTINGS.filter((name) => !OWN.includes(name));

/**
 * Creates `.dev.vars`, or adds the values that it lacks, and reads it. Existing values don't change. Only the owner of
 * the file can read it.
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
    // Another command may read it at the same time.
    const draft = `${path}.${randomUUID()}`;
    await writeFile(draft, `${text}${separator}${lines}`, { mode: 0o600 });
    await rename(draft, path);
  }
  await chmod(path, 0o600);
  return parseEnv(await readFile(path, 'utf8')) as Vars;
}

/** The configuration that is set in the environment of the command. */
export function overridesIn(environment: NodeJS.ProcessEnv): Vars {
  const set = OVERRIDABLE.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]]));
  return Object.fromEntries(set);
}

/** Writes an environment file from which wrangler reads exactly these values. Only its owner can read it. */
export async function writeEnvFile(path: string, vars: Vars): Promise<void> {
  const lines = Object.entries(vars).map(([name, value]) => `${name}=${quoted(name, value)}\n`);
  await writeFile(path, lines.join(''), { mode: 0o600 });
  await chmod(path, 0o600);
}

/** Quotes a value so that dotenv reads it literally: with a quote that it doesn't contain, and `$` escaped. */
function quoted(name: string, value: string): string {
  const quote = ["'", '`', '"'].find((mark) => !value.includes(mark));
  if (!quote) throw new Error(`${name} holds all three kinds of quotes, which an environment file can't express.`);
  return `${quote}${value.replaceAll('$', '\\$')}${quote}`;
}
