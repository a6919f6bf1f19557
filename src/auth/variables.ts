import type { Context } from 'hono';
import type { Deadline } from '../deadline.ts';
import type { Config } from '../env.ts';
import type { LimitVariables } from '../rate-limits/enforce.ts';
import type { Accounts } from './accounts.ts';
import type { Principal } from './principal.ts';

/** The variables that authentication reads, and those that it sets. */
export interface AuthVariables {
  config: Config;
  deadline: Deadline;
  accounts: Accounts;
  /** Whether a credential in the query lets the request in without a bearer. */
  hasQueryCredential: boolean | undefined;
  /** The account that this credential is of, where it names one. */
  sessionAccount: string | undefined;
  principal: Principal;
}

export interface AuthEnv {
  Bindings: Env;
  Variables: AuthVariables & LimitVariables;
}

export type AuthContext = Context<AuthEnv>;
