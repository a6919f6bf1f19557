import { PgDialect } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import type { Actor } from '../../../src/db/audit.ts';
import { activation } from '../../../src/db/releases.ts';

/** The actor that the audit log names for whoever runs a command. */
const COMMAND: Actor = { kind: 'command', userId: null, keyId: null, requestId: null };

/**
 * Makes a release the one that is served, in one statement, so that users always get one release or the other.
 * @returns the id of the release that was served until then, the same id where nothing changes, null for the first
 * @throws Error when there is no such release, or its checks were never completed; then nothing changes
 */
export async function activateRelease(client: pg.ClientBase, releaseId: string): Promise<string | null> {
  const { sql, params } = new PgDialect().sqlToQuery(activation(releaseId, COMMAND));
  const { rows } = await client.query<{ checked: boolean; previous: string | null }>(sql, params);
  const [candidate] = rows;
  if (!candidate) throw new Error(`There is no release ${releaseId}.`);
  if (!candidate.checked) {
    throw new Error(`Release ${releaseId} can't be activated: the checks of its load were never completed.`);
  }
  // A table of one row never reaches the threshold of autovacuum. In a table that was never analyzed the planner
  // expects a thousand rows, and would plan everything that is joined to this one for a thousand releases.
  await client.query('analyze active_release');
  return candidate.previous;
}
