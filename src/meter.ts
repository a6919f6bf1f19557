import { DurableObject } from 'cloudflare:workers';
import { type Admission, type Credential, type KeyRecord, KnownKey } from './auth/known-key.ts';
import { sameText } from './auth/same-text.ts';
import { connect } from './db/client.ts';
import { configOf } from './env.ts';
import { logFailure } from './log.ts';
import { type Allowance, DEFAULT_KEY_RPM, WINDOW_SECONDS } from './rate-limits/limit.ts';
import { SlidingWindow } from './rate-limits/sliding-window.ts';
import { addUsage } from './usage/repo.ts';
import type { Use } from './usage/usage.ts';
import { UsageLog } from './usage/usage-log.ts';

/** How long usage that came with a request waits before it is written, milliseconds. No answer waits for the write. */
const WRITE_AFTER_MS = 250;

/**
 * Counts the requests of one key or one address. For a key it also knows whether the key is valid, and records what the
 * requests were; for an address nothing is stored.
 *
 * The window is kept in memory, which an idle object loses after ten seconds unless a timer is pending. The timer runs
 * as long as the window, so the memory is lost only when no request in it counts any more
 * (https://developers.cloudflare.com/durable-objects/concepts/durable-object-lifecycle/). A new version of the Worker
 * begins with an empty window.
 */
export class Meter extends DurableObject<Env> {
  readonly #window = new SlidingWindow();
  readonly #usage = new UsageLog(this.ctx.storage);
  readonly #key = new KnownKey(this.ctx.storage);
  #timer: ReturnType<typeof setTimeout> | null = null;
  #uses: Use[] = [];
  #writing: ReturnType<typeof setTimeout> | null = null;

  /**
   * Asks for one more request. Exact under concurrency: an object does one thing at a time.
   *
   * @param uses requests of the key that were answered before
   */
  take(perMinute: number, uses: readonly Use[] = []): Allowance {
    this.#writeLater(uses);
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => undefined, WINDOW_SECONDS * 1000);
    return this.#window.take(perMinute, Date.now());
  }

  /**
   * Authenticates a key and asks for one more request with it, as far as the key is known.
   *
   * @param uses requests of the key that were answered before
   */
  admit({ hash }: Credential, uses: readonly Use[]): Admission {
    this.#writeLater(uses);
    const known = this.#key.find();
    const { epoch } = this.#key;
    if (!known) return { status: 'unlearned', epoch };
    const { key, isOld } = known;
    if (!sameText(key.hash, hash)) return { status: 'unknown' };
    const { status, keyId, scopes, rateLimitRpm } = key;
    const allowance = status === 'active' ? this.take(rateLimitRpm ?? DEFAULT_KEY_RPM) : undefined;
    return { status, keyId, scopes, rateLimitRpm, allowance, epoch: isOld ? epoch : undefined };
  }

  /** Takes what the database says of the key, which was looked up in an epoch. */
  learn(key: KeyRecord | undefined, epoch: string): void {
    this.#key.learn(key, epoch);
  }

  /** Call this when the key or its owner is being changed, or was. */
  forget(): void {
    this.#key.forget();
  }

  /** Remembers requests that were answered. */
  record(uses: readonly Use[]): Promise<void> {
    return this.#usage.record(uses);
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

  /** An answer leaves an object when everything is stored that was written before it, so uses are written later. */
  #writeLater(uses: readonly Use[]): void {
    this.#uses.push(...uses);
    if (this.#uses.length === 0) return;
    this.#writing ??= setTimeout(async () => {
      this.#writing = null;
      await this.#usage.record(this.#uses.splice(0));
    }, WRITE_AFTER_MS);
  }
}
