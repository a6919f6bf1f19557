import type { User } from './principal.ts';
import type { Scope } from './scopes.ts';

/** A key as authentication needs it. */
export interface StoredKey extends User {
  readonly keyId: string;
  readonly hash: string;
  readonly scopes: readonly Scope[] | null;
  /** Requests per minute; null: the default. */
  readonly rateLimitRpm: number | null;
  /** At the time of the look-up, by the clock of the database. */
  readonly status: 'active' | 'revoked' | 'expired';
  /** Milliseconds since the epoch; null: never. */
  readonly expiresAt: number | null;
}

export interface StoredUser extends User {
  readonly deleted: boolean;
}

/** The look-ups of authentication. The modules of keys and profiles implement them, each as one statement. */
export interface Accounts {
  findKey(prefix: string): Promise<StoredKey | undefined>;
  /** The profile of a subject, made where there was none. */
  findOrCreateProfile(subject: string, email: string | null): Promise<StoredUser>;
}
