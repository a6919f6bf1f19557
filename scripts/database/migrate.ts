import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import type pg from 'pg';
import { withClient } from './client.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

/** The key of the advisory lock: any number that no other lock has. */
const LOCK = 7_071_962;

/**
 * Brings the schema of the database at `postgresUrl` up to date with migrations/. All pending migrations are applied in
 * one transaction. A second run waits for the first.
 * @throws Error when the database was made by other migrations than these
 */
export function migrate(postgresUrl: string): Promise<void> {
  return withClient(postgresUrl, async (client) => {
    try {
      await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
      await requireSameHistory(client);
      await applyMigrations(drizzle(client), { migrationsFolder: MIGRATIONS });
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [LOCK]).catch(() => {});
    }
  });
}

/**
 * Checks that the first migration of the database is the first one in migrations/. Drizzle compares only times, so it
 * would skip migrations, or try to create tables that exist, where the database has the migrations of an early
 * development version, which were replaced.
 */
async function requireSameHistory(client: pg.Client): Promise<void> {
  const { rows: tables } = await client.query(
    `SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS found`,
  );
  if (!tables[0]?.found) return;
  const { rows } = await client.query<{ first: string | null }>(
    'SELECT min(created_at) AS first FROM drizzle.__drizzle_migrations',
  );
  const first = rows[0]?.first ?? null;
  if (first === null || Number(first) === readMigrationFiles({ migrationsFolder: MIGRATIONS })[0]?.folderMillis) return;
  throw new Error(
    'The database has the tables of an early development version, from which nothing migrates: delete the data ' +
      'directory (DATA_DIR, by default .data), or set DATABASE_URL to an empty database.',
  );
}
