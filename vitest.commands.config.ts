import { defineConfig } from 'vitest/config';
import { PATIENCE, PATIENCE_MS } from './test/support/patience.ts';

// npm run test:commands: loads of releases, and commands as processes of their own, on embedded databases of their own.

export default defineConfig({
  test: {
    name: 'commands',
    include: ['test/commands/**/*.test.ts'],
    environment: 'node',
    maxWorkers: 2,
    globalSetup: ['./test/support/seeding.ts'],
    provide: { postgresServer: undefined },
    ...PATIENCE,
    // A test loads releases, each of which is a minute of work where others work beside it.
    testTimeout: 5 * PATIENCE_MS,
    hookTimeout: 5 * PATIENCE_MS,
  },
});
