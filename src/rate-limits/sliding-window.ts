import { type Allowance, WINDOW_SECONDS } from './limit.ts';

const WINDOW_MS = WINDOW_SECONDS * 1000;

/**
 * Counts the requests of the last minute exactly: a request counts for a minute from when it was made, and a refused
 * request does not count. Times are milliseconds. Where the clock was set back, what counts does so for a minute from then.
 */
export class SlidingWindow {
  #times: number[] = [];

  /** @param count how many requests are asked for: all of them are allowed, or none */
  take(limit: number, now: number, count = 1): Allowance {
    if ((this.#times.at(-1) ?? now) > now) this.#times = this.#times.map((time) => Math.min(time, now));
    const current = this.#times.findIndex((time) => time > now - WINDOW_MS);
    this.#times.splice(0, current === -1 ? this.#times.length : current);
    const allowed = this.#times.length + count <= limit;
    if (allowed) for (let i = 0; i < count; i += 1) this.#times.push(now);
    // After a limit was lowered, more requests may count than it allows. The next one is allowed when enough have left.
    const next = allowed ? 1 : count;
    const leaving = this.#times[Math.max(0, this.#times.length + next - 1 - limit)] ?? now;
    return { allowed, remaining: Math.max(0, limit - this.#times.length), resetMs: leaving + WINDOW_MS - now };
  }

  /** Does not count a request that was made at a time. */
  giveBack(time: number): void {
    const place = this.#times.lastIndexOf(time);
    if (place >= 0) this.#times.splice(place, 1);
  }

  /** Does not count the newest request. */
  giveBackNewest(): void {
    this.#times.pop();
  }
}
