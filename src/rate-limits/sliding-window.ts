import { type Allowance, WINDOW_SECONDS } from './limit.ts';

const WINDOW_MS = WINDOW_SECONDS * 1000;

/**
 * Counts requests over the last minute exactly: a request counts until a minute after it was made, and one that was
 * refused never does. Times are milliseconds and must not decrease.
 */
export class SlidingWindow {
  #times: number[] = [];

  take(limit: number, now: number): Allowance {
    const current = this.#times.findIndex((time) => time > now - WINDOW_MS);
    this.#times.splice(0, current === -1 ? this.#times.length : current);
    const allowed = this.#times.length < limit;
    if (allowed) this.#times.push(now);
    // Where a limit was lowered more requests may count than it allows; the next is free when all but those have left.
    const leaving = this.#times[Math.max(0, this.#times.length - limit)] ?? now;
    return { allowed, remaining: Math.max(0, limit - this.#times.length), resetMs: leaving + WINDOW_MS - now };
  }
}
