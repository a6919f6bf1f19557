import { steadyTime } from '../clock.ts';

/** How long a request waits for the answer that another one asks for, milliseconds. Then it asks by itself. */
const WAIT_MS = 4000;

/** How long a request waits before it looks again whether another one has an answer, milliseconds: at first, and at most. */
const POLL_INTERVAL_MS = 4;
const MAX_POLL_INTERVAL_MS = 50;

/** The part of a request that has to ask anew. */
export const AGAIN = Symbol('again');

/** A request that waits, and what another one has got for it. */
interface Waiting<Part> {
  /** Whether another one asks for it. */
  isJoined: boolean;
  outcome?: { readonly part: Part | typeof AGAIN } | { readonly error: unknown };
}

/**
 * Lets requests of one instance that want the same ask as one. While one asks, others wait, and then the first of them asks
 * for all. So a burst costs two calls. Those that wait look by themselves, because the runtime forbids to await a promise of
 * another request.
 */
export class SharedAsk<Part> {
  #waiting: Waiting<Part>[] = [];
  #isAsking = false;

  /**
   * @param ask asks for a number of requests and gives the part of each. Each time it calls `join`, those that have come
   * meanwhile join it; it gets the number of all
   */
  async ask(ask: (join: () => number) => Promise<(i: number) => Part | typeof AGAIN>): Promise<Part> {
    for (;;) {
      const outcome = this.#isAsking ? await this.#wait() : undefined;
      if (outcome && 'error' in outcome) throw outcome.error;
      const part = outcome ? outcome.part : await this.#lead(ask);
      if (part !== AGAIN) return part as Part;
    }
  }

  async #lead(ask: (join: () => number) => Promise<(i: number) => Part | typeof AGAIN>): Promise<Part | typeof AGAIN> {
    this.#isAsking = true;
    let others: Waiting<Part>[] = [];
    const join = () => {
      for (const other of this.#waiting.splice(0)) {
        other.isJoined = true;
        others.push(other);
      }
      // Who waited too long asks by itself.
      others = others.filter(({ isJoined }) => isJoined);
      return 1 + others.length;
    };
    try {
      const partOf = await ask(join);
      for (const [i, other] of others.entries()) other.outcome = { part: partOf(i + 1) };
      return partOf(0);
    } catch (error) {
      for (const other of others) other.outcome = { error };
      throw error;
    } finally {
      this.#isAsking = false;
    }
  }

  /** Gives undefined where it is this request's turn to ask. */
  async #wait(): Promise<Waiting<Part>['outcome']> {
    const waiting: Waiting<Part> = { isJoined: false };
    this.#waiting.push(waiting);
    const until = steadyTime() + WAIT_MS;
    let interval = POLL_INTERVAL_MS;
    // The clock of a test may stand still, so intervals are added up too.
    for (let waited = 0; !waiting.outcome; waited += interval) {
      const isOver = steadyTime() >= until || waited >= WAIT_MS;
      if (isOver || (!this.#isAsking && !waiting.isJoined)) {
        waiting.isJoined = false;
        const index = this.#waiting.indexOf(waiting);
        if (index >= 0) this.#waiting.splice(index, 1);
        return undefined;
      }
      await scheduler.wait(interval);
      interval = Math.min(interval * 1.2, MAX_POLL_INTERVAL_MS);
    }
    return waiting.outcome;
  }
}
