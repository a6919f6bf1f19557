import { availableParallelism } from 'node:os';
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

/** The bearer that tests present as the administrator's. */
const MASTER_TOKEN = 'test-master-token-not-secret';

export default defineConfig({
  test: {
    // By default one core is left idle, which on a machine of two is half of it.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts', 'test/scripts/**/*.test.ts'],
          environment: 'node',
        },
      },
      {
        plugins: [
          cloudflareTest(({ inject }) => ({
            main: './src/worker.ts',
            wrangler: { configPath: './wrangler.toml' },
            // A contributor's .dev.vars is read too: whatever a test depends on is named here.
            miniflare: {
              bindings: { DATABASE_URL: inject('databaseUrl'), MASTER_TOKEN, ENVIRONMENT: 'development' },
            },
          })),
        ],
        test: {
          name: 'api',
          include: ['test/api/**/*.test.ts', 'test/contract/**/*.test.ts'],
          globalSetup: ['./test/support/global-setup.ts'],
          testTimeout: 15_000,
        },
      },
    ],
  },
});
