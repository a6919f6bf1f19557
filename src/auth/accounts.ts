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
  /** Version of the release that is served, which saves a query for it; null before the first load. */
  readonly activeVersion: string | null;
}

export interface StoredUser extends User {
  readonly deleted: boolean;
  readonly activeVersion: string | null;
}

/** The look-ups of authentication. The modules of keys and profiles implement them, each as one statement. */
export interface Accounts {
  findKey(prefix: string): Promise<StoredKey | undefined>;
  /** The profile of a subject, made where there was none. */
  findOrCreateProfile(subject: string, email: string | null): Promise<StoredUser>;
}
