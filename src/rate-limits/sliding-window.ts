import { type Allowance, EXACT_LIMIT, WINDOW_SECONDS } from './limit.ts';

export const WINDOW_MS = WINDOW_SECONDS * 1000;

/** Above `EXACT_LIMIT` requests of the same quarter of a second are stored as one number, milliseconds. */
const COARSE_MS = 250;

/** How many requests count from a time on: milliseconds since the epoch, and their number. */
export type Entry = [time: number, count: number];

/**
 * Counts the requests of the last minute: a request counts for a minute from when it was made, and a refused request does
 * not count. Times are milliseconds. Limits up to 600 are exact; above them a request counts until the end of its quarter
 * of a second, so that a window has at most 240 entries. Where the clock was set back, what counts does so for a minute
 * from then.
 */
export class SlidingWindow {
  /** The oldest first. */
  #entries: Entry[] = [];
  #used = 0;
  #lastTaken = Number.NEGATIVE_INFINITY;

  /** @param count how many requests are asked for: all of them are allowed, or none */
  take(limit: number, now: number, count = 1): Allowance {
    const allowed = this.#free(limit, now) >= count;
    if (allowed) this.add(timeOf(limit, now), count);
    return { allowed, ...this.#left(limit, now, allowed ? 1 : count) };
  }

  /** Lets as many of some requests through as are free. */
  takeUpTo(limit: number, now: number, wanted: number): { granted: number } & Omit<Allowance, 'allowed'> {
    const granted = Math.min(wanted, this.#free(limit, now));
    if (granted > 0) this.add(timeOf(limit, now), granted);
    return { granted, ...this.#left(limit, now, 1) };
  }

  /** Requests that may be made at once. */
  free(limit: number, now: number): number {
    return Math.max(0, this.#free(limit, now));
  }

  /** Counts requests that were made, or may be made, at a time. Most are newer than all others. */
  add(time: number, count = 1): void {
    let index = this.#entries.length;
    while (index > 0 && (this.#entries[index - 1] as Entry)[0] > time) index -= 1;
    const before = this.#entries[index - 1];
    if (before?.[0] === time) before[1] += count;
    else this.#entries.splice(index, 0, [time, count]);
    this.#used += count;
  }

  /** Uncounts requests that were made at a time, as many as there are. */
  giveBack(time: number, count = 1): void {
    const index = this.#entries.findLastIndex((entry) => entry[0] === time);
    if (index >= 0) this.#drop(index, count);
  }

  /** Uncounts some of the newest requests that were made. Those that may still be made continue to count. */
  giveBackMade(now: number, count: number): void {
    let left = count;
    for (let index = this.#entries.length - 1; index >= 0 && left > 0; index -= 1) {
      const [time, made] = this.#entries[index] as Entry;
      if (time > now + COARSE_MS) continue;
      this.#drop(index, left);
      left -= Math.min(left, made);
    }
  }

  /** What counts now, to be kept elsewhere. */
  entries(now: number): readonly Entry[] {
    this.#advance(now);
    return this.#entries;
  }

  #free(limit: number, now: number): number {
    this.#advance(now);
    return limit - this.#used;
  }

  #advance(now: number): void {
    if (now < this.#lastTaken) {
      const counted = this.#entries;
      [this.#entries, this.#used] = [[], 0];
      for (const [time, count] of counted) this.add(Math.min(time, now), count);
    }
    this.#lastTaken = now;
    let gone = 0;
    while (gone < this.#entries.length && (this.#entries[gone] as Entry)[0] <= now - WINDOW_MS) {
      this.#used -= (this.#entries[gone] as Entry)[1];
      gone += 1;
    }
    if (gone > 0) this.#entries.splice(0, gone);
  }

  /** After a limit was lowered, more requests may count than it allows. The next one is allowed when enough have left. */
  #left(limit: number, now: number, next: number): { remaining: number; resetMs: number } {
    let before = Math.max(0, this.#used + next - 1 - limit);
    const leaving = this.#entries.find(([, count]) => {
      before -= count;
      return before < 0;
    });
    return { remaining: Math.max(0, limit - this.#used), resetMs: (leaving?.[0] ?? now) + WINDOW_MS - now };
  }

  #drop(index: number, count: number): void {
    const entry = this.#entries[index] as Entry;
    const dropped = Math.min(count, entry[1]);
    entry[1] -= dropped;
    this.#used -= dropped;
    if (entry[1] === 0) this.#entries.splice(index, 1);
  }
}

/** The time that a request counts with: a later one where only quarters of a second are told apart. */
export function timeOf(limit: number, now: number): number {
  return limit > EXACT_LIMIT ? Math.ceil(now / COARSE_MS) * COARSE_MS : now;
}
