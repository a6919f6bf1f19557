import type { Deadline } from '../deadline.ts';
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

/** What a session claims of its holder. */
export interface Claims {
  readonly subject: string;
  /** Verified by the provider, with ASCII letters in lower case; null: it claims none. */
  readonly email: string | null;
  /** When it was issued, seconds since the epoch; null: it does not say. */
  readonly issuedAt: number | null;
}

export interface StoredUser extends User {
  readonly deleted: boolean;
}

/** The look-ups of authentication. The modules of keys and profiles implement them, each as one statement. */
export interface Accounts {
  /** @param deadline of whoever waits for it; that of the request where it is left out */
  findKey(prefix: string, deadline?: Deadline): Promise<StoredKey | undefined>;
  /** The profile of a subject, made where there was none. */
  findOrCreateProfile(claims: Claims): Promise<StoredUser>;
}
