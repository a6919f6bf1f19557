import 'vitest';
import type { PostgresServer } from './postgres-server.ts';
import type { SnapshotFiles } from './snapshot-files.ts';

declare module 'vitest' {
  /** What vitest.config.ts and the global setups hand to tests, for `inject()`. */
  export interface ProvidedContext {
    /** Connection string of a PostGIS with the built-in PSGC release, for Neon's driver. All test files share it. */
    databaseUrl: string;
    /** Address that answers with the connection string of another one, for the one test file that asks. */
    spareDatabase: string;
    /** Connection strings of databases that fail, by the way in which they do. */
    faultyDatabases: Record<string, string>;
    /**
     * PMTiles archives in base64. `regions`: those of the drawn country, as geo:tiles makes them. `many`: all tiles
     * of zooms 0 to 4 and so many of zoom 9 that there are leaf directories; each has its place on the curve as `id`.
     */
    tileArchives: { regions: string; many: string };
    /** The snapshot of the release that is active when tests begin. */
    snapshot: SnapshotFiles;
    /** The private key of the identity provider that tests stand in for, as a JWK. */
    sessionKey: JsonWebKey;
    /** The server to make databases on; undefined where they are embedded. */
    postgresServer: PostgresServer | undefined;
    /** Browser tests: where the development server answers, and the token of its administrator. */
    devStack: { origin: string; masterToken: string };
  }
}
