import { afterAll, vi } from 'vitest';

// One line for each of thirty thousand requests would hide what a test that fails has to say. Lines of errors are printed,
// and a test that is about other lines listens for them.
console.log = () => undefined;

// Test files share a worker, so each restores the spies and clocks that it replaced.
afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});
