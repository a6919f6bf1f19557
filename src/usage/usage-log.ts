import { type FailureRow, type KeyUse, type UsageBatch, type UsageRow, type Use, UseSums } from './usage.ts';

/** How soon usage goes to the database after a time without any, milliseconds. */
const FIRST_FLUSH_MS = 10_000;

/** How long usage is added up before it goes to the database again, milliseconds. */
const FLUSH_MS = 600_000;

/** How long the first pause is after the database did not take a batch, milliseconds: each further one is twice as long. */
const BACKOFF_MS = 10_000;
const MAX_BACKOFF_MS = 3_600_000;

/** How many ids of what came in are kept. An instance sends what it got no answer for again with its next use of the key. */
const MAX_IDS = 300;

/** Where the storage has the log. */
const STORED = 'usage';

interface StoredLog {
  readonly keyId: string;
  readonly lastUsedAt: number;
  /** What came in since the last batch. */
  readonly uses: readonly Use[];
  /** What is on its way to the database, and may have arrived. */
  readonly batch?: { readonly id: string; readonly uses: readonly Use[] };
  /** How often it was not taken. */
  readonly failures?: number;
  /** When usage was sent last, milliseconds since the epoch. */
  readonly sentAt?: number;
  /** The ids of what came in last. */
  readonly arrived?: readonly string[];
}

/**
 * The usage of one key, kept in the storage of its Durable Object until the database has it. All of it is one value, because
 * the platform bills each value that is written. Where nothing was recorded, nothing is stored.
 */
export class UsageLog {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Whether usage was ever recorded. */
  get hasRecorded(): boolean {
    return this.#read() !== undefined;
  }

  /** Adds requests of the key that were answered to the usage, and sets the alarm that sends it. */
  async record({ id, keyId, lastUsedAt, uses }: KeyUse): Promise<void> {
    const log = this.#read();
    if (log?.arrived?.includes(id)) return;
    this.#write({
      ...log,
      keyId,
      lastUsedAt: Math.max(lastUsedAt, log?.lastUsedAt ?? 0),
      uses: new UseSums([...(log?.uses ?? []), ...uses]).uses,
      arrived: [...(log?.arrived ?? []), id].slice(-MAX_IDS),
    });
    if ((await this.#storage.getAlarm()) !== null) return;
    const now = Date.now();
    const sentAt = Math.min(log?.sentAt ?? Number.NEGATIVE_INFINITY, now);
    await this.#storage.setAlarm(Math.max(now + FIRST_FLUSH_MS, sentAt + FLUSH_MS));
  }

  /**
   * Sets the alarm where usage is waiting and no alarm is set. The platform gives up on an alarm that failed too often.
   *
   * @returns whether the alarm was missing
   */
  async resume(): Promise<boolean> {
    const log = this.#read();
    if (!log || (await this.#storage.getAlarm()) !== null) return false;
    const isWaiting = log.batch !== undefined || log.uses.length > 0;
    if (isWaiting) await this.#storage.setAlarm(Date.now());
    return isWaiting;
  }

  /**
   * Sends the usage. A batch keeps its id until it has arrived, so that a batch whose answer got lost is not counted
   * twice. Usage that comes in meanwhile goes with the next batch.
   *
   * @param send sends a batch to the database; after a failure the next try waits longer
   * @param onFailure called with the failure, the id of the key and the number of failures in a row
   */
  async flush(
    send: (batch: UsageBatch) => Promise<void>,
    onFailure: (error: unknown, facts: { key_id: string; failures: number }) => void,
  ): Promise<void> {
    let log = this.#read();
    if (!log) return;
    if (!log.batch) {
      if (log.uses.length === 0) return;
      log = { ...log, uses: [], batch: { id: crypto.randomUUID(), uses: log.uses } };
      this.#write(log);
    }
    const { keyId, lastUsedAt, batch } = log as Required<StoredLog>;
    try {
      await send({ id: batch.id, keyId, lastUsedAt, ...rowsOf(batch.uses) });
    } catch (error) {
      const failures = (log.failures ?? 0) + 1;
      this.#write({ ...(this.#read() as StoredLog), failures });
      await this.#storage.setAlarm(Date.now() + Math.min(BACKOFF_MS * 2 ** failures, MAX_BACKOFF_MS));
      onFailure(error, { key_id: keyId, failures });
      return;
    }
    const { batch: _, failures: __, ...rest } = this.#read() as StoredLog;
    this.#write({ ...rest, sentAt: Date.now() });
    if (rest.uses.length > 0) await this.#storage.setAlarm(Date.now() + FLUSH_MS);
  }

  #read(): StoredLog | undefined {
    return this.#storage.kv.get<StoredLog>(STORED) ?? this.#takeOver();
  }

  #write(log: StoredLog): void {
    this.#storage.kv.put(STORED, log);
  }

  /** What an earlier version of the Worker has stored in tables and not sent. */
  #takeOver(): StoredLog | undefined {
    const { sql, kv } = this.#storage;
    const key = kv.get<{ id: string; lastUsedAt: number }>('key');
    if (!key) return undefined;
    return this.#storage.transactionSync(() => {
      const id = kv.get<string>('batch');
      const usesIn = (usage: string, failures: string) => [
        ...rowsIn<UsageRow>(sql, usage).map(({ duration_ms, ...row }) => ({ ...row, durationMs: duration_ms })),
        // What failed is a part of what was used: the same requests with a code, which takes them from those without.
        ...rowsIn<FailureRow>(sql, failures).flatMap((row): Use[] => [
          { ...row, durationMs: 0 },
          { ...row, code: undefined, requests: -row.requests, durationMs: 0 },
        ]),
      ];
      const log: StoredLog = {
        keyId: key.id,
        lastUsedAt: key.lastUsedAt,
        uses: new UseSums(usesIn('usage', 'failures')).uses,
        ...(id === undefined ? {} : { batch: { id, uses: new UseSums(usesIn('batch', 'failure_batch')).uses } }),
      };
      this.#write(log);
      for (const name of ['key', 'batch', 'failures']) kv.delete(name);
      for (const table of ['usage', 'batch', 'failures', 'failure_batch']) sql.exec(`drop table if exists ${table}`);
      return log;
    });
  }
}

function rowsIn<Row>(sql: SqlStorage, table: string): Row[] {
  const isThere = sql.exec('select 1 from sqlite_master where name = ?', table).toArray().length > 0;
  return isThere ? (sql.exec<Record<string, SqlStorageValue>>(`select * from ${table}`).toArray() as Row[]) : [];
}

/** The rows of a batch: of all requests by day, path and status, and of those that failed by their codes too. */
function rowsOf(uses: readonly Use[]): Pick<UsageBatch, 'rows' | 'failures'> {
  const sums = new UseSums(uses.map(({ code: _, ...use }) => use));
  return {
    rows: sums.uses.map(({ durationMs, ...row }) => ({ ...row, duration_ms: durationMs })),
    failures: uses.flatMap(({ day, path, status, code, requests }) =>
      code === undefined ? [] : [{ day, path, status, code, requests }],
    ),
  };
}
