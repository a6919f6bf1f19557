import { defineConfig } from 'vitest/config';
import { TIMEOUT_MS, TIMEOUTS } from './test/support/timeouts.ts';

// npm run test:clients: GDAL, GeoPandas, DuckDB, R and a FlatGeobuf client read files from a service of their own, clients
// call others (those that are generated from the document, and ours), and the conformance suite of the Model Context
// Protocol asks one.

export default defineConfig({
  test: {
    name: 'clients',
    include: ['test/clients/**/*.test.ts'],
    environment: 'node',
    maxWorkers: 2,
    globalSetup: ['./test/support/seeding.ts', './test/clients/service.ts'],
    provide: { postgresServer: undefined },
    ...TIMEOUTS,
    hookTimeout: 10 * TIMEOUT_MS,
    testTimeout: 5 * TIMEOUT_MS,
  },
});
