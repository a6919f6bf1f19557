/** One answered request. */
export interface Use {
  readonly keyId: string;
  /** Path template, as the document has it. */
  readonly path: string;
  readonly status: number;
  /** Why it failed: the code of the error, or `ZodError` where its input did not fit; undefined where it did not fail. */
  readonly code?: string | undefined;
  readonly durationMs: number;
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
export interface FailureRow {
  /** UTC, YYYY-MM-DD */
  readonly day: string;
  readonly path: string;
  readonly status: number;
  readonly code: string;
  readonly requests: number;
}

/** What one key was used for since the last batch. */
export interface UsageBatch {
  /** UUID, by which a batch that arrives twice is recognised. */
  readonly id: string;
  readonly keyId: string;
  /** Milliseconds since the epoch. */
  readonly lastUsedAt: number;
  readonly rows: readonly UsageRow[];
  /** Why some of these requests failed. */
  readonly failures: readonly FailureRow[];
}
