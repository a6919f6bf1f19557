import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import type pg from 'pg';
import { inTransaction, withClient } from './client.ts';
import { PREDECESSORS } from './predecessors.ts';

const MIGRATIONS = join(import.meta.dirname, '../../migrations');

/** The key of the advisory lock: any number that no other lock has. */
const LOCK = 7_071_962;

/**
 * How long a statement of a migration waits for a table, milliseconds. Requests that read the table wait behind it, so that
 * they are late by that at most.
 */
const LOCK_TIMEOUT_MS = 3000;

/** The pauses between tries, milliseconds. A load of a release holds its tables for some minutes. */
const PAUSES_MS = [1000, 2000, 5000, ...Array<number>(60).fill(10_000)];

/** The SQLSTATEs of a table that somebody else holds: `lock_not_available` and `deadlock_detected`. */
const HELD: ReadonlySet<unknown> = new Set(['55P03', '40P01']);

interface Options {
  /** Called when another session has locked a table, and the migration is tried again. */
  readonly onWait?: ((message: string) => void) | undefined;
  /** The pauses between tries, milliseconds. */
  readonly pauses?: readonly number[];
  /** The directory of the migrations, by default the project's. */
  readonly folder?: string;
}

/**
 * Brings the schema of the database at `postgresUrl` up to date with migrations/. Each pending migration is applied in a
 * transaction of its own, so that what was applied stays where a later one fails. A second run waits for the first.
 *
 * @throws Error when the database was made by other migrations than these, and naming the migration that failed
 */
export function migrate(postgresUrl: string, options: Options = {}): Promise<void> {
  const { onWait, pauses = PAUSES_MS, folder = MIGRATIONS } = options;
  return withClient(postgresUrl, async (client) => {
    try {
      await client.query('select pg_advisory_lock($1)', [LOCK]);
      await createJournal(client);
      const migrations = readMigrationFiles({ migrationsFolder: folder });
      const applied = await findApplied(client, migrations);
      for (const [i, migration] of migrations.entries()) {
        if (i >= applied) await applyPatiently(client, { migration, number: i }, { onWait, pauses });
      }
    } finally {
      await client.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => {});
    }
  });
}

/**
 * The hashes of the migrations that a database has, in their order.
 *
 * @throws Error if they are not the first of those in migrations/
 */
export async function listKnownMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ exists: boolean }>(
    "select to_regclass('drizzle.__drizzle_migrations') is not null as exists",
  );
  const hashes = rows[0]?.exists ? await appliedHashes(client) : [];
  if (hashes.length === 0) throw new Error('The database has no migrations: npm run db:migrate makes its tables.');
  requireKnownMigrations(hashes, 'The database');
  return hashes;
}

/** @throws Error if a database lacks a migration, or has others */
export async function requireAllMigrations(client: pg.Client): Promise<void> {
  const { length } = await listKnownMigrations(client);
  const all = readMigrationFiles({ migrationsFolder: MIGRATIONS });
  if (length === all.length) return;
  throw new Error(`The database has ${length} of ${all.length} migrations: npm run db:migrate brings it up to date.`);
}

/**
 * @param hashes of migrations, in their order
 * @param subject the beginning of the sentences, such as `The backup`
 * @throws Error if they are not the first of those in migrations/
 */
export function requireKnownMigrations(hashes: readonly string[], subject: string): void {
  const migrations = readMigrationFiles({ migrationsFolder: MIGRATIONS });
  const other = hashes.findIndex((hash, i) => migrations[i]?.hash !== hash);
  if (other < 0) return;
  throw new Error(
    other === migrations.length
      ? `${subject} has ${hashes.length} migrations, and this version ${migrations.length}: it is of a newer version. Use that one.`
      : `${subject} has another migration ${String(other).padStart(4, '0')} than migrations/: it is of another version. Use that one.`,
  );
}

/** Applies the first migrations in the transaction of a client, whose database has none of what they make. */
export async function applyFirst(client: pg.Client, count: number): Promise<void> {
  await createJournal(client);
  const migrations = readMigrationFiles({ migrationsFolder: MIGRATIONS });
  for (const migration of migrations.slice(0, count)) await apply(client, migration);
}

/** The table that Drizzle keeps, of which older databases have one. */
async function createJournal(client: pg.Client): Promise<void> {
  await client.query('create schema if not exists drizzle');
  await client.query(
    'create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  );
}

/**
 * How many of the migrations the database has.
 *
 * @throws Error if it has others
 */
async function findApplied(client: pg.Client, migrations: readonly MigrationMeta[]): Promise<number> {
  let hashes = await appliedHashes(client);
  for (const { hashes: before, upgrade } of PREDECESSORS) {
    if (!before.every((hash, i) => hashes[i] === hash)) continue;
    await inTransaction(client, () => upgrade(client, migrations));
    hashes = await appliedHashes(client);
  }
  const other = hashes.findIndex((hash, i) => migrations[i]?.hash !== hash);
  if (other < 0) return hashes.length;
  if (other === migrations.length) {
    throw new Error(
      `The database has ${hashes.length} migrations, and this version ${migrations.length}: a newer version was here. Take that, or restore a backup from before it.`,
    );
  }
  throw new Error(
    `The database has another migration ${String(other).padStart(4, '0')} than migrations/, from which nothing leads on: an early development version made it, or a file in migrations/ was changed (npm run check tells). Load the data anew: delete the data directory (DATA_DIR, by default .data), or set DATABASE_URL to an empty database.`,
  );
}

async function appliedHashes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ hash: string }>(
    'select hash from drizzle.__drizzle_migrations order by created_at, id',
  );
  return rows.map(({ hash }) => hash);
}

interface Pending {
  readonly migration: MigrationMeta;
  readonly number: number;
}

async function applyPatiently(
  client: pg.Client,
  { migration, number }: Pending,
  { onWait, pauses }: Options & Required<Pick<Options, 'pauses'>>,
): Promise<void> {
  const name = `Migration ${String(number).padStart(4, '0')}`;
  for (let tries = 0; ; tries += 1) {
    try {
      await inTransaction(client, () => apply(client, migration));
      return;
    } catch (cause) {
      const { code, message } = cause as Error & { code?: string };
      const pause = pauses[tries];
      if (!HELD.has(code) || pause === undefined) {
        throw new Error(`${name} failed, and nothing of it is applied: ${message}`, { cause });
      }
      onWait?.(`${name} waits for a table that another transaction holds, such as that of geo:load.`);
      await sleep(pause);
    }
  }
}

async function apply(client: pg.Client, { sql, hash, folderMillis }: MigrationMeta): Promise<void> {
  await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
  for (const statement of sql) await client.query(statement);
  await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
    hash,
    folderMillis,
  ]);
}
