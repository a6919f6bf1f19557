import { afterAll, vi } from 'vitest';

// Files share a worker: what one of them watches or replaces is as it was for the next.
afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});
