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

const WRITING = {
  casing: new CasingCache(),
  escapeName: (name: string) => `"${name.replaceAll('"', '""')}"`,
  escapeParam: (at: number) => `$${at + 1}`,
  escapeString: (text: string) => `'${text.replaceAll("'", "''")}'`,
};

/** Neon's driver, from the first statement on: geography is answered without the database, and the driver is a tenth of the Worker. */
let neon: typeof import('./neon.ts') | undefined;

/** @param fetchOptions of each request; read anew for every statement */
export function driverOf(databaseUrl: string, fetchOptions: RequestInit): Driver {
  const open = async () => {
    neon ??= await import('./neon.ts');
    const client = neon.neonClient(databaseUrl, fetchOptions);
    const queryOf = (statement: SQL) => {
      const { sql, params } = statement.toQuery(WRITING);
      return client.query(sql, params);
    };
    return { client, queryOf };
  };
  return {
    execute: async <Row>(statement: SQL) => {
      const { queryOf } = await open();
      return (await queryOf(statement)) as Answer<Row>;
    },
    executeAll: async (statements) => {
      const { client, queryOf } = await open();
      return client.transaction(statements.map(queryOf));
    },
  };
}
