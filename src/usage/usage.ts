/** Requests that were answered alike. */
export interface Use {
  /** UTC, YYYY-MM-DD */
  readonly day: string;
  /** Path template, as the document has it. */
  readonly path: string;
  readonly status: number;
  /** Why they failed: the code of the error, or `ZodError` where the input did not fit; undefined where they did not fail. */
  readonly code?: string | undefined;
  requests: number;
  /** Of all of them together. */
  durationMs: number;
}

/** What one key was used for, as an instance reports it to the key's counter. */
export interface KeyUse {
  /** By which uses that arrive twice are recognised. */
  readonly id: string;
  readonly keyId: string;
  /** Milliseconds since the epoch. */
  readonly lastUsedAt: number;
  readonly uses: readonly Use[];
}

/** The sum of requests of one day, path and status. */
export interface UsageRow {
  /** UTC, YYYY-MM-DD */
  readonly day: string;
  readonly path: string;
  readonly status: number;
  readonly requests: number;
  readonly duration_ms: number;
}

/** How many of the requests of one day, path and status failed for the same reason. */
export interface FailureRow extends Omit<UsageRow, 'duration_ms'> {
  readonly code: string;
}

/** What one key was used for since the last batch. */
export interface UsageBatch extends Omit<KeyUse, 'uses'> {
  readonly rows: readonly UsageRow[];
  /** Why some of these requests failed. */
  readonly failures: readonly FailureRow[];
}

/** Adds uses up, by day, path, status and code. */
export class UseSums {
  readonly #sums = new Map<string, Use>();
  /** How many requests there are in all. */
  requests = 0;

  constructor(uses: readonly Use[] = []) {
    for (const use of uses) this.add(use);
  }

  add(use: Use): void {
    const { day, path, status, code, requests, durationMs } = use;
    const name = JSON.stringify([day, path, status, code]);
    const sum = this.#sums.get(name);
    if (sum) {
      sum.requests += requests;
      sum.durationMs += durationMs;
    } else this.#sums.set(name, { ...use });
    this.requests += requests;
  }

  get uses(): readonly Use[] {
    return [...this.#sums.values()];
  }
}
