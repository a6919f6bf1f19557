import pg from 'pg';

/** How long a server may take to accept a connection. Those of Neon wake up from sleep in a second or two. */
export const CONNECT_TIMEOUT_MS = 15_000;

/**
 * Calls `work` with a connection to a database, and closes it afterwards. Its statements may take any time: the limit that the role
 * has for the service is lifted.
 */
export async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // A lost connection also fails the running query, which reports it. Without a listener it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    // A server has the date format of its country, which neither the driver nor a snapshot takes.
    await client.query('set statement_timeout = 0; set datestyle = iso, mdy');
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Calls `work` in a transaction, which is rolled back if it throws. */
export async function inTransaction<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    // Where the connection is lost, the server rolls back by itself. The first error is the one to throw.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
