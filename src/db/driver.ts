import { neon, neonConfig, types } from '@neondatabase/serverless';
import type { SQL } from 'drizzle-orm';
import { CasingCache } from 'drizzle-orm/casing';

// Neon's driver sends the statements that Drizzle's templates write. Drizzle's own driver would bring along its query
// builders, which nothing here uses: 12 kB of the packed bundle.

/** What the server answers to a statement. Dates and times in rows are text. */
export interface Answer<Row = Record<string, unknown>> {
  readonly command: unknown;
  readonly rows: Row[];
}

/** Sends statements over HTTP. */
export interface Driver {
  execute<Row = Record<string, unknown>>(statement: SQL): Promise<Answer<Row>>;
  /** All of them in one transaction and one request, in their order. */
  executeAll(statements: readonly SQL[]): Promise<Answer[]>;
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

// A loopback host is the local endpoint that speaks Neon's protocol over plain HTTP. Any other host is Neon's own: its
// address for SQL over HTTP is that of the database with another first label.
neonConfig.fetchEndpoint = (host: string, port: number | string) =>
  LOOPBACK.has(host) ? `http://${host}:${port}/sql` : `https://${host.replace(/^[^.]+\./, 'api.')}/sql`;
// The driver would keep the `fetch` of its first statement.
neonConfig.fetchFunction = (url: string, init: RequestInit) => fetch(url, init);

for (const name of ['DATE', 'INTERVAL', 'TIMESTAMP', 'TIMESTAMPTZ']) {
  types.setTypeParser(types.builtins[name] as number, (text: string) => text);
}

const WRITING = {
  casing: new CasingCache(),
  escapeName: (name: string) => `"${name.replaceAll('"', '""')}"`,
  escapeParam: (at: number) => `$${at + 1}`,
  escapeString: (text: string) => `'${text.replaceAll("'", "''")}'`,
};

/** @param fetchOptions of each request; read anew for every statement */
export function driverOf(databaseUrl: string, fetchOptions: RequestInit): Driver {
  const client = neon(databaseUrl, { fetchOptions, fullResults: true });
  const queryOf = (statement: SQL) => {
    const { sql, params } = statement.toQuery(WRITING);
    return client.query(sql, params);
  };
  return {
    execute: <Row>(statement: SQL) => queryOf(statement) as Promise<Answer<Row>>,
    executeAll: (statements) => client.transaction(statements.map(queryOf)),
  };
}
