import { steadyTime } from '../clock.ts';

/** How long a request waits for what another one asks, milliseconds: longer than a counter may take. Then it asks by itself. */
const WAIT_MS = 1700;

/** How often a request looks whether another one has got an answer, milliseconds. */
const POLL_MS = 4;

/** A request that waits, and what another one has got for it. */
interface Waiting<Part> {
  outcome?: { readonly part: Part } | { readonly error: unknown };
}

/**
 * Lets requests of one instance that want the same ask as one. While one asks, others wait, and then the first of them asks
 * for all. So a burst costs two calls. Nothing depends on a request whose client has gone: those that wait look by
 * themselves, because the runtime forbids to await a promise of another request.
 */
export class SharedAsk<Part> {
  #waiting: Waiting<Part>[] = [];
  #isAsking = false;

  /**
   * @param ask asks for a number of requests and gives the part of each. Each time it calls `join`, those that have come
   * meanwhile join it; it gets the number of all
   */
  async ask(ask: (join: () => number) => Promise<(i: number) => Part>): Promise<Part> {
    if (this.#isAsking) {
      const outcome = await this.#wait();
      if (outcome && 'part' in outcome) return outcome.part;
      if (outcome) throw outcome.error;
    }
    this.#isAsking = true;
    const others: Waiting<Part>[] = [];
    try {
      const partOf = await ask(() => 1 + others.push(...this.#waiting.splice(0)));
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
    const waiting: Waiting<Part> = {};
    this.#waiting.push(waiting);
    const until = steadyTime() + WAIT_MS;
    let polls = 0;
    while (!waiting.outcome) {
      // The clock of a test may stand still.
      const isOver = steadyTime() >= until || polls * POLL_MS >= WAIT_MS;
      const place = this.#waiting.indexOf(waiting);
      if (place >= 0 && (!this.#isAsking || isOver)) {
        this.#waiting.splice(place, 1);
        return undefined;
      }
      if (place < 0 && isOver) return undefined;
      await scheduler.wait(POLL_MS);
      polls += 1;
    }
    return waiting.outcome;
  }
}
