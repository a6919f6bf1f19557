import { steadyTime } from '../clock.ts';
import type { Receipt } from '../rate-limits/durable-window.ts';
import type { Granted } from '../rate-limits/limit.ts';
import type { StoredKey } from './accounts.ts';
import type { User } from './principal.ts';

/** Up to this age what is known of a key is used without asking the database, milliseconds. */
const FRESH_MS = 10 * 60_000;

/** Up to this age what is known of a key is used where the database can't be asked, milliseconds. */
const GRACE_MS = 24 * 3_600_000;

/** How long nobody else is sent to the database after somebody was, milliseconds. */
const BACKOFF_MS = 30_000;

/**
 * How long nothing is learned of a key that is being changed, milliseconds. It is told before or after the statement that
 * changes it, which takes four seconds at most, as one that looks it up.
 */
const CHANGING_MS = 15_000;

/** How long a look-up may take before another request looks the key up, milliseconds: so that it still has time for that. */
export const LOOK_UP_MS = 2000;

/** Where the storage has what is known, with the owner's id. */
const STORED = 'owned-key';

/** What a caller shows. */
export interface Credential {
  readonly prefix: string;
  /** Of the whole key, as `hashOf` gives it. */
  readonly hash: string;
}

/** A key as a request with it needs to know it. */
export type KeyFacts = Pick<StoredKey, 'status' | 'keyId' | 'scopes' | 'rateLimitRpm' | 'accountRpm' | 'expiresAt'>;

/** What is kept of a key. Nothing of its owner is but the id and the limit, by which the account is counted. */
export type KeyRecord = KeyFacts & Pick<StoredKey, 'hash' | 'userId'>;

/** What the database says of the key with a prefix: its row, that there is none, or nothing. */
export type LookupResult = { readonly key: StoredKey | undefined } | 'nothing';

/**
 * What a request waits for that is not the one to ask the database; `open`: it should ask again, because the key was
 * changed meanwhile or nothing was found for long.
 */
type Found = LookupResult | 'open';

/**
 * What the Durable Object of a key says to a request. `unknown`: the key is not the one with its prefix. `unlearned`: too
 * little is known, so the database must be asked, by this request if it `isFirst`; others wait for what it finds.
 * `unavailable`: the database did not answer whoever asked it. Where there is an `epoch`, `learn` should be given with it
 * what the database says.
 */
export type Admission =
  | { readonly status: 'unknown' | 'unavailable' }
  | { readonly status: 'unlearned'; readonly epoch: string; readonly isFirst: boolean }
  | Admitted;

/** What the Durable Object of a key says to some requests with it. */
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

interface Known {
  readonly key: KeyRecord;
  /** When it was learned, milliseconds since the epoch. */
  readonly at: number;
}

/**
 * What the Durable Object of a key knows of the key, so that a request with it does not ask the database. What is known
 * counts for ten minutes, and for a day while the database can't be asked. A change of the key ends it at once.
 */
export class KnownKey {
  readonly #storage: DurableObjectStorage;
  #known: Known | undefined;
  // These are by `steadyTime`. What is stored has the time of the clock.
  #askedAt = Number.NEGATIVE_INFINITY;
  #changedAt = Number.NEGATIVE_INFINITY;
  #absentUntil = Number.NEGATIVE_INFINITY;
  #lookingUntil = Number.NEGATIVE_INFINITY;
  #epoch = crypto.randomUUID();
  /** Whether the key was known before this incarnation began. */
  readonly isStored: boolean;
  /** Requests that wait for what another one finds, in this epoch. */
  #waiting: ((found: Found) => void)[] = [];

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#known = storage.kv.get<Known>(STORED);
    this.isStored = this.#known !== undefined;
  }

  /** Between two changes of the key. What was looked up in an earlier one is not learned. */
  get epoch(): string {
    return this.#epoch;
  }

  /** The key with its status of now, and whether the database should be asked; undefined where too little is known. */
  find(): { readonly key: KeyRecord; readonly isOld: boolean } | undefined {
    const now = Date.now();
    if (this.#known && now - this.#known.at > GRACE_MS) this.#keep(undefined);
    if (!this.#known) return undefined;
    const { key, at } = this.#known;
    // It was learned in the future where the clock was set back.
    const isOld = (now - at > FRESH_MS || at > now) && steadyTime() - this.#askedAt > BACKOFF_MS;
    if (isOld) this.#askedAt = steadyTime();
    const hasExpired = key.status === 'active' && key.expiresAt !== null && key.expiresAt <= now;
    return { key: hasExpired ? { ...key, status: 'expired' } : key, isOld };
  }

  /** Whether the database has just said that there is no key with this prefix. Nobody makes one by chance. */
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

  /** What the request finds that looks the key up. */
  lookedUp(): Promise<Found> {
    const found = new Promise<Found>((resolve) => this.#waiting.push(resolve));
    return Promise.race([found, scheduler.wait(LOOK_UP_MS).then((): Found => 'open')]);
  }

  /** @param epoch of when it was looked up */
  learn(said: LookupResult, epoch: string): void {
    if (epoch !== this.#epoch) return;
    this.#endLookUp(said);
    if (said === 'nothing' || steadyTime() - this.#changedAt < CHANGING_MS) return;
    if (!said.key) this.#absentUntil = steadyTime() + BACKOFF_MS;
    this.#keep(said.key && { key: recordOf(said.key), at: Date.now() });
  }

  /** Call this when the key or its owner is being changed, or was. */
  forget(): void {
    this.#changedAt = steadyTime();
    this.#absentUntil = Number.NEGATIVE_INFINITY;
    this.#epoch = crypto.randomUUID();
    // What is being looked up may be no longer true.
    this.#endLookUp('open');
    this.#keep(undefined);
  }

  #endLookUp(found: Found): void {
    this.#lookingUntil = Number.NEGATIVE_INFINITY;
    for (const resolve of this.#waiting.splice(0)) resolve(found);
  }

  #keep(known: Known | undefined): void {
    this.#known = known;
    if (known) this.#storage.kv.put(STORED, known);
    else this.#storage.kv.delete(STORED);
  }
}

function recordOf(key: StoredKey): KeyRecord {
  const { status, keyId, scopes, rateLimitRpm, accountRpm, hash, expiresAt, userId } = key;
  return { status, keyId, scopes, rateLimitRpm, accountRpm, hash, expiresAt, userId };
}
