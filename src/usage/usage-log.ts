import type { FailureRow, UsageBatch, UsageRow, Use } from './usage.ts';

/** How long usage is added up before it goes to the database, milliseconds. */
const FLUSH_MS = 10_000;
const LONGEST_PAUSE_MS = 3_600_000;

/**
 * The usage of one key, kept in the storage of its Durable Object until the database has it. Where nothing was recorded,
 * nothing is stored.
 */
export class UsageLog {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Whether usage was ever recorded. */
  get hasRecorded(): boolean {
    return this.#storage.kv.get('key') !== undefined;
  }

  /** Adds requests of the key that were answered to the usage, and sets the alarm that sends it. */
  async record(uses: readonly Use[]): Promise<void> {
    const [first] = uses;
    if (!first) return;
    const { sql, kv } = this.#storage;
    const now = new Date();
    this.#createTables();
    const day = now.toISOString().slice(0, 10);
    for (const { path, status, code, durationMs } of uses) {
      sql.exec(
        `insert into usage values (?, ?, ?, 1, ?) on conflict do update
          set requests = requests + 1, duration_ms = duration_ms + excluded.duration_ms`,
        day,
        path,
        status,
        durationMs,
      );
      if (code === undefined) continue;
      sql.exec(
        'insert into failures values (?, ?, ?, ?, 1) on conflict do update set requests = requests + 1',
        day,
        path,
        status,
        code,
      );
    }
    kv.put('key', { id: first.keyId, lastUsedAt: now.getTime() });
    if ((await this.#storage.getAlarm()) === null) await this.#storage.setAlarm(now.getTime() + FLUSH_MS);
  }

  /**
   * Sets the alarm where usage is waiting and no alarm is set. The platform gives up on an alarm that failed too often.
   *
   * @returns whether the alarm was missing
   */
  async resume(): Promise<boolean> {
    const { kv } = this.#storage;
    if (kv.get('key') === undefined || (await this.#storage.getAlarm()) !== null) return false;
    const waiting = kv.get('batch') !== undefined || this.#hasRows();
    if (waiting) await this.#storage.setAlarm(Date.now());
    return waiting;
  }

  /**
   * Sends the usage. A batch keeps its id until it has arrived, so that a batch whose answer got lost is not counted
   * twice. Usage that comes in meanwhile goes with the next batch.
   *
   * @param send sends a batch to the database; after a failure the next try waits longer
   * @param onFailure is called with the failure, the id of the key and the number of failures in a row
   */
  async flush(
    send: (batch: UsageBatch) => Promise<void>,
    onFailure: (error: unknown, facts: { key_id: string; failures: number }) => void,
  ): Promise<void> {
    const { sql, kv } = this.#storage;
    const key = kv.get<{ id: string; lastUsedAt: number }>('key');
    if (!key) return;
    const { id, rows, failures } = this.#batch();
    try {
      await send({ id, keyId: key.id, lastUsedAt: key.lastUsedAt, rows, failures });
    } catch (error) {
      const tries = (kv.get<number>('failures') ?? 0) + 1;
      kv.put('failures', tries);
      await this.#storage.setAlarm(Date.now() + Math.min(FLUSH_MS * 2 ** tries, LONGEST_PAUSE_MS));
      onFailure(error, { key_id: key.id, failures: tries });
      return;
    }
    this.#storage.transactionSync(() => {
      sql.exec('delete from batch');
      sql.exec('delete from failure_batch');
      kv.delete('batch');
      kv.delete('failures');
    });
    if (this.#hasRows()) await this.#storage.setAlarm(Date.now() + FLUSH_MS);
  }

  #createTables(): void {
    this.#storage.sql.exec(`
      create table if not exists usage (day text, path text, status integer, requests integer, duration_ms integer,
        primary key (day, path, status)) without rowid;
      create table if not exists batch (day text, path text, status integer, requests integer, duration_ms integer);
      create table if not exists failures (day text, path text, status integer, code text, requests integer,
        primary key (day, path, status, code)) without rowid;
      create table if not exists failure_batch (day text, path text, status integer, code text, requests integer);
    `);
  }

  #hasRows(): boolean {
    return this.#storage.sql.exec('select 1 from usage limit 1').toArray().length > 0;
  }

  /** The batch that has not arrived yet, or a new one of all the usage. */
  #batch(): Pick<UsageBatch, 'id' | 'rows' | 'failures'> {
    const { sql, kv } = this.#storage;
    // An object that recorded usage with an earlier version of the Worker has no tables of failures yet.
    this.#createTables();
    const rowsIn = (table: string): unknown[] =>
      sql.exec<Record<string, SqlStorageValue>>(`select * from ${table}`).toArray();
    return this.#storage.transactionSync(() => {
      let id = kv.get<string>('batch');
      if (id === undefined) {
        id = crypto.randomUUID();
        kv.put('batch', id);
        sql.exec('insert into batch select * from usage');
        sql.exec('delete from usage');
        sql.exec('insert into failure_batch select * from failures');
        sql.exec('delete from failures');
      }
      return { id, rows: rowsIn('batch') as UsageRow[], failures: rowsIn('failure_batch') as FailureRow[] };
    });
  }
}
