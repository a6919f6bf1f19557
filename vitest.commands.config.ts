import { defineConfig } from 'vitest/config';
import { TIMEOUT_MS, TIMEOUTS } from './test/support/timeouts.ts';

// npm run test:commands: loads of releases, and commands as processes of their own, on embedded databases of their own.

export default defineConfig({
  test: {
    name: 'commands',
    include: ['test/commands/**/*.test.ts'],
    environment: 'node',
    maxWorkers: 2,
    globalSetup: ['./test/support/seeding.ts'],
    provide: { postgresServer: undefined },
    ...TIMEOUTS,
    // A test loads releases, each of which is a minute of work where others work beside it.
    testTimeout: 5 * TIMEOUT_MS,
    hookTimeout: 5 * TIMEOUT_MS,
  },
});
