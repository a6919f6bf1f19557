import type pg from 'pg';
import type { boundarySet } from '../../src/db/schema/geography.ts';
import { withClient } from '../database/client.ts';
import { migrate } from '../database/migrate.ts';
import { seedRelease } from './seed.ts';

/** The key of the advisory lock: any number that no other lock has. */
const LOCK = 7_071_963;

/** Share of the time that the migrations take. */
const MIGRATING = 0.1;

/** How good the boundaries of a release are. */
type BoundarySet = (typeof boundarySet.enumValues)[number];

interface PrepareOptions {
  /** Directory in which downloaded boundaries are kept. */
  dataDir: string;
  /** Boundary files that the user wants loaded. */
  boundariesDir?: string | undefined;
  /** Called with 0 to 1 and what is being done. */
  onProgress?: ((fraction: number, label: string) => void) | undefined;
  /** Called with sentences that say what is loaded, and what can't be. */
  say: (sentence: string) => void;
}

/**
 * Migrates a database and makes sure that a release is active. The built-in PSGC edition and boundaries are loaded and
 * activated where no release is active, and where boundary files are given while the active release has no detailed
 * boundaries. The migrations and the load are one transaction each, so an interrupted run leaves nothing half done.
 * @returns how good the boundaries of the active release are
 */
export async function prepareDatabase(postgresUrl: string, options: PrepareOptions): Promise<BoundarySet> {
  options.onProgress?.(0, 'Migrating the database');
  await migrate(postgresUrl);
  return withClient(postgresUrl, async (client) => {
    try {
      // Two first starts on one database would both find it empty, so the second waits here until the first has loaded.
      await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
      return await loadWhatLacks(client, options);
    } finally {
      // The lock belongs to the session, which in the embedded database continues after the connection has closed.
      await client.query('SELECT pg_advisory_unlock($1)', [LOCK]).catch(() => {});
    }
  });
}

async function loadWhatLacks(client: pg.Client, options: PrepareOptions): Promise<BoundarySet> {
  const { dataDir, boundariesDir, onProgress, say } = options;
  const active = await findActiveRelease(client);
  const isUpgrade = boundariesDir !== undefined && active?.boundarySet !== 'full';
  const isRicher = active !== undefined && isUpgrade && (await hasPopulation(client));
  if (isRicher) {
    // The built-in list would take its place.
    say(`The active release has residents, which the built-in list lacks. ${LOAD_BOTH}`);
  } else if (active === undefined || (isUpgrade && active.loadedFrom !== boundariesDir)) {
    if (active) say('The active release has no detailed boundaries; a new one is loaded.');
    await seedRelease(client, {
      dataDir,
      boundariesDir,
      say,
      onProgress: (fraction, label) => onProgress?.(MIGRATING + (1 - MIGRATING) * fraction, label),
    });
  }
  onProgress?.(1, 'Database ready');
  return (await findActiveRelease(client))?.boundarySet ?? 'none';
}

/** How to load boundaries without losing what the list of the active release has. */
const LOAD_BOTH =
  'To load boundaries with its list: npm run geo:load -- --psgc path/to/workbook.xlsx --boundaries path/to/boundaries';

/** Whether the active release has residents. */
async function hasPopulation(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select exists (select from areas join active_release using (release_id) where level = 'province'
       and population is not null) as found`,
  );
  return rows[0]?.found ?? false;
}

async function findActiveRelease(client: pg.Client) {
  const { rows } = await client.query<{ boundarySet: BoundarySet; loadedFrom: string | null }>(
    `select boundary_set as "boundarySet", report ->> 'boundariesDir' as "loadedFrom"
     from active_release join data_releases on data_releases.id = active_release.release_id`,
  );
  return rows[0];
}
