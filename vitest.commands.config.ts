import { defineConfig } from 'vitest/config';

// npm run test:commands: the commands as processes of their own, on embedded databases of their own.

export default defineConfig({
  test: {
    name: 'commands',
    include: ['test/commands/**/*.test.ts'],
    environment: 'node',
    maxWorkers: 2,
    testTimeout: 30_000,
  },
});
