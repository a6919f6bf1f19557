import { afterAll, vi } from 'vitest';

// Test files share a worker, so each restores the spies and clocks that it replaced.
afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});
