import type { Context } from 'hono';
import type { Accounts } from './auth/accounts.ts';
import type { Principal } from './auth/principal.ts';
import type { Database } from './db/client.ts';
import type { Bindings, Config } from './env.ts';
import type { Limit } from './rate-limits/limit.ts';

/** What a request has at hand, put there once by the middleware of `app.ts`. */
export interface AppEnv {
  Bindings: Bindings;
  Variables: {
    requestId: string;
    /** The path of the operation as the document has it; undefined where none is asked for. */
    route: string | undefined;
    /** Whether a pass lets the request in without credentials. */
    passed: boolean | undefined;
    config: Config;
    db: Database;
    accounts: Accounts;
    principal: Principal;
    /** Of a key: SHA-256 of the token, and how many requests it may make. */
    keyHash: string | undefined;
    keyLimit: Limit | undefined;
    /** Why the request was not counted against its limit, where it should have been. */
    uncounted: unknown;
    /** The version of the active release, where authentication has learnt it on the way. */
    activeVersion: string | undefined;
    /** The data release that the answer was made from, once a read has said so. */
    release: string | undefined;
  };
}

export type AppContext = Context<AppEnv>;
