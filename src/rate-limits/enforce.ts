import type { Context, MiddlewareHandler } from 'hono';
import { DomainError } from '../errors.ts';
import { errorCodeOf, replacementResponse } from '../http/error-responses.ts';
import type { RequestVariables } from '../http/variables.ts';
import type { AddressTaken } from './address-windows.ts';
import { callCounter } from './counter.ts';
import { cachedExhaustion, cacheExhaustion } from './exhausted.ts';
import { type Count, type Limit, limitHeaders, requireAllowance, secondsOf, WINDOW_SECONDS } from './limit.ts';
import { receiptsOf, storeReceipt } from './receipts.ts';
import { recordUse } from './waiting-uses.ts';

/** The variables that limiting reads, and those that it sets. */
export interface LimitVariables {
  /** The limit of the caller, set by authentication; undefined for a caller who has none. */
  limit: Limit | undefined;
  /** The limit of work that counts as several requests, of a caller whose single requests have none. */
  weighedLimit: Limit | undefined;
  /** The allowances, where the counters were asked while the caller was authenticated and let the request through. */
  counts: readonly Count[] | undefined;
  /**
   * Counts the request as several, of which some were counted before: at least one, when its caller was admitted. Throws where it
   * is refused. Only callers without a key have this; undefined where the operation does not say what its requests count as.
   */
  countAs: ((requests: number, counted: number) => Promise<void>) | undefined;
  /** The reason why the request was not counted, where it should have been. */
  uncounted: unknown;
}

type LimitedContext = Context<{ Bindings: Env; Variables: RequestVariables & LimitVariables }>;

const READS = new Set(['GET', 'HEAD']);

/**
 * Enforces the limits of callers. A read is worked on while the counter is asked, and its answer is thrown away where the
 * counter refuses. A write waits for the counter. Where the counter can't be reached, the request goes through and the
 * log says so.
 *
 * @param isWeighed whether the handler says what a request counts as, once it knows: so the counter of an address is asked once
 * @throws DomainError `rate_limit_exceeded`
 */
export function enforceLimit({ isWeighed = false } = {}): MiddlewareHandler<{
  Bindings: Env;
  Variables: RequestVariables & LimitVariables;
}> {
  return async (c, next) => {
    const limit = c.get('limit');
    if (!limit) {
      const weighed = c.get('weighedLimit');
      if (weighed) c.set('countAs', (requests, counted) => countWeighed(c, weighed, { requests, counted }));
      return next();
    }
    const counted = c.get('counts');
    const isCounted = counted !== undefined || c.get('uncounted') !== undefined;
    const exhausted = isCounted ? [] : limitsOf(limit).flatMap(({ holder }) => cachedExhaustion(holder) ?? []);
    if (exhausted.length > 0) refuse(c, exhausted.slice(0, 1));
    const started = Date.now();
    let counting: ReturnType<typeof countRequest> | undefined;
    const count = async (requests: number) => {
      if (!isCounted) counting ??= countRequest(c, limit, { requests });
      return counting;
    };
    if (isWeighed) {
      let sum = 0;
      c.set('countAs', async (requests, counted) => {
        // The first of all is counted here too. What a later part of the work costs is known once the first was let through.
        const isMore = sum > 0;
        const part = Math.min(isMore ? requests - counted : requests, limit.perMinute - sum);
        if (isCounted || part < 1) return;
        sum += part;
        counting = countRequest(c, limit, { requests: part, isMore });
        const counts = await counting;
        if (isRefused(counts)) refuse(c, counts);
      });
    } else {
      count(1);
    }
    if (counted) setLimitHeaders(c, counted);
    // One that is weighed waits where its handler counts it, before the work.
    if (!isWeighed && !READS.has(c.req.method)) {
      const counts = await count(1);
      if (isRefused(counts)) refuse(c, counts);
    }
    await next();
    const counts = await count(1);
    if (isRefused(counts)) {
      replaceAnswer(c, counts);
      return;
    }
    if (counts) setLimitHeaders(c, counts);
    recordUsage(c, limit, Date.now() - started);
  };
}

/**
 * Counts work of a signed-in person, whose single requests have no limit: so the first request counts with the second.
 *
 * @param work `counted`: how many of the requests were counted before, or one
 * @throws DomainError `rate_limit_exceeded`
 */
async function countWeighed(
  c: LimitedContext,
  limit: Limit,
  { requests, counted }: { requests: number; counted: number },
): Promise<void> {
  const part = counted > 1 ? requests - counted : requests;
  if (requests < 2 || part < 1) return;
  const counts = await countRequest(c, limit, { requests: Math.min(part, limit.perMinute) });
  if (isRefused(counts)) refuse(c, counts);
  if (counts) setLimitHeaders(c, counts);
}

/** Says what is left of some limits. */
export function setLimitHeaders(c: Context, counts: readonly Count[]): void {
  for (const [name, value] of Object.entries(limitHeaders(counts))) c.header(name, value);
}

const SUBJECTS: Readonly<Record<Limit['policy'], string>> = {
  key: 'This API key',
  account: 'All API keys of this account together',
  'free-tier': 'This address, without an API key,',
  network: 'All addresses of this network (/48) together, without an API key,',
  'unknown-keys': 'This address, with API keys that do not exist,',
  session: 'This address, with a session,',
  sessions: 'All sessions of this account together',
  work: 'Work of this account that counts as several requests',
};

/** The error for a request beyond the last of some limits, and its headers. */
function refusalOf(counts: readonly Count[]): { error: DomainError; headers: Record<string, string> } {
  const { limit, allowance } = counts.at(-1) as Count;
  const seconds = secondsOf(allowance.resetMs);
  const subject = SUBJECTS[limit.policy];
  const wait = `${seconds} second${seconds === 1 ? '' : 's'}`;
  const message = `${subject} may make ${limit.perMinute} requests in ${WINDOW_SECONDS} seconds. Try again in ${wait}.`;
  return {
    error: new DomainError('rate_limit_exceeded', message),
    headers: { ...limitHeaders(counts), 'Retry-After': String(seconds) },
  };
}

/**
 * @param counts what was counted; the last is what refuses
 * @throws DomainError `rate_limit_exceeded`, always
 */
export function refuse(c: Context, counts: readonly Count[]): never {
  const { error, headers } = refusalOf(counts);
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  throw error;
}

/** Headers that every answer has. */
const COMMON_HEADERS = /^(x-request-id|x-content-type-options|strict-transport-security|access-control-.*)$/;

/** Replaces the handler's answer by a refusal. The headers that earlier middleware has set stay. */
function replaceAnswer(c: LimitedContext, counts: readonly Count[]): void {
  const { headers: given, body } = c.res;
  // Where the edge is storing a copy of the body, the body is cancelled only after the edge has read it.
  c.executionCtx.waitUntil(Promise.resolve(body?.cancel()).catch(() => undefined));
  const { error, headers } = refusalOf(counts);
  const common = [...given].filter(([name]) => COMMON_HEADERS.test(name));
  c.set('release', undefined);
  c.set('errorCode', error.code);
  // Hono merges the headers of an answer into the answer that replaces it, unless the answer was unset in between.
  c.res = undefined;
  c.res = replacementResponse(error, new Headers([...common, ...Object.entries(headers)]));
}

/**
 * Counts the request as so many. Gives undefined where the counter does not answer in time. Never throws.
 *
 * @param how `isMore`: it was let through before, and these count beside what it has counted as
 */
async function countRequest(
  c: LimitedContext,
  limit: Limit,
  { requests, isMore = false }: { requests: number; isMore?: boolean },
): Promise<readonly Count[] | undefined> {
  try {
    const counters = { meters: c.env.METER, deadline: c.get('deadline') };
    const limits = limitsOf(limit);
    const request = {
      limits: limits.map(({ holder, perMinute }) => ({ network: holder, perMinute })),
      count: requests,
      isMore,
      receipts: receiptsOf(limit.holder),
    };
    const taken = await callCounter<AddressTaken>(counters, limit.counter, (counter) => counter.take(request));
    storeReceipt(limit.holder, taken.receipt);
    const counts = taken.allowances.map((allowance, i) => ({
      limit: limits[i] as Limit,
      allowance: requireAllowance(allowance),
    }));
    const [own, wider] = counts as [Count, Count?];
    if (isRefused(counts)) {
      const { limit: refusing, allowance } = counts.at(-1) as Count;
      cacheExhaustion(refusing, allowance);
      return counts;
    }
    // The answer names the limit of a network where it has less left than the address.
    return wider && wider.allowance.remaining < own.allowance.remaining ? counts : [own];
  } catch (error) {
    c.set('uncounted', error);
    return undefined;
  }
}

function limitsOf(limit: Limit): readonly Limit[] {
  return limit.wider ? [limit, limit.wider] : [limit];
}

function isRefused(counts: readonly Count[] | undefined): counts is readonly Count[] {
  return counts?.at(-1)?.allowance.allowed === false;
}

/** Records the request with the counter of its key, after it was answered. */
function recordUsage(c: LimitedContext, { keyId, counter }: Limit, durationMs: number): void {
  if (keyId === undefined) return;
  const use = { keyId, path: c.get('route') ?? c.req.path, status: c.res.status, code: errorCodeOf(c), durationMs };
  // The request is answered whether its usage could be recorded or not.
  c.executionCtx.waitUntil(recordUse(c.env.METER, counter, use).catch(() => undefined));
}
