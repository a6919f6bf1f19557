/** One answered request. */
export interface Use {
  readonly keyId: string;
  /** Path template, as the document has it. */
  readonly path: string;
  readonly status: number;
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

/** What one key was used for since the last batch. */
export interface UsageBatch {
  /** UUID, by which a batch that arrives twice is recognised. */
  readonly id: string;
  readonly keyId: string;
  /** Milliseconds since the epoch. */
  readonly lastUsedAt: number;
  readonly rows: readonly UsageRow[];
}
