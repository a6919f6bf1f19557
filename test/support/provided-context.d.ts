import 'vitest';
import type { Manifest } from '../../src/areas/snapshot/layout.ts';
import type { PostgresServer } from './postgres-server.ts';

declare module 'vitest' {
  /** What vitest.config.ts and the global setups hand to tests, for `inject()`. */
  export interface ProvidedContext {
    /** Connection string of a PostGIS with the built-in PSGC release, for Neon's driver. All test files share it. */
    databaseUrl: string;
    /** Address that answers with the connection string of another one, for the one test file that asks. */
    spareDatabase: string;
    /** Connection strings of databases that fail, by the way in which they do. */
    faultyDatabases: Record<string, string>;
    /** Address before the names of the files that are offered: tile archives, and the objects of the snapshot. */
    files: string;
    /** Address before the paths of a server that receives webhooks: test/support/hook-receiver.ts. */
    hookReceiver: string;
    /** What the snapshot of the release that is active when tests begin consists of. */
    snapshot: Manifest;
    /** The private key of the identity provider that tests stand in for, as a JWK. */
    sessionKey: JsonWebKey;
    /** The server to make databases on; undefined where they are embedded. */
    postgresServer: PostgresServer | undefined;
    /** Mode `own-server`: the settings of the server that is started beside the tested Worker, on the same database. */
    ownServerSettings: Record<string, string> | undefined;
    /** The same: its address. */
    ownServer: string | undefined;
    /** Browser tests: where the development server answers, and the token of its administrator. */
    devStack: { origin: string; masterToken: string };
    /** Tests of clients: where the service answers, the token of its administrator, and a key that reads geography. */
    clientsService: { address: string; masterToken: string; apiKey: string; userKey: string };
    /** The same: the TypeScript client as npm has packed it. */
    packedClient: string;
  }
}
