import { DurableObject } from 'cloudflare:workers';
import {
  type Admission,
  CachedKey,
  type Credential,
  type KeyRecord,
  type Leased,
  type LookupResult,
} from './auth/cached-key.ts';
import type { AccountState } from './auth/deleted-accounts.ts';
import type { User } from './auth/principal.ts';
import { sameText } from './auth/same-text.ts';
import { jobContext } from './context.ts';
import { connect } from './db/client.ts';
import { Deadline } from './deadline.ts';
import { configOf } from './env.ts';
import { logFailure } from './log.ts';
import { AccountBudget, type BudgetStore } from './rate-limits/account-budget.ts';
import { type AddressRequest, type AddressTaken, AddressWindows } from './rate-limits/address-windows.ts';
import { type Counters, callCounter } from './rate-limits/counter.ts';
import { DurableWindow, type Receipt, type StoredWindow, type WindowStore } from './rate-limits/durable-window.ts';
import {
  type Allowance,
  accountCounter,
  DEFAULT_KEY_RPM,
  EXACT_LIMIT,
  type Failed,
  type Granted,
  isPlenty,
  keyCounter,
  type More,
  type Taken,
  WINDOW_SECONDS,
} from './rate-limits/limit.ts';
import { AccountPermits, type Lease, type PermitRequest, type Recall, type ShareStore } from './rate-limits/permits.ts';
import { timeOf, WINDOW_MS } from './rate-limits/sliding-window.ts';
import { addUsage } from './usage/repo.ts';
import type { KeyUse } from './usage/usage.ts';
import { UsageLog } from './usage/usage-log.ts';

/** How long the object of an account may take to answer that of a key, milliseconds. */
const ACCOUNT_TIMEOUT_MS = 500;

/** The smallest lease that an instance is given. */
const MIN_LEASE = 2;

/** After how long notifications are looked for again where the database does not answer or a run is ended, milliseconds. */
const SEND_AGAIN_MS = 300_000;

/** What comes with requests of a key. */
export interface AdmissionRequest {
  /** Requests of the key that were answered before. */
  readonly uses: readonly KeyUse[];
  /** How many requests a minute all keys of an account may make that has no limit of its own. */
  readonly accountPerMinute: number;
  /** How many requests are to be let through. */
  readonly wanted: number;
  /** How many more are likely within a second. */
  readonly ahead: number;
  /** What of the last lease nobody used. */
  readonly unused: Leased | undefined;
  readonly receipts: readonly Receipt[];
}

/**
 * Counts the requests of one key, of all keys of one account, or of addresses. For a key it also knows whether the key is
 * valid, and records what the requests were. For a subject of sessions it knows whether the account was deleted. One object counts
 * nothing and sends notifications.
 *
 * It sets no timer that outlives what it waits for, so it sleeps between requests, which the platform does not bill
 * (https://developers.cloudflare.com/durable-objects/concepts/durable-object-lifecycle/). Its memory is lost after ten
 * seconds of sleep. What must outlive that is stored: see `DurableWindow`.
 */
export class Meter extends DurableObject<Env> {
  /** Id of this object's incarnation; changes on eviction. */
  readonly #incarnation = crypto.randomUUID();
  readonly #usage = new UsageLog(this.ctx.storage);
  readonly #key = new CachedKey(this.ctx.storage);
  readonly #permits = new AccountPermits(sharesIn(this.ctx.storage));
  #ownWindow: DurableWindow | undefined;
  #ownBudget: AccountBudget | undefined;
  #addresses: AddressWindows | undefined;
  /** Whether a request with the key was let in since the object began. */
  #isInUse = false;

  /** Asks for one more request without credentials. Exact under concurrency: an object does one thing at a time. */
  take(request: AddressRequest): AddressTaken {
    this.#addresses ??= new AddressWindows(this.ctx.storage.kv, this.#incarnation);
    return this.#addresses.take(request, Date.now());
  }

  /**
   * Asks for more requests of a key, of which one was admitted before: for something that counts as several.
   *
   * @returns how many of them count now: all, or none where the key's limit refuses them, or as many as that of the account
   * lets through
   */
  async takeMore({ counter, count, perMinute, accountPerMinute, isWhole }: More): Promise<Taken> {
    const now = Date.now();
    const allowance = this.#window.take(perMinute, now, count);
    const key = this.#key.find()?.key;
    const userId = key?.userId;
    let taken = allowance.allowed ? count : 0;
    let account: Granted | undefined;
    if (allowance.allowed && userId !== undefined) {
      try {
        const perMinuteOfAll = key?.accountRpm ?? accountPerMinute;
        account = await this.#takeOfAccount(userId, { counter, perMinute: perMinuteOfAll, wanted: count });
        taken = account?.granted ?? count;
      } catch {
        // Where the account does not answer, they go through as any request does.
      }
    }
    const isRefused = isWhole && taken < count;
    if (allowance.allowed && taken < count) this.#window.giveBack(timeOf(perMinute, now), count - taken);
    if (isRefused) {
      this.#window.giveBackMade(now, taken + 1);
      if (account && userId !== undefined && taken > 0) {
        await this.#giveBackToAccount(userId, taken);
        account = { ...account, remaining: account.remaining + taken };
      }
    }
    return {
      taken: isRefused ? 0 : taken,
      isActive: key?.status === 'active',
      allowance,
      account: account && allowanceOf(account, count),
      at: now,
    };
  }

  /** Takes back requests of `takeMore`, whose work has failed. Those of an earlier minute count no more. */
  async takeBack({ taken, at, perMinute, isOfAccount }: Failed): Promise<void> {
    if (Date.now() - at >= WINDOW_MS) return;
    this.#window.giveBack(timeOf(perMinute, at), taken);
    const userId = this.#key.find()?.key.userId;
    if (isOfAccount && userId !== undefined) await this.#giveBackToAccount(userId, taken);
  }

  /** Authenticates a key and asks for requests with it, as far as the key is cached. */
  async admit(credential: Credential, asked: AdmissionRequest): Promise<Admission> {
    await this.record(asked.uses);
    const cached = this.#key.find();
    const { epoch } = this.#key;
    if (cached) return this.#admitKey(credential, asked, { ...cached, epoch: cached.isOld ? epoch : undefined });
    if (this.#key.isAbsent) return { status: 'unknown' };
    return { status: 'unlearned', epoch, isFirst: this.#key.beginLookUp() };
  }

  /** The same where another request looks the key up: it waits for what that one finds. */
  async admitLater(credential: Credential, asked: AdmissionRequest): Promise<Admission> {
    const found = await this.#key.lookedUp();
    return found === 'open' ? this.admit(credential, asked) : this.#admitFound(credential, asked, found);
  }

  /**
   * Takes what the database says of the key, which was looked up in an epoch.
   *
   * @param asker the requests for which it was looked up; they are counted now
   */
  async learn(
    result: LookupResult,
    epoch: string,
    asker?: { credential: Credential; asked: AdmissionRequest },
  ): Promise<Admission | undefined> {
    const isStale = epoch !== this.#key.epoch;
    this.#key.learn(result, epoch);
    if (!asker) return undefined;
    const { credential, asked } = asker;
    if (!isStale) return this.#admitFound(credential, asked, result);
    // The key was changed meanwhile. Only the request that began before goes on with what it found.
    const admission = await this.#admitFound(credential, { ...asked, wanted: 1, ahead: 0 }, result);
    return 'keyId' in admission ? { ...admission, isStale } : admission;
  }

  /** As the object of an account: lets requests of a key through. */
  lease(perMinute: number, request: PermitRequest): Promise<Lease> {
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
    // The account may have less from now on than what it has given.
    this.#permits.forgetShare();
  }

  /** As the object of a subject: stores the newest state of the account, or one that an administrator sets. */
  noteAccount({ isSet = false, ...state }: AccountState & { readonly isSet?: boolean }): void {
    const { kv } = this.ctx.storage;
    if (isSet || state.order > (kv.get<AccountState>('account')?.order ?? '')) kv.put('account', state);
  }

  /** As the object of a subject: whether its account was deleted. */
  isDeleted(): boolean {
    return this.ctx.storage.kv.get<AccountState>('account')?.deleted ?? false;
  }

  /** Records requests of the key that were answered. */
  async record(uses: readonly KeyUse[]): Promise<void> {
    for (const use of uses) await this.#usage.record(use);
  }

  /** As the object of a key: whether a request with it was ever let in. */
  isUsed(): boolean {
    return this.#isInUse || this.#usage.hasRecorded;
  }

  /** Makes sure that recorded usage will be sent to the database. Gives whether nothing would have sent it. */
  resume(): Promise<boolean> {
    return this.#usage.resume();
  }

  /** As the object of notifications: sends what is due soon, and sleeps until more is. So the database sleeps while nothing is. */
  async sendNotifications(): Promise<void> {
    this.ctx.storage.kv.put('sends', true);
    await this.ctx.storage.setAlarm(Date.now());
  }

  async #sendDue(): Promise<void> {
    const { storage } = this.ctx;
    const ctx = jobContext(this.env, (work) => this.ctx.waitUntil(work));
    // The platform may end the run.
    const later = Date.now() + SEND_AGAIN_MS;
    await storage.setAlarm(later);
    // Other counters send nothing.
    const { sendDueDeliveries } = await import('./notifications/deliver.ts');
    const wait = await sendDueDeliveries(ctx).catch((error) => {
      logFailure('notifications_not_sent', error, {});
      return SEND_AGAIN_MS / 1000;
    });
    // Somebody may have written more meanwhile, which is due now.
    if ((await storage.getAlarm()) !== later) return;
    await (wait === undefined ? storage.deleteAlarm() : storage.setAlarm(Date.now() + Math.max(0, wait * 1000)));
  }

  override async alarm(): Promise<void> {
    if (this.ctx.storage.kv.get('sends')) return this.#sendDue();
    await this.#usage.flush(
      async (batch) => addUsage(connect(configOf(this.env).DATABASE_URL), batch),
      (error, facts) => logFailure('usage_not_saved', error, facts),
    );
  }

  async #admitFound(credential: Credential, asked: AdmissionRequest, result: LookupResult): Promise<Admission> {
    if (result === 'nothing') return { status: 'unavailable' };
    if (!result.key) return { status: 'unknown' };
    const { userId, email, isAdmin, accountRpm } = result.key;
    return this.#admitKey(credential, asked, { key: result.key, user: { userId, email, isAdmin, accountRpm } });
  }

  /** Counts requests against the limit of the key, and then against that of its account. */
  async #admitKey(
    { prefix, hash }: Credential,
    { accountPerMinute, wanted, ahead, unused, receipts }: AdmissionRequest,
    { key, epoch, user }: { key: KeyRecord; epoch?: string | undefined; user?: User },
  ): Promise<Admission> {
    if (!sameText(key.hash, hash)) return { status: 'unknown' };
    const { status, keyId, scopes, rateLimitRpm, accountRpm, expiresAt, userId } = key;
    const own = { status, keyId, scopes, rateLimitRpm, accountRpm, expiresAt };
    const facts = { ...own, epoch, user, uncounted: undefined, isStale: false };
    const none = { own: undefined, account: undefined, lease: undefined, receipt: undefined, isScarce: false };
    if (status !== 'active') return { ...facts, ...none };
    this.#isInUse = true;
    const now = Date.now();
    const window = this.#window;
    const limit = rateLimitRpm ?? DEFAULT_KEY_RPM;
    window.accept(receipts, now);
    this.#takeUnused(unused);
    const through = window.takeUpTo(limit, now, wanted);
    const receipt = through.granted > 0 ? window.receiptAt(now) : undefined;
    if (through.granted === 0) return { ...facts, ...none, own: through };
    try {
      const perMinute = accountRpm ?? accountPerMinute;
      const account = await this.#takeOfAccount(userId, {
        counter: keyCounter(prefix),
        perMinute,
        wanted: through.granted,
        ahead,
      });
      // A request that the account refuses does not count for the key either.
      const refused = through.granted - (account?.granted ?? through.granted);
      if (refused > 0) window.giveBack(timeOf(limit, now), refused);
      const lease = through.granted < wanted || refused > 0 ? undefined : this.#leaseOf(limit, ahead);
      const held = lease?.permits ?? 0;
      return {
        ...facts,
        own: { ...through, remaining: through.remaining + refused - held },
        account: account && { ...account, remaining: account.remaining - held },
        lease,
        isScarce: isScarce(limit, through.remaining + refused, ahead) || isScarce(perMinute, account?.remaining, ahead),
        receipt: account?.granted === 0 ? undefined : receipt,
      };
    } catch (error) {
      return { ...facts, ...none, own: through, receipt, uncounted: String(error) };
    }
  }

  /** Permits that an instance may use within a second without asking. A busy caller is likely to use them. */
  #leaseOf(limit: number, ahead: number): Leased | undefined {
    const now = Date.now();
    const free = this.#window.free(limit, now);
    const most = Math.min(ahead, Math.floor(limit / WINDOW_SECONDS), free);
    if (most < MIN_LEASE || (limit <= EXACT_LIMIT && !isPlenty(limit, free))) return undefined;
    const permits = this.#permits.takeSpare(most, now);
    if (permits === 0) return undefined;
    const { at } = this.#window.lease(limit, now, permits);
    return { permits, incarnation: this.#incarnation, givenAt: now, at };
  }

  #takeUnused(unused: Leased | undefined): void {
    if (unused?.incarnation !== this.#incarnation) return;
    this.#window.giveBack(unused.at, unused.permits);
    this.#permits.returnSpare(unused.permits, unused.givenAt);
  }

  /**
   * @returns undefined where the account was not asked, because the key has a share
   * @throws Error if the object of the account does not answer
   */
  #takeOfAccount(
    userId: string,
    { counter, perMinute, wanted, ahead = 0 }: { counter: string; perMinute: number; wanted: number; ahead?: number },
  ): Promise<Granted | undefined> {
    return this.#permits.takeUpTo(
      (request) =>
        callCounter(
          this.#counters(),
          accountCounter(userId),
          async (account): Promise<Lease> => account.lease(perMinute, { ...request, counter }),
          ACCOUNT_TIMEOUT_MS,
        ),
      perMinute,
      { wanted, ahead, isSlow: wanted === 1 && this.#key.isStored },
    );
  }

  /** Gives back requests that the account has let through. Where it does not answer, they count there for a minute. */
  async #giveBackToAccount(userId: string, count: number): Promise<void> {
    await callCounter(
      this.#counters(),
      accountCounter(userId),
      async (account) => account.uncount(count),
      ACCOUNT_TIMEOUT_MS,
    ).catch(() => undefined);
  }

  readonly #recall = (counter: string, which: Recall) =>
    callCounter(this.#counters(), counter, async (key) => key.giveBack(which));

  get #window(): DurableWindow {
    this.#ownWindow ??= new DurableWindow(windowIn(this.ctx.storage), {
      incarnation: this.#incarnation,
      now: Date.now(),
    });
    return this.#ownWindow;
  }

  get #budget(): AccountBudget {
    this.#ownBudget ??= new AccountBudget(budgetIn(this.ctx.storage), this.#incarnation);
    return this.#ownBudget;
  }

  /** Other counters. What a caller waits for, its request limits. */
  #counters(): Counters {
    return { meters: this.env.METER, deadline: new Deadline('each', configOf(this.env).REQUEST_WAIT_MS) };
  }
}

/** Whether less than half of what is likely within a second is free of a limit that frees something at every moment. */
function isScarce(limit: number, free = Number.POSITIVE_INFINITY, ahead: number): boolean {
  return limit > EXACT_LIMIT && ahead >= 2 && free < ahead / 2;
}

/** What is let through as one answer to a request for all of some requests. */
function allowanceOf({ granted, remaining, resetMs }: Granted, wanted: number): Allowance {
  return { allowed: granted === wanted, remaining, resetMs };
}

function windowIn({ kv }: DurableObjectStorage): WindowStore {
  return {
    read: () => kv.get<StoredWindow>('window'),
    write: (window) => kv.put('window', window),
  };
}

function sharesIn({ kv }: DurableObjectStorage): ShareStore {
  return {
    read: () => kv.get<number>('share'),
    write: (until) => (until === undefined ? kv.delete('share') : kv.put('share', until)),
  };
}

function budgetIn(storage: DurableObjectStorage): BudgetStore {
  return {
    window: windowIn(storage),
    readShares: () => storage.kv.get<ReturnType<BudgetStore['readShares']>>('shares') ?? [],
    writeShares: (shares) => storage.kv.put('shares', shares),
  };
}
