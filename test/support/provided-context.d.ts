import 'vitest';

declare module 'vitest' {
  /** What global-setup.ts hands to tests, for `inject()`. */
  export interface ProvidedContext {
    /** Connection string of a PostGIS with the built-in PSGC release, for Neon's driver. All test files share it. */
    databaseUrl: string;
    /** Connection strings of databases that fail, by the way in which they do. */
    faultyDatabases: Record<string, string>;
  }
}
