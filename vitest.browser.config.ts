import { defineConfig } from 'vitest/config';

// npm run test:browser: the pages in Chromium, on the development server.

export default defineConfig({
  test: {
    name: 'browser',
    include: ['test/browser/**/*.test.ts'],
    environment: 'node',
    // All of them share one server, and what one address may ask of it without a key.
    fileParallelism: false,
    globalSetup: ['./test/browser/support/dev-stack.ts'],
    testTimeout: 120_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
