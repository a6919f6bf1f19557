import pg from 'pg';

/** A statement as Neon's driver sends it. Its parameters are text or null. */
export interface Statement {
  query: string;
  params?: unknown[];
}

/** The values in rows are Postgres' text output or null. Rows are arrays in the order of `fields`, or objects. */
interface StatementResult {
  command: string | null;
  rowCount: number | null;
  rows: unknown[];
  fields: pg.FieldDef[];
  rowAsArray: boolean;
}

export interface TransactionOptions {
  /** `ReadUncommitted`, `ReadCommitted`, `RepeatableRead` or `Serializable`; when absent, the default of the server. */
  isolationLevel?: string | undefined;
  readOnly?: boolean;
  deferrable?: boolean;
}

export interface Statements {
  /** Runs one statement. When `gone` fires, the statement is cancelled, unless the server is the embedded one. */
  run(statement: Statement, arrayMode: boolean, gone: AbortSignal): Promise<StatementResult>;
  /** Runs statements in one transaction. None takes effect when one fails or `gone` fires. */
  batch(
    statements: Statement[],
    options: TransactionOptions & { arrayMode: boolean },
    gone: AbortSignal,
  ): Promise<StatementResult[]>;
  /** The answer to the client for an error: an HTTP status and Postgres' error fields. */
  describe(error: unknown): { status: number; message: string; code?: string };
  close(): Promise<void>;
}

/** Thrown for a request that contains no valid statement. */
export class BadRequest extends Error {}

/** Max time of a statement, so that it ends even if its client is gone; also of connecting. */
const TIMEOUT_MS = 30_000;

const MAX_CONNECTIONS = 10;

/** Options of a session of Postgres: it writes times, intervals and bytes as Neon does. */
const FORMATS = '-c timezone=UTC -c datestyle=ISO,MDY -c intervalstyle=postgres -c bytea_output=hex';

const ISOLATION_LEVELS: Record<string, string> = {
  ReadUncommitted: 'READ UNCOMMITTED',
  ReadCommitted: 'READ COMMITTED',
  RepeatableRead: 'REPEATABLE READ',
  Serializable: 'SERIALIZABLE',
};

const ERROR_FIELDS = [
  'severity',
  'code',
  'detail',
  'hint',
  'position',
  'internalPosition',
  'internalQuery',
  'where',
  'schema',
  'table',
  'column',
  'dataType',
  'constraint',
  'file',
  'line',
  'routine',
] as const;

const rawText = { getTypeParser: () => (value: unknown) => value };

export interface StatementsOptions {
  /**
   * Whether the server is PGlite, where all connections share one session, so that no other connection could run a second
   * statement or cancel the first.
   */
  singleSession: boolean;
  /** Max open connections. */
  connections?: number | undefined;
}

/** Opens a pool of connections for statements. The pool connects again when the database comes back. */
export function openStatements(
  connectionString: string,
  { singleSession, connections = MAX_CONNECTIONS }: StatementsOptions,
): Statements {
  const pool = new pg.Pool({
    // PGlite writes as Neon does. Another server writes as its operator has set.
    ...(singleSession ? { connectionString } : withFormats(connectionString)),
    max: singleSession ? 1 : connections,
    statement_timeout: TIMEOUT_MS,
    connectionTimeoutMillis: TIMEOUT_MS,
    application_name: 'neon-endpoint',
  });
  // The pool drops an idle connection that the server closes. The next request opens another one.
  pool.on('error', () => {});
  // A connection that is lost while it works rejects its query. It also emits an error, which would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));

  async function withClient<T>(gone: AbortSignal, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    const onGone = () => {
      if (!singleSession) void cancel(connectionString, client);
    };
    let failure: unknown;
    try {
      gone.throwIfAborted();
      gone.addEventListener('abort', onGone, { once: true });
      return await work(client);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      gone.removeEventListener('abort', onGone);
      // A lost or cancelled connection is in an unknown state and must not be reused. In a single session nothing is
      // cancelled, and a connection that ends there while the next one begins would end the statement of that one.
      const isReusable =
        failure === undefined || isStatementError(failure) || (singleSession && failure === gone.reason);
      client.release(!isReusable || (gone.aborted && !singleSession));
    }
  }

  return {
    run: (statement, arrayMode, gone) => withClient(gone, (client) => execute(client, statement, arrayMode)),

    batch: (statements, { arrayMode, ...options }, gone) => {
      const begin = beginOf(options);
      const work = async (client: pg.PoolClient) => {
        await client.query(begin);
        try {
          const results: StatementResult[] = [];
          for (const statement of statements) {
            gone.throwIfAborted();
            results.push(await execute(client, statement, arrayMode));
          }
          gone.throwIfAborted();
          await client.query('COMMIT');
          return results;
        } catch (error) {
          // A lost connection can't roll back and needn't. The first error is the one to report.
          await client.query('ROLLBACK').catch(() => {});
          throw error;
        }
      };
      return withClient(gone, work);
    },

    describe: (error) => {
      const message = error instanceof Error ? error.message : String(error);
      if (error instanceof pg.DatabaseError) {
        const fields = Object.fromEntries(ERROR_FIELDS.map((name) => [name, error[name]]));
        return { ...fields, status: 400, message };
      }
      if (error instanceof BadRequest || error instanceof SyntaxError) return { status: 400, message, code: '08P01' };
      return { status: 500, message: `The database can not be reached: ${message}`, code: '08006' };
    },

    close: () => pool.end(),
  };
}

/** Connects with `FORMATS`, and the other options that a connection string has. One that is no URL, such as a socket, has none. */
function withFormats(connectionString: string): pg.PoolConfig {
  if (!URL.canParse(connectionString)) return { connectionString, options: FORMATS };
  const url = new URL(connectionString);
  const given = url.searchParams.get('options');
  // Of two options of the same name Postgres takes the last one.
  url.searchParams.set('options', given === null ? FORMATS : `${given} ${FORMATS}`);
  return { connectionString: url.href };
}

async function execute(client: pg.PoolClient, { query, params = [] }: Statement, arrayMode: boolean) {
  if (typeof query !== 'string' || !Array.isArray(params)) throw new BadRequest('Expected { query, params }');
  const config = {
    text: query,
    values: params,
    types: rawText,
    // The extended protocol refuses a second statement after a semicolon, as Neon does.
    queryMode: 'extended',
    ...(arrayMode ? { rowMode: 'array' as const } : {}),
  };
  const { command, rowCount, rows, fields } = await client.query(config);
  return { command, rowCount, rows, fields, rowAsArray: arrayMode };
}

function beginOf({ isolationLevel, readOnly, deferrable }: TransactionOptions): string {
  const level = isolationLevel === undefined ? undefined : ISOLATION_LEVELS[isolationLevel];
  if (isolationLevel !== undefined && !level) throw new BadRequest(`Unknown isolation level: ${isolationLevel}`);
  return [
    'BEGIN',
    level && `ISOLATION LEVEL ${level}`,
    readOnly ? 'READ ONLY' : 'READ WRITE',
    deferrable ? 'DEFERRABLE' : 'NOT DEFERRABLE',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Whether the server refused only one statement, so that the connection can still be used. */
function isStatementError(error: unknown): boolean {
  return error instanceof BadRequest || (error instanceof pg.DatabaseError && error.severity === 'ERROR');
}

/** Asks the server to stop what `client` runs. */
async function cancel(connectionString: string, client: pg.PoolClient): Promise<void> {
  const { processID } = client as unknown as { processID: number | null };
  const other = new pg.Client({ connectionString, connectionTimeoutMillis: TIMEOUT_MS });
  other.on('error', () => {});
  try {
    await other.connect();
    await other.query('SELECT pg_cancel_backend($1)', [processID]);
  } catch {
    // The timeout of the statement ends it later.
  } finally {
    await other.end().catch(() => {});
  }
}
