import { DurableObject } from 'cloudflare:workers';
import { connect } from '../db/client.ts';
import { configOf } from '../env.ts';
import { logFailure } from '../log.ts';
import { addUsage } from '../usage/repo.ts';
import type { Use } from '../usage/usage.ts';
import { UsageLog } from '../usage/usage-log.ts';
import { type Allowance, WINDOW_SECONDS } from './limit.ts';
import { SlidingWindow } from './sliding-window.ts';

/**
 * Counts the requests of one key or one address: how many may still be made, and, of a key, what they were.
 *
 * The window lives in memory, which an idle object loses after ten seconds unless a timer is pending. With the timer it
 * is lost only after longer than the window is long, when nothing in it counts any more
 * (https://developers.cloudflare.com/durable-objects/concepts/durable-object-lifecycle/). Only a new version of the
 * Worker begins a window anew. Of an address nothing is stored.
 */
export class Meter extends DurableObject<Env> {
  readonly #window = new SlidingWindow();
  readonly #usage = new UsageLog(this.ctx.storage);
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** Asks for one more request. Exact under concurrency: an object does one thing at a time. */
  take(perMinute: number): Allowance {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => undefined, WINDOW_SECONDS * 1000);
    return this.#window.take(perMinute, Date.now());
  }

  /** Remembers a request that was answered. */
  record(use: Use): Promise<void> {
    return this.#usage.record(use);
  }

  /** Makes sure that recorded usage is on its way to the database. Gives whether it was not. */
  resume(): Promise<boolean> {
    return this.#usage.resume();
  }

  override async alarm(): Promise<void> {
    const { DATABASE_URL } = configOf(this.env);
    await this.#usage.flush(
      (batch) => addUsage(connect(DATABASE_URL), batch),
      (error, facts) => logFailure('usage_not_saved', error, facts),
    );
  }
}
