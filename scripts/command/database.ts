import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { withClient } from '../database/client.ts';
import { openEmbedded } from '../database/embedded.ts';
import { migrate } from '../database/migrate.ts';
import { requirePostgresUrl } from '../database/postgres-url.ts';
import { dataDirectory } from './root.ts';

/** A part of the usage texts of all commands that call `withDatabase`. */
export const WHICH_DATABASE = `The database is the one that DATABASE_URL names (postgres://…); without it the embedded one in DATA_DIR (.data), which
\`npm run dev\` must not have open.`;

interface Options {
  /** Connection string of the database to use instead of the one that the environment names. */
  url?: string | undefined;
  /** Create the embedded database where it doesn't exist, and migrate the database of a server. */
  create?: boolean;
  /** Called until `work` begins, with 0 to 1 and what is being done. */
  onProgress?: (fraction: number, label: string) => void;
}

/**
 * Calls `work` with a connection to the database that the environment names, and closes everything afterwards. The
 * embedded database is always migrated when it is opened. The database of a server is migrated only with `create`,
 * because others may be using it.
 * @throws Error for people to read (see `sentenceOf`) when the database doesn't exist or another process has it open
 */
export function withDatabase<T>(options: Options, work: (client: pg.Client) => Promise<T>): Promise<T> {
  return withDatabaseUrl(options, (url) => withClient(url, work));
}

/** The same for work that makes connections of its own. */
export async function withDatabaseUrl<T>(
  { url, create = false, onProgress }: Options,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const given = url ?? process.env.DATABASE_URL;
  if (given) {
    requirePostgresUrl(given);
    if (create) {
      onProgress?.(0, 'Migrating the database');
      await migrate(given);
    }
    return work(given);
  }
  const directory = join(dataDirectory(), 'database');
  if (!create && !existsSync(directory)) {
    throw new Error(
      `There is no database in ${directory} yet: npm run dev and npm run geo:load make it. To work on another one, ` +
        'set DATABASE_URL.',
    );
  }
  const embedded = await openEmbedded(directory, onProgress ? { onProgress } : {});
  try {
    await migrate(embedded.url);
    return await work(embedded.url);
  } finally {
    await embedded.close();
  }
}
