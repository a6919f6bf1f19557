import { defineConfig } from 'vitest/config';
import { TIMEOUTS } from './test/support/timeouts.ts';

// npm run test:browser: the pages in Chromium, on the development server.

export default defineConfig({
  test: {
    name: 'browser',
    include: ['test/browser/**/*.test.ts'],
    environment: 'node',
    // All of them share one server, and what one address may ask of it without a key.
    fileParallelism: false,
    globalSetup: ['./test/browser/support/dev-stack.ts'],
    ...TIMEOUTS,
  },
});
