import { vi } from 'vitest';
import { PATIENCE_MS } from './patience.ts';

/** Tries until it works, and gives what it then gives. */
export function eventually<T>(attempt: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(attempt, { timeout: PATIENCE_MS, interval: 20 });
}
