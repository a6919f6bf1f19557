import type pg from 'pg';
import { RELEASE_VERSION_TEXT } from '../../src/db/releases.ts';
import { withClient } from '../database/client.ts';
import { newestEdition } from '../pipeline/psgc/history.ts';
import { type Load, nextReleaseId, versionOf } from '../pipeline/release/load-data.ts';

/** The id of the first release of the newest edition, for a new database. */
export async function firstIdOfNewestEdition(): Promise<string> {
  return `${await newestEdition()}-1`;
}

/** The id of the next release of the newest edition in a database. */
export async function nextIdOfNewestEdition(client: pg.ClientBase): Promise<string> {
  return nextReleaseId(client, await newestEdition());
}

/**
 * Whether a release that was begun before its database was opened must be given up: a command has activated another one, or
 * loaded another one under its id.
 */
export async function isSuperseded(client: pg.ClientBase, load: Load): Promise<boolean> {
  const { rowCount } = await client.query(
    `select 1 from active_release where release_id <> $1
     union all select 1 from data_releases r where id = $1 and ${RELEASE_VERSION_TEXT} <> $2`,
    [load.id, versionOf(load)],
  );
  return rowCount !== 0;
}

/** The directory of boundaries, unless a release was loaded with all of them. */
export async function findUnloadedBoundaries(
  postgresUrl: string,
  boundariesDir: string | undefined,
): Promise<string | undefined> {
  if (boundariesDir === undefined) return undefined;
  const { rowCount } = await withClient(postgresUrl, (client) =>
    client.query(`select from data_releases where report ->> 'boundariesDir' = $1`, [boundariesDir]),
  );
  return rowCount === 0 ? boundariesDir : undefined;
}
