import type pg from 'pg';
import { RELEASE_VERSION_TEXT } from '../../src/db/releases.ts';
import { withClient } from '../database/client.ts';
import { newestEdition } from '../pipeline/psgc/history.ts';
import { type Load, nextReleaseId, versionOf } from '../pipeline/release/load-data.ts';

/** The id of the first release of a new database. */
export async function newestReleaseId(): Promise<string> {
  return `${await newestEdition()}-1`;
}

/** The id of the next release of the newest edition in a database. */
export async function nextNewestReleaseId(client: pg.ClientBase): Promise<string> {
  return nextReleaseId(client, await newestEdition());
}

/** The id of the release that is served. */
export async function findActiveRelease(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string }>('select release_id as id from active_release');
  return rows[0]?.id;
}

/**
 * Whether a database has gone another way than a release that was begun before it was opened: another one was activated
 * since, or loaded under its id.
 */
export async function isSuperseded(client: pg.ClientBase, load: Load): Promise<boolean> {
  const { rowCount } = await client.query(
    `select 1 from active_release where release_id <> $1
     union all select 1 from data_releases r where id = $1 and ${RELEASE_VERSION_TEXT} <> $2`,
    [load.id, versionOf(load)],
  );
  return rowCount !== 0;
}

/** The directory of boundaries, where none of the releases was loaded with them to the end. */
export async function toLoad(postgresUrl: string, boundariesDir: string | undefined): Promise<string | undefined> {
  if (boundariesDir === undefined) return undefined;
  const { rowCount } = await withClient(postgresUrl, (client) =>
    client.query(`select from data_releases where report ->> 'boundariesDir' = $1`, [boundariesDir]),
  );
  return rowCount === 0 ? boundariesDir : undefined;
}
