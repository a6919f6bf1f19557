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
 * Counts the requests of one key or one address. For a key it also records what the requests were; for an address
 * nothing is stored.
 *
 * The window is kept in memory, which an idle object loses after ten seconds unless a timer is pending. The timer runs
 * as long as the window, so the memory is lost only when no request in it counts any more
 * (https://developers.cloudflare.com/durable-objects/concepts/durable-object-lifecycle/). A new version of the Worker
 * begins with an empty window.
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

  /** Makes sure that recorded usage will be sent to the database. Gives whether nothing would have sent it. */
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
