import type { User } from './principal.ts';
import type { Scope } from './scopes.ts';

/** A key as authentication needs it. */
export interface StoredKey extends User {
  readonly keyId: string;
  readonly hash: string;
  readonly scopes: readonly Scope[] | null;
  /** Requests per minute; null: the default. */
  readonly rateLimitRpm: number | null;
  /** By the clock of the database, at the moment of the question. */
  readonly status: 'active' | 'revoked' | 'expired';
  /** Version of the release that geography is served from, so that nobody has to ask for it once more. */
  readonly activeVersion: string | null;
}

export interface StoredUser extends User {
  readonly deleted: boolean;
  readonly activeVersion: string | null;
}

/** What authentication asks of keys and profiles, whose modules answer. Each method is one statement. */
export interface Accounts {
  findKey(prefix: string): Promise<StoredKey | undefined>;
  /** The profile of a subject, made where there was none. */
  findOrCreateProfile(subject: string, email: string | null): Promise<StoredUser>;
}
