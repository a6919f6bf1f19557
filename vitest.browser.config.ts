import { defineConfig } from 'vitest/config';

// npm run test:browser: the pages in Chromium, on the development server.

export default defineConfig({
  test: {
    name: 'browser',
    include: ['test/browser/**/*.test.ts'],
    environment: 'node',
    globalSetup: ['./test/browser/support/dev-stack.ts'],
    testTimeout: 60_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 15_000 } },
  },
});
