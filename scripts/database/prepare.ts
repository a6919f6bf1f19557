import pg from 'pg';
import { loadRelease } from '../psgc/load.ts';
import { CONNECT_PATIENCE_MS, migrate } from './migrate.ts';

/** Any number that nobody else locks with. */
const LOCK = 7_071_963;

/** How much of the whole the migrations take. */
const MIGRATING = 0.3;

/**
 * Makes a database ready to be served from: migrated, and with the built-in PSGC edition loaded and activated where
 * no release is active yet. Both are transactions, so a run that is interrupted leaves nothing half done.
 *
 * @param onProgress called with 0 to 1 and what is being done
 */
export async function prepareDatabase(
  postgresUrl: string,
  onProgress?: (fraction: number, label: string) => void,
): Promise<void> {
  onProgress?.(0, 'Migrating the database');
  await migrate(postgresUrl);
  const client = new pg.Client({ connectionString: postgresUrl, connectionTimeoutMillis: CONNECT_PATIENCE_MS });
  await client.connect();
  try {
    // Two first starts on one database would both find it empty: the second waits here until the first has loaded.
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    const { rowCount } = await client.query('SELECT FROM active_release');
    if (rowCount === 0) {
      await loadRelease({
        client,
        psgc: 'builtin',
        activate: true,
        onProgress: (fraction) => onProgress?.(MIGRATING + (1 - MIGRATING) * fraction, 'Loading the areas'),
      });
    }
    onProgress?.(1, 'Database ready');
  } finally {
    // The lock goes with the session, which in the embedded database outlives the connection.
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK]).catch(() => {});
    await client.end();
  }
}
