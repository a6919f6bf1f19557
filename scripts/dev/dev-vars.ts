import { randomBytes } from 'node:crypto';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';

export type Vars = Record<string, string>;

/** Secrets that a local server needs and nobody has to choose. */
const GENERATED: Record<string, () => string> = {
  MASTER_TOKEN: () => randomBytes(32).toString('base64url'),
};

/** What the environment of the command can override: the Worker's configuration but for the database. */
const OVERRIDABLE = [
  'ENVIRONMENT',
  'MASTER_TOKEN',
  'SESSION_ISSUER',
  'SESSION_JWKS_URL',
  'SESSION_JWKS',
  'SESSION_AUTHORIZED_PARTIES',
  'IDENTITY_PROVIDER',
  'EMAIL_PROVIDER',
  'IDENTITY_WEBHOOK_SECRET',
  'EMAIL_WEBHOOK_SECRET',
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
export async function completeDevVars(path: string): Promise<Vars> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '# Configuration of the local server, for `npm run dev` and `wrangler dev`.\n';
    throw error;
  });
  const present = parseEnv(text) as Vars;
  const missing = Object.keys(GENERATED).filter((name) => !present[name]);
  if (missing.length > 0) {
    const lines = missing.map((name) => `${name}=${GENERATED[name]?.()}\n`).join('');
    const separator = text === '' || text.endsWith('\n') ? '' : '\n';
    await writeFile(path, `${text}${separator}${lines}`, { mode: 0o600 });
  }
  await chmod(path, 0o600);
  return parseEnv(await readFile(path, 'utf8')) as Vars;
}

/** Configuration that is set in the environment of the command. */
export function overridesIn(environment: NodeJS.ProcessEnv): Vars {
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
