import { DurableObject } from 'cloudflare:workers';
import { type Admission, type Credential, type KeyRecord, KnownKey, type Said } from './auth/known-key.ts';
import type { User } from './auth/principal.ts';
import { sameText } from './auth/same-text.ts';
import { connect } from './db/client.ts';
import { configOf } from './env.ts';
import { logFailure } from './log.ts';
import { Patience } from './patience.ts';
import { AccountBudget } from './rate-limits/account-budget.ts';
import { type Counters, tellCounter } from './rate-limits/counter.ts';
import {
  type Allowance,
  accountCounter,
  DEFAULT_KEY_RPM,
  keyCounter,
  type More,
  type Taken,
  WINDOW_SECONDS,
} from './rate-limits/limit.ts';
import { AccountPermits, type Lease, type PermitRequest, type Recall } from './rate-limits/permits.ts';
import { SlidingWindow } from './rate-limits/sliding-window.ts';
import { addUsage } from './usage/repo.ts';
import type { Use } from './usage/usage.ts';
import { UsageLog } from './usage/usage-log.ts';

/** How long usage that came with a request waits before it is written, milliseconds. No answer waits for the write. */
const WRITE_AFTER_MS = 250;

/** How long the object of an account may take to answer that of a key, milliseconds. */
const ACCOUNT_TIMEOUT_MS = 500;

/** How long the window of a key or an account is kept after a request, milliseconds. */
const AWAKE_MS = (WINDOW_SECONDS + 10) * 1000;

/** What comes with a request. */
export interface Asked {
  /** Requests of the key that were answered before. */
  readonly uses: readonly Use[];
  /** How many requests a minute all keys of an account may make that has no limit of its own. */
  readonly accountPerMinute: number;
}

/**
 * Counts the requests of one key, of all keys of one account, or of one address. For a key it also knows whether the key
 * is valid, and records what the requests were; for the others nothing is stored.
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
  readonly #permits = new AccountPermits();
  readonly #budget = new AccountBudget();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #uses: Use[] = [];
  #writing: ReturnType<typeof setTimeout> | null = null;
  /** Whether a request with the key was let in since the object began. */
  #isInUse = false;

  /** Asks for one more request. Exact under concurrency: an object does one thing at a time. */
  take(perMinute: number): Allowance {
    this.#stayAwake();
    return this.#window.take(perMinute, Date.now());
  }

  /**
   * Asks for more requests of a key, of which one was admitted before: for something that counts as several.
   *
   * @returns how many of them count now: all, or none where the key's limit refuses them, or as many as that of the account
   * lets through
   */
  async takeMore({ counter, count, perMinute, accountPerMinute, isWhole }: More): Promise<Taken> {
    this.#stayAwake();
    const now = Date.now();
    const allowance = this.#window.take(perMinute, now, count);
    const key = this.#key.find()?.key;
    const userId = key?.userId;
    let taken = allowance.allowed ? count : 0;
    let account: Allowance | undefined;
    if (allowance.allowed && userId !== undefined) {
      try {
        const perMinuteOfAll = key?.accountRpm ?? accountPerMinute;
        const asking = Array.from({ length: count }, () => this.#takeOfAccount(userId, counter, perMinuteOfAll));
        const given = await Promise.all(asking);
        account = given.find(({ allowed }) => !allowed) ?? given.at(-1);
        taken = given.filter(({ allowed }) => allowed).length;
      } catch {
        // Where the account does not answer, they go through as any request does.
      }
    }
    const isRefused = isWhole && taken < count;
    for (let i = taken; i < count && allowance.allowed; i += 1) this.#window.giveBack(now);
    if (isRefused) {
      for (let i = 0; i <= taken; i += 1) this.#window.giveBackNewest();
      if (account && userId !== undefined && taken > 0) {
        await this.#giveBackToAccount(userId, taken);
        account = { ...account, remaining: account.remaining + taken };
      }
    }
    return { taken: isRefused ? 0 : taken, isActive: key?.status === 'active', allowance, account };
  }

  /** Authenticates a key and asks for one more request with it, as far as the key is known. */
  async admit(credential: Credential, asked: Asked): Promise<Admission> {
    this.#writeLater(asked.uses);
    const known = this.#key.find();
    const { epoch } = this.#key;
    if (known) return this.#admitKey(credential, asked, { ...known, epoch: known.isOld ? epoch : undefined });
    if (this.#key.isAbsent) return { status: 'unknown' };
    return { status: 'unlearned', epoch, isFirst: this.#key.beginLookUp() };
  }

  /** The same where another request looks the key up: it waits for what that one finds. */
  async admitLater(credential: Credential, asked: Asked): Promise<Admission> {
    const found = await this.#key.lookedUp();
    return found === 'open' ? this.admit(credential, asked) : this.#admitSaid(credential, asked, found);
  }

  /**
   * Takes what the database says of the key, which was looked up in an epoch.
   *
   * @param asker the request that has looked it up; it is counted now
   */
  async learn(
    said: Said,
    epoch: string,
    asker?: { credential: Credential; asked: Asked },
  ): Promise<Admission | undefined> {
    this.#key.learn(said, epoch);
    return asker && this.#admitSaid(asker.credential, asker.asked, said);
  }

  /** As the object of an account: lets requests of a key through. */
  lease(perMinute: number, request: PermitRequest): Promise<Lease> {
    this.#stayAwake();
    return this.#budget.lease(perMinute, request, this.#recall);
  }

  /** As the object of an account: does not count requests that it has let through just now. */
  uncount(count: number): void {
    this.#budget.uncount(count);
  }

  /** As the object of an account: what is free now. */
  look(perMinute: number): Promise<Allowance> {
    return this.#budget.look(perMinute, this.#recall);
  }

  /** As the object of a key: gives back to its account what was to spare. */
  giveBack(which: Recall): number[] | undefined {
    return this.#permits.giveBack(which);
  }

  /** Call this when the key or its owner is being changed, or was. */
  forget(): void {
    this.#key.forget();
  }

  /** Remembers requests that were answered. */
  record(uses: readonly Use[]): Promise<void> {
    return this.#usage.record(uses);
  }

  /** As the object of a key: whether a request with it was ever let in. */
  isUsed(): boolean {
    return this.#isInUse || this.#usage.hasRecorded;
  }

  /** Makes sure that recorded usage will be sent to the database. Gives whether nothing would have sent it. */
  resume(): Promise<boolean> {
    return this.#usage.resume();
  }

  override async alarm(): Promise<void> {
    await this.#usage.flush(
      async (batch) => addUsage(connect(configOf(this.env).DATABASE_URL), batch),
      (error, facts) => logFailure('usage_not_saved', error, facts),
    );
  }

  async #admitSaid(credential: Credential, asked: Asked, said: Said): Promise<Admission> {
    if (said === 'nothing') return { status: 'unavailable' };
    if (!said.key) return { status: 'unknown' };
    const { userId, email, isAdmin, accountRpm } = said.key;
    return this.#admitKey(credential, asked, { key: said.key, user: { userId, email, isAdmin, accountRpm } });
  }

  /** Counts the request against the limit of the key, and then against that of its account. */
  async #admitKey(
    { prefix, hash }: Credential,
    { accountPerMinute }: Asked,
    { key, epoch, user }: { key: KeyRecord; epoch?: string | undefined; user?: User },
  ): Promise<Admission> {
    if (!sameText(key.hash, hash)) return { status: 'unknown' };
    const { status, keyId, scopes, rateLimitRpm, accountRpm, expiresAt, userId } = key;
    const own = { status, keyId, scopes, rateLimitRpm, accountRpm, expiresAt };
    const facts = { ...own, epoch, user, account: undefined, uncounted: undefined };
    if (status !== 'active') return { ...facts, allowance: undefined };
    this.#isInUse = true;
    this.#stayAwake();
    const now = Date.now();
    const allowance = this.#window.take(rateLimitRpm ?? DEFAULT_KEY_RPM, now);
    if (!allowance.allowed) return { ...facts, allowance };
    try {
      const account = await this.#takeOfAccount(userId, keyCounter(prefix), accountRpm ?? accountPerMinute);
      if (account.allowed) return { ...facts, allowance, account };
      // A request that the account refuses does not count for the key either.
      this.#window.giveBack(now);
      return { ...facts, allowance: { ...allowance, remaining: allowance.remaining + 1 }, account };
    } catch (error) {
      return { ...facts, allowance, uncounted: String(error) };
    }
  }

  /** @throws Error where the object of the account does not answer */
  #takeOfAccount(userId: string, counter: string, perMinute: number): Promise<Allowance> {
    return this.#permits.take(
      (request) =>
        tellCounter(
          this.#counters(),
          accountCounter(userId),
          async (account): Promise<Lease> => account.lease(perMinute, { ...request, counter }),
          ACCOUNT_TIMEOUT_MS,
        ),
      perMinute,
    );
  }

  /** Gives back requests that the account has let through. Where it does not answer, they count there for a minute. */
  async #giveBackToAccount(userId: string, count: number): Promise<void> {
    await tellCounter(
      this.#counters(),
      accountCounter(userId),
      async (account) => account.uncount(count),
      ACCOUNT_TIMEOUT_MS,
    ).catch(() => undefined);
  }

  readonly #recall = (counter: string, which: Recall) =>
    tellCounter(this.#counters(), counter, async (key) => key.giveBack(which));

  /** Other counters. What a caller waits for, its request limits. */
  #counters(): Counters {
    return { meters: this.env.METER, patience: new Patience('each') };
  }

  #stayAwake(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => undefined, AWAKE_MS);
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
