import { steadyTime } from '../clock.ts';
import type { Receipt } from '../rate-limits/durable-window.ts';
import type { Granted } from '../rate-limits/limit.ts';
import type { StoredKey } from './accounts.ts';
import type { User } from './principal.ts';

/** The TTL of a cached key, milliseconds. */
const TTL_MS = 10 * 60_000;

/** Up to this age a cached key is used where the database does not answer, milliseconds. */
const MAX_STALE_MS = 24 * 3_600_000;

/** The shortest time between two requests that ask the database, milliseconds. */
const BACKOFF_MS = 30_000;

/**
 * How long a key is not cached after a change, milliseconds. `forget` comes before or after the statement that changes the
 * key. That statement takes four seconds at most, and so does one that looks the key up.
 */
const CHANGING_MS = 15_000;

/** How long a look-up may take before another request looks the key up, milliseconds. That request still has time for it. */
export const LOOK_UP_MS = 2000;

/** Where the storage has the cached key, with the id of its owner. */
const STORED = 'owned-key';

/** What a caller shows. */
export interface Credential {
  readonly prefix: string;
  /** Of the whole key, as `hashOf` gives it. */
  readonly hash: string;
}

/** A key as a request with it needs to know it. */
export type KeyFacts = Pick<StoredKey, 'status' | 'keyId' | 'scopes' | 'rateLimitRpm' | 'accountRpm' | 'expiresAt'>;

/** What is cached of a key. Of its owner it has the id and the limit, by which the account is counted. */
export type KeyRecord = KeyFacts & Pick<StoredKey, 'hash' | 'userId'>;

/** What the database says of the key with a prefix: its row, that there is none, or nothing. */
export type LookupResult = { readonly key: StoredKey | undefined } | 'nothing';

/**
 * What a request waits for that is not the one to ask the database; `open`: it should ask again, because the key was
 * changed meanwhile or nothing was found for long.
 */
type LookupOutcome = LookupResult | 'open';

/**
 * What the Durable Object of a key answers to a request. `unknown`: the key is not the one with its prefix. `unlearned`: the
 * key is not cached, so the database must be asked, by this request if it `isFirst`; others wait for what it finds.
 * `unavailable`: the database did not answer whoever asked it. Where there is an `epoch`, `learn` should be given with it
 * what the database says.
 */
export type Admission =
  | { readonly status: 'unknown' | 'unavailable' }
  | { readonly status: 'unlearned'; readonly epoch: string; readonly isFirst: boolean }
  | Admitted;

/** What the Durable Object of a key answers to some requests with it. */
export interface Admitted extends KeyFacts {
  /** How many of them the limit of the key lets through. Undefined for a key that is not active, whose requests don't count. */
  readonly own: Granted | undefined;
  /** How many of these the account lets through; undefined where it was not asked or did not answer. */
  readonly account: Granted | undefined;
  /** Why the account was not asked, where it should have been. */
  readonly uncounted: string | undefined;
  readonly epoch: string | undefined;
  /** The owner, where the database has just been asked. */
  readonly user: User | undefined;
  /** More requests that may be made within a second. */
  readonly lease: Leased | undefined;
  /** Whether so little is free that an instance should not ask for each request. Only a limit above 600 says so. */
  readonly isScarce: boolean;
  /** Whether the key was changed while it was looked up: this holds for the request that looked it up, and for no other. */
  readonly isStale: boolean;
  /** For a request that is not written: see `DurableWindow`. */
  readonly receipt: Receipt | undefined;
}

/** Permits that an instance holds. */
export interface Leased {
  readonly permits: number;
  readonly incarnation: string;
  /** When they were given, and the time that they count with: milliseconds since the epoch, by the clock of the object. */
  readonly givenAt: number;
  readonly at: number;
}

interface CachedRecord {
  readonly key: KeyRecord;
  /** When it was looked up, milliseconds since the epoch. */
  readonly at: number;
}

/**
 * The key that its Durable Object caches, so that a request with the key does not ask the database. The TTL is ten minutes, and
 * a day while the database does not answer. A change of the key ends it at once.
 */
export class CachedKey {
  readonly #storage: DurableObjectStorage;
  #cached: CachedRecord | undefined;
  // These are by `steadyTime`. What is stored has the time of the clock.
  #askedAt = Number.NEGATIVE_INFINITY;
  #changedAt = Number.NEGATIVE_INFINITY;
  #absentUntil = Number.NEGATIVE_INFINITY;
  #lookingUntil = Number.NEGATIVE_INFINITY;
  #epoch = crypto.randomUUID();
  /** Whether the key was cached before this incarnation began. */
  readonly isStored: boolean;
  /** Requests that wait for what another one finds, in this epoch. */
  #waiting: ((found: LookupOutcome) => void)[] = [];

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#cached = storage.kv.get<CachedRecord>(STORED);
    this.isStored = this.#cached !== undefined;
  }

  /** Between two changes of the key. What was looked up in an earlier epoch is not cached. */
  get epoch(): string {
    return this.#epoch;
  }

  /** The key with its status of now, and whether the database should be asked; undefined where it is not cached. */
  find(): { readonly key: KeyRecord; readonly isOld: boolean } | undefined {
    const now = Date.now();
    if (this.#cached && now - this.#cached.at > MAX_STALE_MS) this.#store(undefined);
    if (!this.#cached) return undefined;
    const { key, at } = this.#cached;
    // The time of the entry is in the future where the clock was set back.
    const isOld = (now - at > TTL_MS || at > now) && steadyTime() - this.#askedAt > BACKOFF_MS;
    if (isOld) this.#askedAt = steadyTime();
    const hasExpired = key.status === 'active' && key.expiresAt !== null && key.expiresAt <= now;
    return { key: hasExpired ? { ...key, status: 'expired' } : key, isOld };
  }

  /** Whether the database has just answered that there is no key with this prefix. */
  get isAbsent(): boolean {
    return steadyTime() < this.#absentUntil;
  }

  /** Whether nobody looks the key up. Whoever asks first does, and calls `learn`. */
  beginLookUp(): boolean {
    const now = steadyTime();
    if (now < this.#lookingUntil) return false;
    this.#lookingUntil = now + LOOK_UP_MS;
    return true;
  }

  /** Waits for what the request finds that looks the key up. */
  lookedUp(): Promise<LookupOutcome> {
    const found = new Promise<LookupOutcome>((resolve) => this.#waiting.push(resolve));
    return Promise.race([found, scheduler.wait(LOOK_UP_MS).then((): LookupOutcome => 'open')]);
  }

  /** @param epoch of when it was looked up */
  learn(result: LookupResult, epoch: string): void {
    if (epoch !== this.#epoch) return;
    this.#endLookUp(result);
    if (result === 'nothing' || steadyTime() - this.#changedAt < CHANGING_MS) return;
    if (!result.key) this.#absentUntil = steadyTime() + BACKOFF_MS;
    this.#store(result.key && { key: recordOf(result.key), at: Date.now() });
  }

  /** Call this when the key or its owner is being changed, or was. */
  forget(): void {
    this.#changedAt = steadyTime();
    this.#absentUntil = Number.NEGATIVE_INFINITY;
    this.#epoch = crypto.randomUUID();
    // What is being looked up may be no longer true.
    this.#endLookUp('open');
    this.#store(undefined);
  }

  #endLookUp(found: LookupOutcome): void {
    this.#lookingUntil = Number.NEGATIVE_INFINITY;
    for (const resolve of this.#waiting.splice(0)) resolve(found);
  }

  #store(cached: CachedRecord | undefined): void {
    this.#cached = cached;
    if (cached) this.#storage.kv.put(STORED, cached);
    else this.#storage.kv.delete(STORED);
  }
}

function recordOf(key: StoredKey): KeyRecord {
  const { status, keyId, scopes, rateLimitRpm, accountRpm, hash, expiresAt, userId } = key;
  return { status, keyId, scopes, rateLimitRpm, accountRpm, hash, expiresAt, userId };
}
