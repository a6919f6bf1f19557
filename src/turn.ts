/** Lets other requests of the instance have a turn. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** The items of long work, with a turn for others after so many of them. A turn takes a millisecond or more. */
export async function* inTurns<T>(items: Iterable<T>, each = 1): AsyncGenerator<T> {
  let count = 0;
  for (const item of items) {
    yield item;
    count += 1;
    if (count % each === 0) await turn();
  }
}

/** Gives others a turn each time that so much work is done, however it is divided. */
export class Pace {
  readonly #each: number;
  #done = 0;

  constructor(each: number) {
    this.#each = each;
  }

  async did(amount: number): Promise<void> {
    this.#done += amount;
    if (this.#done < this.#each) return;
    this.#done = 0;
    await turn();
  }
}

/** How often whoever waits for a turn looks whether there is one, milliseconds. */
const POLL_INTERVAL_MS = 10;

/**
 * Limits how many works of one kind an instance does at once. The others wait, so that short requests of everybody else stand
 * behind a few of them at most.
 *
 * Each looks by itself whether it has a turn, because the platform does not let one request wake another.
 */
export class Turns {
  readonly #max: number;
  readonly #maxMs: number;
  /** When each of the turns that are taken began or was heard of last, milliseconds since the epoch. */
  readonly #begun = new Map<symbol, number>();

  /** @param maxMs after which a turn is over of which nothing is heard, milliseconds: a request that is cancelled may never say so */
  constructor({ max, maxMs }: { max: number; maxMs: number }) {
    this.#max = max;
    this.#maxMs = maxMs;
  }

  /** Does the work when it has a turn. The work of long turns says that it goes on. */
  async take<T>(work: (goesOn: () => void) => Promise<T>): Promise<T> {
    while (!this.#hasRoom(Date.now())) await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    const own = Symbol();
    const begin = () => void this.#begun.set(own, Date.now());
    begin();
    try {
      return await work(begin);
    } finally {
      this.#begun.delete(own);
    }
  }

  #hasRoom(now: number): boolean {
    if (this.#begun.size < this.#max) return true;
    for (const [own, since] of this.#begun) if (now - since > this.#maxMs) this.#begun.delete(own);
    return this.#begun.size < this.#max;
  }
}
