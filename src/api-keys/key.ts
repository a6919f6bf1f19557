import type { KeyEnvironment } from '../auth/key-token.ts';
import type { Scope } from '../auth/scopes.ts';
import type { Notice } from '../http/notices.ts';

/** A key as its owner sees it. Moments are RFC 3339 texts in UTC. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly prefix: string;
  readonly environment: KeyEnvironment;
  readonly status: 'active' | 'revoked' | 'expired';
  readonly scopes: Scope[] | null;
  readonly rate_limit_rpm: number | null;
  readonly rate_limit_burst: number | null;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly user_id: string;
  readonly user_email: string | null;
}

/** A key, with notices about it, if any. */
export interface KeyWithNotices<Key extends ApiKey = ApiKey> {
  readonly key: Key;
  readonly meta: { readonly notices: readonly Notice[] } | undefined;
}

/** A key as it is stored: with the hash of its token, and not the token. */
export interface NewKey {
  readonly name: string;
  readonly description: string | null;
  readonly environment: KeyEnvironment;
  readonly prefix: string;
  readonly hash: string;
  readonly scopes: readonly Scope[] | null;
  readonly rateLimitRpm: number | null;
  readonly rateLimitBurst: number | null;
  readonly expiresAt: string | null;
}

/** Usage of all keys of a user. Rates are in percent, times in milliseconds. */
export interface KeyStats {
  readonly total_keys: number;
  readonly total_requests: number;
  readonly avg_response_time: number;
  readonly success_rate: number;
  readonly error_rate: number;
  readonly requests_by_day: {
    readonly date: string;
    readonly count: number;
    readonly statuses: { readonly status: number; readonly count: number }[];
  }[];
  readonly requests_by_key: {
    readonly key_id: string;
    readonly name: string;
    readonly count: number;
    readonly failed: number;
  }[];
  readonly top_endpoints: { readonly path: string | null; readonly count: number }[];
  readonly failures: {
    readonly date: string;
    readonly key_id: string;
    readonly path: string;
    readonly status: number;
    readonly code: string;
    readonly count: number;
  }[];
}

/** How much of something an account may use, and has used; null where that is unknown. */
interface Share {
  readonly allowed: number;
  readonly used: number | null;
}

/** The usage of a user's keys, and the limits of their account. */
export interface AccountStats extends KeyStats {
  readonly limits: { readonly requests_per_minute: Share; readonly stored_bytes: Share };
}
