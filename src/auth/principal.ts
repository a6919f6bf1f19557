import type { Scope } from './scopes.ts';

/** The person behind a request. */
export interface User {
  /** Id of the profile. */
  readonly userId: string;
  /** Verified, in lower case. */
  readonly email: string | null;
  readonly isAdmin: boolean;
}

/** Who is asking, resolved once per request. */
export type Principal =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'master' }
  | ({ readonly kind: 'session' } & User)
  | ({
      readonly kind: 'key';
      readonly keyId: string;
      /** Null: everything but `admin`. */
      readonly scopes: readonly Scope[] | null;
    } & User);

/**
 * Who may call a route.
 * `public`: anyone; credentials are not looked at.
 * `free-tier`: anyone for what needs no key; credentials that are sent must be good.
 * `authenticated`: only with good credentials.
 * `user`: only a person, by a session or by a key without scopes; what people do with their own keys.
 * `owner`: the same, or the master token.
 * `admin`: the master token, or an administrator, whose key must have the scope `admin`.
 */
export type Access = 'public' | 'free-tier' | 'authenticated' | 'user' | 'owner' | 'admin';

/** Whether a principal may do what a scope stands for. */
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
  }
}

/** The person who is asking; nobody where the caller is anonymous or the holder of the master token. */
export function userOf(principal: Principal): User | undefined {
  return principal.kind === 'session' || principal.kind === 'key' ? principal : undefined;
}
