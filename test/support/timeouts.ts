/**
 * How long tests wait for something that should come, ms. It is many times what it takes, so that a slow machine is no
 * error. All tests share it, because a time for a single test would be a guess about the machine. It proves nothing
 * about speed: growth.ts measures how work grows.
 */
export const TIMEOUT_MS = 60_000;

/** What each project of Vitest says of it. */
export const TIMEOUTS = {
  testTimeout: 2 * TIMEOUT_MS,
  hookTimeout: 2 * TIMEOUT_MS,
  expect: { poll: { timeout: TIMEOUT_MS } },
};
