import type { Scope } from './scopes.ts';

/** The person behind a request. */
export interface User {
  /** Id of the profile. */
  readonly userId: string;
  /** Verified, with ASCII letters in lower case. */
  readonly email: string | null;
  readonly isAdmin: boolean;
  /** Requests per minute of all keys together; null: the setting ACCOUNT_RPM. */
  readonly accountRpm: number | null;
}

/** Who asks. It is found out once per request. */
export type Principal =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'master' }
  | ({ readonly kind: 'session' } & User)
  | ({
      readonly kind: 'key';
      readonly keyId: string;
      /** Null: everything but `admin`. */
      readonly scopes: readonly Scope[] | null;
      /** Milliseconds since the epoch; null: it does not expire. */
      readonly expiresAt: number | null;
    } & User)
  | {
      /** Whoever has a valid session or key, where the account behind it was not looked up. */
      readonly kind: 'bearer';
      readonly credential: 'session' | 'key';
      /** Null: everything but `admin`. */
      readonly scopes: readonly Scope[] | null;
      /** Milliseconds since the epoch; null: a key does not expire, or it is a session. */
      readonly expiresAt: number | null;
    };

/**
 * What an operation has to know of its caller. `account`: who it is, which asks the database. `credential`: that the key or
 * the session is valid, for what all accounts see alike. Both are then asked for in Durable Objects: the key, and whether
 * the account of the session was deleted.
 */
export type Identity = 'account' | 'credential';

/**
 * Who may call an operation.
 * `public`: everybody; credentials are not looked at.
 * `free-tier`: everybody; credentials that are sent must be valid, and what needs a key is refused without one.
 * `authenticated`: callers with valid credentials.
 * `user`: users, by a session or by a key without scopes. It is for what people do with their own keys.
 * `session`: users, by a session only. It is for what ends an account.
 * `owner`: users as `user`, and the holder of the master token.
 * `admin`: the holder of the master token, and administrators, whose key must have the scope `admin`.
 */
export type Access = 'public' | 'free-tier' | 'authenticated' | 'user' | 'session' | 'owner' | 'admin';

/** Whether a principal may do what a scope allows. */
export function holds(principal: Principal, scope: Scope): boolean {
  switch (principal.kind) {
    case 'anonymous':
      return false;
    case 'master':
      return true;
    case 'session':
      return scope !== 'admin' || principal.isAdmin;
    case 'key':
      if (scope === 'admin') return principal.isAdmin && (principal.scopes?.includes('admin') ?? false);
      return principal.scopes === null || principal.scopes.includes(scope);
    case 'bearer':
      return scope !== 'admin' && (principal.scopes === null || principal.scopes.includes(scope));
  }
}

/** The user who asks; undefined where the caller is anonymous or the holder of the master token, or was not looked up. */
export function userOf(principal: Principal): (Principal & User) | undefined {
  return principal.kind === 'session' || principal.kind === 'key' ? principal : undefined;
}

/** What tells a principal from others: two requests with the same credentials have the same name. */
export function nameOf(principal: Principal): string {
  return [principal.kind, principal.kind === 'key' ? principal.keyId : userOf(principal)?.userId].join(' ');
}
