import { DurableObject } from 'cloudflare:workers';
import { type Bindings, configOf } from '../env.ts';
import { logFailure } from '../log.ts';
import { addUsage } from '../usage/repo.ts';
import type { UsageRow, Use } from '../usage/usage.ts';
import { type Allowance, WINDOW_SECONDS } from './limit.ts';
import { SlidingWindow } from './sliding-window.ts';

/** How long usage is added up before it goes to the database, milliseconds. */
const FLUSH_MS = 10_000;
const LONGEST_PAUSE_MS = 3_600_000;

/**
 * Counts the requests of one key or one address: how many may still be made, and, of a key, what they were.
 *
 * The window lives in memory, which an idle object loses after ten seconds unless a timer is pending: then it is put
 * away only after longer than the window is long, and what is forgotten with it no longer counts
 * (https://developers.cloudflare.com/durable-objects/concepts/durable-object-lifecycle/). Only a new version of the
 * Worker begins a window anew. Usage is kept in the object's storage until the database has it; of an address nothing
 * is stored.
 */
export class Meter extends DurableObject<Bindings> {
  readonly #window = new SlidingWindow();
  #awake: number | null = null;

  /** Asks for one more request. Exact under concurrency: an object does one thing at a time. */
  take(perMinute: number): Allowance {
    clearTimeout(this.#awake);
    this.#awake = setTimeout(() => undefined, WINDOW_SECONDS * 1000);
    return this.#window.take(perMinute, Date.now());
  }

  /** Remembers a request that was answered. */
  async record({ keyId, path, status, durationMs }: Use): Promise<void> {
    const { sql } = this.ctx.storage;
    const now = new Date();
    sql.exec(`
      create table if not exists usage (day text, path text, status integer, requests integer, duration_ms integer,
        primary key (day, path, status)) without rowid;
      create table if not exists batch (day text, path text, status integer, requests integer, duration_ms integer);
    `);
    sql.exec(
      `insert into usage values (?, ?, ?, 1, ?) on conflict do update
        set requests = requests + 1, duration_ms = duration_ms + excluded.duration_ms`,
      now.toISOString().slice(0, 10),
      path,
      status,
      durationMs,
    );
    this.ctx.storage.kv.put('key', { id: keyId, lastUsedAt: now.getTime() });
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(now.getTime() + FLUSH_MS);
  }

  /**
   * Makes sure that what was added up is on its way: the platform gives up on an alarm that has failed too often.
   * Gives whether it had been.
   */
  async resume(): Promise<boolean> {
    const { sql, kv } = this.ctx.storage;
    if (kv.get('key') === undefined || (await this.ctx.storage.getAlarm()) !== null) return false;
    const waiting = kv.get('batch') !== undefined || sql.exec('select 1 from usage limit 1').toArray().length > 0;
    if (waiting) await this.ctx.storage.setAlarm(Date.now());
    return waiting;
  }

  /**
   * Sends what was added up. A batch keeps its id until it has arrived, so that one whose answer got lost is not
   * counted twice; what comes in meanwhile goes with the next.
   */
  override async alarm(): Promise<void> {
    const { kv } = this.ctx.storage;
    const key = kv.get<{ id: string; lastUsedAt: number }>('key');
    if (!key) return;
    const { id, rows } = this.#batch();
    try {
      await addUsage(configOf(this.env).DATABASE_URL, { id, keyId: key.id, lastUsedAt: key.lastUsedAt, rows });
    } catch (error) {
      const failures = (kv.get<number>('failures') ?? 0) + 1;
      kv.put('failures', failures);
      await this.ctx.storage.setAlarm(Date.now() + Math.min(FLUSH_MS * 2 ** failures, LONGEST_PAUSE_MS));
      return logFailure('usage_not_saved', error, { key_id: key.id, failures });
    }
    this.ctx.storage.transactionSync(() => {
      this.ctx.storage.sql.exec('delete from batch');
      kv.delete('batch');
      kv.delete('failures');
    });
    const waiting = this.ctx.storage.sql.exec('select 1 from usage limit 1').toArray().length > 0;
    if (waiting) await this.ctx.storage.setAlarm(Date.now() + FLUSH_MS);
  }

  /** The batch that is under way, or a new one of all that has been added up. */
  #batch(): { id: string; rows: UsageRow[] } {
    const { sql, kv } = this.ctx.storage;
    return this.ctx.storage.transactionSync(() => {
      let id = kv.get<string>('batch');
      if (id === undefined) {
        id = crypto.randomUUID();
        kv.put('batch', id);
        sql.exec('insert into batch select * from usage');
        sql.exec('delete from usage');
      }
      return {
        id,
        rows: sql.exec<Record<string, SqlStorageValue>>('select * from batch').toArray() as unknown as UsageRow[],
      };
    });
  }
}
