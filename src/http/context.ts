import type { Context } from 'hono';
import type { Principal } from '../auth/principal.ts';
import type { Database } from '../db/client.ts';
import type { Bindings, Config } from '../env.ts';

/** What a request has at hand, put there once by the middleware of `app.ts`. */
export interface AppEnv {
  Bindings: Bindings;
  Variables: {
    requestId: string;
    config: Config;
    db: Database;
    principal: Principal;
    /** The data release that the answer was made from, once a read has said so. */
    release: string | undefined;
  };
}

export type AppContext = Context<AppEnv>;
