/**
 * How long tests wait for what should come, many times what it takes: what never comes is an error, a slow machine is
 * not. The same for all, since a time of one's own would be a guess about the machine.
 */
export const PATIENCE_MS = 60_000;

/** What each configuration of vitest says of it. */
export const PATIENCE = {
  testTimeout: 2 * PATIENCE_MS,
  hookTimeout: 2 * PATIENCE_MS,
  teardownTimeout: PATIENCE_MS,
  expect: { poll: { timeout: PATIENCE_MS } },
};
