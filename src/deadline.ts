/**
 * How long a request waits for what is outside of the Worker unless REQUEST_WAIT_MS says otherwise, milliseconds: all
 * its waits together, where waits at the same time count once. So its answer leaves within five seconds.
 */
export const TOTAL_MS = 4500;

/** How much of that time one late answer leaves, milliseconds, so that the next thing can still be asked. */
const RESERVED_MS = 500;

/** The part of the whole time that a part of long work may take without counting. */
const SHORT_SHARE = 3;

/** Something outside did not answer in time. */
class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
}

/** Requests that are made to answer another one, with the deadline of that. */
const shared = new WeakMap<Request, Deadline>();

/** Lets a request that is made to answer another one wait no longer than that. */
export function shareDeadline(request: Request, deadline: Deadline): void {
  shared.set(request, deadline);
}

/** The deadline of a request. @param total the whole time, milliseconds */
export function deadlineOf(request: Request, total: number): Deadline {
  return shared.get(request) ?? new Deadline('all', total);
}

/**
 * The time that a request has for everything outside of the Worker: the database, the bucket, the cache, counters, the
 * identity provider. Only waits use it up, and no timer is set while nothing is waited for.
 */
export class Deadline {
  readonly #perWait: boolean;
  readonly #total: number;
  #left: number;
  /** What was left when the last part of the work was done. */
  #leftBefore: number;
  #waits = 0;
  /** When the first of the current waits began, milliseconds since the epoch. */
  #since = 0;

  /** The statements that were waited for, and how long, milliseconds. Those at the same time count each. */
  readonly database = { statements: 0, ms: 0 };

  /**
   * @param scope `each` for work that nobody waits for: each of its waits has the whole time
   * @param total the whole time, milliseconds
   */
  constructor(scope: 'all' | 'each' = 'all', total = TOTAL_MS) {
    this.#perWait = scope === 'each';
    this.#total = total;
    this.#left = total;
    this.#leftBefore = total;
  }

  /** The deadline of work that goes on where nobody waits for it. */
  get unhurried(): Deadline {
    return new Deadline('each', this.#total);
  }

  /** The longest wait for one answer, milliseconds. */
  get forAnswer(): number {
    return this.#total - RESERVED_MS;
  }

  /** A wait that suits the usual whole time, milliseconds: longer in proportion where the whole time is longer. */
  scaled(timeout: number): number {
    return timeout * Math.max(1, this.#total / TOTAL_MS);
  }

  /** For how long one more thing can be waited for, milliseconds. Zero or less: for nothing. */
  get left(): number {
    if (this.#perWait) return this.#total;
    return this.#waits === 0 ? this.#left : this.#left - (Date.now() - this.#since);
  }

  /** Gives all of the time again to an answer that has begun: each of its parts has it. */
  renew(): void {
    this.#leftBefore = this.#total;
    this.#since = Date.now();
    this.#left = this.#total;
  }

  /**
   * Notes that a part of long work is done, before the answer to it begins. The waits of a part don't count where they were
   * short, as they are while everything works. Long ones do, so that however many there are, they never add up to more than the
   * whole time.
   */
  partDone(): void {
    const { left } = this;
    if (this.#leftBefore - left > this.#total / SHORT_SHARE) this.#leftBefore = left;
    this.#since = Date.now();
    this.#left = this.#leftBefore;
  }

  /** Waits for something that ends by itself when it takes too long. */
  async count<T>(start: () => Promise<T>): Promise<T> {
    if (this.#waits === 0) this.#since = Date.now();
    this.#waits += 1;
    try {
      return await start();
    } finally {
      this.#waits -= 1;
      if (this.#waits === 0) this.#left -= Date.now() - this.#since;
    }
  }

  /**
   * Waits for something that may never end.
   *
   * @param timeout how long at most, milliseconds
   * @param late called with what comes later than that, to free what it holds
   * @throws DeadlineExceeded, and what it fails with
   */
  within<T>(timeout: number, start: () => Promise<T>, late?: (value: T) => unknown): Promise<T> {
    const limit = Math.min(timeout, this.left);
    return this.count(
      () =>
        new Promise<T>((resolve, reject) => {
          if (limit <= 0) throw new DeadlineExceeded('There was no time left to ask');
          const answer = start();
          const timer = setTimeout(() => {
            reject(new DeadlineExceeded(`There was no answer in ${limit} ms`));
            if (late) answer.then(late).catch(() => undefined);
          }, limit);
          answer.finally(() => clearTimeout(timer)).then(resolve, reject);
        }),
    );
  }
}
