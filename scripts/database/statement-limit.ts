import { TOTAL_MS } from '../../src/deadline.ts';
import { withClient } from './client.ts';

/**
 * Ends statements of the role of a connection string, in its database, after some time: the service gives up on a statement, but
 * nothing tells the server. The role has the setting, because a pooler and SQL over HTTP take none with a connection. It holds for
 * connections that open from now on; `withClient` lifts it for commands.
 *
 * @param waitMs how long the service waits for a statement at most, milliseconds
 */
export async function limitStatements(postgresUrl: string, waitMs = TOTAL_MS): Promise<void> {
  await withClient(postgresUrl, async (client) => {
    const { rows } = await client.query<{ statement: string }>(
      `select format('alter role %I in database %I set statement_timeout = %s', current_user, current_database(), $1::int) as statement`,
      [waitMs],
    );
    await client.query((rows[0] as { statement: string }).statement);
  });
}
