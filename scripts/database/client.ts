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
