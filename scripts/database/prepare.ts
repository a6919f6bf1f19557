import pg from 'pg';
import { loadPsgc } from '../psgc/load.ts';
import { migrate } from './migrate.ts';

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
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM active_release');
    if (rowCount === 0) {
      await loadPsgc({
        client,
        psgc: 'builtin',
        activate: true,
        onProgress: (fraction) => onProgress?.(MIGRATING + (1 - MIGRATING) * fraction, 'Loading the areas'),
      });
    }
    onProgress?.(1, 'Database ready');
  } finally {
    await client.end();
  }
}
