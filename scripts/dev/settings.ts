import { mkdir, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { faultsOf } from '../../src/env.ts';
import { withClient } from '../database/client.ts';
import { unreachable } from '../database/failure.ts';
import { requirePostgresUrl } from '../database/postgres-url.ts';
import { loadLocalVars, overridesIn, type Vars } from './dev-vars.ts';
import { portFrom, requireFreePort } from './port.ts';

/** The settings of `npm run dev`. Paths are absolute. */
export interface Settings {
  port: number;
  dataDir: string;
  boundariesDir: string | undefined;
  /** The database to use in place of the embedded one. */
  databaseUrl: string | undefined;
  /** The configuration of the Worker, except what the local server decides. */
  vars: Vars;
}

/** The endpoint that the local server puts in front of a database has such an address. */
const LOCAL_DATABASE = 'postgresql://postgres:postgres@127.0.0.1/postgres';

/**
 * Reads all settings and checks everything about them that can be wrong, so that nothing is started with them that
 * would fail later. Creates the data directory.
 *
 * @param root the repository
 * @throws Error in one sentence that names the setting, and no secret
 */
export async function readSettings(root: string, environment: NodeJS.ProcessEnv): Promise<Settings> {
  const port = portFrom(environment.PORT);
  const boundariesDir = environment.BOUNDARIES_DIR ? resolve(root, environment.BOUNDARIES_DIR) : undefined;
  if (boundariesDir !== undefined && !(await stat(boundariesDir).catch(() => undefined))) {
    throw new Error(`BOUNDARIES_DIR names ${boundariesDir}, which does not exist.`);
  }
  const databaseUrl = environment.DATABASE_URL || undefined;
  if (databaseUrl !== undefined) requirePostgresUrl(databaseUrl);
  const vars = await loadLocalVars(root, environment);
  requireConfiguration(vars, { environment, databaseUrl });
  await requireFreePort(port);
  const dataDir = resolve(root, environment.DATA_DIR || '.data');
  await makeDirectory(dataDir);
  if (databaseUrl !== undefined) await requireDatabase(databaseUrl);
  return { port, dataDir, boundariesDir, databaseUrl, vars };
}

/** Whether the driver of the Worker connects to a database directly. */
export function isOfNeon(databaseUrl: string): boolean {
  return new URL(databaseUrl).hostname.endsWith('.neon.tech');
}

interface GivenSettings {
  environment: NodeJS.ProcessEnv;
  databaseUrl: string | undefined;
}

/** Asks the Worker's own rules. @throws Error that names every setting that they refuse */
function requireConfiguration(vars: Vars, { environment, databaseUrl }: GivenSettings): void {
  const ofWorker = databaseUrl !== undefined && isOfNeon(databaseUrl) ? databaseUrl : LOCAL_DATABASE;
  // wrangler.toml says the environment of the local server.
  const faults = faultsOf({ ENVIRONMENT: 'development', ...vars, DATABASE_URL: ofWorker });
  if (faults.length === 0) return;
  const inEnvironment: NodeJS.ProcessEnv = { ...overridesIn(environment), DATABASE_URL: databaseUrl };
  const messages = faults.map(({ setting, message }) => {
    const source = inEnvironment[setting] === undefined ? '.dev.vars' : 'the environment';
    const value = SECRET.test(setting) ? undefined : vars[setting];
    return `${setting} ${message}${value === undefined ? '' : `, not ${JSON.stringify(value)}`} (it is set in ${source})`;
  });
  throw new Error(`${messages.join('; ')}.`);
}

/** Matches the settings whose values are not shown. */
const SECRET = /SECRET|TOKEN|DATABASE|JWKS$/;

export async function makeDirectory(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new Error(`DATA_DIR can't be ${dataDir}: ${NO_DIRECTORY[code] ?? `it can't be created (${code})`}.`);
  }
}

/** Why a directory can't be created, by the error code of Node. */
const NO_DIRECTORY: Record<string, string> = {
  EEXIST: 'that is a file',
  ENOTDIR: 'a part of that path is a file',
  EACCES: 'this user may not write there',
  EROFS: 'nobody can write there',
};

/** @throws Error if nobody answers, or where the server has no PostGIS */
async function requireDatabase(databaseUrl: string): Promise<void> {
  const hasPostgis = await withClient(databaseUrl, async (client) => {
    const { rowCount } = await client.query(`select from pg_available_extensions where name = 'postgis'`);
    return rowCount === 1;
  }).catch((error) => {
    throw new Error(unreachable(error));
  });
  if (!hasPostgis) throw new Error(unreachable(new Error('its server has no PostGIS')));
}
