import type { NeonDbError } from '@neondatabase/serverless';
import type { SQL } from 'drizzle-orm';
import { Deadline } from '../deadline.ts';
import { DomainError } from '../errors.ts';
import { type Answer, type Driver, driverOf } from './driver.ts';

/** What this instance has seen of a database. Statements of users note it, so that nobody has to wake it to ask how it is. */
interface Seen {
  /** When the last statement was answered or given up, milliseconds since the epoch; undefined: there was none. */
  at?: number;
  /** Whether it was given up. */
  failed: boolean;
}

/** By the address of the database: there is one but in tests. */
const seen = new Map<string, Seen>();

/** A statement is not sent with less time than this, milliseconds, because it would be aborted. */
const MIN_TIME_MS = 50;

/** @param deadline of whoever waits for the statements; each is waited for by itself where it is left out */
export function connect(databaseUrl: string, deadline = new Deadline('each')): Database {
  const fetchOptions = {
    // The driver has no limit of its own. It reads the options anew for every statement.
    get signal() {
      return AbortSignal.timeout(Math.min(deadline.forAnswer, Math.max(MIN_TIME_MS, deadline.left)));
    },
  };
  const known = seen.get(databaseUrl) ?? { failed: false };
  seen.set(databaseUrl, known);
  return new Database(driverOf(databaseUrl, fetchOptions), deadline, known);
}

/** A database, asked within a deadline. */
export class Database implements Driver {
  readonly execute: Driver['execute'];
  readonly executeAll: Driver['executeAll'];
  /** How long statements are waited for. */
  readonly deadline: Deadline;
  readonly seen: Seen;

  constructor({ execute, executeAll }: Driver, deadline: Deadline, known: Seen) {
    this.execute = execute;
    this.executeAll = executeAll;
    this.deadline = deadline;
    this.seen = known;
  }

  /**
   * The rows of one statement.
   *
   * @throws DomainError `database_timeout` after the deadline or with no time left, `database_unavailable` where nothing
   * answers, what answers is no database, or the server can't work; an error of the statement itself is thrown unchanged.
   * Reading a column that the first row doesn't have throws `database_unavailable` too.
   */
  rows<Row extends object>(statement: SQL): Promise<Row[]> {
    return this.#answer(async () => checkedRows(await this.execute(statement)) as Row[]);
  }

  /**
   * The row of a statement that always gives one.
   *
   * @param column one that it has, where the row is passed on as it is
   * @throws as `rows`
   */
  async row<Row extends object>(statement: SQL, column?: keyof Row & string): Promise<Row> {
    const [row] = await this.rows<Row>(statement);
    if (row && (column === undefined || row[column] !== undefined)) return row;
    throw unavailable(new Error('The answer has no row'));
  }

  /**
   * The rows of several statements that take effect together or not at all. Each sees what was committed before it began:
   * the first can wait for a lock, and the next then reads the newest rows. The deadline is for all of them together.
   *
   * @throws as `rows`
   */
  atomic(first: SQL, ...others: SQL[]): Promise<Record<string, unknown>[][]> {
    return this.#answer(async () => (await this.executeAll([first, ...others])).map(checkedRows));
  }

  /** Asks the database within the deadline, and records the time and the failure. @throws as `rows` */
  async #answer<T>(ask: () => Promise<T>): Promise<T> {
    const { deadline, seen } = this;
    if (deadline.left < MIN_TIME_MS) throw timeout(new Error('There was no time left for a statement'));
    const started = Date.now();
    let fault: unknown;
    try {
      return await deadline.count(ask);
    } catch (error) {
      fault = faultOf(error);
      throw fault;
    } finally {
      seen.at = Date.now();
      deadline.database.statements += 1;
      deadline.database.ms += seen.at - started;
      // An error of the statement itself is an answer.
      seen.failed = fault instanceof DomainError;
    }
  }
}

/** The members of every object, and two that the runtime looks for in any. */
const MEMBERS = new Set<PropertyKey>([...Reflect.ownKeys(Object.prototype), 'then', 'toJSON']);

/** The prototype of a row: whoever reads a column that the row doesn't have gets here. */
const NO_COLUMN: object = new Proxy(Object.prototype, {
  get: (members, name) => {
    if (typeof name === 'symbol' || MEMBERS.has(name)) return Reflect.get(members, name);
    throw unavailable(new Error(`The answer has no column ${name}`));
  },
});

/** @throws DomainError `database_unavailable` where an answer is none of a database */
function checkedRows({ command, rows }: Answer) {
  if (typeof command !== 'string') throw unavailable(new Error('The answer names no command'));
  // All rows have the same columns.
  if (rows[0]) Object.setPrototypeOf(rows[0], NO_COLUMN);
  return rows;
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
 * The beginnings of SQLSTATEs that mean that the server can't work, or not now: connection, state of the transaction
 * (read-only), authorisation, catalogue, rollback (serialisation, deadlock), resources, limits, locks, shutdown, I/O,
 * internal; and those of a database that is not migrated or may not be read.
 */
const REFUSALS = ['08', '25', '26', '28', '3D', '40', '53', '54', '55', '57', '58', 'XX', '42P01', '42703', '42501'];

/**
 * What messages of PostGIS and its libraries say about a geometry. They come as internal errors too, but sending the
 * statement again changes nothing.
 */
const GEOMETRY =
  /\b(geos\w*|\w*lwgeom\w*|geometr\w*|geograph\w*|geojson|topology\w*|parse error|transform|projection|proj_\w+|srid|st_\w+|antipodal|wk[bt])\b/i;

/** The SQLSTATE of a server that is starting up (`cannot_connect_now`). */
const STARTING = '57P03';

function unavailable(cause: unknown, sqlState?: string): DomainError {
  const message =
    sqlState === STARTING
      ? 'The database is not open yet, and nothing that is ready can answer this. Try again in a few seconds.'
      : 'The database can not be reached, or can not work at the moment. Try again in a few seconds.';
  return new DomainError('database_unavailable', message, { cause });
}

function timeout(cause: unknown): DomainError {
  const message = 'The database did not answer in time. Try again in a few seconds.';
  return new DomainError('database_timeout', message, { cause });
}

function faultOf(error: unknown): unknown {
  if (error instanceof DomainError) return error;
  for (let cause: unknown = error; cause instanceof Error; cause = sourceOf(cause)) {
    const sqlState = (cause as Partial<NeonDbError>).code;
    if (cause.name === 'TimeoutError' || cause.name === 'AbortError' || sqlState === '57014') {
      return timeout(error);
    }
    const isOfGeometry = sqlState === 'XX000' && GEOMETRY.test(cause.message);
    const refused = !isOfGeometry && REFUSALS.some((beginning) => sqlState?.startsWith(beginning));
    const unanswered = cause.name === 'NeonDbError' && !sqlState && !sourceOf(cause);
    // The driver could not read the answer, so it was not a database that answered.
    const garbled = cause instanceof SyntaxError || cause instanceof TypeError;
    if (refused || unanswered || garbled || cause.message.startsWith('Network connection lost')) {
      return unavailable(error, sqlState);
    }
  }
  return error;
}

/** The error behind an error: Neon's driver has that of `fetch` in `sourceError`. */
function sourceOf(error: Error): unknown {
  return error.cause ?? (error as Partial<NeonDbError>).sourceError;
}
