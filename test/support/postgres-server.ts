/** A server on which tests make databases of their own, in place of embedded ones. */
export interface PostgresServer {
  /** Connection string of a role that may create databases and extensions. */
  url: string;
  /** Name of the database of this run that all the others are copies of. */
  template: string;
}

/**
 * The server that a connection string names, for one run.
 * @throws when there is none, because this mode has no other database
 */
export function serverAt(url: string | undefined): PostgresServer {
  if (!url) {
    throw new Error(
      'Set TEST_DATABASE_URL to a PostgreSQL server with PostGIS whose role may create databases, as in\n' +
        '  TEST_DATABASE_URL=postgres://user:password@host/postgres npm run test:postgres\n' +
        'or run .ci/postgres, which starts one for the tests.',
    );
  }
  return { url, template: `pgds_test_${crypto.randomUUID().slice(0, 8)}` };
}
