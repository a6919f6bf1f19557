import { vi } from 'vitest';
import { TIMEOUT_MS } from './timeouts.ts';

/** Tries until it works, and gives what it then gives. */
export function eventually<T>(attempt: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(attempt, { timeout: TIMEOUT_MS, interval: 20 });
}
