import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { faultsOf, SETTINGS } from '../../src/env.ts';
import type { S3Location } from '../../src/own-server/s3.ts';
import { accountOf, bucketOf } from '../backup/s3.ts';
import { requirePostgresUrl } from '../database/postgres-url.ts';
import { portFrom } from '../dev/port.ts';
import { makeDirectory } from '../dev/settings.ts';
import { type Proxies, proxiesFrom } from './addresses.ts';

/** The settings of `npm start`. Paths are absolute. */
export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** How many connections to the database may be open. */
  readonly connections: number;
  readonly proxies: Proxies;
  /** The bucket's URL, `s3://…`, and its location with credentials; undefined if it is on disk. */
  readonly s3: { readonly url: string; readonly location: S3Location } | undefined;
  /** The configuration of the Worker, except what the server decides. */
  readonly vars: Readonly<Record<string, string>>;
}

/** Settings of the Worker that the server sets. The `DATABASE_URL` of the environment is the server's, not the Worker's. */
const SET_BY_SERVER = ['DATABASE_URL', 'LOCAL_SIGN_IN_URL', 'LOCAL_PROGRESS_URL', 'COMMIT', 'BUILT_AT', 'VERSION'];

/** An address like the one that the Worker gets, for `faultsOf` to check. */
const LOCAL_DATABASE = 'postgresql://local:secret@127.0.0.1/postgres';

/** Settings whose values are not shown. */
const SECRET = /SECRET|TOKEN|DATABASE|JWKS$/;

/**
 * Reads all settings from the environment, and checks what can be checked without asking anybody. Creates the data directory.
 *
 * @param root the repository
 * @throws Error that names every setting that is wrong, and no secret
 */
export async function readSettings(root: string, environment: NodeJS.ProcessEnv): Promise<Settings> {
  const names = SETTINGS.filter((name) => !SET_BY_SERVER.includes(name) && environment[name]);
  const vars = {
    ENVIRONMENT: 'production',
    ...Object.fromEntries(names.map((name) => [name, environment[name] as string])),
  };
  const faults = faultsOf({ ...vars, DATABASE_URL: LOCAL_DATABASE }).map(({ setting, message }) => {
    const value = environment[setting];
    if (!value) return `${setting} is not set: it ${message.startsWith('must') ? message : 'is required'}`;
    return `${setting} ${message}${SECRET.test(setting) ? '' : `, not ${JSON.stringify(value)}`}`;
  });
  if (vars.ENVIRONMENT === 'development') faults.push('ENVIRONMENT must be production or preview, not "development"');
  const read = <T>(one: () => T): T | undefined => {
    try {
      return one();
    } catch (error) {
      faults.push((error as Error).message.replace(/\.$/, ''));
      return undefined;
    }
  };
  const settings = {
    host: read(() => hostFrom(environment.HOST)),
    port: read(() => portFrom(environment.PORT)),
    databaseUrl: read(() => databaseUrlFrom(environment.DATABASE_URL)),
    connections: read(() => connectionsFrom(environment.DATABASE_CONNECTIONS)),
    proxies: read(() => proxiesFrom(environment.TRUSTED_PROXIES ?? '127.0.0.0/8, ::1')),
    s3: read(() => s3From(environment)),
  };
  if (faults.length > 0) throw new Error(`${faults.join(';\n')}.`);
  const dataDir = resolve(root, environment.DATA_DIR || '.data');
  await makeDirectory(dataDir);
  return { ...(settings as Required<typeof settings>), dataDir, vars } as Settings;
}

function hostFrom(given = ''): string {
  if (given === '' || isIP(given) !== 0) return given || '127.0.0.1';
  throw new Error(`HOST must be the address to listen on, such as 127.0.0.1 or 0.0.0.0 (got ${given})`);
}

function databaseUrlFrom(given: string | undefined): string {
  if (!given) throw new Error('DATABASE_URL is not set: it must be postgres://user:password@host:5432/database');
  requirePostgresUrl(given);
  return given;
}

function connectionsFrom(given: string | undefined): number {
  const connections = Number(given || 10);
  if (Number.isInteger(connections) && connections >= 1 && connections <= 1000) return connections;
  throw new Error(`DATABASE_CONNECTIONS must be a whole number from 1 to 1000 (got ${given})`);
}

function s3From({ BUCKET: url, ...environment }: NodeJS.ProcessEnv): Settings['s3'] {
  if (!url) return undefined;
  try {
    return { url, location: { ...bucketOf(url), ...accountOf(environment, 'BUCKET_') } };
  } catch (error) {
    throw new Error(`BUCKET: ${(error as Error).message}`);
  }
}
