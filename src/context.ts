import type { Context as HonoContext } from 'hono';
import { type Principal, type User, userOf } from './auth/principal.ts';
import type { AuthVariables } from './auth/variables.ts';
import type { Actor } from './db/audit.ts';
import { connect, type Database } from './db/client.ts';
import { Deadline } from './deadline.ts';
import { type Config, configOf } from './env.ts';
import type { AreaStoreName, RequestVariables } from './http/variables.ts';
import type { LimitVariables } from './rate-limits/enforce.ts';
import { Bucket } from './storage/bucket.ts';

/** What Hono's context carries: the bindings, and the variables that each middleware declares and sets. */
export interface AppEnv {
  Bindings: Env;
  Variables: RequestVariables & AuthVariables & LimitVariables;
}

/** Hono's context, which handlers call `c`. Services never see it. */
export type AppContext = HonoContext<AppEnv>;

/** The Idempotency-Key of a request that creates something (draft-ietf-httpapi-idempotency-key-header). */
export interface RequestKey {
  /** SHA-256 of the caller, the operation and the key, 64 hex digits. */
  readonly id: string;
  /** The key itself. It is not stored. */
  readonly text: string;
  /** SHA-256 of path and body, 64 hex digits; null where the operation reads its body by itself. */
  readonly fingerprint: string | null;
  /** Set where the answer is what an earlier request has made. */
  isRepeated?: true;
}

/** What a request or a scheduled job works with. Every service takes it as its first argument. */
export interface ServiceContext {
  readonly config: Config;
  readonly db: Database;
  /** The bucket of tile archives and of the files of datasets. */
  readonly bucket: Bucket;
  /** The counters of keys, accounts and addresses. */
  readonly meters: Env['METER'];
  /** Asks URLs that users have given. On a server of one's own it connects to public ones only. */
  readonly outbound: (url: string, init: RequestInit) => Promise<Response>;
  /** How long the request still waits for things outside. In a job each wait has the whole time. */
  readonly deadline: Deadline;
  /** The same context for work that goes on after the answer: each wait has the whole time. */
  readonly afterAnswer: ServiceContext;
  /** Who is asking. A job acts as the holder of the master token. */
  readonly principal: Principal;
  /**
   * The principal as the audit log names it.
   *
   * @throws Error if the caller is anonymous or was not looked up, who may do nothing that is audited
   */
  readonly actor: Actor;
  /** Null in a job. */
  readonly requestId: string | null;
  /** Undefined where the request has none, and in a job. */
  readonly requestKey?: RequestKey | undefined;
  /** Lets work go on after the answer. The work handles its own failures. */
  readonly waitUntil: (work: Promise<unknown>) => void;
  /** Says in the log of the request which store of areas answered it. */
  readonly noteAreas: (store: AreaStoreName) => void;
  /** Says in the answer how many bytes the account of the caller stores. */
  readonly noteStored: (bytes: number) => void;
}

type OriginFacts = 'config' | 'principal' | 'requestId' | 'requestKey' | 'waitUntil' | 'noteAreas' | 'deadline';

interface Origin extends Pick<ServiceContext, OriginFacts> {
  readonly env: Env;
  /** Nothing in a job. */
  readonly noteStored?: ServiceContext['noteStored'];
}

/** The context of a scheduled job, or of other work that no request waits for. */
export function jobContext(env: Env, waitUntil: ServiceContext['waitUntil']): ServiceContext {
  const config = configOf(env);
  return serviceContext({
    config,
    env,
    principal: { kind: 'master' },
    requestId: null,
    waitUntil,
    noteAreas: () => undefined,
    deadline: new Deadline('each', config.REQUEST_WAIT_MS),
  });
}

export function serviceContext({ env, ...origin }: Origin): ServiceContext {
  const { config, deadline, principal, requestId } = origin;
  let db: Database | undefined;
  let bucket: Bucket | undefined;
  return {
    noteStored: () => undefined,
    requestKey: undefined,
    ...origin,
    meters: env.METER,
    /** A request that asks the database nothing makes no client. */
    get db() {
      db ??= connect(config.DATABASE_URL, deadline);
      return db;
    },
    get bucket() {
      bucket ??= new Bucket(env.FILES, deadline);
      return bucket;
    },
    outbound: (url, init) => {
      const { OUTBOUND } = env as { OUTBOUND?: Fetcher };
      return OUTBOUND ? OUTBOUND.fetch(url, init) : fetch(url, init);
    },
    get afterAnswer() {
      return serviceContext({ env, ...origin, deadline: deadline.unhurried });
    },
    get actor() {
      return actorOf(principal, requestId);
    },
  };
}

/** The user who asks, of a route that admits nobody else. */
export function requireUser({ principal }: ServiceContext): Principal & User {
  const user = userOf(principal);
  if (!user) throw new Error('The route admits users only');
  return user;
}

function actorOf(principal: Principal, requestId: string | null): Actor {
  if (principal.kind === 'anonymous' || principal.kind === 'bearer') throw new Error('Nobody is known who acts');
  return {
    kind: principal.kind,
    userId: userOf(principal)?.userId ?? null,
    keyId: principal.kind === 'key' ? principal.keyId : null,
    requestId,
  };
}
