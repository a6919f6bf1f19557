import { type NeonDbError, neon, neonConfig } from '@neondatabase/serverless';
import type { SQL } from 'drizzle-orm';
import { drizzle, type NeonHttpDatabase } from 'drizzle-orm/neon-http';
import { DomainError } from '../errors.ts';

export type Database = NeonHttpDatabase;

/** How long one statement may take, milliseconds. Neon's driver has no limit of its own. */
const QUERY_DEADLINE_MS = 4000;

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

// A loopback host is the local endpoint that speaks Neon's protocol over plain HTTP. Any other host is Neon's own: its
// address for SQL over HTTP is that of the database with another first label.
neonConfig.fetchEndpoint = (host: string, port: number | string) =>
  LOOPBACK.has(host) ? `http://${host}:${port}/sql` : `https://${host.replace(/^[^.]+\./, 'api.')}/sql`;
neonConfig.fetchFunction = (url: string, init: RequestInit) =>
  fetch(url, { ...init, signal: AbortSignal.timeout(QUERY_DEADLINE_MS) });

export function connect(databaseUrl: string): Database {
  return drizzle(neon(databaseUrl));
}

/**
 * The rows of one statement.
 *
 * @throws DomainError `database_timeout` after the deadline, `database_unavailable` where nothing answers or the server
 * can't work; an error of the statement itself is thrown unchanged
 */
export async function rowsOf<Row extends object>(db: Database, statement: SQL): Promise<Row[]> {
  try {
    return (await db.execute(statement)).rows as unknown as Row[];
  } catch (error) {
    throw faultOf(error);
  }
}

/**
 * The rows of several statements that take effect together or not at all. Each sees what was committed before it began:
 * the first can wait for a lock, and the next then reads the newest rows. The deadline is for all of them together.
 *
 * @throws as `rowsOf`
 */
export async function atomic(db: Database, first: SQL, ...others: SQL[]): Promise<Record<string, unknown>[][]> {
  try {
    const results = await db.batch([db.execute(first), ...others.map((statement) => db.execute(statement))]);
    return results.map(({ rows }) => rows);
  } catch (error) {
    throw faultOf(error);
  }
}

/** The error of the database for a statement that it refused; undefined for any other failure. */
export function sqlErrorOf(error: unknown): { sqlState: string; message: string } | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = sourceOf(cause)) {
    const { code, message } = cause as Partial<NeonDbError> & Error;
    if (cause.name === 'NeonDbError' && typeof code === 'string') return { sqlState: code, message };
  }
  return undefined;
}

/**
 * The beginnings of SQLSTATEs that mean that the server can't work: connection, authorisation, catalogue, resources,
 * limits, shutdown, I/O, internal; and those of a database that is not migrated or may not be read.
 */
const REFUSALS = ['08', '28', '3D', '53', '54', '57', '58', 'XX', '42P01', '42703', '42501'];

function faultOf(error: unknown): unknown {
  for (let cause: unknown = error; cause instanceof Error; cause = sourceOf(cause)) {
    const sqlState = (cause as Partial<NeonDbError>).code;
    if (cause.name === 'TimeoutError' || cause.name === 'AbortError' || sqlState === '57014') {
      return new DomainError(
        'database_timeout',
        'The database did not answer in time. Try again in a few seconds.',
        {},
        { cause: error },
      );
    }
    const refused = typeof sqlState === 'string' && REFUSALS.some((beginning) => sqlState.startsWith(beginning));
    const unanswered = cause.name === 'NeonDbError' && !sqlState && !sourceOf(cause);
    // The driver could not parse the answer, so it was not a database that answered.
    const garbled = cause instanceof SyntaxError;
    if (refused || unanswered || garbled || cause.message.startsWith('Network connection lost')) {
      return new DomainError(
        'database_unavailable',
        'The database can not be reached. Try again in a few seconds.',
        {},
        { cause: error },
      );
    }
  }
  return error;
}

/** The error behind an error: Neon's driver has that of `fetch` in `sourceError`, Drizzle has the driver's in `cause`. */
function sourceOf(error: Error): unknown {
  return error.cause ?? (error as Partial<NeonDbError>).sourceError;
}
