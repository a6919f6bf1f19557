import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { openEmbedded } from '../database/embedded.ts';
import { CONNECT_PATIENCE_MS, migrate } from '../database/migrate.ts';
import { requirePostgresUrl } from '../database/postgres-url.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** For the usage texts of commands that work on `withDatabase`. */
export const WHICH_DATABASE = `The database is the one that DATABASE_URL names (postgres://…); without it the embedded one in DATA_DIR (.data), which
\`npm run dev\` must not have open.`;

interface Options {
  /** Connection string of the database to use whatever the environment names, where it is known. */
  url?: string | undefined;
  /** Create the embedded database where there is none, and bring a server's schema up to date. */
  create?: boolean;
  /** Called with 0 to 1 and what is being done until `work` begins. */
  onProgress?: (fraction: number, label: string) => void;
}

/**
 * Gives `work` a connection to the database that the environment names, and closes everything afterwards. The embedded
 * database is migrated whenever it is opened; a server, which others may be using, only for those who `create`.
 * @throws Error for people to read (see `sentenceOf`) when there is no such database, or someone else has it open
 */
export async function withDatabase<T>(
  { url, create = false, onProgress }: Options,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const given = url ?? process.env.DATABASE_URL;
  if (given) {
    requirePostgresUrl(given);
    if (create) {
      onProgress?.(0, 'Migrating the database');
      await migrate(given);
    }
    return withClient(given, work);
  }
  const directory = join(resolve(ROOT, process.env.DATA_DIR || '.data'), 'database');
  if (!create && !existsSync(directory)) {
    throw new Error(
      `There is no database in ${directory} yet: npm run dev and npm run geo:load make it. To work on another one, ` +
        'set DATABASE_URL.',
    );
  }
  const embedded = await openEmbedded(directory, onProgress ? { onProgress } : {});
  try {
    await migrate(embedded.url);
    return await withClient(embedded.url, work);
  } finally {
    await embedded.close();
  }
}

async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_PATIENCE_MS });
  // A lost connection also fails the query in flight, which is where it is reported.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
