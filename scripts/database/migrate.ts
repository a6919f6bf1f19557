import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

/** How long a server may take to accept a connection. Those of Neon wake up from sleep in a second or two. */
export const CONNECT_PATIENCE_MS = 15_000;

/** The key of the advisory lock: any number that no other lock has. */
const LOCK = 7_071_962;

/**
 * Brings the schema of the database at `postgresUrl` up to date with migrations/. All pending migrations are applied in
 * one transaction. A second run waits for the first.
 */
export async function migrate(postgresUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl, connectionTimeoutMillis: CONNECT_PATIENCE_MS });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await applyMigrations(drizzle(client), { migrationsFolder: MIGRATIONS });
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK]).catch(() => {});
    await client.end();
  }
}
