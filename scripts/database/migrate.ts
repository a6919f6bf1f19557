import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

/** How long a server may take to accept a connection; Neon's wake from sleep in a second or two. */
export const CONNECT_PATIENCE_MS = 15_000;

/** Any number that nobody else locks with. */
const LOCK = 7_071_962;

/**
 * Brings the schema of the database at `postgresUrl` up to date with migrations/. Whatever is pending is applied in
 * one transaction; migrations that were applied before are left alone, and a second run waits for the first.
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
