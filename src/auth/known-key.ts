import type { Allowance } from '../rate-limits/limit.ts';
import type { StoredKey } from './accounts.ts';

/** Up to this age what is known of a key is used without asking the database, milliseconds. */
const FRESH_MS = 10 * 60_000;

/** Up to this age what is known of a key is used where the database can't be asked, milliseconds. */
const GRACE_MS = 24 * 3_600_000;

/** How long nobody else is sent to the database after somebody was, milliseconds. */
const PAUSE_MS = 30_000;

/**
 * How long nothing is learned of a key that is being changed, milliseconds. It is told before or after the statement that
 * changes it, which takes four seconds at most, as one that looks it up.
 */
const CHANGING_MS = 15_000;

/** Where the storage has what is known. */
const STORED = 'known-key';

/** What a caller shows. */
export interface Credential {
  readonly prefix: string;
  /** Of the whole key, as `hashOf` gives it. */
  readonly hash: string;
}

/** A key as a request with it needs to know it. */
export type KeyFacts = Pick<StoredKey, 'status' | 'keyId' | 'scopes' | 'rateLimitRpm'>;

/** What is kept of a key. Nothing of its owner is. */
export type KeyRecord = KeyFacts & Pick<StoredKey, 'hash' | 'expiresAt'>;

/**
 * What the Durable Object of a key says to a request. `unknown`: the key is not the one with its prefix. `unlearned`: too
 * little is known, so the database must be asked. Where there is an `epoch`, `learn` should be given with it what the
 * database says.
 */
export type Admission =
  | { readonly status: 'unknown' }
  | { readonly status: 'unlearned'; readonly epoch: string }
  | (KeyFacts & {
      /** Undefined for a key that is not active, whose requests don't count. */
      readonly allowance: Allowance | undefined;
      readonly epoch: string | undefined;
    });

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
  #askedAt = Number.NEGATIVE_INFINITY;
  #changedAt = Number.NEGATIVE_INFINITY;
  #epoch = crypto.randomUUID();

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#known = storage.kv.get<Known>(STORED);
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
    const isOld = now - at > FRESH_MS && now - this.#askedAt > PAUSE_MS;
    if (isOld) this.#askedAt = now;
    const hasExpired = key.status === 'active' && key.expiresAt !== null && key.expiresAt <= now;
    return { key: hasExpired ? { ...key, status: 'expired' } : key, isOld };
  }

  /**
   * @param key undefined: there is no such key any more
   * @param epoch of when it was looked up
   */
  learn(key: KeyRecord | undefined, epoch: string): void {
    const now = Date.now();
    if (epoch !== this.#epoch || now - this.#changedAt < CHANGING_MS) return;
    this.#keep(key && { key, at: now });
  }

  /** Call this when the key or its owner is being changed, or was. */
  forget(): void {
    this.#changedAt = Date.now();
    this.#epoch = crypto.randomUUID();
    this.#keep(undefined);
  }

  #keep(known: Known | undefined): void {
    this.#known = known;
    if (known) this.#storage.kv.put(STORED, known);
    else this.#storage.kv.delete(STORED);
  }
}
